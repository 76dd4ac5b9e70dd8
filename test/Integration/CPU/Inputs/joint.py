"""Joint programs of test/Inputs/models, forward and backward, opened up.

A joint program returns its output and gradients. `opened` makes it return
intermediate values as well, so that what the forward pass computed under a
recipe is known to the bit; `Reference` computes the gradients of those values,
dequantised, in FP64.
"""

import functools
import json
import os
import re

import ml_dtypes
import numpy as np

import lowp


def wide(array):
    """Bits of bf16, or an array of ml_dtypes, as FP64."""
    if array.dtype == np.uint16:
        array = array.view(ml_dtypes.bfloat16)
    return array.astype(np.float64)


class Model:
    def __init__(self, folder, name):
        self.name = name
        self.path = os.path.join(folder, "models", name)
        with open(self.path + ".json") as file:
            meta = json.load(file)
        self.bound = meta["max_rel"]
        self.results = [r["name"] for r in meta["outputs"]]
        with np.load(self.path + ".inputs.npz") as archive:
            self.arguments = [archive[r["key"]] for r in meta["inputs"]]
        with np.load(self.path + ".outputs.npz") as archive:
            self.expected = [wide(archive[r["key"]]) for r in meta["outputs"]]
        with open(self.path + ".mlir") as file:
            self.text = file.read()

    def compile(self, text=None, **how):
        return lowp.compile(text or self.text, params=self.path + ".json", **how)

    def opened(self, values):
        """The program with further results: SSA names of the text."""
        types = []
        for value in values:
            # The type of an operation's only result ends the line that defines
            # it, or the line that closes its region.
            at = re.search(rf"^ *{re.escape(value)} = ", self.text, re.M).start()
            line = self.text[at : self.text.index("\n", at)]
            if line.endswith("{"):
                close = re.search(r"^ *\} -> (.*)$", self.text[at:], re.M)
                types.append(close[1])
            else:
                types.append(re.split(r" -> | to | : ", line)[-1])
        text = re.sub(
            r"(func\.func @main\(.*\) -> \([^)]*)\)",
            lambda m: m[1] + "".join(f", {t}" for t in types) + ")",
            self.text,
            count=1,
        )
        return re.sub(
            r"^( *return )([^:]*) : (.*)$",
            lambda m: f"{m[1]}{m[2]}, {', '.join(values)} : {m[3]}, {', '.join(types)}",
            text,
            count=1,
            flags=re.M,
        )


def dequantized(array, format, rule=None):
    """What is left of a bf16 tensor after `lowp.quantize`. None: all of it."""
    if format is None:
        return wide(array)
    shape = "x".join(map(str, array.shape))
    blocked = f"!lowp.blocked<{shape}x{format}>"
    rule = f" {{rule = #lowp.rule<{rule}>}}" if rule else ""
    program = lowp.compile(f"""
func.func @main(%x: tensor<{shape}xbf16>) -> tensor<{shape}xf32> {{
  %q = lowp.quantize %x{rule} : tensor<{shape}xbf16> -> {blocked}
  %y = lowp.dequantize %q : {blocked} -> tensor<{shape}xf32>
  return %y : tensor<{shape}xf32>
}}""")
    return program(np.ascontiguousarray(array)).astype(np.float64)


class Forward:
    """How forward tensors are quantised: nothing, or NVFP4 with outer scales per
    token and per expert."""

    def __init__(self, quantised):
        self.quantised = quantised

    def activation(self, array):
        if not self.quantised:
            return wide(array)
        ones = "1, " * (array.ndim - 1)
        tokens = ", ".join(map(str, range(array.ndim - 1)))
        return dequantized(
            array, f"nvfp4, block = [{ones}16], outer = [{tokens}]", "four_six = mse"
        )

    def weight(self, array):
        if not self.quantised:
            return wide(array)
        ones = "1, " * (array.ndim - 1)
        outer = ", outer = [0]" if array.ndim == 3 else ""
        return dequantized(array, f"nvfp4, block = [{ones}16]{outer}")


# The values below are those of the exported texts: `opened` fails where a name
# is gone, and gradients without quantisation are compared with PyTorch's.
MLP = {
    "gain": "%11", "norm": "%12", "rms": "%8", "wide": "%1", "gate": "%18", "silu": "%22",
    "up": "%24", "inner": "%25", "slope": "%51",
}
MOE = {
    "silu": "%46", "up": "%extracted_slice_11", "inner": "%47", "slope": "%82",
    "cotangent": "%62", "router": "%117",
}


def mlp_gradients(model, forward, values):
    """Gradients of gate, up, down and input of mlp_bf16_joint by name."""
    gain, gate, up, down, _, cotangent = model.arguments
    gain, cotangent = wide(gain), wide(cotangent)
    norm, inner = forward.activation(values["norm"]), forward.activation(values["inner"])
    gate, up, down = map(forward.weight, (gate, up, down))
    v = {name: wide(array) for name, array in values.items()}
    d_inner = cotangent @ down
    d_up = d_inner * v["silu"]
    d_gate = d_inner * v["up"] * v["slope"]
    d_norm = (d_up @ up + d_gate @ gate) * gain
    x, rms = v["wide"], v["rms"]
    along = (d_norm * x).sum(-1, keepdims=True) * rms**3 / x.shape[-1]
    return {
        "grad.mlp.gate_proj.weight": d_gate.T @ norm,
        "grad.mlp.up_proj.weight": d_up.T @ norm,
        "grad.mlp.down_proj.weight": cotangent.T @ inner,
        "grad.input0": cotangent + d_norm * rms - along * x,
    }


def moe_gradients(model, forward, values):
    """Gradients of experts and input of moe_joint by name. The router reads what
    nothing rounds; its part of the gradient of the input is taken as it is."""
    gate_up, down, _, x, _ = model.arguments
    x, inner = forward.activation(x), forward.activation(values["inner"])
    gate_up, down = forward.weight(gate_up), forward.weight(down)
    v = {name: wide(array) for name, array in values.items()}
    d_inner = v["cotangent"] @ down
    d_both = np.concatenate(
        [d_inner * v["up"] * v["slope"], d_inner * v["silu"]], axis=-1
    )
    return {
        "grad.gate_up": d_both.transpose(0, 2, 1) @ x,
        "grad.down": v["cotangent"].transpose(0, 2, 1) @ inner,
        "grad.input0": (d_both @ gate_up).sum(0) + v["router"],
    }


JOINTS = {"mlp_bf16_joint": (MLP, mlp_gradients), "moe_joint": (MOE, moe_gradients)}


class Joint:
    """A joint program under a recipe, and the gradients that it should have."""

    def __init__(self, folder, name, quantised, **how):
        self.names, self.gradients = JOINTS[name]
        self.model = Model(folder, name)
        self.forward = Forward(quantised)
        self.how = how
        self.program = self.model.compile(**how)

    @functools.cached_property
    def values(self):
        text = self.model.opened(list(self.names.values()))
        found = self.model.compile(text, **self.how)(*self.model.arguments)
        count = len(self.model.results)
        assert found[0].tobytes() == self.program(*self.model.arguments)[0].tobytes()
        return dict(zip(self.names, found[count:]))

    def reference(self, forward=None):
        return self.gradients(self.model, forward or self.forward, self.values)

    def run(self, step=0):
        arguments = list(self.model.arguments)
        if self.program.entries["main"].arguments[-1].step:
            arguments.append(np.int32(step))
        found = self.program(*arguments)
        return dict(zip(self.model.results, map(wide, found)))
