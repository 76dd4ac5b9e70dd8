# REQUIRES: numpy
# RUN: %python %s %inputs lowp-compile %t
"""lowp.combine, and the sums over experts that become one, by numpy.

The expected bits come from the definition in docs/spec.md, written in numpy
alone: fused multiply-adds by rounding to odd in float64, butterflies in
float32, payloads decoded from their bytes.

* The operation: payloads of several formats, with and without a transform,
  ragged, empty, with gates that are zero, negative zero, NaN and infinite, and
  payloads of NaN where the gate is zero.
* The whole path, from the accumulator of the last product of exported models to
  their result, with the gates that the programs compute.
* The noise of a sum of eight experts, with a transform and without.
* Experts on several devices: what each one sends when it computes alone are the
  bytes that it sends among others, and so is the result.
"""

import os
import re
import subprocess
import sys

import numpy as np

inputs, compiler, path = sys.argv[1:]
sys.path.insert(0, inputs)
os.environ["LOWP_COMPILE"] = compiler

import lowp  # noqa: E402
import sqnr_numpy  # noqa: E402

rng = np.random.default_rng(32)
SIGNS = [i for i in range(32) if (0xD7E8 >> (i % 16)) & 1]
FACTORS = {"dyadic": (0.25, 0.125), "orthonormal": (np.uint32(0x3E3504F3).view(np.float32),) * 2}


def to_bf16(x):
    """Round to nearest even; NaN stays one."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7FC0), rounded)


def widen(x):
    return x if x.dtype == np.float32 else (x.astype(np.uint32) << 16).view(np.float32)


def fma(a, b, c):
    """One rounding to float32 of a * b + c."""
    a, b, c = (np.asarray(x, np.float64) for x in (a, b, c))
    product = a * b
    total = product + c
    part = total - product
    rest = (product - (total - part)) + (c - part)
    bits = total.view(np.int64)
    inexact = np.isfinite(total) & (rest != 0) & (bits % 2 == 0)
    away = (rest > 0) == (total > 0)
    odd = np.where(away, bits + 1, bits - 1)
    return np.where(inexact, odd, bits).view(np.float64).astype(np.float32)


def butterflies(x, size=32):
    """Groups of the last dim, which become a dim of their own."""
    y = x.reshape(x.shape[:-1] + (x.shape[-1] // size, size)).copy()
    stride = 1
    while stride < size:
        pairs = y.reshape(y.shape[:-1] + (size // 2 // stride, 2, stride))
        low, high = pairs[..., 0, :], pairs[..., 1, :]
        y = np.stack((low + high, low - high), axis=-2).reshape(y.shape)
        stride *= 2
    return y


def rht(x, normalization="dyadic"):
    y = x.reshape(x.shape[:-1] + (x.shape[-1] // 32, 32)).copy()
    y[..., SIGNS] = -y[..., SIGNS]
    y = butterflies(y.reshape(x.shape)) * np.float32(FACTORS[normalization][0])
    return y.reshape(x.shape)


def inverse_rht(x, normalization="dyadic"):
    y = butterflies(x) * np.float32(FACTORS[normalization][1])
    y[..., SIGNS] = -y[..., SIGNS]
    return y.reshape(x.shape)


def combine(values, gates, transform, normalization="dyadic"):
    """Values of a payload, [experts, tokens, hidden], to sums in float32."""
    gates = widen(gates)
    total = np.zeros(values.shape[1:], np.float32)
    for value, gate in zip(values, gates):
        selected = ~(gate == 0)
        total[selected] = fma(gate[selected, None], value[selected], total[selected])
    return inverse_rht(total, normalization) if transform else total


def decode_s2f6(codes, scales):
    hidden, scales = codes.shape[-1], scales.view(np.uint8)
    power = np.where(scales == 255, np.nan, np.exp2(scales.astype(np.float64) - 127))
    power = np.repeat(power, 32, axis=-1)[..., :hidden]
    return (codes.view(np.int8) / 64.0 * power).astype(np.float32)


def same(actual, expected):
    """Bits, of NaN any."""
    if actual.dtype == np.float32:
        equal = actual.view(np.uint32) == expected.view(np.uint32)
        equal |= np.isnan(actual) & np.isnan(expected)
    else:
        equal = actual == to_bf16(expected)
        equal |= np.isnan(widen(actual)) & np.isnan(expected)
    return actual.shape == expected.shape and bool(equal.all())


def compile_text(text, name, *flags):
    with open(f"{path}.{name}.mlir", "w") as file:
        file.write(text)
    subprocess.run(
        [compiler, f"{path}.{name}.mlir", "--target=cpu", "--emit=shared", "-O1",
         "-o", f"{path}.{name}.so", *flags],
        check=True,
    )
    return lowp.Program(f"{path}.{name}.so")


# Format and blocks, clause of the transform, gates and result.
OPERATIONS = {
    "s2f6": ("mxs2f6, block = [1, 1, 32]", "inverse_rht = 32", "bf16", "bf16"),
    "orthonormal": ("mxs2f6, block = [1, 1, 32]",
                    "inverse_rht = 32 signs = @s normalization = orthonormal", "f32", "f32"),
    "plain": ("mxs2f6, block = [1, 1, 32]", "", "f32", "f32"),
    "rows": ("mxfp8_e4m3, block = [1, 32, 1]", "inverse_rht = 32", "f32", "bf16"),
    "nvfp4": ("nvfp4, block = [1, 1, 16], outer = [0, 1]", "inverse_rht = 32", "bf16", "f32"),
    "tiles": ("mxfp4, block = [1, 16, 16]", "", "bf16", "bf16"),
    "image": ("mxs2f6, block = [1, 1, 32], layout = tcgen05_128x4", "inverse_rht = 32", "f32", "f32"),
}


def check_operation():
    negate = ", ".join("true" if i in SIGNS else "false" for i in range(32))
    text = f"lowp.signs @s = [{negate}]\n"
    for name, (layout, clause, gate, result) in OPERATIONS.items():
        payload = f"!lowp.blocked<?x?x?x{layout}>"
        text += f"""
