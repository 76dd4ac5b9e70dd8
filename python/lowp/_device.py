# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of a device."""

import numpy as np

from . import _dlpack
from ._types import DTYPES


class DeviceArray:
    """An array that a program holds in the memory of a device.

    shape   a tuple of ints
    dtype   the element type, as in a Tensor ("bf16")
    device  the ordinal of the device

    An argument for any program that uses the same driver, and, by DLPack, an
    array for other libraries. Its elements are there already: no stream has to
    wait for them.
    """

    def __init__(self, library, simulator, memory, shape, dtype, device):
        self._library = library
        # The path of the simulated driver; None for memory of a GPU.
        self._simulator = simulator
        self._memory = memory
        self.shape = shape
        self.dtype = dtype
        self.device = device

    def __repr__(self):
        dims = "".join(f"{size}x" for size in self.shape)
        return f"<lowp.DeviceArray {dims}{self.dtype} on device {self.device}>"

    def numpy(self):
        """A copy on the host. bf16 and narrower types are unsigned integers of
        their width that hold the bits."""
        host = np.empty(self.shape, DTYPES[self.dtype].storage)
        self._library.copy(host.ctypes.data, self._memory.address, host.nbytes)
        return host

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("expected a copy to be allowed: the array is on a device")
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def __dlpack_device__(self):
        kind = _dlpack.SIMULATOR if self._simulator else _dlpack.CUDA
        return kind, self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy:
            raise BufferError("expected copy to be left out: only numpy() copies")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(
                f"expected device {self.__dlpack_device__()}, where the array is, "
                f"but got {tuple(dl_device)}"
            )
        dtype = DTYPES[self.dtype]
        return _dlpack.export(
            self._memory, dtype, self.__dlpack_device__(), max_version
        )
