//===- Layout.h - Components of a blocked value and their layouts --*- C++
//-*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shapes of the components of a blocked value, packing of 4-bit codes, and the
/// two layouts of one-byte scales.
///
/// Source of the 128x4 layout: cuBLAS, "1D block scaling factors layout"; PTX
/// ISA, tcgen05 scale factors.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_NUMERICS_LAYOUT_H
#define LOWP_NUMERICS_LAYOUT_H

#include "lowp/Numerics/Formats.h"
#include "lowp/Numerics/Views.h"

namespace lowp::numerics {

/// How a value of a format is blocked: one block size per dim of the value,
/// and the dims that index the outer scale, in the order in which they do.
struct Blocking {
  Dims block;
  std::vector<unsigned> outerAxes;
};

/// Refuses blockings without a meaning: one block size of at least 1 per dim,
/// at most two of them above 1, distinct outer axes inside the rank that no
/// block crosses, and outer axes only where the format has an outer scale.
Status validateBlocking(const BlockFormat &format, const Blocking &blocking,
                        size_t rank);

/// The dim along which the elements of a block are consecutive: the last one
/// with a block size above 1 (the last dim where there is none).
unsigned blockAxis(const Dims &block);
/// The other dim with a block size above 1, or -1.
int tileAxis(const Dims &block);

/// Shape of the block grid, dim i = ceil(shape_i / block_i).
Dims gridShape(const Dims &shape, const Dims &block);

/// Shape of the scales: the grid, but two-dimensional tiles with one-byte
/// scales repeat theirs along the tile axis, so that a row of a tile finds its
/// scale as a row of one-dimensional blocks does.
Dims scaleShape(const BlockFormat &format, const Dims &shape,
                const Dims &block);

/// Shape of the outer scales: the outer dims in their order; rank 0 (one
/// number) for a per-tensor scale.
Dims outerShape(const Dims &shape, const std::vector<unsigned> &outerAxes);

/// Shape of the stored codes: 4-bit codes are packed in pairs along the last
/// dim, ceil(d / 2) bytes a row.
Dims packedShape(const ElementFormat &format, const Dims &shape);

/// Packs a row of 4-bit codes, one a byte, into ceil(count / 2) bytes: element
/// 0 in the low nibble, a padding nibble is zero.
void packRow(const uint8_t *codes, int64_t count, uint8_t *packed);
void unpackRow(const uint8_t *packed, int64_t count, uint8_t *codes);

/// The same for a row-major tensor of `shape`; a copy for wider codes.
void pack(const ElementFormat &format, const Dims &shape, const uint8_t *codes,
          uint8_t *packed);
void unpack(const ElementFormat &format, const Dims &shape,
            const uint8_t *packed, uint8_t *codes);

//===----------------------------------------------------------------------===//
// tcgen05_128x4
//===----------------------------------------------------------------------===//

/// Byte offset of scale (row, col) of an image with `cols` columns:
/// ((r/128)*ceil(C/4) + c/4)*512 + (r%32)*16 + ((r%128)/32)*4 + c%4.
int64_t tcgen05Offset(int64_t row, int64_t col, int64_t cols);

/// Bytes of the image of rows x cols scales: padded to 128 rows x 4 columns.
int64_t tcgen05ImageSize(int64_t rows, int64_t cols);

/// Bytes of the scales of `shape` (rank at least 1; the last two dims are
/// tiled, a vector is one row): one padded image per leading index.
int64_t tcgen05Size(const Dims &shape);

/// Row-major scales to images and back. Padding bytes are written as zero and
/// never read.
void toTcgen05(const Dims &shape, const uint8_t *linear, uint8_t *image);
void fromTcgen05(const Dims &shape, const uint8_t *image, uint8_t *linear);

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

/// Blocking of the value whose dim i is dim permutation[i] of the original.
/// The order of the outer axes is kept, so that the outer scales are the same
/// bytes.
Blocking permutedBlocking(const Blocking &blocking,
                          const std::vector<unsigned> &permutation);

/// Moves row-major elements of `bytes` bytes: result dim i is dim
/// permutation[i] of the source.
void transposeElements(const Dims &shape, unsigned bytes,
                       const std::vector<unsigned> &permutation,
                       const void *source, void *result);

/// Scales of the permuted value. Repeated scales of tiles are gathered from
/// the first row of each tile and repeated along the new tile axis.
void transposeScales(const BlockFormat &format, const Dims &shape,
                     const Dims &block,
                     const std::vector<unsigned> &permutation,
                     const void *source, void *result);

} // namespace lowp::numerics

#endif // LOWP_NUMERICS_LAYOUT_H
