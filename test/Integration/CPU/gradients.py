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

SLACK = 1.25


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
        "down": inner + w_activation + w_gradient,
        "gate_up": d_both + w_activation + w_gradient,
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

# What is made again of a forward tensor has the error of both.
AGAIN8, AGAIN4 = NEAREST4 + STOCHASTIC8, NEAREST4 + STOCHASTIC4

# Recipe, the programs whose products it quantises, and the relative mean squares
# of operands.
BOTH, EXPERTS, DENSE = ("mlp_bf16_joint", "moe_joint"), ("moe_joint",), ("mlp_bf16_joint",)
MIXED = (NEAREST4, NEAREST4, STOCHASTIC8, AGAIN8, AGAIN8, STOCHASTIC8)
COMPARED = [
    ("bf16", BOTH, (0, 0, 0, 0, 0, 0)),
    ("mxfp8", BOTH, (NEAREST8,) * 6),
    ("nvfp4", DENSE, MIXED),
    ("moe-nvfp4-inference", EXPERTS, (NEAREST4, NEAREST4, 0, 0, 0, 0)),
    ("moe-nvfp4", EXPERTS, MIXED),
    ("nvfp4-tiles", EXPERTS, MIXED),
    ("nvfp4-backward", EXPERTS, (NEAREST4, NEAREST4, STOCHASTIC4, AGAIN4, AGAIN4, STOCHASTIC4)),
]


def compare(folder, name):
    for title, programs, operands in COMPARED:
        if name not in programs:
            continue
        joint = Joint(folder, name, False, recipe=title)
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


def ratios_of(rows, expected, total):
    """T after 16, 64, ... steps: at the rate 1 / sqrt(n) it stays where it is."""
    found, count = {}, 16
    while count <= len(rows):
        distance = np.square(rows[:count].mean(0) - expected).sum()
        found[count] = float(distance / (total / count))
        count *= 4
    return found


def check_mean(joint, title, steps):
    found = [joint.run(step) for step in range(steps)]
    reference = joint.reference()
    # What the mean would be were forward tensors taken as they are.
    other = joint.reference(Forward(not joint.forward.quantised))
    depends = 0
    for name, expected in reference.items():
        rows = np.stack([f[name].ravel() for f in found])
        expected = expected.ravel()
        if (rows == rows[0]).all():
            print(f"{title}, {name}: does not depend on the step")
            continue
        depends += 1
        total, directions = spread(rows)
        norm = np.linalg.norm(expected)
        ratios = ratios_of(rows, expected, total)
        slack = 5 * (2 / directions) ** 0.5
        for count, ratio in ratios.items():
            # Results are rounded to BF16, and so are what they are made of.
            bias = count * 2 * error_of(7) * norm**2 / total
            print(
                f"{title}, {name}: noise {total**0.5 / norm:.4f}, after {count} steps "
                f"T {ratio:.3f} (limits {1 - slack:.3f}, {1 + slack + bias:.3f})"
            )
            assert 1 - slack <= ratio <= 1 + slack + bias, (title, name, count)
        wrong = max(ratios_of(rows, other[name].ravel(), total).values())
        print(f"{title}, {name}: T {wrong:.1f} from other forward tensors")
        assert wrong > 2 * (1 + slack), (title, name)
    assert depends, f"{title}: nothing depends on the step"


# Recipes whose backward products read the forward tensors as they were quantised.
MEANS = [
    ("nvfp4", DENSE),
    ("moe-nvfp4", EXPERTS),
    ("nvfp4-backward", EXPERTS),
]


def main():
    folder, steps = sys.argv[1], int(sys.argv[2])
    for name in BOTH:
        compare(folder, name)
        for title, programs in MEANS:
            if name in programs:
                joint = Joint(folder, name, True, recipe=title)
                check_mean(joint, f"{name}, {title}", steps)


if __name__ == "__main__":
    main()
