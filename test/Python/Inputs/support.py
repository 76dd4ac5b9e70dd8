"""What the tests of lowp's Python package share."""

import json
import os

import numpy as np


def raises(kind, text, call):
    """The error that `call` raises, of exactly this kind and with this text."""
    try:
        call()
    except Exception as error:
        assert type(error) is kind and text in str(error), (
            f"expected {kind.__name__} with {text!r}, but got {error!r}"
        )
        # What it refers to would keep memory alive.
        error.__traceback__ = None
        if error.__cause__ is not None:
            error.__cause__.__traceback__ = None
        error.__context__ = None
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

# What an entry can be: one that writes to an argument and has a result, or
# none; one of scalars beside tensors; one that checks its arguments.
ENTRIES = """
func.func @bump(%x: memref<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %s = arith.addf %t, %w : tensor<?xf32>
  bufferization.materialize_in_destination %s in restrict writable %x
    : (tensor<?xf32>, memref<?xf32>) -> ()
  %r = arith.mulf %s, %s : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @ones(%x: memref<?xbf16>) {
  %one = arith.constant 1.0 : bf16
  linalg.fill ins(%one : bf16) outs(%x : memref<?xbf16>)
  return
}
func.func @mixed(%x: f32, %n: index, %b: i1, %t: tensor<f32>, %q: bf16)
    -> (f32, index, i1, tensor<f32>, bf16) {
  %u = arith.addf %t, %t : tensor<f32>
  return %x, %n, %b, %u, %q : f32, index, i1, tensor<f32>, bf16
}
func.func @check(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %ok = arith.cmpi eq, %d, %n : index
  cf.assert %ok, "sizes differ"
  %r = arith.addf %x, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""

TYPES = (
    "i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 bf16 f32 f64 "
    "f8E4M3FN f8E5M2 f8E8M0FNU f6E2M3FN f6E3M2FN f4E2M1FN"
).split()
# An entry per type that gives its argument.
IDENTITIES = "".join(
    f"func.func @{t}(%x: tensor<?x{t}>) -> tensor<?x{t}> {{ return %x : tensor<?x{t}> }}\n"
    for t in TYPES
)


class Model:
    """An exported model of test/Inputs/models."""

    def __init__(self, inputs, name):
        base = os.path.join(inputs, "models", name)
        self.path = base + ".mlir"
        self.params = base + ".json"
        with open(self.params) as file:
            record = json.load(file)
        keys = [entry["key"] for entry in record["inputs"]]
        self.max_rel = record["max_rel"]
        with np.load(base + ".inputs.npz") as archive:
            self.arguments = [archive[key] for key in keys]
        with np.load(base + ".outputs.npz") as archive:
            self.expected = archive["out0"]


def same_bits(one, other):
    return (
        one.shape == other.shape
        and one.dtype == other.dtype
        and one.tobytes() == other.tobytes()
    )
