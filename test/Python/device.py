# REQUIRES: numpy
# RUN: env LOWP_COMPILE=lowp-compile %python %s %inputs
"""Programs for GPUs in the simulated driver: where arrays live, what results
are, errors, and that nothing stays allocated. gpu.py does this on a GPU."""

import ctypes
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import ml_dtypes
import numpy as np

import lowp

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from fake_dlpack import PADDED, READ_ONLY, Consumer, Producer  # noqa: E402
from support import ADD, ENTRIES, IDENTITIES, TYPES, Model, raises, same_bits  # noqa: E402

inputs = sys.argv[1]
simulator = ctypes.CDLL(lowp.find_simulated_driver())
simulator.lowpCudaLiveAllocations.restype = ctypes.c_int64


def simulate(source, target="sm_90a", **options):
    return lowp.compile(source, target=target, simulate=True, **options)


# Arrays of the host in, arrays of the host out; the bytes are those of the CPU.
a = np.arange(12, dtype=np.float32).reshape(3, 4)
b = np.float32([1, 2, 3, 4])
on_cpu = lowp.compile(ADD)
for target in ("sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a"):
    program = simulate(ADD, target)
    assert program.target == target
    assert program.devices(), target
    for x in (a, np.asfortranarray(a), a[::2], a[:0], a[:, ::-1], a.tolist()):
        assert same_bits(program(x, b), on_cpu(x, b)), (target, x)
    assert program.live_allocations == 0
for name, recipe in (("mlp_f32", None), ("moe_mixtral_dense", "moe-nvfp4")):
    model = Model(inputs, name)
    options = {"recipe": recipe, "params": model.params}
    expected = lowp.compile(model.path, **options)(*model.arguments)
    program = simulate(model.path, **options)
    assert same_bits(program(*model.arguments), expected)
    # Weights that are there already.
    held = [program.upload(x) for x in model.arguments]
    result = program(*held)
    assert isinstance(result, lowp.DeviceArray)
    assert same_bits(result.numpy(), expected)
    assert same_bits(program(*held[:-1], model.arguments[-1]).numpy(), expected)
    del held, result
    assert program.live_allocations == 0

# All types, from the host and from the device.
identities, on_cpu = simulate(IDENTITIES), lowp.compile(IDENTITIES)
for entry, tensor in ((t, identities.entries[t].arguments[0]) for t in TYPES):
    for x in ([], [0, 1, 1, 0, 1]):
        x = np.array(x, on_cpu(x if entry != "i1" else np.array(x, bool), entry=entry).dtype)
        assert same_bits(identities(x, entry=entry), x)
        held = identities.upload(x)
        result = identities(held, entry=entry)
        assert result.dtype == tensor.dtype and result.shape == x.shape
        assert same_bits(result.numpy(), x)
        assert same_bits(identities(result, entry=entry).numpy(), x)
del held, result

# An entry writes to arrays where they are.
entries = simulate(ENTRIES)
one = np.ones(3, np.float32)
for x in (np.arange(3, dtype=np.float32), np.arange(6, dtype=np.float32)[::-2]):
    before = x.copy()
    assert same_bits(entries(x, one, entry="bump"), (before + 1) ** 2)
    assert same_bits(x.copy(), before + 1)
x = np.zeros(8, ml_dtypes.bfloat16)[::2]
assert entries(x, entry="ones") is None and (x == 1).all()
held = entries.upload(np.arange(3, dtype=np.float32))
address = held._memory.address
for count in (1, 2, 3):
    result = entries(held, one, entry="bump")
    assert same_bits(held.numpy(), np.arange(3, dtype=np.float32) + count)
    assert same_bits(result.numpy(), held.numpy() ** 2)
assert held._memory.address == address
fixed = np.zeros(3, np.float32)
fixed.flags.writeable = False
raises(TypeError, "read-only", lambda: entries(fixed, one, entry="bump"))
# Scalars are on the host, tensors of rank 0 are not.
values = entries(2, 3, True, 1.5, 1.5, entry="mixed")
assert [v.item() for v in values] == [2, 3, True, 3, 0x3FC0]
values = entries(2, 3, True, entries.upload(np.float32(2)), 1.5, entry="mixed")
assert [type(v) for v in values] == [np.ndarray] * 3 + [lowp.DeviceArray, np.ndarray]
assert values[3].shape == () and np.asarray(values[3]) == 4
raises(
    TypeError,
    "'mixed' expects argument 0 to be f32, but got an array on device 1",
    lambda: entries(values[3], 3, True, 1.5, 1.5, entry="mixed"),
)
del values, held, result

