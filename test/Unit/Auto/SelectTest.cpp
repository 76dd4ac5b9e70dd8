//===- SelectTest.cpp - Selection within a budget -------------------------===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Auto/Select.h"

#include "gtest/gtest.h"

#include <limits>
#include <random>
#include <vector>

using namespace mlir::lowp;

namespace {
using Groups = std::vector<SelectGroup>;

/// Least cost, then least weight, over all selections; cost -1 where none fits.
SelectOption getBest(const Groups &groups, int64_t budget, size_t group = 0,
                     SelectOption sum = {0, 0}) {
  if (group == groups.size())
    return sum.weight <= budget ? sum : SelectOption{-1, 0};
  SelectOption best = {-1, 0};
  for (const SelectOption &option : groups[group]) {
    SelectOption result =
        getBest(groups, budget, group + 1,
                {sum.cost + option.cost, sum.weight + option.weight});
    if (result.cost < 0)
      continue;
    if (best.cost < 0 || result.cost < best.cost ||
        (result.cost == best.cost && result.weight < best.weight))
      best = result;
  }
  return best;
}

void expectConsistent(const Groups &groups, const Selection &selection) {
  ASSERT_EQ(selection.picks.size(), groups.size());
  int64_t cost = 0, weight = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    ASSERT_LT(selection.picks[i], groups[i].size());
    cost += groups[i][selection.picks[i]].cost;
    weight += groups[i][selection.picks[i]].weight;
  }
  EXPECT_EQ(cost, selection.cost);
  EXPECT_EQ(weight, selection.weight);
  EXPECT_LE(selection.bound, selection.cost);
}

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t upTo(int64_t last) { return engine() % (last + 1); }

  Groups getGroups(size_t maxGroups, size_t maxOptions, int64_t maxValue) {
    Groups groups(upTo(maxGroups));
    for (SelectGroup &group : groups)
      for (size_t i = 0, e = 1 + upTo(maxOptions - 1); i < e; ++i)
        group.push_back({upTo(maxValue), upTo(maxValue)});
    return groups;
  }

private:
  std::mt19937_64 engine;
};
} // namespace

TEST(Select, AgreesWithBruteForce) {
  Random random(1);
  unsigned infeasible = 0, loose = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    // Small values make many ties and many dominated options.
    int64_t maxValue = round % 3 == 0 ? 4 : round % 3 == 1 ? 50 : 1 << 30;
    Groups groups = random.getGroups(6, 5, maxValue);
    int64_t budget = random.upTo(maxValue * 3 + 1);
    SelectOption best = getBest(groups, budget);
    std::optional<Selection> selection = selectOptions(groups, budget);
    ASSERT_EQ(selection.has_value(), best.cost >= 0) << "round " << round;
    ASSERT_EQ(selection.has_value(), getLeastWeight(groups) <= budget);
    if (!selection) {
      ++infeasible;
      continue;
    }
    expectConsistent(groups, *selection);
    EXPECT_TRUE(selection->isOptimal());
    ASSERT_EQ(selection->cost, best.cost) << "round " << round;
    ASSERT_EQ(selection->weight, best.weight) << "round " << round;
    loose += selection->weight < budget;
  }
  // All kinds of instances were among them.
  EXPECT_GT(infeasible, 100u);
  EXPECT_GT(loose, 100u);
}

TEST(Select, IsBoundedWhereTheSearchIsCutShort) {
  Random random(2);
  unsigned cut = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    Groups groups = random.getGroups(6, 5, 1000);
    int64_t budget = random.upTo(3000);
    SelectOption best = getBest(groups, budget);
    std::optional<Selection> selection =
        selectOptions(groups, budget, /*maxStates=*/3);
    ASSERT_EQ(selection.has_value(), best.cost >= 0);
    if (!selection)
      continue;
    expectConsistent(groups, *selection);
    EXPECT_LE(selection->weight, budget);
    EXPECT_LE(selection->bound, best.cost);
    EXPECT_GE(selection->cost, best.cost);
    cut += !selection->isOptimal();
  }
  EXPECT_GT(cut, 100u);
}

TEST(Select, ALargerBudgetNeverCostsMore) {
  Random random(3);
  for (unsigned round = 0; round < 50; ++round) {
    Groups groups = random.getGroups(40, 8, 1 << 20);
    int64_t least = getLeastWeight(groups);
    int64_t cost = std::numeric_limits<int64_t>::max();
    for (unsigned step = 0; step < 20; ++step) {
      std::optional<Selection> selection =
          selectOptions(groups, least + step * (int64_t(1) << 19));
      ASSERT_TRUE(selection);
      expectConsistent(groups, *selection);
      ASSERT_TRUE(selection->isOptimal());
      EXPECT_LE(selection->cost, cost);
      cost = selection->cost;
    }
  }
}

TEST(Select, ManyAlikeGroupsAndLargeNumbers) {
  // Layers of a model: few sizes, errors that all differ.
  std::mt19937_64 engine(4);
  Groups groups;
  for (unsigned i = 0; i < 300; ++i) {
    int64_t size = int64_t(4096) * (i % 7 < 4 ? 4096 : 11008);
    SelectGroup group;
    for (unsigned bits : {64, 33, 18, 17})
      group.push_back(
          {size * bits / 32, int64_t((engine() >> 40) + 1) << (64 - bits) / 2});
    groups.push_back(group);
  }
  int64_t least = getLeastWeight(groups);
  for (int64_t factor : {2, 100, 10000}) {
    std::optional<Selection> selection = selectOptions(groups, least * factor);
    ASSERT_TRUE(selection);
    expectConsistent(groups, *selection);
    EXPECT_TRUE(selection->isOptimal());
    EXPECT_EQ(selectOptions(groups, least * factor)->picks, selection->picks);
  }
}

TEST(Select, OfEqualOptionsTheFirst) {
  Groups groups = {{{5, 1}, {5, 1}, {7, 1}, {5, 2}}, {{1, 1}, {1, 1}}};
  std::optional<Selection> selection = selectOptions(groups, 10);
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->picks, (llvm::SmallVector<unsigned>{0, 0}));
  EXPECT_EQ(getUsefulOptions(groups[0]), (llvm::SmallVector<unsigned>{0}));
}
