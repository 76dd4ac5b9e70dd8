# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules to programs on tensors, with the names of their parameters."""

import re


def export(module, args, *, dynamic_shapes=None, name="main"):
    """Exports a PyTorch module as text that `lowp.compile` takes.

    module          torch.nn.Module
    args            tuple of example inputs
    dynamic_shapes  as torch.export.export takes it
    name            of the function

    Parameters become arguments of the function, in the order of the module,
    before the inputs; tied parameters become one. Each argument carries a
    `lowp.param` attribute with its name and kind, so that recipes can tell
    layers and experts apart. Buffers and constants stay inside the text.

    Needs torch and torch-mlir. Raises ImportError where they are missing, and
    what they raise where they cannot export the module.
    """
    try:
        import torch
        from torch_mlir import fx, ir
        from torch_mlir.compiler_utils import OutputType
        from torch_mlir.dialects import torch as torch_dialect
        from torch_mlir.extras.fx_decomp_util import get_decomposition_table
        from torch_mlir.extras.fx_importer import FxImporter
    except ImportError as error:
        raise ImportError(
            "lowp.export needs the packages torch and torch-mlir"
        ) from error

    exported = torch.export.export(
        module, tuple(args), dynamic_shapes=dynamic_shapes, strict=False
    ).run_decompositions(get_decomposition_table())
    signature, graph = exported.graph_signature, exported.graph

    def constant(target):
        if target in exported.state_dict:
            return exported.state_dict[target]
        return exported.constants[target]

    params = []
    seen = {}
    for node in [n for n in graph.nodes if n.op == "placeholder"]:
        if node.name in signature.inputs_to_parameters:
            target = signature.inputs_to_parameters[node.name]
            value = exported.state_dict[target]
            # Tied parameters share their storage.
            place = (value.data_ptr(), tuple(value.shape), value.stride())
            if place in seen and value.numel() != 0:
                node.replace_all_uses_with(seen[place])
                graph.erase_node(node)
                continue
            seen[place] = node
            params.append((target, "weight"))
        elif node.name in signature.inputs_to_buffers:
            node.replace_all_uses_with(constant(signature.inputs_to_buffers[node.name]))
            graph.erase_node(node)
        elif node.name in signature.inputs_to_lifted_tensor_constants:
            target = signature.inputs_to_lifted_tensor_constants[node.name]
            node.replace_all_uses_with(constant(target))
            graph.erase_node(node)
        else:
            value = node.meta["val"]
            floating = getattr(value, "is_floating_point", lambda: False)()
            params.append((node.name, "activation" if floating else "ids"))

    context = ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    importer.import_stateless_graph(graph, func_name=name)
    lowered = fx._module_lowering(
        False, False, OutputType.get("linalg-on-tensors"), importer.module
    )
    return _annotate(str(lowered), name, params)


def _annotate(text, function, params):
    """Writes `lowp.param` on the arguments of `function`."""
    start = text.index(f"func.func @{function}(")
    end = text.index("\n", start)
    header = text[start:end]
    for index, (name, kind) in enumerate(params):
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        attribute = f'{{lowp.param = #lowp.param<name = "{quoted}", kind = {kind}>}}'
        header, count = re.subn(
            rf"%arg{index}: tensor<[^>]*>",
            lambda match: f"{match.group()} {attribute}",
            header,
            count=1,
        )
        if count != 1:
            raise ValueError(
                f"expected argument {index} ('{name}') of '{function}' in the exported text"
            )
    return text[:start] + header + text[end:]
