# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C ABI of lowp-c/Runtime.h and lowp-c/Device.h, by ctypes."""

import contextlib
import ctypes
import functools
import math

from ._types import DTYPES, RuntimeFailure

ABI_VERSION = 2

# CU_STREAM_LEGACY, the default stream, as DLPack numbers it too.
LEGACY_STREAM = 1

_I32, _I64, _POINTER = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


class Buffer(ctypes.Structure):
    _fields_ = [
        ("descriptor", _POINTER),
        ("rank", _I64),
        ("dtype", _I32),
        ("reserved", _I32),
    ]


@functools.lru_cache(maxsize=None)
def descriptor_type(rank):
    class Descriptor(ctypes.Structure):
        _fields_ = [
            ("allocated", _POINTER),
            ("aligned", _POINTER),
            ("offset", _I64),
            ("sizes", _I64 * rank),
            ("strides", _I64 * rank),
        ]

    return Descriptor


class Memory:
    """Memory of a program, which goes back to it when nobody holds this any
    more. numpy.asarray makes an array over it, which holds it."""

    def __init__(self, library, allocated, address, shape, storage, strides=None):
        self._library = library
        self._allocated = allocated
        self.address = address
        self.shape = shape
        self.__array_interface__ = {
            "data": (address, False),
            "shape": shape,
            "typestr": storage.str,
            "strides": strides,
            "version": 3,
        }

    def close(self):
        allocated, self._allocated = self._allocated, None
        if allocated is not None:
            self._library.free(allocated)

    # Where the interpreter ends first, the memory stays until the process ends:
    # somebody may still use it.
    __del__ = close


class Library:
    """A program that has been loaded, for as long as the process lives: results
    may outlive everything here."""

    def __init__(self, path):
        functions = ctypes.CDLL(path, mode=ctypes.RTLD_LOCAL)
        if not hasattr(functions, "lowp_abi_version"):
            raise RuntimeFailure(0, f"'{path}' is not a program of lowp")
        functions.lowp_abi_version.restype = ctypes.c_uint32
        version = functions.lowp_abi_version()
        if version != ABI_VERSION:
            raise RuntimeFailure(
                0, f"expected a program of ABI version {ABI_VERSION}, but got {version}"
            )
        functions.lowp_signatures.restype = ctypes.c_char_p
        functions.lowp_last_error.restype = ctypes.c_char_p
        functions.lowp_free.argtypes = [_POINTER]
        functions.lowp_free.restype = None
        functions.lowp_live_allocations.restype = _I64
        buffers = ctypes.POINTER(Buffer)
        functions.lowp_call.restype = _I32
        functions.lowp_call.argtypes = [ctypes.c_char_p, buffers, _I64, buffers, _I64]
        self._functions = functions
        self.free = functions.lowp_free

    def declare_device_functions(self):
        """Those of lowp-c/Device.h, which programs for the CPU lack."""
        for name, *parameters in [
            ("lowp_use_driver", ctypes.c_char_p),
            ("lowp_list_devices", _POINTER, _I32, _POINTER),
            ("lowp_set_device", _I32),
            ("lowp_get_device", _POINTER),
            ("lowp_set_stream", _POINTER),
            ("lowp_device_allocate", _I64, _POINTER, _POINTER),
            ("lowp_device_copy", _POINTER, _POINTER, _I64),
            ("lowp_synchronize",),
            ("lowp_trim",),
        ]:
            function = getattr(self._functions, name)
            function.restype = _I32
            function.argtypes = parameters

    def signatures(self):
        return self._functions.lowp_signatures().decode()

    def live_allocations(self):
        return self._functions.lowp_live_allocations()

    def check(self, status):
        if status != 0:
            text = self._functions.lowp_last_error().decode(errors="replace")
            raise RuntimeFailure(status, text)

    def call(self, signature, addresses, shapes):
        """Calls an entry on contiguous arguments; returns the Memory of its
        results."""
        descriptors = []

        def fill(buffer, tensor, rank):
            descriptor = descriptor_type(rank)()
            descriptors.append(descriptor)
            buffer.descriptor = ctypes.addressof(descriptor)
            buffer.rank = rank
            buffer.dtype = DTYPES[tensor.dtype].number
            return descriptor

        arguments = (Buffer * max(1, len(shapes)))()
        for buffer, tensor, address, shape in zip(
            arguments, signature.arguments, addresses, shapes
        ):
            descriptor = fill(buffer, tensor, len(shape))
            descriptor.allocated = descriptor.aligned = address
            stride = 1
            for dim in reversed(range(len(shape))):
                descriptor.sizes[dim] = shape[dim]
                descriptor.strides[dim] = stride
                stride *= shape[dim]
        results = (Buffer * max(1, len(signature.results)))()
        outputs = [
            fill(buffer, tensor, len(tensor.shape))
            for buffer, tensor in zip(results, signature.results)
        ]
        self.check(
            self._functions.lowp_call(
                signature.name.encode(),
                arguments,
                len(shapes),
                results,
                len(signature.results),
            )
        )
        return [
            self._adopt(output, tensor)
            for output, tensor in zip(outputs, signature.results)
        ]

    def _adopt(self, descriptor, tensor):
        storage = DTYPES[tensor.dtype].storage
        size = storage.itemsize
        return Memory(
            self,
            descriptor.allocated,
            descriptor.aligned + descriptor.offset * size,
            tuple(descriptor.sizes),
            storage,
            tuple(stride * size for stride in descriptor.strides),
        )

    # What follows is for programs for GPUs.

    def use_driver(self, path):
        self.check(self._functions.lowp_use_driver(path.encode()))

    def devices(self):
        room, count = 64, _I32()
        ordinals = (_I32 * room)()
        self.check(
            self._functions.lowp_list_devices(ordinals, room, ctypes.byref(count))
        )
        return list(ordinals[: min(room, count.value)])

    @contextlib.contextmanager
    def on(self, device, stream):
        """This thread's device and stream within the block; None for those that
        the program chooses."""
        try:
            if device is not None:
                self.check(self._functions.lowp_set_device(device))
            if stream is not None:
                self.check(self._functions.lowp_set_stream(stream))
            yield
        finally:
            self._functions.lowp_set_stream(None)
            self._functions.lowp_set_device(-1)

    def current_device(self):
        device = _I32()
        self.check(self._functions.lowp_get_device(ctypes.byref(device)))
        return device.value

    def allocate(self, shape, storage):
        """Memory of the thread's device."""
        allocated, address = _POINTER(), _POINTER()
        self.check(
            self._functions.lowp_device_allocate(
                math.prod(shape) * storage.itemsize,
                ctypes.byref(allocated),
                ctypes.byref(address),
            )
        )
        return Memory(self, allocated.value, address.value, shape, storage)

    def copy(self, target, source, size):
        self.check(self._functions.lowp_device_copy(target, source, size))

    def synchronize(self):
        self.check(self._functions.lowp_synchronize())

    def wait(self):
        """The same, after a failure: what it says now does not matter."""
        self._functions.lowp_synchronize()

    def trim(self):
        self.check(self._functions.lowp_trim())