func.func @quantize_{name}(%x: tensor<?x?x?xf32>) -> ({payload}, tensor<?x?x?xf32>) {{
  %q = lowp.quantize %x : tensor<?x?x?xf32> -> {payload}
  %d = lowp.dequantize %q : {payload} -> tensor<?x?x?xf32>
  return %q, %d : {payload}, tensor<?x?x?xf32>
}}
func.func @combine_{name}(%x: tensor<?x?x?xf32>, %g: tensor<?x?x{gate}>) -> tensor<?x?x{result}> {{
  %q = lowp.quantize %x : tensor<?x?x?xf32> -> {payload}
  %y = lowp.combine %q gates(%g : tensor<?x?x{gate}>) {clause} : {payload} -> tensor<?x?x{result}>
  return %y : tensor<?x?x{result}>
}}
"""
    program = compile_text(text, "operation")
    checked = 0
    for name, (_, clause, gate, _) in OPERATIONS.items():
        shapes = [(8, 7, 96), (1, 1, 32), (3, 0, 64), (0, 4, 32), (2, 5, 0), (5, 33, 64)]
        if not clause:
            shapes += [(4, 9, 40), (2, 3, 1)]
        for shape in shapes:
            x = rng.standard_normal(shape) * np.exp2(rng.integers(-20, 20, shape[:1] + (1, 1)))
            x = x.astype(np.float32)
            gates = rng.random(shape[:2]).astype(np.float32)
            gates[rng.random(shape[:2]) < 0.5] = 0
            gates[rng.random(shape[:2]) < 0.2] *= -1
            if shape == (8, 7, 96):
                # Lost where nobody reads it, and where somebody does.
                x[2, 3], gates[2, 3] = np.nan, 0
                x[1, 4, 5], gates[1, 4] = np.inf, -0.0
                x[0, 0, 0], gates[0, 0] = np.nan, 0.5
                gates[4, 1], gates[5, 2], gates[6, 5] = np.nan, np.inf, -np.inf
            stored = to_bf16(gates) if gate == "bf16" else gates
            *components, values = program(x, entry=f"quantize_{name}")
            if "mxs2f6" in OPERATIONS[name][0] and "layout" not in OPERATIONS[name][0]:
                decoded = decode_s2f6(components[0], components[1])
                assert same(values, decoded), (name, shape)
            with np.errstate(invalid="ignore"):
                expected = combine(values, stored, bool(clause),
                                   "orthonormal" if "orthonormal" in clause else "dyadic")
            actual = program(x, stored, entry=f"combine_{name}")
            assert same(actual, expected), (name, shape)
            checked += 1
    check_noise(program)
    return checked


def check_noise(program):
    """What a transform is for: eight experts with outliers in two channels."""
    x = rng.standard_normal((8, 512, 256)).astype(np.float32)
    x[..., rng.choice(256, 2, replace=False)] *= 25
    gates = rng.random((8, 512))
    gates = (gates / gates.sum(axis=0)).astype(np.float32)
    exact = (x * gates[..., None].astype(np.float64)).sum(axis=0)

    def noise(actual):
        return 10 * np.log10((exact**2).sum() / ((actual - exact) ** 2).sum())

    plain = noise(program(x, gates, entry="combine_plain"))
    # The payload of this operation is transformed by its sender.
    transformed = noise(program(rht(x), gates, entry="combine_image"))
    narrow = noise(combine(sqnr_numpy.mxfp8(x)[0], gates, False))
    assert abs(plain - 34.7) < 1 and abs(transformed - 45.7) < 1, (plain, transformed)
    assert abs(narrow - 31.4) < 1, narrow


def check_dynamic_errors():
    """Sizes that no type says, and that do not agree."""
    text = """
