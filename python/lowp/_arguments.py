# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What callers pass, as elements at an address."""

import functools
import sys

import numpy as np

from . import _dlpack
from ._device import DeviceArray
from ._types import BY_PUBLIC_NAME, DTYPES, takes

# What kernels expect of a buffer.
_DEVICE_ALIGNMENT = 16

# Where a value comes from.
NUMBERS, NUMPY, TORCH, DEVICE, DLPACK, SIMULATED = range(6)

# What producers raise for what they cannot or do not want to export.
_PRODUCER_ERRORS = (
    AttributeError,
    BufferError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Slot:
    """An argument of an entry that is to be filled."""

    def __init__(self, entry, index, tensor):
        self.entry = entry
        self.index = index
        self.tensor = tensor
        self.dtype = DTYPES[tensor.dtype]
        self.is_written = tensor.written

    def error(self, got):
        return TypeError(
            f"'{self.entry}' expects argument {self.index} to be {self.tensor}, "
            f"but got {got}"
        )

    def check(self, dtype, name, shape):
        """Of elements of the DType `dtype`, None for what no program takes,
        which their library calls `name`."""
        if dtype is None or not takes(self.dtype, dtype):
            bits = f" (its bits travel as {self.dtype.storage.name})"
            raise self.error(f"{name}{bits if self.dtype.is_narrow else ''}")
        if not self.tensor.fits(shape):
            raise self.error(f"shape {shape}")


class AnySlot:
    """Takes any array of the host; `dtype` is then its DType."""

    is_written = False

    def error(self, got):
        return TypeError(f"upload expects an array on the host, but got {got}")

    def check(self, dtype, name, shape):
        if dtype is None:
            raise self.error(name)
        self.dtype = dtype


class Argument:
    """Elements at an address of the host, or of a device where `device` is not
    None. They are contiguous, and stay there until `close`."""

    def __init__(self, shape, address, device, holder, written=None, close=None):
        self.shape = shape
        self.address = address
        self.device = device
        self._holder = holder
        self._written = written
        self._close = close

    def written(self):
        """To be called when the program has written to the elements."""
        if self._written:
            self._written()

    def close(self):
        if self._close:
            self._close()


def locate(slot, value):
    """Where the value comes from, and its device: None for the host."""
    if isinstance(value, DeviceArray):
        return DEVICE, value.device
    if isinstance(value, (np.ndarray, np.generic)):
        return NUMPY, None
    torch = sys.modules.get("torch")
    # torch may be there, but not yet all of it.
    if isinstance(value, getattr(torch, "Tensor", ())):
        if value.device.type not in ("cpu", "cuda"):
            raise slot.error(f"a tensor on device '{value.device}'")
        return TORCH, value.device.index if value.device.type == "cuda" else None
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        try:
            kind, ordinal = (int(part) for part in value.__dlpack_device__())
        except _PRODUCER_ERRORS as error:
            raise _refused(slot, value, error) from error
        if kind in (_dlpack.CPU, _dlpack.CUDA_HOST):
            return DLPACK, None
        if kind in (_dlpack.CUDA, _dlpack.CUDA_MANAGED):
            return DLPACK, ordinal
        if kind == _dlpack.SIMULATOR:
            return SIMULATED, ordinal
        raise slot.error(f"an array on a device of DLPack type {kind}")
    return NUMBERS, None


def check_driver(slot, value, origin, simulator):
    """Of a value on a device, for a program that runs in the simulated driver of
    that path, or, for None, on a GPU."""
    of_gpu = origin == TORCH or (origin == DEVICE and value._simulator is None)
    if simulator and of_gpu:
        raise slot.error("an array on a GPU: the program is simulated")
    if origin == SIMULATED and not simulator:
        raise slot.error("an array of the simulated driver")
    if origin == DEVICE and value._simulator not in (None, simulator):
        raise slot.error(f"an array of the simulated driver '{value._simulator}'")


def take(slot, value, origin, device, stream):
    """The Argument for what `locate` has found; `stream` is where elements on a
    device have to be ready, as __dlpack__ takes it."""
    if origin == NUMBERS:
        argument = _take_numpy(slot, _convert(slot, value))
    elif origin == NUMPY:
        argument = _take_numpy(slot, value)
    elif origin == TORCH:
        argument = _take_torch(slot, value, device)
    elif origin == DEVICE:
        argument = _take_device(slot, value)
    else:
        argument = _take_dlpack(slot, value, device, stream)
    if device is not None and argument.address % _DEVICE_ALIGNMENT:
        argument.close()
        raise slot.error(
            f"elements that are not aligned to {_DEVICE_ALIGNMENT} bytes: copy the "
            "array, as .clone() does in torch"
        )
    return argument


def _refused(slot, value, error):
    return slot.error(f"{type(value).__name__}: {error}")


def _convert(slot, value):
    """Numbers and lists of them, which have no dtype of their own."""
    if slot.is_written:
        raise slot.error(f"{type(value).__name__}, which cannot be written to")
    array = np.asarray(value)
    dtype = slot.dtype
    kinds = {"b": "b", "i": "bui", "u": "bui"}.get(dtype.storage.kind, "biuf")
    if dtype.is_narrow:
        kinds = "biuf"
    if array.size == 0 and array.dtype.kind in "biuf":
        return array.astype(dtype.storage)
    if array.dtype.kind not in kinds:
        raise slot.error(f"{array.dtype.name} ({type(value).__name__})")
    if dtype.is_narrow:
        try:
            import ml_dtypes

            rounded = getattr(ml_dtypes, dtype.public)
        except (AttributeError, ImportError) as error:
            raise slot.error(
                "numbers: the package ml_dtypes, which would round them to "
                f"{dtype.public}, is missing or too old"
            ) from error
        return array.astype(rounded)
    if dtype.is_integer:
        # Integers of one width stand for each other.
        low, high = -(1 << (dtype.bits - 1)), (1 << dtype.bits) - 1
        if int(array.min()) < low or int(array.max()) > high:
            raise ValueError(
                f"'{slot.entry}' expects argument {slot.index} to be {slot.tensor}, "
                f"but got numbers from {array.min()} to {array.max()}"
            )
    # What is too large for f32 is infinite.
    with np.errstate(over="ignore"):
        return array.astype(dtype.storage)


@functools.lru_cache
def _numpy_dtype(dtype):
    return BY_PUBLIC_NAME.get(dtype.name) if dtype.isnative else None


@functools.lru_cache
def _torch_dtype(dtype):
    return BY_PUBLIC_NAME.get(str(dtype).rpartition(".")[2])


def _take_numpy(slot, value):
    array = np.asarray(value)
    slot.check(_numpy_dtype(array.dtype), array.dtype, array.shape)
    if slot.is_written and not (
        isinstance(value, np.ndarray) and array.flags.writeable
    ):
        raise slot.error("an array that is read-only")
    host, written = array, None
    if not (array.flags.c_contiguous and array.flags.aligned):
        host = array.copy(order="C")
        if slot.is_written:
            written = lambda: np.copyto(array, host)  # noqa: E731
    return Argument(host.shape, host.ctypes.data, None, host, written)


def _take_torch(slot, value, device):
    torch = sys.modules["torch"]
    if value.layout is not torch.strided:
        raise slot.error(f"a tensor of layout {value.layout}")
    if value.requires_grad and torch.is_grad_enabled():
        raise slot.error(
            "a tensor that requires a gradient, which programs do not compute: call "
            ".detach(), or call the program under torch.no_grad()"
        )
    if value.is_conj() or value.is_neg():
        raise slot.error("a view that negates: call .resolve_conj().resolve_neg()")
    shape = tuple(value.shape)
    slot.check(_torch_dtype(value.dtype), value.dtype, shape)
    if not value.is_contiguous():
        raise _not_contiguous(slot, value.stride())
    try:
        address = value.data_ptr()
    except RuntimeError as error:
        # Tensors without elements of their own: those of tracers, for example.
        raise _refused(slot, value, error) from error
    written = None
    if slot.is_written and not value.is_inference():
        # autograd has to know.
        written = lambda: torch.autograd.graph.increment_version(value)  # noqa: E731
    return Argument(shape, address, device, value, written)


def _take_device(slot, value):
    dtype = DTYPES[value.dtype]
    slot.check(dtype, dtype.name, value.shape)
    return Argument(value.shape, value._memory.address, value.device, value)


def _take_dlpack(slot, value, device, stream):
    try:
        given = _dlpack.Import(value, None if device is None else stream)
    except _PRODUCER_ERRORS as error:
        raise _refused(slot, value, error) from error
    try:
        slot.check(given.dtype, given.dtype.public, given.shape)
        if not given.is_contiguous:
            raise _not_contiguous(slot, given.strides)
        if slot.is_written and given.read_only:
            raise slot.error("an array that is read-only")
    except BaseException:
        given.close()
        raise
    return Argument(given.shape, given.address, device, given, close=given.close)


def _not_contiguous(slot, strides):
    return slot.error(
        f"strides {tuple(strides)}: elements have to be contiguous, as "
        ".contiguous() makes them"
    )
