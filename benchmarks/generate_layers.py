#!/usr/bin/env python3
"""Writes a training step of N Mixture-of-Experts layers as linalg on tensors.

The program is what PyTorch's exporters make of a joint graph: weights are
transposed in front of the forward products, experts are batch_matmuls of bf16
into f32, and the gradients of expert weights are transposed behind theirs. Each
layer is a dense projection, a router that chooses one expert, and SwiGLU experts,
around a residual connection. tensor.empty and linalg.fill stand once per type for
all layers, as after CSE.
"""

import argparse
import sys

TOKENS, HIDDEN, FFN, EXPERTS = 32, 64, 96, 4

# Of a layer: name, shape.
WEIGHTS = [
    ("self_attn.o_proj.weight", (HIDDEN, HIDDEN)),
    ("mlp.gate.weight", (EXPERTS, HIDDEN)),
    ("mlp.experts.gate_up_proj", (EXPERTS, 2 * FFN, HIDDEN)),
    ("mlp.experts.down_proj", (EXPERTS, HIDDEN, FFN)),
]

ONE = {"f32": "%one", "bf16": "%one_bf16"}
ZERO = {"f32": "%zero", "bf16": "%zero_bf16", "i64": "%zero_i64"}


def tensor(shape, dtype):
    return "tensor<%s>" % "x".join([*map(str, shape), dtype])


class Value:
    """An SSA value and its type."""

    def __init__(self, name, shape, dtype):
        self.name, self.shape, self.dtype = name, tuple(shape), dtype
        self.type = tensor(shape, dtype)


