# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what compare.py wrote: plot.py LOSSES.json OUT.svg. Needs matplotlib."""

import json
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

# The same bytes from the same losses.
matplotlib.rcParams["svg.hashsalt"] = "lowp"
matplotlib.rcParams["svg.fonttype"] = "none"
WINDOW = 20


def smooth(values):
    total = np.cumsum(np.concatenate([[0], values]))
    start = np.maximum(0, np.arange(len(values)) - WINDOW + 1)
    end = np.arange(len(values)) + 1
    return (total[end] - total[start]) / (end - start)


def main():
    source, output = sys.argv[1:]
    with open(source) as file:
        result = json.load(file)
    losses = {name: np.mean(v, axis=0) for name, v in result["losses"].items()}
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    for name, values in losses.items():
        left.plot(smooth(values), label=name, linewidth=1)
        if "bf16" in losses and name != "bf16":
            change = 100 * (smooth(values) / smooth(losses["bf16"]) - 1)
            right.plot(change, color=left.lines[-1].get_color(), label=name, linewidth=1)
    left.axhline(result["entropy"], color="0.6", linewidth=0.8, linestyle=":")
    left.set(xlabel="step", ylabel="loss (nats)")
    left.legend(frameon=False, fontsize=8)
    right.axhline(0, color="0.6", linewidth=0.8)
    right.set(xlabel="step", ylabel="above bf16 (%)")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(output, metadata={"Date": None})


if __name__ == "__main__":
    main()
