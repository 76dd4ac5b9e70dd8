# REQUIRES: numpy
# RUN: env LOWP_COMPILE=lowp-compile %python %s
"""CUDA tensors of torch without torch and without a GPU: a stand-in for torch,
whose tensors lie in memory of the simulated driver. gpu.py has the real ones."""

import ctypes
import os
import sys
import types

import numpy as np

import lowp

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from fake_dlpack import Consumer, Producer  # noqa: E402
from support import ADD, ENTRIES, IDENTITIES, raises, same_bits  # noqa: E402

torch = types.ModuleType("torch")
torch.strided = "strided"
torch.uint8 = "torch.uint8"
torch.float8_e5m2 = "torch.float8_e5m2"
torch.is_grad_enabled = lambda: True
torch.autograd = types.SimpleNamespace(
    graph=types.SimpleNamespace(
        increment_version=lambda x: setattr(x, "version", x.version + 1)
    )
)
current = {"stream": 0, "asked": []}


def current_stream(device):
    current["asked"].append(device)
    return types.SimpleNamespace(cuda_stream=current["stream"])


torch.cuda = types.SimpleNamespace(current_stream=current_stream)


class Tensor:
    """A tensor over memory that `holder` keeps."""

    layout = torch.strided
    requires_grad = False
    version = 0

    def __init__(self, holder, address, shape, dtype, device):
        self.holder, self.address = holder, address
        self.shape, self.dtype = shape, "torch." + dtype
        kind, index = device
        self.device = types.SimpleNamespace(type=kind, index=index)

    def is_conj(self):
        return False

    is_neg = is_inference = is_conj

    def is_contiguous(self):
        return True

    def data_ptr(self):
        return self.address

    def view(self, dtype):
        self.dtype = dtype
        return self

    def numpy(self):
        dtype = {"torch.float32": "f4", "torch.bfloat16": "u2"}.get(self.dtype, "u1")
        data = ctypes.string_at(self.address, int(np.dtype(dtype).itemsize * np.prod(self.shape)))
        return np.frombuffer(data, dtype).reshape(self.shape)

    def __del__(self):
        if isinstance(self.holder, Consumer):
            self.holder.close()


def from_dlpack(capsule):
    taken = Consumer(capsule)
    dtype = {
        (2, 32, 1): "float32",
        (4, 16, 1): "bfloat16",
        (1, 8, 1): "uint8",
        (0, 64, 1): "int64",
        (6, 8, 1): "bool",
    }[taken.type]
    device = {1: "cpu", 2: "cuda"}[taken.device[0]], taken.device[1]
    return Tensor(taken, taken.address, taken.shape, dtype, device)


torch.Tensor = Tensor
torch.from_dlpack = from_dlpack
sys.modules["torch"] = torch


def simulate(source, target="sm_90a"):
    program = lowp.compile(source, target=target, simulate=True)
    x = tensor(program, np.float32(0))
    raises(
        TypeError,
        "an array on a GPU: the program is simulated",
        lambda: program(x, x, entry="add" if "add" in program.entries else "bump"),
    )
    # From here on the simulated driver is that of a GPU.
    program._simulator = None
    return program


def tensor(program, array, dtype="float32"):
    held = program.upload(array)
    return Tensor(held, held._memory.address, held.shape, dtype, ("cuda", held.device))


a = np.arange(12, dtype=np.float32).reshape(3, 4)
b = np.float32([1, 2, 3, 4])
add, entries, identities = map(simulate, (ADD, ENTRIES, ADD + IDENTITIES))
device = add.devices()[0]
x, w = tensor(add, a), tensor(add, b)

# Results are CUDA tensors if an argument is one.
for arguments in ((x, w), (x, b), (a, w), (x, b.tolist()), (x, add.upload(b))):
    y = add(*arguments)
    assert isinstance(y, Tensor) and y.dtype == "torch.float32"
    assert (y.device.type, y.device.index) == ("cuda", device)
    assert same_bits(y.numpy(), a + b)
    assert current["asked"].pop() == device