class Builder:
    def __init__(self):
        self.lines = []
        self.count = 0
        self.inits = {}

    def op(self, text, shape, dtype):
        value = Value("%%%d" % self.count, shape, dtype)
        self.count += 1
        self.lines.append("    %s = %s" % (value.name, text))
        return value

    def empty(self, shape, dtype):
        key = "empty", shape, dtype
        if key not in self.inits:
            text = "tensor.empty() : " + tensor(shape, dtype)
            self.inits[key] = self.op(text, shape, dtype)
        return self.inits[key]

    def fill(self, shape, dtype, scalar=None):
        scalar = scalar or ZERO[dtype]
        key = scalar, shape, dtype
        if key not in self.inits:
            out = self.empty(shape, dtype)
            text = "linalg.fill ins(%s : %s) outs(%s : %s) -> %s"
            text %= scalar, dtype, out.name, out.type, out.type
            self.inits[key] = self.op(text, shape, dtype)
        return self.inits[key]

    def generic(self, inputs, outs, maps, iterators, body):
        """`body` has one line per operation; %i0, ... and %o0, ... are its
        arguments, and the last line says what it yields."""
        dims = ", ".join("d%d" % i for i in range(len(iterators)))
        kinds = {"p": '"parallel"', "r": '"reduction"'}
        iterators = ", ".join(kinds[i] for i in iterators)
        maps = ", ".join("affine_map<(%s) -> (%s)>" % (dims, m) for m in maps)
        arguments = ["%%i%d: %s" % (i, v.dtype) for i, v in enumerate(inputs)]
        arguments += ["%%o%d: %s" % (i, v.dtype) for i, v in enumerate(outs)]

        def operands(word, values):
            if not values:
                return ""
            names = ", ".join(v.name for v in values)
            types = ", ".join(v.type for v in values)
            return " %s(%s : %s)" % (word, names, types)

        types = ", ".join(v.type for v in outs)
        text = "linalg.generic {indexing_maps = [%s], iterator_types = [%s]}" % (
            maps,
            iterators,
        )
        text += operands("ins", inputs) + operands("outs", outs) + " {\n"
        text += "    ^bb0(%s):\n" % ", ".join(arguments)
        body = body.strip().split("\n")
        text += "".join("      %s\n" % line.strip() for line in body[:-1])
        text += "      linalg.yield " + body[-1].strip() + "\n"
        text += "    } -> " + (types if len(outs) == 1 else "(%s)" % types)
        if len(outs) == 1:
            return self.op(text, outs[0].shape, outs[0].dtype)
        name = "%%%d" % self.count
        self.count += 1
        self.lines.append("    %s:%d = %s" % (name, len(outs), text))
        names = ["%s#%d" % (name, i) for i in range(len(outs))]
        return [Value(n, v.shape, v.dtype) for n, v in zip(names, outs, strict=True)]

    def elementwise(self, inputs, dtype, body, shape=None):
        """Inputs of size 1 along a dim are broadcast."""
        shape = shape or inputs[0].shape
        maps = []
        for value in inputs:
            pairs = enumerate(zip(value.shape, shape, strict=True))
            maps.append(", ".join("0" if v < s else "d%d" % i for i, (v, s) in pairs))
        maps.append(", ".join("d%d" % i for i in range(len(shape))))
        outs = [self.empty(shape, dtype)]
        return self.generic(inputs, outs, maps, "p" * len(shape), body)

    def binary(self, op, a, b):
        body = "%%r = arith.%s %%i0, %%i1 : %s\n%%r : %s" % (op, a.dtype, a.dtype)
        return self.elementwise([a, b], a.dtype, body)

    def convert(self, value, dtype):
        op = "extf" if dtype == "f32" else "truncf"
        body = "%%r = arith.%s %%i0 : %s to %s\n%%r : %s"
        body %= op, value.dtype, dtype, dtype
        return self.elementwise([value], dtype, body)

    def sum(self, value, dim, keep):
        """The sum over a dim, which stays as a dim of size 1 with `keep`."""
        dims = range(len(value.shape))
        kept = [(value.shape[i], "d%d" % i) for i in dims]
        kept[dim : dim + 1] = [(1, "0")] if keep else []
        maps = [", ".join("d%d" % i for i in dims), ", ".join(e for _, e in kept)]
        outs = [self.fill(tuple(size for size, _ in kept), value.dtype)]
        iterators = "".join("r" if i == dim else "p" for i in dims)
        body = "%%r = arith.addf %%i0, %%o0 : %s\n%%r : %s" % (value.dtype, value.dtype)
        return self.generic([value], outs, maps, iterators, body)

    def argmax(self, value):
        """The largest element of each row, and where it is."""
        rows = value.shape[:1]
        outs = [self.fill(rows, "f32", "%lowest"), self.fill(rows, "i64")]
        body = """%j = linalg.index 1 : index
            %k = arith.index_cast %j : index to i64
            %m = arith.maximumf %i0, %o0 : f32
            %c = arith.cmpf ogt, %i0, %o0 : f32
            %s = arith.select %c, %k, %o1 : i64
            %m, %s : f32, i64"""
        return self.generic([value], outs, ["d0, d1", "d0", "d0"], "pr", body)

    def transpose(self, value):
        """With the last two dims exchanged."""
        order = list(range(len(value.shape)))
        order[-2:] = order[-1], order[-2]
        out = self.empty(tuple(value.shape[i] for i in order), value.dtype)
        text = "linalg.transpose ins(%s : %s) outs(%s : %s) permutation = %s"
        text %= value.name, value.type, out.name, out.type, order
        return self.op(text, out.shape, out.dtype)

    def reshape(self, value, groups, shape):
        """`groups` are of the dims of the side with more of them."""
        op = "expand" if len(shape) > len(value.shape) else "collapse"
        text = "tensor.%s_shape %s %s" % (op, value.name, groups)
        if op == "expand":
            text += " output_shape %s" % list(shape)
        text += " : %s into %s" % (value.type, tensor(shape, value.dtype))
        return self.op(text, shape, value.dtype)

    def slice(self, value, offset, size):
        """A part of the last dim."""
        shape = (*value.shape[:-1], size)
        offsets = [0] * (len(shape) - 1) + [offset]
        where = "%s %s %s" % (offsets, list(shape), [1] * len(shape))
        text = "tensor.extract_slice %s%s : %s to %s"
        text %= value.name, where, value.type, tensor(shape, value.dtype)
        return self.op(text, shape, value.dtype)

    def product(self, a, b):
        """In f32, rounded to bf16."""
        op = "matmul" if len(a.shape) == 2 else "batch_matmul"
        out = self.fill((*a.shape[:-1], b.shape[-1]), "f32")
        text = "linalg.%s ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
        text %= op, a.name, b.name, a.type, b.type, out.name, out.type, out.type
        return self.convert(self.op(text, out.shape, "f32"), "bf16")

    def broadcast(self, value):
        """For all experts."""
        outs = [self.empty((EXPERTS, *value.shape), value.dtype)]
        maps = ["d1, d2", "d0, d1, d2"]
        return self.generic([value], outs, maps, "ppp", "%i0 : bf16")

    def sigmoid(self, value):
        body = """%n = arith.negf %i0 : TYPE
            %e = math.exp %n : TYPE
            %s = arith.addf %e, ONE : TYPE
            %r = arith.divf ONE, %s : TYPE
            %r : TYPE"""
        body = body.replace("TYPE", value.dtype).replace("ONE", ONE[value.dtype])
        return self.elementwise([value], value.dtype, body)


