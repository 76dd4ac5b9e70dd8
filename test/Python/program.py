# REQUIRES: numpy
# RUN: env LOWP_COMPILE=lowp-compile %python %s %inputs
"""lowp.compile and calling what it gives: numbers, dtypes, shapes, errors."""

import gc
import os
import pathlib
import sys
import tempfile
import threading

import ml_dtypes
import numpy as np

import lowp

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import ADD, ENTRIES, IDENTITIES, Model, raises  # noqa: E402

inputs = sys.argv[1]

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
model = Model(inputs, "moe_mixtral_dense")
layer = lowp.compile(model.path, recipe="moe-nvfp4", params=model.params)
expected = (model.expected.astype(np.uint32) << 16).view(np.float32)
actual = (layer(*model.arguments).astype(np.uint32) << 16).view(np.float32)
error = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
assert 0.01 < error < 0.3, error

# An entry writes to arrays, whatever their strides and alignment.
entries = lowp.compile(ENTRIES)
assert entries.target == "cpu" and entries.devices() == []
assert [t.written for t in entries.entries["bump"].arguments] == [True, False]
one = np.ones(3, np.float32)
for x in (
    np.arange(3, dtype=np.float32),
    np.arange(6, dtype=np.float32)[::2],
    np.arange(3, dtype=np.float32)[::-1],
    np.frombuffer(bytearray(b"?" + np.arange(3, dtype=np.float32).tobytes()), np.float32, 3, 1),
):
    before = x.copy()
    np.testing.assert_array_equal(entries(x, one, entry="bump"), (before + 1) ** 2)
    np.testing.assert_array_equal(x, before + 1)
for x in (np.zeros(6, ml_dtypes.bfloat16), np.zeros(12, ml_dtypes.bfloat16)[::2]):
    assert entries(x, entry="ones") is None
    assert (x == 1).all()
fixed = np.zeros(3, np.float32)
fixed.flags.writeable = False
for value, got in (
    (fixed, "an array that is read-only"),
    (np.float32(0), "shape ()"),
    ([1.0, 2.0, 3.0], "list, which cannot be written to"),
):
    raises(
        TypeError,
        f"'bump' expects argument 0 to be tensor<?xf32>, but got {got}",
        lambda: entries(value, one, entry="bump"),
    )

# Numbers and lists are rounded to the element type, where that can be.
values = entries(2, 3, True, 1.5, 1 + 2**-8, entry="mixed")
assert [v.dtype.name for v in values] == ["float32", "int64", "bool", "float32", "uint16"]
assert [v.item() for v in values] == [2, 3, True, 3, 0x3F80]
del values
assert entries(0, 2**63 - 1, False, 0, 0, entry="mixed")[1] == 2**63 - 1
assert np.isinf(entries(1e300, 0, False, 0, 0, entry="mixed")[0])
identities = lowp.compile(IDENTITIES)
assert identities([0.5, -1, 448], entry="f8E4M3FN").tolist() == [0x30, 0xB8, 0x7E]
assert identities([1.5, 6], entry="f4E2M1FN").tolist() == [3, 7]
assert identities([-128, 255], entry="i8").tolist() == [-128, -1]
assert identities([], entry="i8").shape == (0,)
for kind, got, value, entry in (
    (TypeError, "float64 (list)", [1.5], "i8"),
    (TypeError, "float64 (list)", [float("nan")], "i64"),
    (TypeError, "int64 (list)", [1], "i1"),
    (TypeError, "complex128 (list)", [1j], "f32"),
    (TypeError, "str", ["1"], "f32"),
    (TypeError, "object (NoneType)", None, "f32"),
    (TypeError, "object (object)", object(), "f32"),
    (TypeError, "object (list)", [2**70], "i64"),
    (TypeError, "shape ()", 1.0, "f32"),
    (ValueError, "numbers from -129 to 0", [-129, 0], "ui8"),
    (ValueError, "numbers from 0 to 256", [0, 256], "i8"),
    (TypeError, ">i4", np.zeros(1, ">i4"), "i32"),
    (TypeError, ">f4", np.zeros(1, ">f4"), "f32"),
    (TypeError, "float16 (its bits travel as uint16)", np.zeros(1, np.float16), "bf16"),
    (TypeError, "float8_e5m2", np.zeros(1, ml_dtypes.float8_e5m2), "f8E4M3FN"),
    (TypeError, "float8_e5m2", np.zeros(1, ml_dtypes.float8_e5m2), "i8"),
    (TypeError, "uint8", np.zeros(1, np.uint8), "i1"),
    (TypeError, "bool", np.zeros(1, bool), "i8"),
    (TypeError, "int32", np.zeros(1, np.int32), "i8"),
):
    error = raises(kind, f"got {got}", lambda: identities(value, entry=entry))
    assert f"'{entry}' expects argument 0 to be tensor<?x" in str(error)
sys.modules["ml_dtypes"] = None
raises(TypeError, "the package ml_dtypes", lambda: identities([1.0], entry="bf16"))
sys.modules["ml_dtypes"] = ml_dtypes
assert identities.live_allocations == 0

# A call that fails leaves nothing.
error = raises(
    lowp.RuntimeFailure, "sizes differ", lambda: entries(one, 4, entry="check")
)
assert error.status == 3 and entries.live_allocations == 0
np.testing.assert_array_equal(entries(one, 3, entry="check"), one + one)

# 1000 calls, too.
live = add.live_allocations
for _ in range(1000):
    add(a, b)
assert add.live_allocations == live

# Errors are exceptions that say what was wrong.
error = raises(lowp.CompileError, "custom op 'oops' is unknown", lambda: lowp.compile("func.func @f() {\n oops\n}"))
assert "error:" in error.diagnostics
raises(lowp.CompileError, "nvfp5", lambda: lowp.compile(ADD, recipe="nvfp5"))
raises(lowp.CompileError, "missing.mlir", lambda: lowp.compile("missing.mlir"))
raises(TypeError, "int", lambda: lowp.compile(3))
raises(ValueError, "a program for the CPU has no driver", lambda: lowp.compile(ADD, simulate=True))
raises(ValueError, "a program for the CPU has no driver", lambda: lowp.compile(ADD, driver="x.so"))
raises(lowp.RuntimeFailure, "is not a program of lowp", lambda: lowp.Program(lowp.find_simulated_driver()))
raises(ValueError, "a program for the CPU has no device 0", lambda: add(a, b, device=0))
raises(ValueError, "a program for the CPU has no device", lambda: add.upload(a))
raises(TypeError, "expects 2 arguments, but got 1", lambda: add(a))
raises(TypeError, "float64", lambda: add(a.astype(np.float64), b))
raises(TypeError, "tensor<?x4xf32>, but got shape (3, 5)", lambda: add(np.zeros((3, 5), np.float32), b))
raises(ValueError, "'sub'", lambda: add(a, b, entry="sub"))
