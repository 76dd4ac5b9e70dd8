//===- NpyTest.cpp - Arrays in numpy's files ------------------------------===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Support/Npy.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir::lowp;

namespace {

Array makeArray(std::vector<float> values, llvm::ArrayRef<int64_t> shape) {
  Array array;
  array.shape.assign(shape.begin(), shape.end());
  // Without values there may be no memory, which memcpy does not take.
  const char *bytes = reinterpret_cast<const char *>(values.data());
  array.data.assign(bytes, bytes + values.size() * sizeof(float));
  return array;
}

std::string makeNpy(llvm::StringRef descr, llvm::StringRef order,
                    llvm::StringRef shape, size_t bytes) {
  std::string header = ("{'descr': '" + descr + "', 'fortran_order': " + order +
                        ", 'shape': " + shape + ", }\n")
                           .str();
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += static_cast<char>(header.size() >> 8);
  return file + header + std::string(bytes, 0);
}

std::string getError(llvm::StringRef file) {
  llvm::Expected<Array> array = parseNpy(file);
  return array ? "" : llvm::toString(array.takeError());
}

TEST(Npy, RoundTrip) {
  for (const Array &array :
       {makeArray({1, 2, 3, 4, 5, 6}, {2, 3}), makeArray({}, {0, 7}),
        makeArray({5}, {}), makeArray({1, 2}, {2})}) {
    std::string file = formatNpy(array);
    EXPECT_EQ((file.size() - array.data.size()) % 64, 0u);
    llvm::Expected<Array> read = parseNpy(file);
    ASSERT_TRUE(static_cast<bool>(read));
    EXPECT_EQ(read->shape, array.shape);
    EXPECT_EQ(read->data, array.data);
    EXPECT_EQ(read->kind, 'f');
    EXPECT_EQ(read->itemSize, 4);
  }
}

TEST(Npy, Malformed) {
  EXPECT_EQ(getError(""), "not a .npy file");
  EXPECT_EQ(getError("\x93NUMPY"), "not a .npy file");
  EXPECT_NE(getError(makeNpy("<f4", "False", "(2, 3)", 23)), "");
  EXPECT_NE(getError(makeNpy("<f4", "False", "(2, 3)", 25)), "");
  EXPECT_NE(getError(makeNpy("<f4", "False", "(-2, 3)", 0)), "");
  EXPECT_NE(getError(makeNpy("<f4", "False", "(2, 3", 24)), "");
  EXPECT_NE(getError(makeNpy("<f4", "Maybe", "(2,)", 8)), "");
  EXPECT_EQ(getError(makeNpy("<f4", "False",
                             "(4611686018427387904, 4611686018427387904)", 0)),
            "its shape overflows");
  EXPECT_EQ(getError(makeNpy(">f4", "False", "(2,)", 8)),
            "big-endian elements ('>f4') are not supported");
  for (const char *type : {"<c8", "|V2", "<U3", "|O", "<f1", "<f16", "<i3", ""})
    EXPECT_NE(getError(makeNpy(type, "False", "(0,)", 0)).find("not supported"),
              std::string::npos)
        << type;
}

TEST(Npy, FortranOrder) {
  std::string file = makeNpy("|u1", "True", "(2, 3)", 6);
  for (int i = 0; i < 6; ++i)
    file[file.size() - 6 + i] = static_cast<char>(i);
  llvm::Expected<Array> array = parseNpy(file);
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_EQ(array->data, (std::vector<char>{0, 2, 4, 1, 3, 5}));
}

TEST(Npz, RoundTrip) {
  Array a = makeArray({1, 2, 3}, {3}), b = makeArray({}, {0});
  std::string file = formatNpz({{"out0", &a}, {"out1", &b}});
  llvm::Expected<NamedArrays> read = parseNpz(file);
  ASSERT_TRUE(static_cast<bool>(read));
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].first, "out0");
  EXPECT_EQ((*read)[0].second.data, a.data);
  EXPECT_EQ((*read)[1].second.shape, b.shape);
  EXPECT_EQ(file, formatNpz({{"out0", &a}, {"out1", &b}}));
}

// Whatever the bytes are, the answer is arrays or an error.
TEST(Npz, Damaged) {
  std::mt19937 random(1);
  Array a = makeArray(std::vector<float>(50, 1.5f), {5, 10});
  std::string npz = formatNpz({{"arg0", &a}, {"arg1", &a}}), npy = formatNpy(a);
  for (int i = 0; i < 20000; ++i) {
    std::string file = i % 2 ? npz : npy;
    for (int edits = random() % 4; edits >= 0; --edits) {
      size_t at = random() % file.size();
      switch (random() % 4) {
      case 0:
        file.resize(at + 1);
        break;
      case 1:
        file.insert(at, std::string(1 + random() % 8, char(random())));
        break;
      default:
        file[at] = static_cast<char>(random());
      }
    }
    if (i % 2) {
      llvm::Expected<NamedArrays> arrays = parseNpz(file);
      if (!arrays)
        llvm::consumeError(arrays.takeError());
    } else {
      llvm::Expected<Array> array = parseNpy(file);
      if (!array)
        llvm::consumeError(array.takeError());
    }
  }
}

} // namespace
