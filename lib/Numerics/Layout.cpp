//===- Layout.cpp - Components of a blocked value and their layouts -------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Numerics/Layout.h"
#include "Indexing.h"

namespace lowp::numerics {

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Status validateBlocking(const BlockFormat &format, const Blocking &blocking,
                        size_t rank) {
  if (rank == 0)
    return Status::error("expects a rank of at least 1, but got 0");
  if (blocking.block.size() != rank)
    return Status::error("expects one block size per dim (" +
                         std::to_string(rank) + "), but got " +
                         std::to_string(blocking.block.size()));
  unsigned wide = 0;
  for (int64_t size : blocking.block) {
    if (size < 1)
      return Status::error("expects block sizes of at least 1, but got " +
                           std::to_string(size));
    wide += size > 1;
  }
  if (wide > 2)
    return Status::error("expects at most 2 block sizes above 1, but got " +
                         std::to_string(wide));
  if (!format.outer && !blocking.outerAxes.empty())
    return Status::error("expects outer axes only with an outer scale");
  std::vector<bool> seen(rank, false);
  for (unsigned axis : blocking.outerAxes) {
    if (axis >= rank)
      return Status::error("expects outer axes below the rank " +
                           std::to_string(rank) + ", but got " +
                           std::to_string(axis));
    if (seen[axis])
      return Status::error("expects distinct outer axes, but got " +
                           std::to_string(axis) + " twice");
    seen[axis] = true;
    if (blocking.block[axis] > 1)
      return Status::error("expects blocks of size 1 along outer axis " +
                           std::to_string(axis) + ", but got " +
                           std::to_string(blocking.block[axis]));
  }
  return Status::success();
}

unsigned blockAxis(const Dims &block) {
  for (size_t dim = block.size(); dim-- > 0;)
    if (block[dim] > 1)
      return static_cast<unsigned>(dim);
  return static_cast<unsigned>(block.size() - 1);
}

int tileAxis(const Dims &block) {
  for (unsigned dim = blockAxis(block); dim-- > 0;)
    if (block[dim] > 1)
      return static_cast<int>(dim);
  return -1;
}

Dims gridShape(const Dims &shape, const Dims &block) {
  Dims grid(shape.size());
  for (size_t dim = 0; dim < shape.size(); ++dim)
    grid[dim] = ceilDiv(shape[dim], block[dim]);
  return grid;
}

/// Whether the scales of a tile are stored once per row of it.
static bool repeatsScales(const BlockFormat &format) {
  return format.scale->kind != ScaleKind::Float32;
}

Dims scaleShape(const BlockFormat &format, const Dims &shape,
                const Dims &block) {
  Dims result = gridShape(shape, block);
  int tile = tileAxis(block);
  if (tile >= 0 && repeatsScales(format))
    result[tile] = shape[tile];
  return result;
}

Dims outerShape(const Dims &shape, const std::vector<unsigned> &outerAxes) {
  Dims result;
  for (unsigned axis : outerAxes)
    result.push_back(shape[axis]);
  return result;
}

Dims packedShape(const ElementFormat &format, const Dims &shape) {
  Dims result = shape;
  if (format.storageBits() == 4 && !result.empty())
    result.back() = ceilDiv(result.back(), 2);
  return result;
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

void packRow(const uint8_t *codes, int64_t count, uint8_t *packed) {
  for (int64_t i = 0; i < count; i += 2) {
    unsigned high = i + 1 < count ? codes[i + 1] & 0xFu : 0u;
    packed[i / 2] = static_cast<uint8_t>((codes[i] & 0xFu) | (high << 4));
  }
}

void unpackRow(const uint8_t *packed, int64_t count, uint8_t *codes) {
  for (int64_t i = 0; i < count; ++i)
    codes[i] = (packed[i / 2] >> (i % 2 ? 4 : 0)) & 0xFu;
}

void pack(const ElementFormat &format, const Dims &shape, const uint8_t *codes,
          uint8_t *packed) {
  int64_t count = numElements(shape);
  if (count == 0)
    return;
  if (format.storageBits() != 4) {
    std::memcpy(packed, codes, static_cast<size_t>(count));
    return;
  }
  int64_t row = shape.empty() ? 1 : shape.back();
  for (int64_t start = 0; start < count; start += row) {
    packRow(codes + start, row, packed);
    packed += ceilDiv(row, 2);
  }
}

void unpack(const ElementFormat &format, const Dims &shape,
            const uint8_t *packed, uint8_t *codes) {
  int64_t count = numElements(shape);
  if (count == 0)
    return;
  if (format.storageBits() != 4) {
    std::memcpy(codes, packed, static_cast<size_t>(count));
    return;
  }
  int64_t row = shape.empty() ? 1 : shape.back();
  for (int64_t start = 0; start < count; start += row) {
    unpackRow(packed, row, codes + start);
    packed += ceilDiv(row, 2);
  }
}

//===----------------------------------------------------------------------===//
// tcgen05_128x4
//===----------------------------------------------------------------------===//

int64_t tcgen05Offset(int64_t row, int64_t col, int64_t cols) {
  return ((row / 128) * ceilDiv(cols, 4) + col / 4) * 512 + (row % 32) * 16 +
         ((row % 128) / 32) * 4 + col % 4;
}

int64_t tcgen05ImageSize(int64_t rows, int64_t cols) {
  return ceilDiv(rows, 128) * 128 * ceilDiv(cols, 4) * 4;
}

namespace {

struct Images {
  int64_t count = 1;
  int64_t rows = 1;
  int64_t cols = 1;

  explicit Images(const Dims &shape) {
    size_t rank = shape.size();
    for (size_t dim = 0; dim + 2 < rank; ++dim)
      count *= shape[dim];
    if (rank >= 2)
      rows = shape[rank - 2];
    if (rank >= 1)
      cols = shape[rank - 1];
  }
};

} // namespace

int64_t tcgen05Size(const Dims &shape) {
  Images images(shape);
  return images.count * tcgen05ImageSize(images.rows, images.cols);
}

void toTcgen05(const Dims &shape, const uint8_t *linear, uint8_t *image) {
  Images images(shape);
  int64_t size = tcgen05ImageSize(images.rows, images.cols);
  if (images.count * size == 0)
    return;
  std::memset(image, 0, static_cast<size_t>(images.count * size));
  for (int64_t i = 0; i < images.count; ++i, image += size)
    for (int64_t row = 0; row < images.rows; ++row)
      for (int64_t col = 0; col < images.cols; ++col)
        image[tcgen05Offset(row, col, images.cols)] = *linear++;
}

void fromTcgen05(const Dims &shape, const uint8_t *image, uint8_t *linear) {
  Images images(shape);
  int64_t size = tcgen05ImageSize(images.rows, images.cols);
  for (int64_t i = 0; i < images.count; ++i, image += size)
    for (int64_t row = 0; row < images.rows; ++row)
      for (int64_t col = 0; col < images.cols; ++col)
        *linear++ = image[tcgen05Offset(row, col, images.cols)];
}

//===----------------------------------------------------------------------===//
// Transposition
//===----------------------------------------------------------------------===//

static Dims permutedDims(const Dims &dims,
                         const std::vector<unsigned> &permutation) {
  Dims result;
  for (unsigned dim : permutation)
    result.push_back(dims[dim]);
  return result;
}

Blocking permutedBlocking(const Blocking &blocking,
                          const std::vector<unsigned> &permutation) {
  Blocking result;
  result.block = permutedDims(blocking.block, permutation);
  for (unsigned axis : blocking.outerAxes)
    for (unsigned dim = 0; dim < permutation.size(); ++dim)
      if (permutation[dim] == axis)
        result.outerAxes.push_back(dim);
  return result;
}

void transposeElements(const Dims &shape, unsigned bytes,
                       const std::vector<unsigned> &permutation,
                       const void *source, void *result) {
  if (numElements(shape) == 0)
    return;
  Dims strides = permutedDims(rowMajorStrides(shape), permutation);
  Dims extents = permutedDims(shape, permutation);
  Dims index(extents.size(), 0);
  char *to = static_cast<char *>(result);
  do {
    int64_t offset = dotProduct(index, strides);
    std::memcpy(to, static_cast<const char *>(source) + offset * bytes, bytes);
    to += bytes;
  } while (advance(index, extents));
}

void transposeScales(const BlockFormat &format, const Dims &shape,
                     const Dims &block,
                     const std::vector<unsigned> &permutation,
                     const void *source, void *result) {
  unsigned bytes = format.scale->storageBytes;
  Dims newShape = permutedDims(shape, permutation);
  Dims newBlock = permutedDims(block, permutation);
  Dims extents = scaleShape(format, newShape, newBlock);
  if (numElements(extents) == 0)
    return;
  Dims strides = rowMajorStrides(scaleShape(format, shape, block));
  int tile = repeatsScales(format) ? tileAxis(block) : -1;
  int newTile = repeatsScales(format) ? tileAxis(newBlock) : -1;
  Dims index(extents.size(), 0);
  char *to = static_cast<char *>(result);
  do {
    int64_t offset = 0;
    for (size_t dim = 0; dim < index.size(); ++dim) {
      int64_t position = index[dim];
      if (static_cast<int>(dim) == newTile)
        position /= newBlock[dim];
      if (static_cast<int>(permutation[dim]) == tile)
        position *= newBlock[dim];
      offset += position * strides[permutation[dim]];
    }
    std::memcpy(to, static_cast<const char *>(source) + offset * bytes, bytes);
    to += bytes;
  } while (advance(index, extents));
}

} // namespace lowp::numerics
