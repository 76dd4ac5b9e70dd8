//===- Select.h - One option of each group within a budget ------*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The multiple-choice knapsack problem in integers. Needs no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_AUTO_SELECT_H
#define LOWP_AUTO_SELECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mlir::lowp {

/// What an option costs, and what it takes of the budget. Neither is negative;
/// the sums over all groups are below 2^62.
struct SelectOption {
  int64_t cost;
  int64_t weight;
};

using SelectGroup = llvm::SmallVector<SelectOption, 8>;

/// One option of each group.
struct Selection {
  llvm::SmallVector<unsigned> picks;
  int64_t cost = 0;
  int64_t weight = 0;
  /// No selection within the budget costs less. Equal to `cost` unless the
  /// search was cut short.
  int64_t bound = 0;

  bool isOptimal() const { return cost == bound; }
};

/// The least weight of a selection.
int64_t getLeastWeight(llvm::ArrayRef<SelectGroup> groups);

/// The options that can be part of a best selection, from the lightest to the
/// cheapest: each costs less than all that are not heavier. Of equal options
/// the first stays.
llvm::SmallVector<unsigned>
getUsefulOptions(llvm::ArrayRef<SelectOption> group);

/// A selection of least cost with a weight of at most `budget`, of these one of
/// least weight, of these always the same one; none where every selection is
/// heavier. The search looks at partial selections group by group and leaves
/// out those that, by the linear relaxation of what is left, end above the best
/// selection known. Where more than `maxStates` partial selections would have
/// to be kept, it gives the best one known, with the bound of the relaxation.
std::optional<Selection> selectOptions(llvm::ArrayRef<SelectGroup> groups,
                                       int64_t budget,
                                       size_t maxStates = size_t(1) << 22);

} // namespace mlir::lowp

#endif // LOWP_AUTO_SELECT_H
