//===- Select.cpp - one option of each group within a budget -*- C++ -*-===//
//
// Part of the lowp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lowp/Auto/Select.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <tuple>
#include <vector>

using namespace mlir::lowp;
using llvm::ArrayRef;
using llvm::SmallVector;

int64_t mlir::lowp::getLeastWeight(ArrayRef<SelectGroup> groups) {
  int64_t sum = 0;
  for (const SelectGroup &group : groups) {
    int64_t least = group.front().weight;
    for (const SelectOption &option : group)
      least = std::min(least, option.weight);
    sum += least;
  }
  return sum;
}

SmallVector<unsigned>
mlir::lowp::getUsefulOptions(ArrayRef<SelectOption> group) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, group.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::tie(group[a].weight, group[a].cost, a) <
           std::tie(group[b].weight, group[b].cost, b);
  });
  SmallVector<unsigned> useful;
  for (unsigned option : order)
    if (useful.empty() || group[option].cost < group[useful.back()].cost)
      useful.push_back(option);
  return useful;
}

namespace {
/// One step along the lower convex hull of a group's options: what it saves and
/// what it takes, both positive.
struct Step {
  unsigned group;
  unsigned option; ///< where the step leads
  int64_t saved;
  int64_t weight;
};

/// A selection of the first groups.
struct State {
  int64_t cost;
  int64_t weight;
  uint32_t parent; ///< among the states of one group less
  uint32_t option;
};

class Search {
public:
  Search(ArrayRef<SelectGroup> groups, int64_t budget);

  Selection run(size_t maxStates);

private:
  void addSteps(unsigned group);
  void setTail(unsigned firstGroup);
  int64_t getTailBound(int64_t budget) const;
  Selection getGreedy() const;

  ArrayRef<SelectGroup> groups;
  int64_t budget;
  std::vector<SmallVector<unsigned>> useful;
  /// Those that save the most per weight first.
  std::vector<Step> steps;
  /// Of the groups from `setTail` on: cost and weight of the lightest options,
  /// the steps, and sums over the first so many of them.
  int64_t tailCost = 0, tailWeight = 0;
  std::vector<Step> tailSteps;
  std::vector<int64_t> savedSums, weightSums;
};
} // namespace

static __int128 product(int64_t a, int64_t b) {
  return static_cast<__int128>(a) * b;
}

/// Whether `a` saves more per weight than `b`.
static bool isSteeper(const Step &a, const Step &b) {
  return product(a.saved, b.weight) > product(b.saved, a.weight);
}

Search::Search(ArrayRef<SelectGroup> groups, int64_t budget)
    : groups(groups), budget(budget) {
  for (unsigned group = 0; group < groups.size(); ++group) {
    useful.push_back(getUsefulOptions(groups[group]));
    addSteps(group);
  }
  // Steps of one group are never equally steep: the order is always the same.
  llvm::sort(steps, [](const Step &a, const Step &b) {
    return isSteeper(a, b) || (!isSteeper(b, a) && a.group < b.group);
  });
}

void Search::addSteps(unsigned group) {
  SmallVector<Step> hull;
  auto getStep = [&](unsigned from, unsigned to) {
    const SelectOption &a = groups[group][from], &b = groups[group][to];
    return Step{group, to, a.cost - b.cost, b.weight - a.weight};
  };
  SmallVector<unsigned> corners = {useful[group].front()};
  for (unsigned option : ArrayRef(useful[group]).drop_front()) {
    Step step = getStep(corners.back(), option);
    // A corner that a later step passes at least as steeply is none.
    while (!hull.empty() && !isSteeper(hull.back(), step)) {
      hull.pop_back();
      corners.pop_back();
      step = getStep(corners.back(), option);
    }
    hull.push_back(step);
    corners.push_back(option);
  }
  steps.insert(steps.end(), hull.begin(), hull.end());
}

