# REQUIRES: numpy
# RUN: %python %s %inputs
"""What a token gets does not depend on who else is in the batch, and not on
what comes after it: bytes of whole layers and models under recipes.

Holds where outer scales are per token, as in all recipes that come with the
library. One outer scale for the whole tensor breaks both, and the same checks
must see that.
"""

import json
import os
import sys

import ml_dtypes
import numpy as np

import lowp

inputs = sys.argv[1]
RECIPES = ["bf16", "mxfp8", "nvfp4", "moe-nvfp4"]
LAYERS = [*RECIPES, "nvfp4-tiles", "fp8-blockwise", "per tensor"]
PER_TENSOR = ["-> activation=nvfp4:16:per_tensor weight=nvfp4:16:per_tensor"]


def load(name):
    """Program, names of arguments, and arguments of an exported model."""
    base = os.path.join(inputs, "models", name)
    with open(base + ".json") as file:
        records = json.load(file)["inputs"]
    with np.load(base + ".inputs.npz") as archive:
        return base + ".mlir", base + ".json", [archive[r["key"]] for r in records]


def same(a, b):
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def check_rows(call, x):
    """`call` on any choice of rows gives these rows of `call` on all."""
    everything = call(x)
    count = len(x)
    order = np.random.default_rng(5).permutation(count)
    chosen = [order, *(order[:n] for n in (0, 1, 2, 5, 16, 17) if n < count)]
    chosen += [np.array([n]) for n in range(count)]
    # The same row many times.
    chosen.append(np.full(37, count // 2))
    return all(same(call(x[rows]), everything[rows]) for rows in chosen)


def check_causal(call, tokens, other):
    """What stands after a place does not change what is before it."""
    expected = call(tokens)
    length = tokens.shape[1]
    for place in (1, 2, 15, 16, 17, length - 1):
        changed = tokens.copy()
        changed[:, place:] = other[:, place:]
        actual = call(changed)
        if not same(
            np.ascontiguousarray(actual[:, :place]),
            np.ascontiguousarray(expected[:, :place]),
        ):
            return False
        assert not same(actual, expected), "nothing depends on the tokens"
    return True


def check_others(call, x, axis, fill):
    """Other tokens of one static batch replaced, by ordinary and by large values."""
    expected = np.moveaxis(call(x), axis, 0)
    for token in range(x.shape[axis]):
        for values in fill:
            changed = values.copy()
            np.moveaxis(changed, axis, 0)[token] = np.moveaxis(x, axis, 0)[token]
            actual = np.moveaxis(call(changed), axis, 0)
            if not same(actual[token].copy(), expected[token].copy()):
                return False
    return True


def compiled(path, names, recipe):
    if recipe == "per tensor":
        return lowp.compile(path, recipe="bf16", rules=PER_TENSOR, params=names)
    return lowp.compile(path, recipe=recipe, params=names)


def expect(name, recipe, found):
    print(f"{name}, {recipe}: {'holds' if found else 'does not hold'}")
    assert found == (recipe != "per tensor"), (name, recipe)


def bf16(values):
    return values.astype(np.float32).astype(ml_dtypes.bfloat16).view(np.uint16)


def main():
    random = np.random.default_rng(4)

    # A layer on any number of tokens.
    path, names, arguments = load("mlp_bf16_2d_dyn")
    *weights, x = arguments
    for recipe in LAYERS:
        program = compiled(path, names, recipe)
        call = lambda rows: program(*weights, np.ascontiguousarray(rows))  # noqa: E731
        expect("mlp_bf16_2d_dyn by rows", recipe, check_rows(call, x))

    # Experts on a batch of 32: what the other 31 are does not matter.
    path, names, arguments = load("moe_mixtral_dense")
    at = next(i for i, a in enumerate(arguments) if a.shape[:2] == (1, 32))
    x = arguments[at]
    fill = [bf16(random.standard_normal(x.shape)), bf16(1e4 * random.standard_normal(x.shape))]
    for recipe in LAYERS:
        program = compiled(path, names, recipe)
        call = lambda v: program(*arguments[:at], v, *arguments[at + 1 :])  # noqa: E731
        expect("moe_mixtral_dense by tokens", recipe, check_others(call, x, 1, fill))

    # Six layers of attention and experts: causality.
    path, names, arguments = load("moe_lm_6l")
    *weights, tokens = arguments
    other = random.integers(0, 128, tokens.shape)
    for recipe in ["moe-nvfp4", "per tensor"]:
        program = compiled(path, names, recipe)
        found = check_causal(lambda t: program(*weights, t), tokens, other)
        expect("moe_lm_6l by time", recipe, found)

    # A language model on any number of sequences: both.
    path = os.path.join(inputs, "training", "forward.mlir")
    names = os.path.join(inputs, "training", "forward.json")
    with open(names) as file:
        records = json.load(file)["inputs"]
    weights = []
    for record in records[:-1]:
        values = random.standard_normal(record["shape"])
        weights.append(bf16(values * record["shape"][-1] ** -0.5 if values.ndim > 1 else 1 + 0.1 * values))
    tokens = random.integers(0, 16, (9, 32))
    other = random.integers(0, 16, tokens.shape)
    for recipe in [*RECIPES, "per tensor"]:
        program = compiled(path, names, recipe)
        call = lambda t: program(*weights, np.ascontiguousarray(t))  # noqa: E731
        expect("forward by sequences", recipe, check_rows(call, tokens))
        expect("forward by time", recipe, check_causal(call, tokens, other))


if __name__ == "__main__":
    main()
