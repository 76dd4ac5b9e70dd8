# REQUIRES: numpy
# RUN: env LOWP_COMPILE=lowp-compile %python %s
"""Arrays of other libraries, by DLPack: types, ownership, and what is refused.
Programs are for the CPU; device.py has the rest."""

import os
import sys
import threading

import numpy as np

import lowp

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from fake_dlpack import PADDED, READ_ONLY, Producer  # noqa: E402
from support import ENTRIES, IDENTITIES, raises, same_bits  # noqa: E402

assert "torch" not in sys.modules

identities = lowp.compile(IDENTITIES)
entries = lowp.compile(ENTRIES)

# Entry, DLPack's code and bits, and numpy's type of the elements.
TYPES = [
    ("i1", 6, 8, "bool"),
    ("i8", 0, 8, "int8"),
    ("i16", 0, 16, "int16"),
    ("i32", 0, 32, "int32"),
    ("i64", 0, 64, "int64"),
    ("ui8", 1, 8, "uint8"),
    ("ui16", 1, 16, "uint16"),
    ("ui32", 1, 32, "uint32"),
    ("ui64", 1, 64, "uint64"),
    ("f16", 2, 16, "float16"),
    ("f32", 2, 32, "float32"),
    ("f64", 2, 64, "float64"),
    ("bf16", 4, 16, "uint16"),
    ("f8E4M3FN", 10, 8, "uint8"),
    ("f8E5M2", 12, 8, "uint8"),
    ("f8E8M0FNU", 14, 8, "uint8"),
    ("f6E2M3FN", 15, 6, "uint8"),
    ("f6E3M2FN", 16, 6, "uint8"),
    ("f4E2M1FN", 17, 4, "uint8"),
]

# All types, with and without a version. One byte for each element below 8 bits
# is what a flag says, which only a version has.
for entry, code, bits, storage in TYPES:
    data = np.arange(5).astype(storage)
    for version in (None, (1, 0), (1, 1), (1, 9)):
        padded = bits % 8 != 0
        if padded and version is None:
            continue
        x = Producer(
            data.ctypes.data, (5,), code, bits, version=version, flags=PADDED * padded
        )
        assert same_bits(identities(x, entry=entry), data)
        x.check()
        assert x.made == 1
        # Memory of the host has no stream.
        assert all("stream" not in keywords for keywords in x.calls)
        # Elements as their bits.
        x = Producer(data.ctypes.data, (5,), 1, data.itemsize * 8, version=version)
        if entry == "i1" or code == 2:
            error = raises(
                TypeError,
                f"'{entry}' expects argument 0 to be tensor<?x",
                lambda: identities(x, entry=entry),
            )
            assert f"but got uint{data.itemsize * 8}" in str(error)
        else:
            assert same_bits(identities(x, entry=entry), data)
        x.check()
for _, code, bits, storage in TYPES[-3:]:
    data = np.zeros(4, storage)
    for version in (None, (1, 1)):
        x = Producer(data.ctypes.data, (4,), code, bits, version=version)
        raises(
            TypeError,
            "bits each, but programs take one byte each",
            lambda: identities(x, entry="f4E2M1FN"),
        )
        x.check()

# Shapes: none, empty, no strides, strides of single elements, an offset.
data = np.arange(8, dtype=np.float32)
t = Producer(data[3:].ctypes.data, (), 2, 32)
number = Producer(data[4:].ctypes.data, (), 2, 32)
outputs = entries(number, 1, False, t, 1, entry="mixed")
assert outputs[0] == 4 and outputs[3] == 6
t.check(), number.check()
for x, expected in (
    (Producer(None, (0,), 2, 32), data[:0]),
    (Producer(None, (0,), 2, 32, strides=(7,)), data[:0]),
    (Producer(data.ctypes.data, (8,), 2, 32), data),
    (Producer(data.ctypes.data, (8,), 2, 32, strides=(1,)), data),
    (Producer(data.ctypes.data, (1,), 2, 32, strides=(99,)), data[:1]),
    (Producer(data.ctypes.data, (6,), 2, 32, offset=8), data[2:]),
    (Producer(data.ctypes.data, (8,), 2, 32, device=(3, 0)), data),
    (Producer(data.ctypes.data, (8,), 2, 32, deleter=False), data),
):
    assert same_bits(identities(x, entry="f32"), expected)
    if x.managed.deleter:
        x.check()

# An entry writes in place.
x = Producer(data.ctypes.data, (8,), 2, 32, version=(1, 0))
one = np.ones(8, np.float32)
entries(x, one, entry="bump")
assert data.tolist() == list(range(1, 9))
x.check()
x = Producer(data.ctypes.data, (8,), 2, 32, version=(1, 0), flags=READ_ONLY)
raises(TypeError, "read-only", lambda: entries(x, one, entry="bump"))
assert data.tolist() == list(range(1, 9))
# What is only read may be read-only.
assert same_bits(entries(one.copy(), x, entry="bump"), (data + 1) ** 2)
x.check()

