# REQUIRES: numpy
# RUN: %python %s
"""Buffers whose shapes are expanded: several sizes of one dim that are known at
run time only, and sizes of zero."""

import numpy as np

import lowp

SOURCE = """
func.func @split(%x: tensor<?x?x32xf32>) -> tensor<?x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x32xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x32xf32>
  %y = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x32xf32> into tensor<?x32xf32>
  %e = tensor.empty(%b, %s) : tensor<?x?x32xf32>
  %z = tensor.expand_shape %y [[0, 1], [2]] output_shape [%b, %s, 32] : tensor<?x32xf32> into tensor<?x?x32xf32>
  %r = linalg.map {arith.addf} ins(%x, %z : tensor<?x?x32xf32>, tensor<?x?x32xf32>) outs(%e : tensor<?x?x32xf32>)
  return %r : tensor<?x?x32xf32>
}
func.func @cut(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?x3xf32> {
  %s = tensor.extract_slice %x[1, 1] [%n, 6] [1, 2] : tensor<?x?xf32> to tensor<?x6xf32>
  %h = arith.divui %n, %m : index
  %y = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [%h, %m, 2, 3] : tensor<?x6xf32> into tensor<?x?x2x3xf32>
  %t = tensor.extract_slice %y[0, 0, 1, 0] [%h, %m, 1, 3] [1, 1, 1, 1] : tensor<?x?x2x3xf32> to tensor<?x?x3xf32>
  return %t : tensor<?x?x3xf32>
}
func.func @none(%x: tensor<?xf32>, %n: index) -> tensor<?x0xf32> {
  %y = tensor.expand_shape %x [[0, 1]] output_shape [%n, 0] : tensor<?xf32> into tensor<?x0xf32>
  return %y : tensor<?x0xf32>
}
"""

program = lowp.compile(SOURCE)
random = np.random.default_rng(0)
for shape in ((3, 5, 32), (1, 4, 32), (0, 4, 32), (4, 0, 32), (0, 0, 32)):
    x = random.standard_normal(shape, np.float32)
    np.testing.assert_array_equal(program(x, entry="split"), x + x)
x = random.standard_normal((9, 14), np.float32)
for n, m in ((8, 4), (6, 1), (0, 2)):
    expected = x[1 : 1 + n, 1:13:2].reshape(n // m, m, 2, 3)[:, :, 1]
    np.testing.assert_array_equal(program(x, n, m, entry="cut"), expected)
assert program(np.empty(0, np.float32), 7, entry="none").shape == (7, 0)
