# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, signatures and failures of programs."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class DType:
    """An element type of lowp-c/Runtime.h."""

    name: str
    # Its LowpDType.
    number: int
    # How numpy holds the bits. What numpy has no type for travels as an
    # unsigned integer of its width.
    storage: np.dtype
    # What numpy, ml_dtypes and torch call it.
    public: str
    # DLPack's DLDataTypeCode, and bits.
    code: int
    bits: int

    @property
    def is_integer(self):
        return self.code in (0, 1)

    @property
    def is_narrow(self):
        """Whether numpy lacks it."""
        return self.code not in (0, 1, 2, 6)


DTYPES = {
    name: DType(name, number, np.dtype(storage), public, code, bits)
    for name, number, storage, public, code, bits in [
        ("bool", 1, "bool", "bool", 6, 8),
        ("i8", 2, "int8", "int8", 0, 8),
        ("i16", 3, "int16", "int16", 0, 16),
        ("i32", 4, "int32", "int32", 0, 32),
        ("i64", 5, "int64", "int64", 0, 64),
        ("u8", 6, "uint8", "uint8", 1, 8),
        ("u16", 7, "uint16", "uint16", 1, 16),
        ("u32", 8, "uint32", "uint32", 1, 32),
        ("u64", 9, "uint64", "uint64", 1, 64),
        ("f16", 10, "float16", "float16", 2, 16),
        ("bf16", 11, "uint16", "bfloat16", 4, 16),
        ("f32", 12, "float32", "float32", 2, 32),
        ("f64", 13, "float64", "float64", 2, 64),
        ("f8E4M3FN", 14, "uint8", "float8_e4m3fn", 10, 8),
        ("f8E5M2", 15, "uint8", "float8_e5m2", 12, 8),
        ("f8E8M0FNU", 16, "uint8", "float8_e8m0fnu", 14, 8),
        ("f6E2M3FN", 17, "uint8", "float6_e2m3fn", 15, 6),
        ("f6E3M2FN", 18, "uint8", "float6_e3m2fn", 16, 6),
        ("f4E2M1FN", 19, "uint8", "float4_e2m1fn", 17, 4),
    ]
}

BY_PUBLIC_NAME = {dtype.public: dtype for dtype in DTYPES.values()}
BY_DLPACK = {(dtype.code, dtype.bits): dtype for dtype in DTYPES.values()}


def takes(wanted, given):
    """Whether elements of the DType `given` may stand for `wanted`: integers of
    one width for each other, and for the bits of what numpy lacks."""
    if wanted is given:
        return True
    return (
        given.is_integer
        and (wanted.is_integer or wanted.is_narrow)
        and wanted.storage.itemsize == given.storage.itemsize
    )


class RuntimeFailure(RuntimeError):
    """A call did not succeed. `status` is the LowpStatus."""

    def __init__(self, status, message):
        super().__init__(message or f"the program returned status {status}")
        self.status = status


@dataclasses.dataclass(frozen=True)
class Tensor:
    """Type of an argument or a result; a dynamic dim is None."""

    dtype: str
    shape: tuple
    scalar: bool = False
    # The step of stochastic rounding, which is 0 when it is left out.
    step: bool = False
    # Whether the entry writes to this argument.
    written: bool = False

    def __str__(self):
        if self.scalar:
            return self.dtype
        dims = "".join(f"{'?' if d is None else d}x" for d in self.shape)
        return f"tensor<{dims}{self.dtype}>"

    def fits(self, shape):
        return len(shape) == len(self.shape) and all(
            want is None or want == got for want, got in zip(self.shape, shape)
        )


@dataclasses.dataclass(frozen=True)
class Signature:
    """Types of the arguments and results of an entry."""

    name: str
    arguments: tuple
    results: tuple