def forward(b, x, weights):
    """The result of a layer, and what its backward part needs."""
    proj, router, gate_up, down = weights
    h = b.product(x, b.transpose(proj))

    # The softmax of the router, and the expert with the largest part.
    logits = b.convert(b.product(h, b.transpose(router)), "f32")
    largest, _ = b.argmax(logits)
    largest = b.reshape(largest, [[0, 1]], (TOKENS, 1))
    body = "%d = arith.subf %i0, %i1 : f32\n%r = math.exp %d : f32\n%r : f32"
    exponentials = b.elementwise([logits, largest], "f32", body)
    probabilities = b.binary("divf", exponentials, b.sum(exponentials, 1, keep=True))
    _, chosen = b.argmax(probabilities)
    chosen = b.reshape(chosen, [[0, 1]], (TOKENS, 1))
    body = """%j = linalg.index 1 : index
        %k = arith.index_cast %j : index to i64
        %c = arith.cmpi eq, %k, %i0 : i64
        %r = arith.uitofp %c : i1 to f32
        %r : f32"""
    mask = b.elementwise([chosen], "f32", body, shape=(TOKENS, EXPERTS))
    part = b.transpose(b.binary("mulf", probabilities, mask))
    part = b.reshape(part, [[0], [1, 2]], (EXPERTS, TOKENS, 1))
    part = b.convert(part, "bf16")

    tokens = b.broadcast(h)
    both = b.product(tokens, b.transpose(gate_up))
    gate, up = b.slice(both, 0, FFN), b.slice(both, FFN, FFN)
    wide = b.convert(gate, "f32")
    silu = b.convert(b.binary("mulf", wide, b.sigmoid(wide)), "bf16")
    inner = b.binary("mulf", silu, up)
    outer = b.product(inner, b.transpose(down))
    combined = b.sum(b.binary("mulf", outer, part), 0, keep=False)
    saved = x, h, probabilities, mask, part, tokens, gate, up, silu, inner, outer
    return b.binary("addf", x, combined), saved


