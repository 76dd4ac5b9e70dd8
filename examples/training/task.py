# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is learned: sizes, first weights and sequences, from fixed seeds.

Exporter and loop share this file, so that step 0 is the same in both.
"""

import dataclasses

import ml_dtypes
import numpy as np

bf16 = ml_dtypes.bfloat16


@dataclasses.dataclass(frozen=True)
class Sizes:
    vocabulary: int = 16
    hidden: int = 64
    heads: int = 2
    experts: int = 4
    chosen: int = 2
    expert_hidden: int = 64
    layers: int = 3
    batch: int = 16
    tokens: int = 32


def shapes(sizes):
    """Parameters by name, in the order in which the program takes them. Matrices
    are [out, in], as PyTorch stores them."""
    h, f, e = sizes.hidden, sizes.expert_hidden, sizes.experts
    found = {
        "embed_tokens.weight": (sizes.vocabulary, h),
        "embed_positions.weight": (sizes.tokens, h),
    }
    for layer in range(sizes.layers):
        at = f"layers.{layer}."
        found[at + "input_norm.weight"] = (h,)
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            found[f"{at}self_attn.{name}.weight"] = (h, h)
        found[at + "expert_norm.weight"] = (h,)
        found[at + "router.weight"] = (e, h)
        found[at + "experts.gate_up.weight"] = (e, 2 * f, h)
        found[at + "experts.down.weight"] = (e, h, f)
    found["norm.weight"] = (h,)
    found["lm_head.weight"] = (sizes.vocabulary, h)
    return found


def first_weights(sizes, seed=1):
    """FP32 masters: gains 1, tables N(0, 1/4), matrices N(0, 1/in); what ends a
    residual branch is smaller by the square root of the number of branches."""
    random = np.random.default_rng(seed)
    weights = {}
    for name, shape in shapes(sizes).items():
        if len(shape) == 1:
            weights[name] = np.ones(shape, np.float32)
            continue
        scale = 0.5 if name.startswith("embed") else shape[-1] ** -0.5
        if name.endswith(("o_proj.weight", "down.weight")):
            scale /= (2 * sizes.layers) ** 0.5
        weights[name] = (scale * random.standard_normal(shape)).astype(np.float32)
    return weights


class Chain:
    """A Markov chain of order 2: the next token depends on the last two, each
    pair of which has `choices` successors of falling probability. No model can
    have a loss below `entropy`; one that sees only the last token stays far above."""

    def __init__(self, sizes, seed=2, choices=4):
        random = np.random.default_rng(seed)
        n = sizes.vocabulary
        self.sizes = sizes
        order = np.argsort(random.random((n, n, n)), axis=-1)
        self.next = order[..., :choices]
        weight = 2.0 ** -np.arange(choices)
        self.probability = weight / weight.sum()
        self.entropy = float(-(self.probability * np.log(self.probability)).sum())

    def batch(self, step, seed=3):
        """Tokens and targets of a step, [batch, tokens]: the same for every recipe."""
        random = np.random.default_rng((seed, step))
        rows, length = self.sizes.batch, self.sizes.tokens + 1
        text = np.empty((rows, length), np.int64)
        text[:, :2] = random.integers(0, self.sizes.vocabulary, (rows, 2))
        for at in range(2, length):
            choice = random.choice(len(self.probability), rows, p=self.probability)
            text[:, at] = self.next[text[:, at - 2], text[:, at - 1], choice]
        return text[:, :-1].copy(), text[:, 1:].copy()
