# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One training step of model.py as a program on tensors, with PyTorch's numbers.

    python3 export_step.py OUT

writes OUT/step.mlir, which takes the parameters, tokens, targets and the
gradient of the loss (1.0), and returns the loss and the gradient of every
parameter; OUT/step.json with the names of both; OUT/step.reference.npz with the
loss and the gradients that PyTorch computes for the first step; and
OUT/forward.mlir, the logits of any number of sequences, with OUT/forward.json.
Two exports write the same bytes.
"""

import json
import os
import sys

import numpy as np
import torch
from torch._functorch.aot_autograd import aot_export_joint_simple
from torch_mlir import fx, ir
from torch_mlir.compiler_utils import OutputType
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_decomp_util import get_decomposition_table
from torch_mlir.extras.fx_importer import FxImporter

import model
import task

DTYPES = {torch.bfloat16: "bf16", torch.float32: "f32", torch.int64: "i64"}


def lower(graph):
    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    importer.import_stateless_graph(graph, func_name="main")
    kind = OutputType.get("linalg-on-tensors")
    return str(fx._module_lowering(False, False, kind, importer.module))


def record(index, name, kind, value):
    return {
        "index": index,
        "name": name,
        "kind": kind,
        "shape": list(value.shape),
        "dtype": DTYPES[value.dtype],
    }


def write_names(path, title, inputs, outputs):
    """One line per argument and result."""

    def rows(values):
        records = (record(index, *value) for index, value in enumerate(values))
        return ",\n  ".join(json.dumps(row) for row in records)

    with open(path, "w") as file:
        file.write(
            f'{{"title": {json.dumps(title)},\n'
            f' "inputs": [\n  {rows(inputs)}],\n "outputs": [\n  {rows(outputs)}]}}\n'
        )


def bits(value):
    """As numpy holds it; BF16 as its bits."""
    value = value.detach().contiguous()
    if value.dtype == torch.bfloat16:
        return value.view(torch.int16).numpy().view(np.uint16)
    return value.numpy()


def without_none(graph):
    """Drops the gradients of tokens and targets: None is no result of a function."""
    output = next(node for node in graph.nodes if node.op == "output")
    results = torch.utils._pytree.tree_leaves(output.args[0])
    output.args = (tuple(value for value in results if value is not None),)
    return graph


class Forward(torch.nn.Module):
    def __init__(self, sizes, names):
        super().__init__()
        self.sizes, self.names = sizes, names

    def forward(self, *flat):
        return model.logits(self.sizes, dict(zip(self.names, flat)), flat[-1])


def export_forward(sizes, weights, tokens):
    rows = torch.export.Dim("rows", min=2, max=4096)
    module = Forward(sizes, list(weights))
    values = (*weights.values(), tokens)
    # torch.export gives weights that are inputs as inputs.
    dynamic = ((*({} for _ in weights), {0: rows}),)
    exported = torch.export.export(module, values, dynamic_shapes=dynamic, strict=False)
    return exported.run_decompositions(get_decomposition_table()).graph


def main():
    [folder] = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    sizes = task.Sizes()
    first = {
        name: torch.from_numpy(value).to(torch.bfloat16)
        for name, value in task.first_weights(sizes).items()
    }
    names = list(first)
    tokens, targets = map(torch.from_numpy, task.Chain(sizes).batch(0))

    def step(*flat):
        weights = dict(zip(names, flat))
        return (model.loss(sizes, weights, *flat[len(names) :]),)

    leaves = [value.clone().requires_grad_(True) for value in first.values()]
    graph = aot_export_joint_simple(
        step,
        (*leaves, tokens, targets),
        trace_joint=True,
        decompositions=get_decomposition_table(),
    ).graph
    with open(os.path.join(folder, "step.mlir"), "w") as file:
        file.write(lower(without_none(graph)))
    with open(os.path.join(folder, "forward.mlir"), "w") as file:
        file.write(lower(export_forward(sizes, first, tokens)))

    [loss] = step(*leaves, tokens, targets)
    gradients = torch.autograd.grad(loss, leaves)
    parameters = [(name, "weight", value) for name, value in first.items()]
    tokens = ("tokens", "ids", tokens)
    write_names(
        os.path.join(folder, "step.json"),
        "a training step of the model of examples/training",
        [
            *parameters,
            tokens,
            ("targets", "ids", targets),
            ("grad_loss", "cotangent", torch.ones(())),
        ],
        [
            ("loss", "result", loss),
            *(("grad." + n, "result", g) for n, g in zip(names, gradients)),
        ],
    )
    with torch.no_grad():
        logits = model.logits(sizes, first, tokens[2])
    write_names(
        os.path.join(folder, "forward.json"),
        "the forward pass of the model of examples/training",
        [*parameters, tokens],
        [("logits", "result", logits)],
    )
    np.savez_compressed(
        os.path.join(folder, "step.reference.npz"),
        loss=bits(loss),
        **{name: bits(value) for name, value in zip(names, gradients)},
    )


if __name__ == "__main__":
    main()