def backward(b, gradient, weights, saved):
    """The gradients of a layer's argument and of its weights."""
    x, h, probabilities, mask, part, tokens, gate, up, silu, inner, outer = saved
    proj, router, gate_up, down = weights
    all_experts = b.broadcast(gradient)
    d_part = b.sum(b.binary("mulf", all_experts, outer), 2, keep=True)
    d_part = b.reshape(b.convert(d_part, "f32"), [[0], [1, 2]], (EXPERTS, TOKENS))
    d_part = b.transpose(d_part)

    d_outer = b.binary("mulf", all_experts, part)
    d_down = b.transpose(b.product(b.transpose(inner), d_outer))
    d_inner = b.product(d_outer, down)
    d_up = b.binary("mulf", d_inner, silu)
    sigmoid = b.sigmoid(gate)
    body = """%n = arith.subf %one_bf16, %i1 : bf16
        %g = arith.mulf %i2, %n : bf16
        %p = arith.addf %g, %one_bf16 : bf16
        %d = arith.mulf %i1, %p : bf16
        %r = arith.mulf %i0, %d : bf16
        %r : bf16"""
    d_silu = b.binary("mulf", d_inner, up)
    d_gate = b.elementwise([d_silu, sigmoid, gate], "bf16", body)
    shape = (*d_gate.shape[:-1], 2 * FFN)
    text = "tensor.concat dim(2) %s, %s : (%s, %s) -> %s"
    text %= d_gate.name, d_up.name, d_gate.type, d_up.type, tensor(shape, "bf16")
    d_both = b.op(text, shape, "bf16")
    d_gate_up = b.transpose(b.product(b.transpose(tokens), d_both))
    d_tokens = b.sum(b.product(d_both, gate_up), 0, keep=True)
    d_tokens = b.reshape(d_tokens, [[0, 1], [2]], (TOKENS, HIDDEN))

    masked = b.binary("mulf", b.binary("mulf", d_part, mask), probabilities)
    scaled = b.binary("mulf", probabilities, b.sum(masked, 1, keep=True))
    d_logits = b.convert(b.binary("subf", masked, scaled), "bf16")
    d_router = b.product(b.transpose(d_logits), h)
    d_h = b.binary("addf", d_tokens, b.product(d_logits, router))

    d_proj = b.product(b.transpose(d_h), x)
    d_x = b.binary("addf", gradient, b.product(d_h, proj))
    return d_x, [d_proj, d_router, d_gate_up, d_down]


def generate(layers, named=True, training=True):
    """The text of a program. Arguments are the weights of all layers, the
    activation and the gradient of the result; results are the last layer's, the
    gradients of all weights and that of the activation. With `named`, each
    argument has a lowp.param; without `training`, there are no gradients."""
    b = Builder()
    arguments = []

    def argument(shape, name, kind):
        value = Value("%%arg%d" % len(arguments), shape, "bf16")
        text = "%s: %s" % (value.name, value.type)
        if named:
            text += " {lowp.param = #lowp.param<"
            text += 'name = "%s", kind = %s>}' % (name, kind)
        arguments.append(text)
        return value

    weights = [
        [
            argument(shape, "model.layers.%d.%s" % (i, name), "weight")
            for name, shape in WEIGHTS
        ]
        for i in range(layers)
    ]
    x = argument((TOKENS, HIDDEN), "hidden_states", "activation")
    if training:
        gradient = argument((TOKENS, HIDDEN), "grad_out", "cotangent")

    saved = []
    for own in weights:
        x, of_layer = forward(b, x, own)
        saved.append(of_layer)
    results = [x]
    if training:
        gradients = [None] * layers
        for i in reversed(range(layers)):
            gradient, gradients[i] = backward(b, gradient, weights[i], saved[i])
        results += [*(g for of_layer in gradients for g in of_layer), gradient]

    types = ", ".join(r.type for r in results)
    signature = "(%s) -> (%s)" % (", ".join(arguments), types)
    lines = ["module {", "  func.func @main%s {" % signature]
    constants = [
        ("%zero", "0.0", "f32"),
        ("%zero_bf16", "0.0", "bf16"),
        ("%zero_i64", "0", "i64"),
        ("%one", "1.0", "f32"),
        ("%one_bf16", "1.0", "bf16"),
        ("%lowest", "0xFF800000", "f32"),
    ]
    for constant in constants:
        lines.append("    %s = arith.constant %s : %s" % constant)
    lines += b.lines
    names = ", ".join(r.name for r in results)
    lines += ["    return %s : %s" % (names, types), "  }", "}", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("layers", type=int)
    parser.add_argument(
        "--unnamed", action="store_true", help="arguments without names and kinds"
    )
    parser.add_argument(
        "--forward", action="store_true", help="without the gradients"
    )
    args = parser.parse_args()
    text = generate(args.layers, named=not args.unnamed, training=not args.forward)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
