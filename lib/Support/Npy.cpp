//===- Npy.cpp - Arrays in numpy's files ----------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Support/Npy.h"

#include "Zip.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include <cstring>

using namespace mlir::lowp;
using llvm::StringRef;

static llvm::Error error(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

int64_t Array::getNumElements() const {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

namespace {
/// Reads the dictionary of a .npy header, a Python literal such as
/// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : text(text) {}

  llvm::Error parse(std::string &descr, bool &fortranOrder,
                    llvm::SmallVectorImpl<int64_t> &shape) {
    bool seen[3] = {};
    if (!consume('{'))
      return malformed();
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return malformed();
      bool parsed = false;
      if (key == "descr") {
        seen[0] = true;
        if (peek() == '[')
          return error("its elements are records; expected numbers");
        parsed = parseString(descr);
      } else if (key == "fortran_order") {
        seen[1] = true;
        parsed = parseBool(fortranOrder);
      } else if (key == "shape") {
        seen[2] = true;
        parsed = parseShape(shape);
      }
      if (!parsed || (!consume(',') && peek() != '}'))
        return malformed();
    }
    if (!seen[0] || !seen[1] || !seen[2])
      return malformed();
    return llvm::Error::success();
  }

private:
  llvm::Error malformed() { return error("its header is malformed"); }

  char peek() {
    text = text.ltrim(" \n\t");
    return text.empty() ? 0 : text.front();
  }
  bool consume(char c) {
    if (peek() != c)
      return false;
    text = text.drop_front();
    return true;
  }
  bool parseString(std::string &value) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = text.find(quote, 1);
    if (end == StringRef::npos)
      return false;
    value = text.slice(1, end).str();
    text = text.drop_front(end + 1);
    return true;
  }
  bool parseBool(bool &value) {
    peek();
    value = text.consume_front("True");
    return value || text.consume_front("False");
  }
  bool parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!consume('('))
      return false;
    while (!consume(')')) {
      int64_t dim;
      peek();
      if (text.consumeInteger(10, dim) || dim < 0)
        return false;
      text.consume_front("L"); // Python 2
      shape.push_back(dim);
      if (!consume(',') && peek() != ')')
        return false;
    }
    return true;
  }

  StringRef text;
};
} // namespace

/// Rewrites column-major elements to row-major ones.
static void transposeFortran(Array &array) {
  std::vector<char> source = std::move(array.data);
  array.data.resize(source.size());
  int64_t rank = array.shape.size(), count = array.getNumElements();
  llvm::SmallVector<int64_t> index(rank, 0), strides(rank);
  int64_t stride = 1;
  for (int64_t i = 0; i < rank; ++i) {
    strides[i] = stride;
    stride *= array.shape[i];
  }
  int64_t from = 0;
  for (int64_t to = 0; to < count; ++to) {
    std::memcpy(&array.data[to * array.itemSize],
                &source[from * array.itemSize], array.itemSize);
    for (int64_t i = rank - 1; i >= 0; --i) {
      from += strides[i];
      if (++index[i] < array.shape[i])
        break;
      from -= strides[i] * array.shape[i];
      index[i] = 0;
    }
  }
}

llvm::Expected<Array> mlir::lowp::parseNpy(StringRef bytes) {
  if (!bytes.consume_front("\x93NUMPY") || bytes.size() < 4)
    return error("not a .npy file");
  unsigned major = static_cast<unsigned char>(bytes[0]);
  if (major < 1 || major > 3)
    return error("version " + llvm::Twine(major) +
                 " of the .npy format is not supported");
  unsigned lengthSize = major == 1 ? 2 : 4;
  if (bytes.size() < 2 + lengthSize)
    return error("its header is cut off");
  uint64_t length = major == 1
                        ? llvm::support::endian::read16le(bytes.data() + 2)
                        : llvm::support::endian::read32le(bytes.data() + 2);
  bytes = bytes.drop_front(2 + lengthSize);
  if (length > bytes.size())
    return error("its header is cut off");

  Array array;
  std::string descr;
  bool fortranOrder = false;
  if (llvm::Error failure = HeaderParser(bytes.take_front(length))
                                .parse(descr, fortranOrder, array.shape))
    return std::move(failure);
  StringRef data = bytes.drop_front(length);

  StringRef type(descr);
  char order = type.empty() ? 0 : type.front();
  if (order == '<' || order == '>' || order == '|' || order == '=')
    type = type.drop_front();
  int64_t size;
  array.kind = type.empty() ? 0 : type.front();
  if (!StringRef("biuf").contains(array.kind) ||
      type.drop_front().getAsInteger(10, size) ||
      (size != 1 && size != 2 && size != 4 && size != 8) ||
      (array.kind == 'b' && size != 1) || (array.kind == 'f' && size == 1))
    return error("elements of type '" + descr +
                 "' are not supported; expected bool, integers of 8 to 64 bits "
                 "or floats of 16 to 64 bits (bf16 and narrower floats as "
                 "unsigned integers of their width)");
  if (order == '>' && size > 1)
    return error("big-endian elements ('" + descr + "') are not supported");
  array.itemSize = size;

  int64_t total = size;
  for (int64_t dim : array.shape)
    if (llvm::MulOverflow(total, dim, total))
      return error("its shape overflows");
  if (static_cast<uint64_t>(total) != data.size())
    return error("expected " + llvm::Twine(total) +
                 " bytes of elements, but got " + llvm::Twine(data.size()));
  array.data.assign(data.begin(), data.end());
  if (fortranOrder)
    transposeFortran(array);
  return array;
}

std::string mlir::lowp::formatNpy(const Array &array) {
  std::string header = "{'descr': '";
  header += array.itemSize == 1 ? '|' : '<';
  header += array.kind;
  header += std::to_string(array.itemSize);
  header += "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i) {
    header += (i ? " " : "") + std::to_string(array.shape[i]);
    if (i + 1 < array.shape.size() || array.shape.size() == 1)
      header += ",";
  }
  header += "), }";
  // Elements start at a multiple of 64 bytes, behind 10 bytes and a newline.
  header.append((64 - (header.size() + 11) % 64) % 64, ' ');
  header += '\n';
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(header.size());
  result += static_cast<char>(header.size() >> 8);
  result += header;
  result.append(array.data.begin(), array.data.end());
  return result;
}

llvm::Expected<NamedArrays> mlir::lowp::parseNpz(StringRef bytes) {
  llvm::Expected<ZipMembers> members = readZip(bytes);
  if (!members)
    return members.takeError();
  NamedArrays arrays;
  for (const auto &[name, data] : *members) {
    llvm::Expected<Array> array = parseNpy(data);
    if (!array)
      return error("member '" + name +
                   "': " + llvm::toString(array.takeError()));
    StringRef key(name);
    key.consume_back(".npy");
    arrays.emplace_back(key.str(), std::move(*array));
  }
  return arrays;
}

std::string mlir::lowp::formatNpz(
    llvm::ArrayRef<std::pair<std::string, const Array *>> arrays) {
  ZipMembers members;
  for (const auto &[name, array] : arrays)
    members.emplace_back(name + ".npy", formatNpy(*array));
  return writeZip(members);
}