# DeviceArrays.
add = simulate(ADD)
x = add.upload(a[:, ::-1])
assert (x.shape, x.dtype, x.device) == ((3, 4), "f32", add.devices()[0])
assert "3x4xf32" in repr(x)
assert same_bits(x.numpy(), a[:, ::-1].copy()) and np.asarray(x, np.float64)[0, 0] == 3
raises(ValueError, "a copy", lambda: np.array(x, copy=False))
for value, dtype in (
    (np.zeros(2, ml_dtypes.bfloat16), "bf16"),
    (np.zeros(2, ml_dtypes.float4_e2m1fn), "f4E2M1FN"),
    (np.zeros((2, 0), np.uint16), "u16"),
    ([1, 2], "i64"),
    (True, "bool"),
):
    held = add.upload(value)
    assert held.dtype == dtype and held.shape == np.shape(value)
    assert held.numpy().size == np.size(value)
for value, got in (
    (x, "one on device"),
    (None, "object"),
    (np.zeros(1, complex), "complex128"),
    (["a"], "<U1"),
    (Producer(16, (1,), 2, 32, device=(2, 1)), "one on device 1"),
    (Producer(a.ctypes.data, (2,), 2, 32, strides=(2,)), "strides (2,)"),
):
    raises(
        TypeError,
        f"upload expects an array on the host, but got {got}",
        lambda: add.upload(value),
    )
# Results go into the next program, of another file, without a copy.
other = simulate(ADD)
y = other(add(x, b), add.upload(b))
assert same_bits(y.numpy(), a[:, ::-1] + b + b)
# They live for as long as somebody holds them, with or without their program.
live = simulator.lowpCudaLiveAllocations()
del x, held
gc.collect()
# The two sizes of zero and what held them are gone, with x.
assert add.live_allocations == 0 and other.live_allocations == 1
library = other._library
del other
gc.collect()
assert same_bits(y.numpy(), a[:, ::-1] + b + b)
del y
assert library.live_allocations() == 0
assert simulator.lowpCudaLiveAllocations() < live

# Which device: a program for sm_80 runs on all.
anywhere = simulate(ADD, "sm_80")
devices = anywhere.devices()
assert devices == list(range(5))
assert same_bits(anywhere(a, b, device=3), a + b)
assert anywhere.upload(b).device == 0
ends = [anywhere.upload(b, device=device) for device in (0, np.int64(4))]
assert [end.device for end in ends] == [0, 4]
assert anywhere(a, ends[1]).device == 4
assert anywhere(a, ends[1], device=4).device == 4
raises(
    TypeError,
    "'add' expects argument 1 to be tensor<4xf32>, but got device 4, not 2 which is chosen",
    lambda: anywhere(a, ends[1], device=2),
)
w = anywhere.upload(a)
raises(
    TypeError,
    "'add' expects argument 1 to be tensor<4xf32>, but got device 4, not 0 as argument 0",
    lambda: anywhere(w, ends[1]),
)
for kind, device in (
    (ValueError, -1),
    (ValueError, 2**40),
    (TypeError, 1.0),
    (TypeError, float("nan")),
    (TypeError, "1"),
    (TypeError, True),
    (TypeError, [0]),
):
    raises(kind, "expected the ordinal of a device", lambda: anywhere(a, b, device=device))
    raises(kind, "expected the ordinal of a device", lambda: anywhere.upload(b, device))
error = raises(
    lowp.RuntimeFailure, "expected one of 5 devices, but got device 5", lambda: anywhere(a, b, device=5)
)
assert error.status == 1
error = raises(
    lowp.RuntimeFailure, "the program is for sm_90a, but device 0", lambda: add(a, b, device=0)
)
assert error.status == 5
error = raises(lowp.RuntimeFailure, "the program is for sm_90a", lambda: add(a, ends[0]))
assert error.status == 5
# The thread's device is open again after that.
assert same_bits(add(a, b), a + b)
assert anywhere.upload(b).device == 0
del ends, w
assert add.live_allocations == anywhere.live_allocations == 0

# Arrays of other libraries on the device are used in place.
held = entries.upload(np.arange(8, dtype=np.float32))
address, device = held._memory.address, held.device
eight = np.ones(8, np.float32)
for kind, version in ((2, None), (2, (1, 1)), (13, (1, 0)), (9, (1, 0))):
    x = Producer(address, (8,), 2, 32, device=(kind, device), version=version)
    before = held.numpy()
    result = entries(x, eight, entry="bump")
    assert same_bits(held.numpy(), before + 1)
    assert same_bits(result.numpy(), (before + 1) ** 2)
    # Elements are ready for the default stream, which programs wait for.
    assert x.calls[-1]["stream"] == 1
    x.check()
    x = Producer(address, (4,), 2, 32, device=(kind, device), version=version, offset=16)
    assert same_bits(identities(x, entry="f32").numpy(), held.numpy()[4:])
    x.check()
