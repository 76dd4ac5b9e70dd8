//===- Interface.cpp - Arrays that follow from the attributes -------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"

#include "lowp/Conformance/Attributes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::lowp;
using namespace mlir::lowp::conformance;
using llvm::Error;

static Error error(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

static Error toError(const num::Status &status) {
  return status.ok() ? Error::success() : error(status.message());
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

llvm::ArrayRef<std::pair<llvm::StringRef, const num::ElementFormat *>>
conformance::getElementChoices() {
  static const auto choices = [] {
    std::vector<std::pair<llvm::StringRef, const num::ElementFormat *>> list;
    for (const num::ElementFormat *format : num::kElementFormats)
      list.emplace_back(format->name, format);
    return list;
  }();
  return choices;
}

llvm::ArrayRef<std::pair<llvm::StringRef, const num::ScaleFormat *>>
conformance::getScaleChoices() {
  static const auto choices = [] {
    std::vector<std::pair<llvm::StringRef, const num::ScaleFormat *>> list;
    for (const num::ScaleFormat *format : num::kScaleFormats)
      list.emplace_back(format->name, format);
    return list;
  }();
  return choices;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

unsigned conformance::byteWidth(DType dtype) {
  switch (dtype) {
  case DType::U8:
    return 1;
  case DType::BF16:
  case DType::F16:
    return 2;
  case DType::U32:
  case DType::F32:
    return 4;
  case DType::I64:
    return 8;
  }
  return 1;
}

int64_t ArraySpec::numBytes() const { return numElements() * byteWidth(dtype); }

Array conformance::makeArray(const ArraySpec &spec) {
  Array array;
  array.kind = spec.dtype == DType::F32 ? 'f' : 'u';
  array.itemSize = byteWidth(spec.dtype);
  array.shape.assign(spec.shape.begin(), spec.shape.end());
  array.data.resize(spec.numBytes());
  return array;
}

num::BlockFormat Blocked::format() const {
  return {"", element, scale, outer, 1};
}

/// A grouping of the right number of groups, for shapes.
static num::Grouping anyGrouping(const Blocked &blocked) {
  return {static_cast<unsigned>(blocked.groupAxis),
          num::Dims(blocked.groups + 1)};
}

num::Dims Blocked::scaleShape(const num::Dims &shape) const {
  return isGrouped() ? num::scaleShape(format(), shape, blocking.block,
                                       anyGrouping(*this))
                     : num::scaleShape(format(), shape, blocking.block);
}

num::Dims Blocked::outerShape(const num::Dims &shape) const {
  return isGrouped()
             ? num::outerShape(shape, blocking.outerAxes, anyGrouping(*this))
             : num::outerShape(shape, blocking.outerAxes);
}

num::Dims Spec::resultShape() const {
  if (isContraction(op))
    return contractedShape(*this, shape);
  if (op == OpKind::Combine)
    return {shape[1], shape[2]};
  if (op != OpKind::Requantize && op != OpKind::Transpose)
    return shape;
  num::Dims result;
  for (unsigned dim : permutation)
    result.push_back(shape[dim]);
  return result;
}

static DType toDType(num::FloatType type) {
  switch (type) {
  case num::FloatType::F32:
    return DType::F32;
  case num::FloatType::BF16:
    return DType::BF16;
  case num::FloatType::F16:
    return DType::F16;
  }
  return DType::F32;
}

/// Codes, scales, outer scale and offsets of a value.
static void addComponents(std::vector<ArraySpec> &arrays,
                          const Blocked &blocked, const num::Dims &shape,
                          const std::string &prefix = "") {
  arrays.push_back(
      {prefix + "codes", DType::U8, num::packedShape(*blocked.element, shape)});
  num::Dims scales = blocked.scaleShape(shape);
  if (blocked.layout == Layout::Tcgen05_128x4) {
    int64_t columns = scales.back(), rows = scales[scales.size() - 2];
    scales.resize(scales.size() - 2);
    scales.push_back(num::tcgen05ImageSize(rows, columns));
  }
  bool float32 = blocked.scale->kind == num::ScaleKind::Float32;
  arrays.push_back(
      {prefix + "scales", float32 ? DType::F32 : DType::U8, scales});
  if (blocked.outer)
    arrays.push_back({prefix + "outer", DType::F32, blocked.outerShape(shape)});
  if (blocked.isGrouped())
    arrays.push_back({prefix + "offsets", DType::I64, {blocked.groups + 1}});
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Offsets are small next to what a case may hold.
static constexpr int64_t kMaxGroups = int64_t(1) << 20;

static Error checkShape(const num::Dims &shape) {
  if (shape.size() > 8)
    return error("expects a rank of at most 8, but got " +
                 llvm::Twine(shape.size()));
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > kMaxElements)
      return error("expects sizes between 0 and 2^31, but got " +
                   llvm::Twine(size));
    count *= std::max<int64_t>(size, 1);
    if (count > kMaxElements)
      return error("expects at most 2^31 elements");
  }
  return Error::success();
}

static Error checkBlocked(const Blocked &blocked, const num::Dims &shape) {
  for (int64_t size : blocked.blocking.block)
    if (size > std::numeric_limits<int32_t>::max())
      return error("expects block sizes below 2^31, but got " +
                   llvm::Twine(size));
  num::BlockFormat format = blocked.format();
  if (Error failure = toError(
          num::validateBlocking(format, blocked.blocking, shape.size())))
    return failure;
  bool float32 = blocked.scale->kind == num::ScaleKind::Float32;
  if (float32 && blocked.outer)
    return error("expects no outer scale above fp32 block scales");
  if (blocked.layout == Layout::Tcgen05_128x4 && (float32 || shape.size() < 2))
    return error("expects scales of one byte and a rank of at least 2 for "
                 "layout tcgen05_128x4");
  if (!llvm::is_sorted(blocked.blocking.outerAxes))
    return error("expects outer axes to ascend");
  if (!blocked.isGrouped())
    return Error::success();
  if (blocked.groupAxis >= static_cast<int64_t>(shape.size()))
    return error("expects groups along a dim below the rank, but got " +
                 llvm::Twine(blocked.groupAxis));
  if (blocked.groups < 0 || blocked.groups > kMaxGroups ||
      (blocked.groups == 0 && shape[blocked.groupAxis] != 0))
    return error("expects between 1 and 2^20 groups, but got " +
                 llvm::Twine(blocked.groups));
  if (blocked.layout != Layout::Linear ||
      num::tileAxis(blocked.blocking.block) >= 0)
    return error("expects 1-D blocks with scales in linear layout in groups");
  return Error::success();
}

static Error checkUngrouped(const Blocked &blocked) {
  if (blocked.isGrouped())
    return error("expects no groups for this operation");
  return Error::success();
}

static Error checkPermutation(const std::vector<unsigned> &permutation,
                              size_t rank) {
  std::vector<bool> seen(rank, false);
  bool good = permutation.size() == rank;
  for (unsigned dim : permutation) {
    good = good && dim < rank && !seen[dim];
    if (good)
      seen[dim] = true;
  }
  if (!good)
    return error("expects a permutation of " + llvm::Twine(rank) + " dims");
  return Error::success();
}

static Error checkKey(const num::RandomKey &key) {
  if (key.rounds != 7 && key.rounds != 10)
    return error("expects 7 or 10 rounds, but got " + llvm::Twine(key.rounds));
  if (key.stream >= 0x80000000u)
    return error("expects a stream below 2^31, but got " +
                 llvm::Twine(key.stream));
  return Error::success();
}

static Error checkRule(const Blocked &result, const Spec &spec) {
  if (Error failure = toError(num::validate(result.format(), spec.rule)))
    return failure;
  if (Error failure = checkKey(spec.key))
    return failure;
  if (spec.key.sharing == num::RandomSharing::Independent &&
      result.element->storageBits() == 4)
    return error("expects bits = shared for elements of 4 bits");
  return Error::success();
}

static Error checkKeep(const Spec &spec) {
  if (spec.requantOuter != num::RequantOuter::Keep)
    return Error::success();
  if (!spec.source.outer || !spec.result.outer)
    return error("expects outer scales in the source and in the result for "
                 "outer = keep");
  std::vector<unsigned> axes =
      num::permutedBlocking(spec.source.blocking, spec.permutation).outerAxes;
  llvm::sort(axes);
  if (axes != spec.result.blocking.outerAxes)
    return error("expects the outer axes of the source, permuted, in the "
                 "result for outer = keep");
  return Error::success();
}

static Error checkHadamard(const Spec &spec) {
  int64_t size = static_cast<int64_t>(spec.signs.size());
  if (!num::isHadamardSize(size))
    return error("expects 16, 32, 64 or 128 signs, but got " +
                 llvm::Twine(size));
  for (int8_t sign : spec.signs)
    if (sign != 1 && sign != -1)
      return error("expects signs of 1 or -1, but got " + llvm::Twine(sign));
  if (spec.axis < 0 || spec.axis >= static_cast<int64_t>(spec.shape.size()))
    return error("expects an axis below the rank, but got " +
                 llvm::Twine(spec.axis));
  if (spec.shape[spec.axis] % size != 0)
    return error("expects a size of the axis that is a multiple of " +
                 llvm::Twine(size) + ", but got " +
                 llvm::Twine(spec.shape[spec.axis]));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// getInterface
//===----------------------------------------------------------------------===//

static Error addQuantize(const Spec &spec, Interface &io) {
  const Blocked &result = spec.result;
  if (Error failure = checkBlocked(result, spec.shape))
    return failure;
  if (Error failure = checkRule(result, spec))
    return failure;
  io.inputs.push_back({"x", toDType(spec.dtype), spec.shape});
  switch (spec.given) {
  case Given::Nothing:
    break;
  case Given::Amax:
  case Given::Outer:
    if (!result.outer)
      return error("expects a format with an outer scale where outer scales "
                   "or amaxes are given");
    io.inputs.push_back({nameOf(kGiven, spec.given).str(), DType::F32,
                         result.outerShape(spec.shape)});
    break;
  case Given::RandomBits:
    if (spec.rule.round != num::RoundingMode::Stochastic)
      return error("expects round = stochastic where random bits are given");
    io.inputs.push_back({"random_bits", DType::U32, spec.shape});
    break;
  }
  if (result.isGrouped())
    io.inputs.push_back({"offsets", DType::I64, {result.groups + 1}});
  addComponents(io.outputs, result, spec.shape);
  return Error::success();
}

static Error addRequantize(const Spec &spec, Interface &io) {
  for (const Blocked &blocked : {spec.source, spec.result})
    if (Error failure = checkUngrouped(blocked))
      return failure;
  if (Error failure = checkPermutation(spec.permutation, spec.shape.size()))
    return failure;
  if (Error failure = checkBlocked(spec.source, spec.shape))
    return failure;
  if (Error failure = checkBlocked(spec.result, spec.resultShape()))
    return failure;
  if (Error failure = checkRule(spec.result, spec))
    return failure;
  if (Error failure = checkKeep(spec))
    return failure;
  addComponents(io.inputs, spec.source, spec.shape);
  addComponents(io.outputs, spec.result, spec.resultShape());
  return Error::success();
}

static Error addTranspose(const Spec &spec, Interface &io) {
  if (Error failure = checkUngrouped(spec.source))
    return failure;
  if (Error failure = checkPermutation(spec.permutation, spec.shape.size()))
    return failure;
  if (Error failure = checkBlocked(spec.source, spec.shape))
    return failure;
  if (spec.source.layout != Layout::Linear)
    return error("expects scale layout linear");
  addComponents(io.inputs, spec.source, spec.shape);
  Blocked result = spec.source;
  result.blocking =
      num::permutedBlocking(spec.source.blocking, spec.permutation);
  llvm::sort(result.blocking.outerAxes);
  addComponents(io.outputs, result, spec.resultShape());
  return Error::success();
}

static Error addConvertLayout(const Spec &spec, Interface &io) {
  if (Error failure = checkUngrouped(spec.source))
    return failure;
  Blocked result = spec.source;
  result.layout = spec.result.layout;
  for (const Blocked &blocked : {spec.source, result})
    if (Error failure = checkBlocked(blocked, spec.shape))
      return failure;
  addComponents(io.inputs, spec.source, spec.shape);
  addComponents(io.outputs, result, spec.shape);
  return Error::success();
}

static Error addBlockScale(const Spec &spec, Interface &io, bool outer) {
  const Blocked &result = spec.result;
  if (Error failure = checkBlocked(result, spec.shape))
    return failure;
  if (Error failure = checkRule(result, spec))
    return failure;
  if (result.outer != outer)
    return error(outer ? "expects a format with an outer scale"
                       : "expects a format without an outer scale");
  io.inputs.push_back({"amax", DType::F32, spec.shape});
  if (outer) {
    io.outputs = {{"encode", DType::F32, spec.shape},
                  {"decode", DType::F32, spec.shape}};
    return Error::success();
  }
  bool float32 = result.scale->kind == num::ScaleKind::Float32;
  io.outputs = {{"scales", float32 ? DType::F32 : DType::U8, spec.shape}};
  return Error::success();
}

static Error addAmax(const Spec &spec, Interface &io) {
  const std::vector<unsigned> &axes = spec.result.blocking.outerAxes;
  for (size_t i = 0; i < axes.size(); ++i)
    if (axes[i] >= spec.shape.size() || (i > 0 && axes[i] <= axes[i - 1]))
      return error("expects outer axes below the rank that ascend");
  io.inputs = {{"x", toDType(spec.dtype), spec.shape}};
  io.outputs = {{"amax", DType::F32, num::outerShape(spec.shape, axes)}};
  return Error::success();
}

static Error addCombine(const Spec &spec, Interface &io) {
  if (spec.shape.size() != 3)
    return error("expects 3 sizes, but got " + llvm::Twine(spec.shape.size()));
  if (Error failure = checkBlocked(spec.source, spec.shape))
    return failure;
  Spec transform = spec;
  transform.axis = 2;
  if (!spec.signs.empty())
    if (Error failure = checkHadamard(transform))
      return failure;
  if (spec.signs.empty() && spec.norm != num::HadamardNorm::Dyadic)
    return error("expects a normalization only with signs");
  addComponents(io.inputs, spec.source, spec.shape);
  io.inputs.push_back(
      {"gates", toDType(spec.gates), {spec.shape[0], spec.shape[1]}});
  io.outputs = {{"y", toDType(spec.dtype), spec.resultShape()}};
  return Error::success();
}

/// What is asked of an operand besides being a value.
static Error checkSide(const Side &side, bool byK) {
  const Blocked &blocked = side.blocked;
  const num::Dims &block = blocked.blocking.block;
  std::string name = side.name.str();
  if (byK ? blocked.layout != Layout::Linear || num::tileAxis(block) >= 0
          : blocked.groupAxis == side.kDim)
    return error(byK ? "expects 1-D blocks with scales in linear layout in " +
                           name
                     : "expects no groups of " + name + " along k");
  if (Error failure = checkBlocked(blocked, side.shape))
    return failure;
  if (block[side.kDim] == 1 &&
      llvm::any_of(block, [](int64_t size) { return size > 1; }))
    return error("expects blocks of " + name + " along k");
  if (llvm::is_contained(blocked.blocking.outerAxes, side.kDim))
    return error("expects no outer axis of " + name + " along k");
  return Error::success();
}

static Error addContraction(const Spec &spec, Interface &io) {
  size_t rank = spec.op == OpKind::Matmul ? 3 : 4;
  if (spec.shape.size() != rank)
    return error("expects " + llvm::Twine(rank) + " sizes, but got " +
                 llvm::Twine(spec.shape.size()));
  if (spec.op == OpKind::BatchMatmul && !spec.lhs.isBatched &&
      !spec.rhs.isBatched)
    return error("expects a batch of lhs or rhs");
  if (spec.op == OpKind::GroupedMatmul && spec.lhs.isTransposed)
    return error("expects lhs not to be transposed: groups are its rows");
  bool byK = spec.op == OpKind::KGroupedMatmul;
  if (isByGroups(spec.op)) {
    int64_t groups = spec.shape[0], size = spec.shape[byK ? 3 : 1];
    if (groups > kMaxGroups || (groups == 0 && size != 0))
      return error("expects between 1 and 2^20 groups, but got " +
                   llvm::Twine(groups));
    for (const Operand &operand : {spec.lhs, spec.rhs})
      if (byK && operand.isBlocked && operand.blocked.isGrouped())
        return error("expects no groups of operands but those of k");
  }
  std::vector<int64_t> blocks;
  for (const Side &side : sidesOf(spec, spec.shape)) {
    if (!side.isBlocked) {
      io.inputs.push_back({side.name.str(), toDType(side.dtype), side.shape});
      continue;
    }
    if (Error failure = checkSide(side, byK))
      return failure;
    blocks.push_back(side.blocked.blocking.block[side.kDim]);
    addComponents(io.inputs, side.blocked, side.shape, side.name.str() + "_");
  }
  if (blocks.size() == 2 &&
      std::max(blocks[0], blocks[1]) % std::min(blocks[0], blocks[1]) != 0)
    return error(
        "expects block sizes of which one divides the other, but got " +
        llvm::Twine(blocks[0]) + " and " + llvm::Twine(blocks[1]));
  if (isByGroups(spec.op))
    io.inputs.push_back({"offsets", DType::I64, {spec.shape[0] + 1}});
  num::Dims result = spec.resultShape();
  if (spec.hasInit)
    io.inputs.push_back({"init", DType::F32, result});
  io.outputs = {{"y", toDType(spec.dtype), result}};
  return Error::success();
}

static Error addRandomBits(const Spec &spec, Interface &io) {
  if (Error failure = checkKey(spec.key))
    return failure;
  if (spec.shape.empty())
    return error("expects a rank of at least 1, but got 0");
  bool shared = spec.key.sharing == num::RandomSharing::Hardware;
  if (spec.randomBits != 16 && (spec.randomBits != 8 || !shared))
    return error("expects 16 random bits, or 8 with bits = shared, but got " +
                 llvm::Twine(spec.randomBits));
  io.outputs = {{"bits", DType::U32, spec.shape}};
  return Error::success();
}

llvm::Expected<Interface> conformance::getInterface(const Spec &spec) {
  Interface io;
  if (Error failure = checkShape(spec.shape))
    return std::move(failure);
  Error failure = Error::success();
  switch (spec.op) {
  case OpKind::Quantize:
    failure = addQuantize(spec, io);
    break;
  case OpKind::Dequantize:
    failure = checkBlocked(spec.source, spec.shape);
    if (failure)
      break;
    addComponents(io.inputs, spec.source, spec.shape);
    io.outputs = {{"y", toDType(spec.dtype), spec.shape}};
    break;
  case OpKind::Requantize:
    failure = addRequantize(spec, io);
    break;
  case OpKind::Transpose:
    failure = addTranspose(spec, io);
    break;
  case OpKind::ConvertLayout:
    failure = addConvertLayout(spec, io);
    break;
  case OpKind::Rht:
    failure = checkHadamard(spec);
    io.inputs = {{"x", toDType(spec.dtype), spec.shape}};
    io.outputs = {{"y", toDType(spec.dtype), spec.shape}};
    break;
  case OpKind::Amax:
    failure = addAmax(spec, io);
    break;
  case OpKind::Combine:
    failure = addCombine(spec, io);
    break;
  case OpKind::Matmul:
  case OpKind::BatchMatmul:
  case OpKind::GroupedMatmul:
  case OpKind::KGroupedMatmul:
    failure = addContraction(spec, io);
    break;
  case OpKind::Encode:
    if (spec.randomBits < 1 || spec.randomBits > 24)
      failure = error("expects between 1 and 24 random bits, but got " +
                      llvm::Twine(spec.randomBits));
    io.inputs = {{"x", DType::F32, spec.shape}};
    if (spec.rule.round == num::RoundingMode::Stochastic)
      io.inputs.push_back({"random_bits", DType::U32, spec.shape});
    io.outputs = {{"codes", DType::U8, spec.shape}};
    break;
  case OpKind::Decode:
    io.inputs = {{"codes", DType::U8, spec.shape}};
    io.outputs = {{"y", DType::F32, spec.shape}};
    break;
  case OpKind::DecodeScale:
    if (spec.scale->kind == num::ScaleKind::Float32)
      failure = error("expects scales of one byte");
    io.inputs = {{"scales", DType::U8, spec.shape}};
    io.outputs = {{"y", DType::F32, spec.shape}};
    break;
  case OpKind::EncodeScale:
    io.inputs = {{"x", DType::F32, spec.shape}};
    io.outputs = {{"scales", DType::U8, spec.shape}};
    break;
  case OpKind::BlockScale:
  case OpKind::OuterScale:
    failure = addBlockScale(spec, io, spec.op == OpKind::OuterScale);
    break;
  case OpKind::Philox: {
    failure = checkKey(spec.key);
    num::Dims words = spec.shape, keys = spec.shape;
    words.push_back(4);
    keys.push_back(2);
    io.inputs = {{"counter", DType::U32, words}, {"key", DType::U32, keys}};
    io.outputs = {{"words", DType::U32, words}};
    break;
  }
  case OpKind::RandomBits:
    failure = addRandomBits(spec, io);
    break;
  }
  if (failure)
    return std::move(failure);
  return io;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static std::string indexText(int64_t element, const num::Dims &shape) {
  num::Dims index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = element % shape[dim];
    element /= shape[dim];
  }
  std::string text = "[";
  for (size_t dim = 0; dim < index.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(index[dim]);
  return text + "]";
}

std::string conformance::compare(const ArraySpec &spec, const Array &expected,
                                 const Array &actual) {
  if (expected.shape != actual.shape ||
      expected.data.size() != actual.data.size())
    return spec.name + ": expected another shape";
  auto load = [&](const Array &array, int64_t i) {
    uint64_t bits = 0;
    std::memcpy(&bits, array.data.data() + i * array.itemSize, array.itemSize);
    return bits;
  };
  auto isNan = [&](uint64_t bits) {
    switch (spec.dtype) {
    case DType::F32:
      return (bits & 0x7FFFFFFFu) > 0x7F800000u;
    case DType::BF16:
      return (bits & 0x7FFFu) > 0x7F80u;
    case DType::F16:
      return (bits & 0x7FFFu) > 0x7C00u;
    case DType::U8:
    case DType::U32:
    case DType::I64:
      break;
    }
    return false;
  };
  unsigned digits = 2 * byteWidth(spec.dtype) + 2;
  for (int64_t i = 0; i < spec.numElements(); ++i) {
    uint64_t want = load(expected, i), got = load(actual, i);
    if (want == got || (isNan(want) && isNan(got)))
      continue;
    return spec.name + indexText(i, spec.shape) + ": expected " +
           llvm::formatv("{0}, but got {1}", llvm::format_hex(want, digits),
                         llvm::format_hex(got, digits))
               .str();
  }
  return "";
}
