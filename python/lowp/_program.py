# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled program, called on arrays."""

import contextlib
import ctypes
import json
import math
import operator
import os
import sys

import numpy as np

from . import _dlpack
from ._arguments import NUMBERS, NUMPY, TORCH, AnySlot, Slot, check_driver, locate, take
from ._device import DeviceArray
from ._find import find_simulated_driver
from ._library import LEGACY_STREAM, Library
from ._types import DTYPES, Signature, Tensor


def _tensor(record):
    return Tensor(
        record["dtype"],
        tuple(record["shape"]),
        record.get("scalar", False),
        record.get("step", False),
        record.get("written", False),
    )


class Program:
    """A shared object made by `lowp-compile --emit=shared`.

    path      of the shared object
    simulate  run a program for a GPU in the simulated driver, without a GPU
    driver    path of the driver of a program for a GPU, instead of NVIDIA's

    Called with one array per argument of the entry (`main`, or the only one):
    of numpy or torch, or of any library that has DLPack. Returns an array, or a
    tuple of arrays where the entry has several results, or None. What of bf16
    and narrower types a library lacks are unsigned integers of their width that
    hold the bits. The step of stochastic rounding, a last argument, may be left
    out: 0.

    A program for a GPU uses arrays on the device where they are, and copies
    others there, and back where the entry writes to them. With CUDA tensors of
    torch it runs in torch's current stream; otherwise a call returns when its
    work is done. Results are
    * CUDA tensors of torch, if an argument is one,
    * otherwise tensors of torch on the host, if an argument is one,
    * otherwise DeviceArrays, if an argument is on the device,
    * otherwise arrays of numpy.
    Scalar results are always on the host.
    """

    def __init__(self, path, simulate=False, driver=None):
        if simulate and driver is not None:
            raise ValueError(
                "expected simulate or a driver, but got both: simulate finds its own"
            )
        self._library = Library(os.path.abspath(path))
        table = json.loads(self._library.signatures())
        # "cpu", or a GPU such as "sm_103a".
        self.target = table["target"]
        self.entries = {
            e["name"]: Signature(
                e["name"],
                tuple(_tensor(t) for t in e["arguments"]),
                tuple(_tensor(t) for t in e["results"]),
            )
            for e in table["entries"]
        }
        self._slots = {
            name: [Slot(name, i, tensor) for i, tensor in enumerate(entry.arguments)]
            for name, entry in self.entries.items()
        }
        # The path of the simulated driver; None for a GPU.
        self._simulator = None
        if self.target == "cpu":
            if simulate or driver is not None:
                raise ValueError("a program for the CPU has no driver")
            return
        self._library.declare_device_functions()
        if simulate:
            driver = find_simulated_driver()
        if driver is not None:
            driver = os.fspath(driver)
            if hasattr(ctypes.CDLL(driver), "lowpCudaLiveAllocations"):
                self._simulator = os.path.realpath(driver)
            self._library.use_driver(driver)

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

    def __call__(self, *values, entry=None, device=None):
        """Calls an entry. `device` is the ordinal of the device to run on, where
        no argument is on one."""
        signature = self._entry(entry)
        if len(values) + 1 == len(signature.arguments) and signature.arguments[-1].step:
            values += (np.int32(0),)
        if len(values) != len(signature.arguments):
            raise TypeError(
                f"'{signature.name}' expects {len(signature.arguments)} arguments, "
                f"but got {len(values)}"
            )
        device = self._ordinal(device)
        slots = self._slots[signature.name]
        places = [locate(slot, value) for slot, value in zip(slots, values)]
        # Gives back what the call borrows, and this thread's device and stream.
        with contextlib.ExitStack() as stack:
            if self.target == "cpu":
                call = self._call_cpu
            else:
                call = self._call_gpu
            results = call(stack, signature, slots, values, places, device)
        if not results:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def _ordinal(self, device):
        """A device as a caller gives it."""
        if device is None:
            return None
        if self.target == "cpu":
            raise ValueError(f"a program for the CPU has no device {device!r}")
        if isinstance(device, (bool, np.bool_)):
            raise TypeError(f"expected the ordinal of a device, but got {device!r}")
        try:
            ordinal = operator.index(device)
        except TypeError as error:
            raise TypeError(
                f"expected the ordinal of a device, but got {device!r}"
            ) from error
        if not 0 <= ordinal < 1 << 31:
            raise ValueError(f"expected the ordinal of a device, but got {ordinal}")
        return ordinal

    def _call_cpu(self, stack, signature, slots, values, places, device):
        for slot, (_, on) in zip(slots, places):
            if on is not None:
                raise slot.error(f"an array on device {on}: the program is for the CPU")
        arguments = _take_all(stack, slots, values, places, None)
        memories = self._library.call(
            signature, [a.address for a in arguments], [a.shape for a in arguments]
        )
        torch = _torch_of(places)
        with _closing(memories):
            for slot, argument in zip(slots, arguments):
                argument.written()
            return [
                _host_result(memory, tensor, torch)
                for memory, tensor in zip(memories, signature.results)
            ]

    def _call_gpu(self, stack, signature, slots, values, places, device):
        on_device = [
            (slot, value, origin, on)
            for slot, value, (origin, on) in zip(slots, values, places)
            if on is not None
        ]
        chosen_by = "which is chosen"
        for slot, value, origin, on in on_device:
            if slot.tensor.scalar:
                raise slot.error(
                    f"an array on device {on}: scalars are on the host, where .item() "
                    "of torch takes them"
                )
            check_driver(slot, value, origin, self._simulator)
            if device is None:
                device, chosen_by = on, f"as argument {slot.index}"
            if on != device:
                raise slot.error(f"device {on}, not {device} {chosen_by}")
        torch = _torch_of(places)
        cuda_torch = any(origin == TORCH for _, _, origin, _ in on_device)
        stream = None
        if cuda_torch:
            stream = torch.cuda.current_stream(device).cuda_stream or LEGACY_STREAM
        # A stream of the program's own waits for the default stream.
        arguments = _take_all(stack, slots, values, places, stream or LEGACY_STREAM)
        stack.enter_context(self._library.on(device, stream))
        addresses = [
            self._place(stack, slot, argument)
            for slot, argument in zip(slots, arguments)
        ]
        # Who holds other arrays may release them without regard to the stream.
        waits = stream and any(origin != TORCH for _, _, origin, _ in on_device)
        if waits:
            stack.callback(self._library.wait)
        memories = self._library.call(
            signature, addresses, [a.shape for a in arguments]
        )
        with _closing(memories):
            if waits:
                self._library.synchronize()
            for slot, argument, address in zip(slots, arguments, addresses):
                if slot.is_written and address != argument.address:
                    size = slot.dtype.storage.itemsize * math.prod(argument.shape)
                    self._library.copy(argument.address, address, size)
                argument.written()

            def result(memory, tensor):
                if tensor.scalar:
                    return _host_result(memory, tensor, torch)
                if cuda_torch:
                    return _torch_result(torch, memory, tensor, (_dlpack.CUDA, device))
                if on_device and not torch:
                    return self._device_array(memory, tensor.dtype, device)
                return self._copied_result(memory, tensor, torch)

            return [
                result(memory, tensor)
                for memory, tensor in zip(memories, signature.results)
            ]

    def _place(self, stack, slot, argument):
        """The address of an argument where the program wants it."""
        if slot.tensor.scalar or argument.device is not None or 0 in argument.shape:
            return argument.address
        memory = self._upload(argument, slot.dtype)
        stack.callback(memory.close)
        return memory.address

    def _upload(self, argument, dtype):
        memory = self._library.allocate(argument.shape, dtype.storage)
        with _closing([memory]):
            size = dtype.storage.itemsize * math.prod(argument.shape)
            self._library.copy(memory.address, argument.address, size)
        return memory

    def _device_array(self, memory, dtype, device):
        return DeviceArray(
            self._library, self._simulator, memory, memory.shape, dtype, device
        )

    def _copied_result(self, memory, tensor, torch):
        host = np.empty(memory.shape, DTYPES[tensor.dtype].storage)
        self._library.copy(host.ctypes.data, memory.address, host.nbytes)
        if torch:
            return _torch_result(torch, host, tensor, (_dlpack.CPU, 0))
        return host

    def upload(self, array, device=None):
        """A DeviceArray with a copy of an array of the host, such as a weight,
        on the device of that ordinal, or on the one where a call would run.
        Arrays of bits in unsigned integers stay such."""
        if self.target == "cpu":
            raise ValueError("a program for the CPU has no device to upload to")
        device = self._ordinal(device)
        slot = AnySlot()
        origin, on = locate(slot, array)
        if on is not None:
            raise slot.error(f"one on device {on}")
        if origin == NUMBERS:
            origin, array = NUMPY, np.asarray(array)
        with contextlib.ExitStack() as stack:
            [argument] = _take_all(stack, [slot], [array], [(origin, on)], None)
            stack.enter_context(self._library.on(device, None))
            device = self._library.current_device()
            memory = self._upload(argument, slot.dtype)
        return self._device_array(memory, slot.dtype.name, device)

    def devices(self):
        """Ordinals of the devices that can run this program."""
        return [] if self.target == "cpu" else self._library.devices()

    def trim(self):
        """Gives back the device memory that is kept for later calls."""
        if self.target != "cpu":
            self._library.trim()

    @property
    def live_allocations(self):
        """Results and uploads of this program that are still held."""
        return self._library.live_allocations()


