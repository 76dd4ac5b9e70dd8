# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in and out by DLPack 1, without compiled code.

A capsule that goes out is numpy's, over memory that numpy never reads, with
another type and device written into it: so its deleter is native code, which
any thread may call at any time, the end of the interpreter included.
"""

import ctypes

import numpy as np

from ._types import BY_DLPACK

CPU = 1
CUDA = 2
# Memory of the host that a GPU can read.
CUDA_HOST = 3
# "Verilog simulator buffer". What memory of the simulated driver says that it
# is, so that no other library takes it for memory of a GPU.
SIMULATOR = 9
CUDA_MANAGED = 13

_MAJOR = 1
# The first with types below 16 bits.
_MINOR = 1
_READ_ONLY = 1 << 0
_PADDED = 1 << 2


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    ]


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [
        ("tensor", _Tensor),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class _ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


# Functions of their own: others may have given those of ctypes.pythonapi other
# types.
def _python(name, result, *parameters):
    prototype = ctypes.PYFUNCTYPE(result, *parameters)
    return prototype((name, ctypes.pythonapi))


_is_valid = _python(
    "PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p
)
_get_pointer = _python(
    "PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p
)
_set_name = _python(
    "PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p
)
# With the interpreter's lock, as consumers in native code call it.
_Deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

_FORMS = {
    b"dltensor": (_Managed, b"used_dltensor"),
    b"dltensor_versioned": (_ManagedVersioned, b"used_dltensor_versioned"),
}
# A capsule keeps the pointer to its name, and may live until after this module.
_keep = _python("Py_IncRef", None, ctypes.py_object)
for _, _used in _FORMS.values():
    _keep(_used)


def _open(capsule):
    """The structure in a capsule, and the name of used ones."""
    for name, (structure, used) in _FORMS.items():
        if _is_valid(capsule, name):
            address = _get_pointer(capsule, name)
            return structure.from_address(address), used
    raise BufferError(f"expected a new DLPack capsule, but got {capsule!r}")


class Import:
    """What a producer gave: elements that stay where they are until `close`."""

    def __init__(self, value, stream=None):
        """Takes the capsule of `value`; what it holds is ready in `stream`, a
        number as `__dlpack__` takes it, or None for memory of the host."""
        keywords = {} if stream is None else {"stream": stream}
        try:
            capsule = value.__dlpack__(max_version=(_MAJOR, _MINOR), **keywords)
        except TypeError:
            # A producer of DLPack 0 knows no versions.
            capsule = value.__dlpack__(**keywords)
        self._managed, used = _open(capsule)
        _set_name(capsule, used)
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    def _read(self):
        managed = self._managed
        flags = 0
        if isinstance(managed, _ManagedVersioned):
            if managed.major != _MAJOR:
                raise BufferError(
                    f"expected DLPack {_MAJOR}, but got {managed.major}.{managed.minor}"
                )
            flags = managed.flags
        tensor = managed.tensor
        rank = tensor.ndim
        if rank < 0 or (rank and not tensor.shape):
            raise BufferError(f"expected a shape, but got none of rank {rank}")
        self.shape = tuple(tensor.shape[:rank])
        if min(self.shape, default=0) < 0:
            raise BufferError(f"expected sizes, but got shape {self.shape}")
        self.dtype = self._dtype(tensor.dtype, flags)
        self.read_only = bool(flags & _READ_ONLY)
        self.device = (tensor.device.type, tensor.device.id)
        self.address = (tensor.data or 0) + tensor.byte_offset
        self.strides = tuple(tensor.strides[:rank]) if tensor.strides else None
        self.is_contiguous = self.strides is None or is_contiguous(
            self.shape, self.strides
        )
        if not tensor.data and 0 not in self.shape:
            raise BufferError("expected elements, but got a null pointer")

    @staticmethod
    def _dtype(given, flags):
        dtype = BY_DLPACK.get((given.code, given.bits))
        if dtype is None or given.lanes != 1:
            raise BufferError(
                f"its elements have the DLPack type (code {given.code}, {given.bits} "
                f"bits, {given.lanes} lanes), which programs do not take"
            )
        if dtype.bits % 8 and not flags & _PADDED:
            raise BufferError(
                f"its elements are {dtype.public} in {dtype.bits} bits each, but "
                "programs take one byte each"
            )
        return dtype

    def close(self):
        """Gives the elements back to the producer, once."""
        managed, self._managed = self._managed, None
        if managed is not None and managed.deleter:
            _Deleter(managed.deleter)(ctypes.addressof(managed))


def is_contiguous(shape, strides):
    """Whether elements follow each other in row-major order."""
    if 0 in shape:
        return True
    step = 1
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


def export(memory, dtype, device, max_version=None):
    """A capsule with the elements of `memory`, a Memory, which it holds. They
    are of the DType `dtype`, or are shown as such, and on `device`, a pair of
    DLPack's type and a number."""
    versioned = max_version is not None and max_version[0] >= _MAJOR
    if dtype.bits % 8 and (not versioned or tuple(max_version) < (_MAJOR, _MINOR)):
        raise BufferError(
            f"{dtype.public} in one byte each needs DLPack {_MAJOR}.{_MINOR}; "
            "numpy() gives the bytes"
        )
    array = np.asarray(memory)
    array = array.view(f"u{array.itemsize}")
    try:
        keywords = {"max_version": (_MAJOR, 0)} if versioned else {}
        capsule = array.__dlpack__(**keywords)
    except TypeError:
        # numpy before 2.1, whose capsules have no version.
        if dtype.bits % 8:
            raise
        capsule = array.__dlpack__()
    managed, _ = _open(capsule)
    if dtype.bits % 8:
        managed.major, managed.minor = _MAJOR, _MINOR
        managed.flags |= _PADDED
    tensor = managed.tensor
    tensor.device.type, tensor.device.id = device
    tensor.dtype.code, tensor.dtype.bits = dtype.code, dtype.bits
    if 0 in array.shape and tensor.strides:
        # numpy writes zeros, with which torch cannot view another type.
        step = 1
        for dim in reversed(range(array.ndim)):
            tensor.strides[dim] = step
            step *= max(1, array.shape[dim])
    return capsule