void Search::setTail(unsigned firstGroup) {
  tailCost = tailWeight = 0;
  for (unsigned group = firstGroup; group < groups.size(); ++group) {
    const SelectOption &lightest = groups[group][useful[group].front()];
    tailCost += lightest.cost;
    tailWeight += lightest.weight;
  }
  tailSteps.clear();
  savedSums.assign(1, 0);
  weightSums.assign(1, 0);
  for (const Step &step : steps) {
    if (step.group < firstGroup)
      continue;
    tailSteps.push_back(step);
    savedSums.push_back(savedSums.back() + step.saved);
    weightSums.push_back(weightSums.back() + step.weight);
  }
}

/// What the groups of the tail cost at least within `budget`, which their
/// lightest options are: whole steps while they fit, and a part of the next.
int64_t Search::getTailBound(int64_t budget) const {
  int64_t left = budget - tailWeight;
  size_t whole = llvm::upper_bound(weightSums, left) - weightSums.begin() - 1;
  int64_t saved = savedSums[whole];
  if (whole < tailSteps.size())
    saved += static_cast<int64_t>(
        product(tailSteps[whole].saved, left - weightSums[whole]) /
        tailSteps[whole].weight);
  return tailCost - saved;
}

/// Steps in order wherever they fit.
Selection Search::getGreedy() const {
  Selection result;
  for (auto [group, options] : llvm::zip_equal(groups, useful)) {
    result.picks.push_back(options.front());
    result.cost += group[options.front()].cost;
    result.weight += group[options.front()].weight;
  }
  SmallVector<bool> stopped(groups.size(), false);
  for (const Step &step : steps) {
    if (stopped[step.group] || result.weight + step.weight > budget) {
      stopped[step.group] = true;
      continue;
    }
    result.picks[step.group] = step.option;
    result.cost -= step.saved;
    result.weight += step.weight;
  }
  return result;
}

Selection Search::run(size_t maxStates) {
  setTail(0);
  Selection greedy = getGreedy();
  greedy.bound = getTailBound(budget);

  std::vector<std::vector<State>> levels = {{{0, 0, 0, 0}}};
  size_t numStates = 1;
  for (unsigned group = 0; group < groups.size(); ++group) {
    setTail(group + 1);
    const std::vector<State> &previous = levels.back();
    std::vector<State> next;
    for (uint32_t parent = 0; parent < previous.size(); ++parent) {
      for (uint32_t option : useful[group]) {
        State state = {previous[parent].cost + groups[group][option].cost,
                       previous[parent].weight + groups[group][option].weight,
                       parent, option};
        int64_t left = budget - state.weight;
        if (left >= tailWeight &&
            state.cost + getTailBound(left) <= greedy.cost)
          next.push_back(state);
      }
      if (numStates + next.size() > 2 * maxStates)
        return greedy;
    }
    llvm::sort(next, [](const State &a, const State &b) {
      return std::tie(a.cost, a.weight, a.parent, a.option) <
             std::tie(b.cost, b.weight, b.parent, b.option);
    });
    std::vector<State> &kept = levels.emplace_back();
    for (const State &state : next)
      if (kept.empty() || state.weight < kept.back().weight)
        kept.push_back(state);
    numStates += kept.size();
    if (numStates > maxStates)
      return greedy;
  }

  // The greedy selection itself is never left out, so that there is one.
  const State *state = &levels.back().front();
  Selection best;
  best.cost = best.bound = state->cost;
  best.weight = state->weight;
  best.picks.resize(groups.size());
  for (size_t group = groups.size(); group-- > 0;) {
    best.picks[group] = state->option;
    state = &levels[group][state->parent];
  }
  return best;
}

std::optional<Selection> mlir::lowp::selectOptions(ArrayRef<SelectGroup> groups,
                                                   int64_t budget,
                                                   size_t maxStates) {
  if (getLeastWeight(groups) > budget)
    return std::nullopt;
  return Search(groups, budget).run(maxStates);
}