def _take_all(stack, slots, values, places, stream):
    arguments = []
    for slot, value, (origin, device) in zip(slots, values, places):
        argument = take(slot, value, origin, device, stream)
        stack.callback(argument.close)
        arguments.append(argument)
    return arguments


@contextlib.contextmanager
def _closing(memories):
    """Gives back memory where what follows fails."""
    try:
        yield
    except BaseException:
        for memory in memories:
            memory.close()
        raise


def _torch_of(places):
    """torch, where an argument is a tensor of it."""
    uses = any(origin == TORCH for origin, _ in places)
    return sys.modules["torch"] if uses else None


def _host_result(memory, tensor, torch):
    if torch:
        return _torch_result(torch, memory, tensor, (_dlpack.CPU, 0))
    if 0 in memory.shape:
        memory.close()
        return np.empty(memory.shape, DTYPES[tensor.dtype].storage)
    return np.asarray(memory)


def _torch_result(torch, memory, tensor, device):
    dtype = DTYPES[tensor.dtype]
    shown = dtype
    if dtype.is_narrow and dtype.bits <= 8:
        # Not all versions of torch take these from DLPack.
        shown = DTYPES["u8"]
    result = torch.from_dlpack(_dlpack.export(memory, shown, device))
    if shown is dtype:
        return result
    return result.view(getattr(torch, dtype.public, torch.uint8))
