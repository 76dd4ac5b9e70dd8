# REQUIRES: numpy
# RUN: env LOWP_COMPILE=lowp-compile %python %s %inputs
"""lowp.compile and calling what it gives: numbers, dtypes, shapes, errors."""

import gc
import json
import os
import pathlib
import sys
import tempfile
import threading

import numpy as np

import lowp

inputs = sys.argv[1]


def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), f"expected {text!r} in {error!r}"
        return error
    raise AssertionError(f"expected {kind.__name__}")


ADD = """
func.func @add(%a: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a, %b : tensor<?x4xf32>, tensor<4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""

# Text, a path, and bytecode give the same program.
a = np.arange(12, dtype=np.float32).reshape(3, 4)
b = np.float32([1, 2, 3, 4])
add = lowp.compile(ADD)
assert str(add.entries["add"].arguments[0]) == "tensor<?x4xf32>"
np.testing.assert_array_equal(add(a, b), a + b)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "add.mlir")
    path.write_text(ADD)
    np.testing.assert_array_equal(lowp.compile(path)(a, b), a + b)
    np.testing.assert_array_equal(lowp.compile(str(path))(a, b), a + b)
bytecode = lowp.emit(ADD, "mlir", flags=["--stop-after=recognize", "--emit-bytecode"])
assert bytecode[:4] == b"ML\xefR"
np.testing.assert_array_equal(lowp.compile(bytecode)(a, b), a + b)

# Arithmetic on whole tensors, rank 0 included.
double = lowp.compile("""
  func.func @f(%x: tensor<?xf16>, %y: tensor<f32>) -> (tensor<?xf16>, tensor<f32>) {
    %a = arith.addf %x, %x : tensor<?xf16>
    %b = math.absf %y : tensor<f32>
    return %a, %b : tensor<?xf16>, tensor<f32>
  }
""")
doubled, absolute = double(np.float16([1, -2, 65504]), np.float32(-3))
np.testing.assert_array_equal(doubled, np.float16([2, -4, np.inf]))
assert absolute.shape == () and absolute == 3

# Strided, empty and listed arguments.
np.testing.assert_array_equal(add(np.asfortranarray(a), b), a + b)
np.testing.assert_array_equal(add(a[::2], b), a[::2] + b)
assert add(np.empty((0, 4), np.float32), b).shape == (0, 4)
np.testing.assert_array_equal(add([[0, 0, 0, 0]], [1, 2, 3, 4]), [[1, 2, 3, 4]])

# A result owns its memory for as long as somebody holds it.
gc.collect()
assert add.live_allocations == 0
held = add(a, b)
view = held[1:]
del held
gc.collect()
assert add.live_allocations == 1
np.testing.assert_array_equal(view, (a + b)[1:])
del view
gc.collect()
assert add.live_allocations == 0

# Bits of types that numpy lacks travel as unsigned integers.
QUANTIZE = """
func.func @main(%x: tensor<?x32xbf16>) -> (tensor<?x32xi8>, tensor<?x1xi8>) {
  %q = lowp.quantize %x : tensor<?x32xbf16> -> !lowp.blocked<?x32xmxfp8_e4m3, block = [1, 32]>
  %c, %s = lowp.unpack %q : !lowp.blocked<?x32xmxfp8_e4m3, block = [1, 32]> -> tensor<?x32xi8>, tensor<?x1xi8>
  return %c, %s : tensor<?x32xi8>, tensor<?x1xi8>
}
"""
import ml_dtypes  # noqa: E402

quantize = lowp.compile(QUANTIZE)
x = np.zeros((2, 32), ml_dtypes.bfloat16)
x[0, :3] = [448, -1, 0.0]
x[1, 0] = 3.0
codes, scales = quantize(x)
# 448 needs the scale 1; 3 needs 2^-7 (3 / 448 rounded up to a power of two).
assert scales.view(np.uint8).tolist() == [[127], [120]]
assert codes.view(np.uint8)[0, :3].tolist() == [0x7E, 0xB8, 0]
assert codes.view(np.uint8)[1, 0] == 0x7C  # 3 * 2^7 = 384
same = quantize(x.view(np.uint16))
np.testing.assert_array_equal(same[0], codes)

# A scalar of such a type, too.
widen = lowp.compile("""
  func.func @f(%x: tensor<bf16>, %s: bf16) -> tensor<f32> {
    %a = arith.extf %x : tensor<bf16> to tensor<f32>
    %b = arith.extf %s : bf16 to f32
    %c = tensor.from_elements %b : tensor<f32>
    %d = arith.subf %a, %c : tensor<f32>
    return %d : tensor<f32>
  }
""")
number = widen(np.array(3, ml_dtypes.bfloat16), ml_dtypes.bfloat16(1))
assert number.shape == () and number == 2

# Any number of threads call at the same time.
outputs = [None] * 8
def call(i):
    outputs[i] = add(a + i, b)
threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for i, output in enumerate(outputs):
    np.testing.assert_array_equal(output, a + i + b)

# A real layer.
base = os.path.join(inputs, "models", "moe_mixtral_dense")
meta = json.load(open(base + ".json"))
layer = lowp.compile(base + ".mlir", recipe="moe-nvfp4", params=base + ".json")
with np.load(base + ".inputs.npz") as archive:
    arguments = [archive[d["key"]] for d in meta["inputs"]]
with np.load(base + ".outputs.npz") as archive:
    expected = (archive["out0"].astype(np.uint32) << 16).view(np.float32)
actual = (layer(*arguments).astype(np.uint32) << 16).view(np.float32)
error = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
assert 0.01 < error < 0.3, error

# Errors are exceptions that say what was wrong.
error = raises(lowp.CompileError, "custom op 'oops' is unknown", lambda: lowp.compile("func.func @f() {\n oops\n}"))
assert "error:" in error.diagnostics
raises(lowp.CompileError, "nvfp5", lambda: lowp.compile(ADD, recipe="nvfp5"))
raises(lowp.CompileError, "missing.mlir", lambda: lowp.compile("missing.mlir"))
raises(TypeError, "int", lambda: lowp.compile(3))
raises(ValueError, "sm_103a", lambda: lowp.compile(ADD, target="sm_103a"))
raises(TypeError, "expects 2 arguments, but got 1", lambda: add(a))
raises(TypeError, "float64", lambda: add(a.astype(np.float64), b))
raises(TypeError, "tensor<?x4xf32>, but got shape (3, 5)", lambda: add(np.zeros((3, 5), np.float32), b))
raises(ValueError, "'sub'", lambda: add(a, b, entry="sub"))