for got, x in (
    ("read-only", Producer(address, (8,), 2, 32, device=(2, device), version=(1, 0), flags=READ_ONLY)),
    ("not aligned to 16 bytes: copy", Producer(address, (4,), 2, 32, device=(2, device), offset=4)),
    ("strides (2,): elements have to be contiguous", Producer(address, (4,), 2, 32, device=(2, device), strides=(2,))),
    ("shape (8, 1)", Producer(address, (8, 1), 2, 32, device=(2, device))),
    ("float16", Producer(address, (8,), 2, 16, device=(2, device))),
):
    raises(TypeError, got, lambda: entries(x, eight, entry="bump"))
    x.check()
x = Producer(address, (8,), 2, 32, device=(10, device))
raises(TypeError, "an array on a device of DLPack type 10", lambda: entries(x, eight, entry="bump"))
assert x.made == 0
# What its producer says is on the device, and is not.
x = Producer(eight.ctypes.data & ~15, (4,), 2, 32, device=(2, device))
error = raises(lowp.RuntimeFailure, "memory of", lambda: identities(x, entry="f32"))
assert error.status == 1
x.check()

# By DLPack other libraries take what is on the device. It says that it is none
# of a GPU. All types; sub-byte ones need the flag that says how they are held.
assert held.__dlpack_device__() == (9, device)
codes = dict(zip(TYPES, [6, 0, 0, 0, 0, 1, 1, 1, 1, 2, 4, 2, 2, 10, 12, 14, 15, 16, 17]))
for entry in TYPES:
    storage = on_cpu(np.zeros(0, bool) if entry == "i1" else [], entry=entry)
    data = np.arange(6).astype(storage.dtype)
    array = identities(identities.upload(data), entry=entry)
    bits = {"f6E2M3FN": 6, "f6E3M2FN": 6, "f4E2M1FN": 4}.get(entry, 8 * data.itemsize)
    for version in (None, (1, 0), (1, 1), (2, 0)):
        keywords = {} if version is None else {"max_version": version}
        if bits < 8 and (version is None or version < (1, 1)):
            raises(BufferError, "needs DLPack 1.1", lambda: array.__dlpack__(**keywords))
            continue
        taken = Consumer(array.__dlpack__(stream=1, copy=False, **keywords))
        assert taken.versioned == (version is not None)
        assert taken.shape == (6,) and taken.device == (9, device)
        assert taken.type == (codes[entry], bits, 1)
        assert taken.address == array._memory.address
        assert taken.flags == (PADDED if bits < 8 else 0)
        taken.close()
live = identities.live_allocations
taken = Consumer(array.__dlpack__(max_version=(1, 1)))
del array
assert identities.live_allocations == live
taken.close()
assert identities.live_allocations == live - 1
for shape, strides in (((2, 0, 3), (3, 3, 1)), ((3, 1, 2), (2, 2, 1)), ((), ())):
    taken = Consumer(add.upload(np.zeros(shape)).__dlpack__())
    assert (taken.shape, taken.strides) == (shape, strides)
    taken.close()
# A capsule that nobody takes.
capsule = identities(identities.upload(a.ravel()), entry="f32").__dlpack__()
assert identities.live_allocations == live
del capsule
assert identities.live_allocations == live - 1
raises(BufferError, "copy", lambda: held.__dlpack__(copy=True))
raises(
    BufferError,
    "expected device (9, 1), where the array is, but got (1, 0)",
    lambda: held.__dlpack__(dl_device=(1, 0)),
)
Consumer(held.__dlpack__(dl_device=(9, device))).close()
raises(RuntimeError, "Unsupported device", lambda: np.from_dlpack(held))

# A call that fails leaves nothing on the device.
live = entries.live_allocations, simulator.lowpCudaLiveAllocations()
error = raises(lowp.RuntimeFailure, "sizes differ", lambda: entries(eight, 4, entry="check"))
assert error.status == 3
error = raises(lowp.RuntimeFailure, "sizes differ", lambda: entries(held, 4, entry="check"))
raises(TypeError, "float64", lambda: entries(eight, eight.astype(np.float64), entry="bump"))
raises(TypeError, "float64", lambda: entries(held, eight.astype(np.float64), entry="bump"))
raises(TypeError, "expects 2 arguments, but got 1", lambda: entries(eight, entry="bump"))
assert live == (entries.live_allocations, simulator.lowpCudaLiveAllocations())
assert same_bits(entries(eight, 8, entry="check"), eight + eight)

