# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled program, called by ctypes through the C ABI of lowp-c/Runtime.h."""

import ctypes
import dataclasses
import json
import os
import weakref

import numpy as np

_ABI_VERSION = 2

# Number of LowpDType, and how numpy holds the bits. What numpy has no type for
# travels as an unsigned integer of its width.
_DTYPES = {
    "bool": (1, np.bool_),
    "i8": (2, np.int8),
    "i16": (3, np.int16),
    "i32": (4, np.int32),
    "i64": (5, np.int64),
    "u8": (6, np.uint8),
    "u16": (7, np.uint16),
    "u32": (8, np.uint32),
    "u64": (9, np.uint64),
    "f16": (10, np.float16),
    "bf16": (11, np.uint16),
    "f32": (12, np.float32),
    "f64": (13, np.float64),
    "f8E4M3FN": (14, np.uint8),
    "f8E5M2": (15, np.uint8),
    "f8E8M0FNU": (16, np.uint8),
    "f6E2M3FN": (17, np.uint8),
    "f6E3M2FN": (18, np.uint8),
    "f4E2M1FN": (19, np.uint8),
}

# Names that other packages (ml_dtypes) give to types that numpy lacks.
_FOREIGN = {
    "bfloat16": "bf16",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "float4_e2m1fn": "f4E2M1FN",
}


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

    def __str__(self):
        if self.scalar:
            return self.dtype
        dims = "".join(f"{'?' if d is None else d}x" for d in self.shape)
        return f"tensor<{dims}{self.dtype}>"


