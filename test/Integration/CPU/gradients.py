# REQUIRES: numpy
# RUN: %python %s %inputs 256
"""Gradients under a recipe: how far from PyTorch's, and right on average.

Bounds of the error. Rounding to m mantissa bits under a block scale leaves an
error of 4^-m / 12 where a value is between 1 and 2, against a mean square of
1.5 / ln 2: a relative mean square of 4^-m / 25.97, twice that when rounding is
stochastic. Errors of different operands are independent, so each rounding that
a gradient passes adds its own. Which it passes is counted for each gradient in
`roundings`. SLACK allows for activations whose derivative is above 1 and for
products that are smaller than those of independent factors; what PyTorch and
an unquantised program differ by comes on top. An error that is independent of
the gradient, of relative norm r, leaves a cosine of 1 / sqrt(1 + r^2).

Stochastic rounding. Gradients are linear in what the backward pass rounds, so
their mean over n steps goes to the gradient of the dequantised forward tensors,
computed in FP64. T is the square of the distance of the mean, over what the
spread of single steps says it should be (variance / n): 1 for an unbiased
estimate of any n, and growing with n for a biased one. T varies by
sqrt(2 / nu), where nu is the number of independent directions of the noise;
five times that is allowed.

    gradients.py INPUTS STEPS
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from joint import Forward, Joint  # noqa: E402

SLACK = 1.5
FORWARD = "role=fprop -> activation=nvfp4:16:per_token:four_six=mse weight=nvfp4:16:per_expert"
MXFP8_FORWARD = "role=fprop -> activation=mxfp8_e4m3 weight=mxfp8_e4m3"


def error_of(mantissa, stochastic=False):
    return 4.0**-mantissa / 25.97 * (2 if stochastic else 1)


def roundings(activation, weight, d_gradient, d_weight, w_activation, w_gradient):
    """Relative mean squares of the gradients of a SwiGLU layer, from those of the
    operands of its products: forward, to the input (d), to the weight (w)."""
    product = activation + weight
    # silu(gate) * up: both carry the error of their product.
    inner = 2 * product
    d_inner = d_gradient + d_weight
    # times silu'(gate) and up, or silu(gate).
    d_both = d_inner + inner
    return {
        "down": inner + activation + w_activation + w_gradient,
        "gate_up": d_both + activation + w_activation + w_gradient,
        "input0": d_both + d_gradient + d_weight,
        # The sum of what experts give times the gradient.
        "router": inner + product,
        # Of the input's gradient, before the norm.
        "norm": d_both + d_gradient + d_weight,
    }


def kind_of(name):
    for kind in ("router", "norm", "down", "input0"):
        if kind in name:
            return kind
    return "gate_up"


NEAREST8, STOCHASTIC8, NEAREST4, STOCHASTIC4 = (
    error_of(3), error_of(3, True), error_of(1), error_of(1, True)
)

# Recipe, or rules, and the relative mean squares of operands.
COMPARED = [
    ("bf16", {"recipe": "bf16"}, (0, 0, 0, 0, 0, 0)),
    ("mxfp8 forward", {"recipe": "bf16", "rules": [MXFP8_FORWARD]}, (NEAREST8, NEAREST8, 0, 0, 0, 0)),
    ("nvfp4 forward", {"recipe": "bf16", "rules": [FORWARD]}, (NEAREST4, NEAREST4, 0, 0, 0, 0)),
]


def compare(folder, name):
    for title, how, operands in COMPARED:
        joint = Joint(folder, name, False, **how)
        found = joint.run()
        bounds = roundings(*operands)
        for result, expected in zip(joint.model.results[1:], joint.model.expected[1:]):
            actual = found[result]
            error = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
            cosine = (actual * expected).sum() / (
                np.linalg.norm(actual) * np.linalg.norm(expected)
            )
            limit = SLACK * bounds[kind_of(result)] ** 0.5 + joint.model.bound
            least = (1 + limit**2) ** -0.5
            print(
                f"{name}, {title}, {result}: error {error:.4f} (limit {limit:.4f}), "
                f"cosine {cosine:.5f} (limit {least:.5f})"
            )
            assert error <= limit and cosine >= least, (name, title, result)


def spread(samples):
    """Sum of variances, and the number of independent directions: the square of
    the sum of the eigenvalues of the covariance over the sum of their squares,
    without the part of the latter that finitely many samples add."""
    count = len(samples)
    centred = samples - samples.mean(0)
    gram = centred @ centred.T / (count - 1)
    trace = np.trace(gram)
    squares = max((gram**2).sum() - trace**2 / (count - 1), trace**2 / centred.shape[1])
    return trace, trace**2 / squares


def average(joint, steps):
    """Samples of each gradient that depends on the step, [steps, values]."""
    found = [joint.run(step) for step in range(steps)]
    return {
        name: np.stack([f[name].ravel() for f in found]) for name in found[0]
    }


def check_mean(joint, title, steps):
    samples = average(joint, steps)
    reference = joint.reference()
    for name, expected in reference.items():
        rows, expected = samples[name], expected.ravel()
        if (rows == rows[0]).all():
            print(f"{title}, {name}: does not depend on the step")
            continue
        total, directions = spread(rows)
        distance = {}
        count = 16
        while count <= steps:
            distance[count] = float(np.square(rows[:count].mean(0) - expected).sum())
            count *= 4
        ratios = {n: d / (total / n) for n, d in distance.items()}
        limit = 5 * (2 / directions) ** 0.5
        text = ", ".join(f"{r:.3f} at {n}" for n, r in ratios.items())
        norm = np.linalg.norm(expected)
        print(
            f"{title}, {name}: noise {total**0.5 / norm:.4f}, T {text} "
            f"(limit 1 +- {limit:.3f}), distance {distance[max(distance)] ** 0.5 / norm:.5f}"
        )
        assert all(abs(r - 1) <= limit for r in ratios.values()), (title, name)
    return samples
