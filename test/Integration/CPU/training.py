# REQUIRES: numpy
# RUN: %python %s %lowp_src %inputs/training/step.mlir
"""The short form of examples/training: the compiled step gives PyTorch's loss
and gradients, and a few steps under recipes learn.

What each recipe reaches is the long form, examples/training/compare.py.
"""

import os
import sys

import numpy as np

source, program = sys.argv[1:]
sys.path.insert(0, os.path.join(source, "examples", "training"))
import task  # noqa: E402
import train  # noqa: E402

# Both round each operation to BF16, but sum in another order: a rounding (a
# relative 2^-9 at most) is seen for each of the some 30 operations on the way
# from a weight to the loss and back, and these add as independent errors.
GRADIENT = 2.0**-9 * 30**0.5
# The loss is an average over tokens of numbers that single roundings hardly move.
LOSS = 2.0**-9

sizes = task.Sizes()
chain = task.Chain(sizes)
with np.load(os.path.join(os.path.dirname(program), "step.reference.npz")) as archive:
    expected = {name: train.wide(archive[name]) for name in archive}

step = train.Step(program, "bf16")
loss, gradients = step(task.first_weights(sizes), *chain.batch(0), 0)
print(f"loss {loss:.5f}, PyTorch's {float(expected['loss']):.5f}")
assert abs(loss - expected["loss"]) <= LOSS * loss
assert gradients.keys() == expected.keys() - {"loss"}
for name, gradient in gradients.items():
    error = np.linalg.norm(gradient - expected[name]) / np.linalg.norm(expected[name])
    assert error <= GRADIENT, (name, error)

bf16 = train.train(step, 8)
assert bf16[0] == loss, "the first step is that of the reference"
for recipe in ("mxfp8", "moe-nvfp4"):
    quantised = train.Step(program, recipe)
    losses = train.train(quantised, 8)
    print(recipe, [round(v, 3) for v in losses])
    assert losses != bf16, f"{recipe} changes nothing"
    assert np.mean(losses[-3:]) < losses[0] - 0.2, losses
    # Equal weights, tokens and step: equal bits.
    again = quantised(task.first_weights(sizes), *chain.batch(0), 0)
    assert again[0] == losses[0]