# Threads, on several devices.
failures = []


def work(device):
    try:
        for i in range(20):
            assert same_bits(anywhere(a + i, b, device=device), a + i + b)
            result = anywhere(anywhere.upload(a + i, device), b)
            assert result.device == device
            assert same_bits(result.numpy(), a + i + b)
    except BaseException as error:
        failures.append(error)


threads = [threading.Thread(target=work, args=(i % 5,)) for i in range(10)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
assert anywhere.live_allocations == 0

# 1000 calls leave nothing, wherever arrays are.
weight = add.upload(b)
add(a, b), add(a, weight)
live = add.live_allocations, simulator.lowpCudaLiveAllocations()
for _ in range(500):
    add(a, b)
    add(a, weight)
assert live == (add.live_allocations, simulator.lowpCudaLiveAllocations())
add.trim()
assert same_bits(add(a, b), a + b)

# Memory of a simulated device is not memory of a GPU, nor the reverse.
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "add.so")
    path.write_bytes(lowp.emit(ADD, "shared", target="sm_90a"))
    real = lowp.Program(path)
    raises(TypeError, "an array of the simulated driver", lambda: real(a, weight))
    x = Producer(weight._memory.address, (4,), 2, 32, device=(9, 1))
    raises(TypeError, "an array of the simulated driver", lambda: real(a, x))
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        error = raises(lowp.RuntimeFailure, "cannot load the CUDA driver: libcuda.so.1", lambda: real(a, b))
        assert error.status == 5
        assert raises(lowp.RuntimeFailure, "libcuda.so.1", real.devices).status == 5
        assert raises(lowp.RuntimeFailure, "libcuda.so.1", lambda: real.upload(a)).status == 5
    # By its path it is the simulated driver, too.
    path = pathlib.Path(folder, "again.so")
    path.write_bytes(lowp.emit(ADD, "shared", target="sm_90a"))
    named = lowp.Program(path, driver=lowp.find_simulated_driver())
    assert same_bits(named(a, weight).numpy(), a + b)
    error = raises(lowp.RuntimeFailure, "is loaded already", lambda: lowp.Program(path, driver="libm.so.6"))
    assert error.status == 1
    path = pathlib.Path(folder, "wrong.so")
    path.write_bytes(lowp.emit(ADD, "shared", target="sm_90a"))
    wrong = lowp.Program(path, driver="libm.so.6")
    assert raises(lowp.RuntimeFailure, "has no function", lambda: wrong(a, b)).status == 5
    raises(ValueError, "got both", lambda: lowp.Program(path, simulate=True, driver="x"))

# Where the simulated driver is, is up to the caller.
found = lowp.find_simulated_driver()
os.environ["LOWP_SIMULATED_DRIVER"] = "/nowhere"
raises(FileNotFoundError, "LOWP_SIMULATED_DRIVER names '/nowhere'", lambda: simulate(ADD))
os.environ["LOWP_SIMULATED_DRIVER"] = found
assert lowp.find_simulated_driver() == found
del os.environ["LOWP_SIMULATED_DRIVER"]

# Out of memory is an error like others, and a process may end with results held.
code = """
import lowp, numpy, sys
program = lowp.Program(sys.argv[1], simulate=True)
held = program.upload(numpy.zeros(4, numpy.float32))
capsule = program(numpy.zeros((2, 4), numpy.float32), held).__dlpack__()
try:
    program.upload(numpy.zeros(1 << 20, numpy.float32))
except lowp.RuntimeFailure as error:
    print(error.status)
"""
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "add.so")
    path.write_bytes(lowp.emit(ADD, "shared", target="sm_90a"))
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        env={**os.environ, "LOWP_SIM_MEMORY_BYTES": str(1 << 20)},
        capture_output=True,
        text=True,
    )
assert done.returncode == 0 and done.stdout == "4\n", done

# So is a driver that is too old for the PTX.
code = """
import lowp, numpy, sys
a = numpy.zeros((2, 4), numpy.float32)
try:
    lowp.Program(sys.argv[1], simulate=True)(a, a[0])
except lowp.RuntimeFailure as error:
    print(error.status, error)
"""
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "add.so")
    path.write_bytes(lowp.emit(ADD, "shared", target="sm_90a"))
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        env={**os.environ, "LOWP_SIM_DRIVER_VERSION": "11040"},
        capture_output=True,
        text=True,
    )
assert done.returncode == 0, done
assert done.stdout.startswith("5 cannot load the program: the driver is for CUDA 11.4"), done