on_host = Tensor(b, b.ctypes.data, (4,), "float32", ("cpu", None))
assert add(x, on_host).device.type == "cuda"
for arguments in ((a, on_host), (add.upload(a), on_host)):
    assert add(*arguments).device.type == "cpu"
    assert same_bits(add(*arguments).numpy(), a + b)
assert isinstance(add(a, b), np.ndarray)
assert add(add.upload(a), b).device == device
# Scalars are on the host.
values = entries(1, 2, True, tensor(entries, np.float32(3)), 1, entry="mixed")
assert [v.device.type for v in values] == ["cpu", "cpu", "cpu", "cuda", "cpu"]
assert values[4].dtype == "torch.bfloat16" and values[4].numpy() == 0x3F80
# What torch has no type for is bytes; empty results are where others are.
for entry, dtype in (("f8E5M2", "float8_e5m2"), ("f8E4M3FN", "uint8"), ("f4E2M1FN", "uint8")):
    y = identities(tensor(identities, np.zeros(0, np.uint8), dtype), entry=entry)
    assert y.dtype == "torch." + dtype and y.shape == (0,) and y.device.type == "cuda"

# In place, and torch is told.
z = tensor(entries, np.arange(3, dtype=np.float32))
one = np.ones(3, np.float32)
assert same_bits(entries(z, one, entry="bump").numpy(), np.float32([1, 4, 9]))
assert same_bits(z.numpy(), np.float32([1, 2, 3])) and z.version == 1
host = np.zeros(3, np.float32)
entries(host, z, entry="bump")
assert same_bits(host, np.float32([1, 2, 3])) and z.version == 1

# The stream is torch's: one that does not exist is an error, and leaves nothing
# behind, neither memory nor itself.
held = add.upload(b)
del arguments
live = add.live_allocations
for arguments in ((x, w), (x, b), (x, held)):
    current["stream"] = 0xBAD0
    error = raises(lowp.RuntimeFailure, "", lambda: add(*arguments))
    assert error.status == 6, error
    assert same_bits(add(a, b), a + b)
    current["stream"] = 0
    assert same_bits(add(*arguments).numpy(), a + b)
    del arguments, error
    assert add.live_allocations == live
# Nor does one that comes late, even while somebody holds the error.
def refuse(capsule):
    raise BufferError("not today")


torch.from_dlpack = refuse
try:
    add(x, w)
except BufferError as error:
    assert add.live_allocations == live and error.__traceback__
else:
    raise AssertionError("torch refused")
torch.from_dlpack = from_dlpack
# 0 is torch's default stream, which is 1 for programs; for them 0 is a stream of
# their own. Streams 1 and 2 always exist.
used = []
on = add._library.on
add._library.on = lambda *where: used.append(where) or on(*where)
for stream in (0, 1, 2):
    current["stream"] = stream
    assert same_bits(add(x, w).numpy(), a + b)
assert used == [(device, 1), (device, 1), (device, 2)]
add._library.on = on
# Other libraries make their elements ready in that stream.
p = Producer(w.address, (4,), 2, 32, device=(2, device), version=(1, 0))
assert add(x, p).device.type == "cuda"
assert p.calls[-1]["stream"] == 2
current["stream"] = 0
add(x, p)
assert p.calls[-1]["stream"] == 1
p.check()

# All tensors are on one device.
anywhere = simulate(ADD, "sm_80")
here, there = tensor(anywhere, a), tensor(anywhere, b)
there.device.index = 3
raises(TypeError, "got device 3, not 0 as argument 0", lambda: anywhere(here, there))
raises(TypeError, "got device 0, not 3 which is chosen", lambda: anywhere(here, b, device=3))
there.device.type = "xpu"
raises(TypeError, "a tensor on device", lambda: anywhere(here, there))
misaligned = Tensor(w, w.address + 4, (4,), "float32", ("cuda", device))
raises(TypeError, "not aligned to 16 bytes", lambda: add(x, misaligned))
x.requires_grad = True
raises(TypeError, "requires a gradient", lambda: add(x, w))
torch.is_grad_enabled = lambda: False
add(x, w)

# Results stay when the program is gone, and go when they do.
library = add._library
y = add(x, w)
live = library.live_allocations()
del add, x, w
assert same_bits(y.numpy(), a + b)
del y, p, misaligned
assert library.live_allocations() < live