# What is refused, with the capsule given back.
address = data.ctypes.data
for got, x in (
    ("float64", Producer(address, (4,), 2, 64)),
    ("shape (4, 2)", Producer(address, (4, 2), 2, 32)),
    ("shape ()", Producer(address, (), 2, 32)),
    (
        "strides (2,): elements have to be contiguous, as .contiguous() makes them",
        Producer(address, (4,), 2, 32, strides=(2,)),
    ),
    ("strides (-1,)", Producer(address, (4,), 2, 32, strides=(-1,))),
    ("Producer: its elements have the DLPack type (code 2, 32 bits, 4 lanes)", Producer(address, (2,), 2, 32, lanes=4)),
    ("(code 5, 64 bits, 1 lanes)", Producer(address, (2,), 5, 64)),
    ("(code 10, 16 bits, 1 lanes)", Producer(address, (2,), 10, 16)),
    ("(code 17, 8 bits, 1 lanes)", Producer(address, (2,), 17, 8)),
    ("(code 99, 8 bits, 1 lanes)", Producer(address, (2,), 99, 8)),
    ("expected DLPack 1, but got 2.0", Producer(address, (4,), 2, 32, version=(2, 0))),
    ("expected DLPack 1, but got 0.8", Producer(address, (4,), 2, 32, version=(0, 8))),
    ("expected elements, but got a null pointer", Producer(None, (4,), 2, 32)),
    ("expected sizes, but got shape (-4,)", Producer(address, (-4,), 2, 32)),
    ("expected a shape, but got none of rank -1", Producer(address, (4,), 2, 32, rank=-1)),
    ("expected a shape, but got none of rank 2", Producer(address, None, 2, 32, rank=2)),
):
    error = raises(TypeError, got, lambda: identities(x, entry="f32"))
    assert "'f32' expects argument 0 to be tensor<?xf32>, but got" in str(error)
    x.check()
    assert x.made == 1

# What is not on the host is not even asked for.
for device, got in (
    ((2, 1), "an array on device 1: the program is for the CPU"),
    ((13, 0), "an array on device 0: the program is for the CPU"),
    ((9, 3), "an array on device 3: the program is for the CPU"),
    ((12, 0), "an array on a device of DLPack type 12"),
    ((10, 0), "an array on a device of DLPack type 10"),
):
    x = Producer(address, (8,), 2, 32, device=device)
    raises(TypeError, got, lambda: identities(x, entry="f32"))
    assert x.made == 0


# Producers that misbehave.
class Odd:
    def __init__(self, capsule, device=(1, 0)):
        self.capsule, self.device = capsule, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        if isinstance(self.capsule, Exception):
            raise self.capsule
        return self.capsule


used = Producer(address, (8,), 2, 32)
identities(used, entry="f32")
for odd, got in (
    (Odd(BufferError("no")), "Odd: no"),
    (Odd(RuntimeError("busy")), "Odd: busy"),
    (Odd(TypeError("not so")), "Odd: not so"),
    (Odd(None), "expected a new DLPack capsule, but got None"),
    (Odd(used.capsules[0]), "expected a new DLPack capsule, but got <capsule object"),
    (Odd(None, device=None), "Odd: "),
    (Odd(None, device=("cpu", 0)), "Odd: "),
    (Odd(None, device=(1,)), "Odd: "),
):
    raises(TypeError, got, lambda: identities(odd, entry="f32"))
used.check()
raises(KeyError, "'mine'", lambda: identities(Odd(KeyError("mine")), entry="f32"))
# Giving back is done once.
once = Producer(address, (8,), 2, 32)
given = lowp._dlpack.Import(once)
given.close(), given.close()
once.check()
# Those before are given back where a later one is refused, and once.
first, second = Producer(address, (8,), 2, 32), Producer(address, (8,), 2, 64)
raises(TypeError, "argument 1", lambda: entries(first, second, entry="bump"))
first.check(), second.check()
assert data.tolist() == list(range(1, 9))


# numpy's own capsules, in both versions: nothing refers to the array after.
class Wrapper:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)


class OldWrapper(Wrapper):
    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


for wrapper in (Wrapper, OldWrapper):
    references = sys.getrefcount(data)
    for _ in range(100):
        identities(wrapper(data), entry="f32")
    assert sys.getrefcount(data) == references
# numpy marks what is read-only by the version.
fixed = np.zeros(8, np.float32)
fixed.flags.writeable = False
raises(TypeError, "read-only", lambda: entries(Wrapper(fixed), one, entry="bump"))
assert sys.getrefcount(fixed) == 2

# Results are numpy's, which gives them to others; the memory stays until the
# last one lets go of it.
result = identities(Wrapper(data), entry="f32")
other = np.from_dlpack(result)
del result
assert identities.live_allocations == 1
assert same_bits(other, data)
del other
assert identities.live_allocations == 0

# Threads.
producers = [Producer(address, (8,), 2, 32, version=(1, 0)) for _ in range(8)]


def work(x):
    for _ in range(50):
        assert same_bits(identities(x, entry="f32"), data)


threads = [threading.Thread(target=work, args=(x,)) for x in producers]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for x in producers:
    x.check()
    assert x.made == 50
assert identities.live_allocations == 0 and entries.live_allocations == len(outputs)
