//===- Case.h - What one conformance case asks for --------------*- C++ -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A case is an operation with all its attributes, input arrays, and the output
/// arrays that follow from them. The scalar library computes the outputs; the
/// compiled path and other implementations are compared with them.
///
//===----------------------------------------------------------------------===//

#ifndef LOWP_CONFORMANCE_CASE_H
#define LOWP_CONFORMANCE_CASE_H

#include "lowp/Numerics/Groups.h"
#include "lowp/Numerics/Hadamard.h"
#include "lowp/Numerics/Quantize.h"
#include "lowp/Support/Npy.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::lowp::conformance {

namespace num = ::lowp::numerics;

enum class OpKind : uint8_t {
  Quantize,
  Dequantize,
  Requantize,
  Transpose,
  ConvertLayout,
  Rht,
  Amax,
  Combine,
  Matmul,
  BatchMatmul,
  GroupedMatmul,
  KGroupedMatmul,
  Encode,
  Decode,
  DecodeScale,
  EncodeScale,
  BlockScale,
  OuterScale,
  Philox,
  RandomBits,
};

enum class Layout : uint8_t { Linear, Tcgen05_128x4 };

/// What a quantization is given besides the values.
enum class Given : uint8_t { Nothing, Amax, Outer, RandomBits };

/// Element types of arrays.
enum class DType : uint8_t { U8, U32, I64, F32, BF16, F16 };

/// How a value is blocked and stored.
struct Blocked {
  const num::ElementFormat *element = &num::kE4M3;
  const num::ScaleFormat *scale = &num::kUE8M0;
  bool outer = false;
  num::Blocking blocking;
  Layout layout = Layout::Linear;
  /// The value is `groups` values along `groupAxis`, which is -1 where it is
  /// not grouped. Where they begin is an array.
  int64_t groupAxis = -1;
  int64_t groups = 0;

  num::BlockFormat format() const;
  bool isGrouped() const { return groupAxis >= 0; }
  /// Shapes of the scales, in linear layout, and of the outer scales.
  num::Dims scaleShape(const num::Dims &shape) const;
  num::Dims outerShape(const num::Dims &shape) const;
};

/// An operand of a contraction: a float tensor or a blocked value.
struct Operand {
  bool isBlocked = false;
  num::FloatType dtype = num::FloatType::F32;
  /// The groups that `k_grouped_matmul` sums by are not among its groups.
  Blocked blocked;
  /// Of `batch_matmul`: one matrix for each batch, or one for all.
  bool isBatched = true;
  /// lhs is MxK and rhs KxN, or the other way round.
  bool isTransposed = false;
};

/// An operation and its attributes. Which of the fields count depends on the
/// operation: visitAttributes in Attributes.h lists them.
struct Spec {
  OpKind op = OpKind::Quantize;
  /// Of the source; M, N and K of a contraction, after the number of matrices
  /// where it has several.
  num::Dims shape;
  /// Of a source or a result that is a float tensor.
  num::FloatType dtype = num::FloatType::F32;
  Blocked source, result;
  num::QuantRule rule;
  Given given = Given::Nothing;
  num::RandomKey key;
  num::RequantOuter requantOuter = num::RequantOuter::Fold;
  std::vector<unsigned> permutation;

  /// Of the gates of a combine.
  num::FloatType gates = num::FloatType::F32;

  /// Of a Hadamard transform. A combine without one has no signs.
  int64_t axis = 0;
  num::HadamardNorm norm = num::HadamardNorm::Dyadic;
  bool inverse = false;
  std::vector<int8_t> signs;

  /// Of a contraction.
  Operand lhs, rhs;
  bool hasInit = false;

  /// Of conversions of single numbers.
  const num::ElementFormat *element = &num::kE4M3;
  const num::ScaleFormat *scale = &num::kUE8M0;
  num::Overflow overflow = num::Overflow::Saturate;
  num::NumberRound scaleRound = num::NumberRound::TowardZero;
  int64_t randomBits = 16;

  num::Dims resultShape() const;
};

struct ArraySpec {
  std::string name;
  DType dtype;
  num::Dims shape;

  int64_t numElements() const { return num::numElements(shape); }
  int64_t numBytes() const;
};

unsigned byteWidth(DType dtype);

/// Names and types of the arrays of a case.
struct Interface {
  std::vector<ArraySpec> inputs, outputs;
};

struct Case {
  std::string name;
  Spec spec;
  std::vector<Array> inputs, outputs;
};

/// Largest number of elements of a value, empty dims counted as one: sizes
/// derived from it stay far from the end of 64 bits.
inline constexpr int64_t kMaxElements = int64_t(1) << 31;

/// The arrays that follow from the attributes, or why these have no meaning.
llvm::Expected<Interface> getInterface(const Spec &spec);

Array makeArray(const ArraySpec &spec);

/// The outputs by the scalar library. `inputs` must fit the interface.
llvm::Expected<std::vector<Array>> compute(const Spec &spec,
                                           llvm::ArrayRef<Array> inputs);

/// Where two arrays differ first: "[3]: expected 0x07, but got 0x06"; "" where
/// they do not. Any NaN equals any other in arrays of floats; codes and scale
/// bytes are compared by their bits.
std::string compare(const ArraySpec &spec, const Array &expected,
                    const Array &actual);

} // namespace mlir::lowp::conformance

#endif // LOWP_CONFORMANCE_CASE_H