@dataclasses.dataclass(frozen=True)
class Signature:
    """Types of the arguments and results of an entry."""

    name: str
    arguments: tuple
    results: tuple


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("descriptor", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("dtype", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


def _descriptor(rank):
    class Descriptor(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.c_void_p),
            ("aligned", ctypes.c_void_p),
            ("offset", ctypes.c_int64),
            ("sizes", ctypes.c_int64 * rank),
            ("strides", ctypes.c_int64 * rank),
        ]

    return Descriptor()


def _tensor(record):
    return Tensor(
        record["dtype"],
        tuple(record["shape"]),
        record.get("scalar", False),
        record.get("step", False),
    )


class Program:
    """A shared object made by `lowp-compile --emit=shared`.

    Called with one numpy array per argument of the entry (`main`, or the only
    one); returns an array, or a tuple of arrays where the entry has several
    results, or None. bf16 and narrower types are arrays of unsigned integers of
    their width that hold the bits; arrays of ml_dtypes types are taken as they
    are. The step of stochastic rounding, a last argument, may be left out: 0.
    """

    def __init__(self, path):
        self._library = ctypes.CDLL(os.path.abspath(path), mode=ctypes.RTLD_LOCAL)
        self._library.lowp_abi_version.restype = ctypes.c_uint32
        version = self._library.lowp_abi_version()
        if version != _ABI_VERSION:
            raise RuntimeFailure(
                0, f"expected a program of ABI version {_ABI_VERSION}, but got {version}"
            )
        self._library.lowp_signatures.restype = ctypes.c_char_p
        self._library.lowp_last_error.restype = ctypes.c_char_p
        self._library.lowp_free.argtypes = [ctypes.c_void_p]
        self._library.lowp_free.restype = None
        self._library.lowp_live_allocations.restype = ctypes.c_int64
        self._library.lowp_call.restype = ctypes.c_int32
        self._library.lowp_call.argtypes = [
            ctypes.c_char_p,
            ctypes.POINTER(_Buffer),
            ctypes.c_int64,
            ctypes.POINTER(_Buffer),
            ctypes.c_int64,
        ]
        table = json.loads(self._library.lowp_signatures().decode())
        self.entries = {
            e["name"]: Signature(
                e["name"],
                tuple(_tensor(t) for t in e["arguments"]),
                tuple(_tensor(t) for t in e["results"]),
            )
            for e in table["entries"]
        }

    def _entry(self, name):
        if name is None:
            if "main" in self.entries:
                name = "main"
            elif len(self.entries) == 1:
                name = next(iter(self.entries))
            else:
                raise ValueError(
                    "expected the name of an entry, one of " + ", ".join(self.entries)
                )
        if name not in self.entries:
            raise ValueError(
                f"expected an entry, one of {', '.join(self.entries)}, but got '{name}'"
            )
        return self.entries[name]

    def __call__(self, *arrays, entry=None):
        signature = self._entry(entry)
        if len(arrays) + 1 == len(signature.arguments) and signature.arguments[-1].step:
            arrays += (np.int32(0),)
        if len(arrays) != len(signature.arguments):
            raise TypeError(
                f"'{signature.name}' expects {len(signature.arguments)} arguments, "
                f"but got {len(arrays)}"
            )
        held = [
            _prepare(signature.name, i, array, tensor)
            for i, (array, tensor) in enumerate(zip(arrays, signature.arguments))
        ]
        arguments = (_Buffer * max(1, len(held)))()
        descriptors = []
        for buffer, array, tensor in zip(arguments, held, signature.arguments):
            descriptor = _descriptor(array.ndim)
            descriptor.allocated = descriptor.aligned = array.ctypes.data
            descriptor.offset = 0
            for dim in range(array.ndim):
                descriptor.sizes[dim] = array.shape[dim]
                descriptor.strides[dim] = array.strides[dim] // array.itemsize
            descriptors.append(descriptor)
            buffer.descriptor = ctypes.addressof(descriptor)
            buffer.rank = array.ndim
            buffer.dtype = _DTYPES[tensor.dtype][0]
        results = (_Buffer * max(1, len(signature.results)))()
        outputs = []
        for buffer, tensor in zip(results, signature.results):
            descriptor = _descriptor(len(tensor.shape))
            outputs.append(descriptor)
            buffer.descriptor = ctypes.addressof(descriptor)
            buffer.rank = len(tensor.shape)
            buffer.dtype = _DTYPES[tensor.dtype][0]
        status = self._library.lowp_call(
            signature.name.encode(),
            arguments,
            len(held),
            results,
            len(signature.results),
        )
        if status != 0:
            raise RuntimeFailure(status, self._library.lowp_last_error().decode())
        values = tuple(
            self._adopt(descriptor, tensor)
            for descriptor, tensor in zip(outputs, signature.results)
        )
        if not values:
            return None
        return values[0] if len(values) == 1 else values

    def _adopt(self, descriptor, tensor):
        """An array over a result's memory, which is released with the array."""
        dtype = np.dtype(_DTYPES[tensor.dtype][1])
        shape = tuple(descriptor.sizes)
        count = int(np.prod(shape, dtype=np.int64))
        if count == 0:
            self._library.lowp_free(descriptor.allocated)
            return np.empty(shape, dtype)
        span = 1 + sum((n - 1) * s for n, s in zip(shape, descriptor.strides))
        memory = (ctypes.c_char * (span * dtype.itemsize)).from_address(
            descriptor.aligned + descriptor.offset * dtype.itemsize
        )
        weakref.finalize(memory, self._library.lowp_free, descriptor.allocated)
        flat = np.frombuffer(memory, dtype)
        strides = tuple(s * dtype.itemsize for s in descriptor.strides)
        return np.lib.stride_tricks.as_strided(flat, shape, strides)

    @property
    def live_allocations(self):
        """Results of this program that are still held."""
        return self._library.lowp_live_allocations()


def _prepare(entry, index, value, tensor):
    """The argument as a contiguous array of the dtype that the entry takes."""
    array = np.asarray(value)
    wanted = np.dtype(_DTYPES[tensor.dtype][1])
    if not isinstance(value, np.ndarray) and not isinstance(value, np.generic):
        # A Python number or list has no dtype of its own.
        array = array.astype(wanted) if array.dtype.kind in "biuf" else array
    if array.dtype != wanted:
        same_bits = (
            _FOREIGN.get(array.dtype.name) == tensor.dtype
            or (
                array.dtype.kind in "iu"
                and wanted.kind in "iu"
                and array.dtype.itemsize == wanted.itemsize
            )
        )
        if not same_bits:
            raise TypeError(
                f"'{entry}' expects argument {index} to be {tensor} "
                f"(as {wanted.name}), but got {array.dtype.name}"
            )
        array = np.asarray(array, order="C").view(wanted)
    fits = array.ndim == len(tensor.shape) and all(
        want is None or want == got for want, got in zip(tensor.shape, array.shape)
    )
    if not fits:
        raise TypeError(
            f"'{entry}' expects argument {index} to be {tensor}, "
            f"but got shape {tuple(array.shape)}"
        )
    # np.ascontiguousarray would give a scalar one dim.
    return np.asarray(array, order="C")
