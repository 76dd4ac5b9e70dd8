# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""The same bits for any number of threads.

A program compiled with --threads=0 runs with as many as OMP_NUM_THREADS says;
others have a number of their own. Neither may change a result, whatever the
number of rows: fewer than threads, none, more. A failed assertion still leaves
an error, and a following call is not affected.
"""

import os
import subprocess
import sys

import ml_dtypes
import numpy as np

import lowp

PROGRAM = """
!nv = !lowp.blocked<?x?xnvfp4, block = [1, 16], outer = [0]>
!nvt = !lowp.blocked<?x?xnvfp4, block = [16, 1], outer = [1]>
!mx = !lowp.blocked<?x?xmxfp8_e4m3, block = [32, 1]>
func.func @row(%x: tensor<?x?xbf16>) -> !nv {
  %q = lowp.quantize %x {rule = #lowp.rule<four_six = mse>} : tensor<?x?xbf16> -> !nv
  return %q : !nv
}
func.func @column(%x: tensor<?x?xbf16>) -> !mx {
  %q = lowp.quantize %x : tensor<?x?xbf16> -> !mx
  return %q : !mx
}
func.func @product(%x: tensor<?x?xbf16>, %w: tensor<?x?xbf16>) -> tensor<?x?xf32> {
  %q = lowp.quantize %x : tensor<?x?xbf16> -> !nv
  %r = lowp.quantize %w : tensor<?x?xbf16> -> !nvt
  %y = lowp.matmul %q, %r : !nv, !nvt -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
func.func @transform(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = lowp.rht %x size = 16 axis = 1 : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""


def results(program, inputs):
    found = []
    for x in inputs:
        for entry in ("row", "column"):
            found += program(x, entry=entry)
        if x.shape[1]:
            w = np.ascontiguousarray(x[:5].T)
            found.append(program(x, w, entry="product"))
        try:
            program(np.ones((4, 20), np.float32), entry="transform")
        except lowp.RuntimeFailure as error:
            assert "multiple of 16" in str(error), error
        else:
            raise AssertionError("no error")
    return [np.ascontiguousarray(part).tobytes() for part in found]


def main():
    compiler, path = sys.argv[1:]
    with open(path + ".mlir", "w") as file:
        file.write(PROGRAM)

    def compile(threads):
        output = f"{path}.{threads}.so"
        command = [compiler, path + ".mlir", "--emit=shared", f"--threads={threads}"]
        subprocess.run([*command, "-o", output], check=True)
        return lowp.Program(output)

    random = np.random.default_rng(3)
    inputs = [
        random.standard_normal(shape).astype(np.float32).astype(ml_dtypes.bfloat16)
        for shape in [(67, 600), (3, 512), (1, 40), (0, 64), (130, 33)]
    ]
    expected = results(compile(1), inputs)
    for threads in (2, 3):
        assert results(compile(threads), inputs) == expected, f"{threads} threads"
    program = compile(0)
    for number in ("1", "2", "5", "64", "none", "-3"):
        os.environ["OMP_NUM_THREADS"] = number
        assert results(program, inputs) == expected, f"OMP_NUM_THREADS={number}"
    del os.environ["OMP_NUM_THREADS"]
    assert results(program, inputs) == expected
    print(f"{len(expected)} results")


if __name__ == "__main__":
    main()