!q = !lowp.blocked<?x?x?xmxs2f6, block = [1, 1, 32]>
func.func @main(%x: tensor<?x?x?xf32>, %g: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %q = lowp.quantize %x : tensor<?x?x?xf32> -> !q
  %y = lowp.combine %q gates(%g : tensor<?x?xf32>) inverse_rht = 32 : !q -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""
    text += """
func.func @empty(%x: tensor<?x0x8xf32>, %w: tensor<?x32x8xf32>, %g: tensor<0x?xf32>) -> tensor<0x32xf32> {
  %y = lowp.batch_matmul %x, %w transpose_rhs : tensor<?x0x8xf32>, tensor<?x32x8xf32> -> tensor<?x0x32xf32>
  %r = lowp.rht %y size = 32 axis = 2 : tensor<?x0x32xf32>
  %q = lowp.quantize %r : tensor<?x0x32xf32> -> !lowp.blocked<?x0x32xmxs2f6, block = [1, 1, 32]>
  %c0 = arith.constant 0 : index
  %e = tensor.dim %x, %c0 : tensor<?x0x8xf32>
  %empty = tensor.empty(%e) : tensor<?x0xf32>
  %t = linalg.transpose ins(%g : tensor<0x?xf32>) outs(%empty : tensor<?x0xf32>) permutation = [1, 0]
  %s = lowp.combine %q gates(%t : tensor<?x0xf32>) inverse_rht = 32 : !lowp.blocked<?x0x32xmxs2f6, block = [1, 1, 32]> -> tensor<0x32xf32>
  return %s : tensor<0x32xf32>
}
"""
    program = compile_text(text, "errors")
    for experts in (0, 1, 3):
        x, w, g = ((experts, 0, 8), (experts, 32, 8), (0, experts))
        actual = program(*(np.zeros(shape, np.float32) for shape in (x, w, g)), entry="empty")
        assert actual.shape == (0, 32)
    for shape, gates, message in (
        ((2, 3, 40), (2, 3), "a multiple of 32"),
        ((2, 3, 32), (3, 3), "as many experts"),
        ((2, 3, 32), (2, 4), "as many tokens"),
    ):
        try:
            program(np.zeros(shape, np.float32), np.zeros(gates, np.float32))
        except Exception as error:
            assert message in str(error), error
        else:
            raise AssertionError(message)


def expose(text):
    """Makes the entry return accumulator and gates of each combine as well."""
    sources = dict(re.findall(r"(%\S+) = lowp\.rht (%\S+) size = 32 axis = 2 ", text))
    sources |= {payload: source for payload, source in
                re.findall(r"(%\S+) = lowp\.quantize (%\S+) : \S+ -> !lowp\.blocked<\S*xmxs2f6", text)}
    values, types = [], []
    for payload, gates, gate_type in re.findall(
            r"= lowp\.combine (%\S+) gates\((%\S+) : (tensor<\S+>)\)", text):
        transformed = sources[payload]
        shape = re.search(re.escape(transformed) + r" = lowp\.rht .*: (tensor<\S+>)", text)[1]
        values += [sources[transformed], gates]
        types += [shape, gate_type]
    assert values, "no combine"
    head, returned, types_returned = re.search(r"\n( *return) (.*) : (.*)\n", text).groups()
    text = text.replace(f"{head} {returned} : {types_returned}",
                        f"{head} {', '.join([returned] + values)} : "
                        f"{', '.join([types_returned] + types)}")
    return re.sub(r"(func\.func @main\(.*\)) -> \(?(.*?)\)? \{",
                  lambda m: f"{m[1]} -> ({', '.join([m[2]] + types)}) {{", text, count=1)


MODELS = ["moe_mixtral_dense", "moe_joint", "moe_mixtral_batched",
          "variants/moe_mixtral_dense.fused"]


def check_models():
    checked = 0
    for model in MODELS:
        base = os.path.join(inputs, "models", model)
        named = re.sub(r"variants/(\w+)\..*", r"\1", model)
        data = os.path.join(inputs, "models", named)
        for via_bf16 in (False, True):
            rule = "--rule=combine=mxs2f6:rht=32" + (":via_bf16" if via_bf16 else "")
            text = subprocess.run(
                [compiler, base + ".mlir", "--recipe=moe-nvfp4", rule, f"--params={data}.json",
                 "--stop-after=simplify", "--emit=mlir", "-o", "-"],
                check=True, capture_output=True, text=True,
            ).stdout
            program = compile_text(expose(text), f"model{checked}", "--resume-from=form-kernels")
            with np.load(data + ".inputs.npz") as archive:
                arguments = [archive[f"arg{i}"] for i in range(len(archive.files))]
            if "lowp.step" in text:
                arguments.append(np.int32(0))
            results = program(*arguments)
            accumulator, gates = results[-2:]
            assert accumulator.dtype == np.float32
            # Exposed is what the transform takes.
            rounded = (widen(to_bf16(accumulator)) == accumulator).all()
            assert rounded == via_bf16, model
            values, _ = sqnr_numpy.mxs2f6(rht(accumulator))
            expected = combine(values, gates, True)
            # Experts that are not selected would change the result.
            if "batched" not in model:
                assert ((widen(gates) == 0).sum(axis=0) == 2).all()
            actual = results[0].reshape(expected.shape)
            assert same(actual, expected), model
            checked += 1
    return checked


def check_devices():
    """Each expert alone, then whoever receives what they sent."""
    activation = "!lowp.blocked<{e}x?x64xnvfp4, block = [1, 1, 16], outer = [0, 1]>"
    weight = "!lowp.blocked<{e}x96x64xnvfp4, block = [1, 1, 16], outer = [0]>"
    payload = "!lowp.blocked<{e}x?x96xmxs2f6, block = [1, 1, 32]>"
    text = ""
    for name, e in (("all", 6), ("one", 1)):
        x, w, p = (t.format(e=e) for t in (activation, weight, payload))
        text += f"""
func.func @send_{name}(%x: tensor<{e}x?x64xbf16>, %w: tensor<{e}x96x64xbf16>) -> {p} {{
  %q = lowp.quantize %x {{rule = #lowp.rule<four_six = mse>}} : tensor<{e}x?x64xbf16> -> {x}
  %v = lowp.quantize %w : tensor<{e}x96x64xbf16> -> {w}
  %y = lowp.batch_matmul %q, %v transpose_rhs : {x}, {w} -> tensor<{e}x?x96xf32>
  %t = lowp.rht %y size = 32 axis = 2 : tensor<{e}x?x96xf32>
  %p = lowp.quantize %t : tensor<{e}x?x96xf32> -> {p}
  return %p : {p}
}}
"""
    p = payload.format(e=6)
    text += f"""
func.func @receive(%p: {p}, %g: tensor<6x?xbf16>) -> tensor<?x96xbf16> {{
  %y = lowp.combine %p gates(%g : tensor<6x?xbf16>) inverse_rht = 32 : {p} -> tensor<?x96xbf16>
  return %y : tensor<?x96xbf16>
}}
"""
    program = compile_text(text, "devices")
    for tokens in (1, 21):
        x = to_bf16(rng.standard_normal((6, tokens, 64)))
        w = to_bf16(rng.standard_normal((6, 96, 64)) / 8)
        gates = rng.random((6, tokens))
        gates[rng.random((6, tokens)) < 0.6] = 0
        gates = to_bf16(gates)
        whole = program(x, w, entry="send_all")
        parts = [program(x[e : e + 1], w[e : e + 1], entry="send_one") for e in range(6)]
        together = [np.concatenate(component) for component in zip(*parts)]
        for one, other in zip(whole, together):
            assert one.shape == other.shape and (one == other).all()
        expected = combine(decode_s2f6(*together), gates, True)
        assert same(program(*whole, gates, entry="receive"), expected)
        # A token's experts send the same bytes whoever else sends tokens.
        alone = [program(x[e : e + 1, :1], w[e : e + 1], entry="send_one") for e in range(6)]
        for component, (one, *_) in zip(zip(*alone), zip(whole)):
            assert (np.concatenate(component) == one[:, :1]).all()


operations = check_operation()
check_dynamic_errors()
models = check_models()
check_devices()
print(operations, "operations and", models, "models compared")
assert operations >= 40 and models == 2 * len(MODELS)
