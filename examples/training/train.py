# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the exported model on the CPU with numpy and one compiled program.

    python3 train.py STEP.mlir --recipe=mxfp8 --steps=300 --output=losses.json

The program computes loss and gradients from BF16 copies of the weights; AdamW
keeps FP32 masters here. Everything has a fixed seed: two runs write the same
losses. Names of arguments come from STEP.json.
"""

import argparse
import json
import pathlib
import time

import numpy as np

import lowp
import task


class AdamW:
    """FP32, with a linear warm-up, a cosine decay to a tenth, and a bound on the
    norm of the whole gradient."""

    def __init__(self, weights, steps, rate=1e-2, warm=20, decay=0.01, bound=1.0):
        self.weights = weights
        self.steps, self.rate, self.warm = steps, rate, warm
        self.decay, self.bound = decay, bound
        self.first = {name: np.zeros_like(w) for name, w in weights.items()}
        self.second = {name: np.zeros_like(w) for name, w in weights.items()}

    def update(self, step, gradients):
        squares = sum(float(np.square(g, dtype=np.float64).sum()) for g in gradients.values())
        shrink = np.float32(min(1.0, self.bound / (np.sqrt(squares) + 1e-12)))
        share = max(0.0, (step - self.warm) / max(1, self.steps - self.warm))
        rate = self.rate * min(1.0, (step + 1) / self.warm)
        rate *= 0.55 + 0.45 * np.cos(np.pi * share)
        for name, weight in self.weights.items():
            g = gradients[name] * shrink
            m, v = self.first[name], self.second[name]
            m += np.float32(0.1) * (g - m)
            v += np.float32(0.05) * (g * g - v)
            change = (m / np.float32(1 - 0.9 ** (step + 1))) / (
                np.sqrt(v / np.float32(1 - 0.95 ** (step + 1))) + np.float32(1e-8)
            )
            if weight.ndim > 1:
                change += np.float32(self.decay) * weight
            weight -= np.float32(rate) * change


def wide(array):
    """bf16 results are bits."""
    if array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32).reshape(array.shape)
    return array


class Step:
    """The compiled step: weights by name to loss and gradients by name."""

    def __init__(self, path, recipe, flags=()):
        path = pathlib.Path(path)
        names = path.with_suffix(".json")
        records = json.loads(names.read_text())
        self.inputs = [r["name"] for r in records["inputs"]]
        self.outputs = [r["name"].removeprefix("grad.") for r in records["outputs"]]
        self.program = lowp.compile(path, recipe=recipe, params=names, flags=list(flags))
        self.random = self.program.entries["main"].arguments[-1].step

    def __call__(self, weights, tokens, targets, step):
        given = {"tokens": tokens, "targets": targets, "grad_loss": np.float32(1)}
        arguments = [
            weights[name].astype(task.bf16) if name in weights else given[name]
            for name in self.inputs
        ]
        if self.random:
            arguments.append(np.int32(step))
        loss, *gradients = self.program(*arguments)
        return float(loss), {
            name: wide(gradient) for name, gradient in zip(self.outputs[1:], gradients)
        }


def train(step_of, steps, run=0, report=lambda step, loss: None):
    """Losses of all steps. Runs differ in weights and tokens; of run 0, the first
    step is the one that export_step.py has PyTorch's numbers of."""
    sizes = task.Sizes()
    chain = task.Chain(sizes)
    weights = task.first_weights(sizes, seed=1 + 100 * run)
    optimizer = AdamW(weights, steps)
    losses = []
    for step in range(steps):
        tokens, targets = chain.batch(step, seed=3 + 100 * run)
        loss, gradients = step_of(weights, tokens, targets, step)
        optimizer.update(step, gradients)
        losses.append(loss)
        report(step, loss)
    return losses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--recipe", default="bf16", help="name or path")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--run", type=int, default=0, help="number of the seeds")
    parser.add_argument("--output", help="JSON file of the losses")
    arguments = parser.parse_args()

    def report(step, loss):
        if step % 10 == 0:
            print(f"step {step}: loss {loss:.4f}", flush=True)

    step_of = Step(arguments.program, arguments.recipe)
    start = time.time()
    losses = train(step_of, arguments.steps, arguments.run, report)
    print(f"{(time.time() - start) / arguments.steps:.3f} s per step")
    if arguments.output:
        result = {"recipe": arguments.recipe, "run": arguments.run, "losses": losses}
        pathlib.Path(arguments.output).write_text(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
