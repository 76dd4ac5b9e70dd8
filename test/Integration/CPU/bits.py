# RUN: lowp-compile %S/Inputs/bits.mlir --emit=shared -o %t.so
# RUN: %python %s %t.so
# RUN: lowp-compile %S/Inputs/bits.mlir --emit=shared --mcpu=x86-64 -O1 -o %t.1.so
# RUN: %python %s %t.1.so

# Bits of conversions and sums, called by ctypes, needing nothing but Python.

import ctypes
import math
import random
import struct
import sys

F16, BF16, F32, F64, BOOL = 10, 11, 12, 13, 1
CTYPES = {F16: ctypes.c_uint16, BF16: ctypes.c_uint16, F32: ctypes.c_float, F64: ctypes.c_double, BOOL: ctypes.c_uint8}


class Descriptor(ctypes.Structure):
    _fields_ = [
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("stride", ctypes.c_int64),
    ]


class Buffer(ctypes.Structure):
    _fields_ = [
        ("descriptor", ctypes.c_void_p),
        ("rank", ctypes.c_int64),
        ("dtype", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
    ]


library = ctypes.CDLL(sys.argv[1])
library.lowp_last_error.restype = ctypes.c_char_p
library.lowp_free.argtypes = [ctypes.c_void_p]


def call(name, arguments, results):
    """Arguments are (dtype, list or scalar), results (dtype, rank)."""
    kept = []

    def buffer(dtype, rank, descriptor):
        kept.append(descriptor)
        return Buffer(ctypes.addressof(descriptor), rank, dtype, 0)

    inputs = (Buffer * len(arguments))()
    for i, (dtype, values) in enumerate(arguments):
        rank = int(isinstance(values, list))
        data = (CTYPES[dtype] * (len(values) if rank else 1))(*(values if rank else [values]))
        kept.append(data)
        inputs[i] = buffer(dtype, rank, Descriptor(None, ctypes.addressof(data), 0, len(data), 1))
    outputs = (Buffer * len(results))()
    descriptors = [Descriptor() for _ in results]
    for i, (dtype, rank) in enumerate(results):
        outputs[i] = buffer(dtype, rank, descriptors[i])
    status = library.lowp_call(
        name.encode(), inputs, ctypes.c_int64(len(inputs)), outputs, ctypes.c_int64(len(outputs))
    )
    assert status == 0, library.lowp_last_error()
    lists = []
    for (dtype, rank), d in zip(results, descriptors):
        lists.append(list((CTYPES[dtype] * (d.size if rank else 1)).from_address(d.aligned)))
        library.lowp_free(d.allocated)
    return lists


def bits_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def to_f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def check(name, got, want):
    for i, (a, b) in enumerate(zip(got, want)):
        assert a == b, f"{name}: element {i}: expected {b:#x}, but got {a:#x}"
    assert len(got) == len(want), name


# f32 -> bf16: nearest, ties to even, subnormals kept.
random.seed(0)
edges = [0, 1, 0x7FFF, 0x8000, 0x8001, 0x18000, 0x7FFFFF, 0x400000, 0x7F7F7FFF, 0x7F7F8000, 0x7F7FFFFF, 0x7F800000]
patterns = [e | s for e in edges for s in (0, 0x80000000)]
patterns += [(random.getrandbits(16) << 16) | low for low in (0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF) for _ in range(200)]
patterns = [p for p in patterns if p & 0x7FFFFFFF <= 0x7F800000]
nearest = [(p + 0x7FFF + (p >> 16 & 1)) >> 16 for p in patterns]
got, = call("from_f32", [(F32, [float_of(p) for p in patterns])], [(BF16, 1)])
check("from_f32", got, nearest)
got, = call("from_f32", [(F32, [math.nan])], [(BF16, 1)])
assert got[0] & 0x7FFF > 0x7F80

# f64 -> bf16: one rounding. Just beside a midpoint the f32 detour would round
# to the midpoint first.
values, want = [], []
for p in patterns:
    p &= 0x7FFF0000
    if p >= 0x7F7F0000:
        continue
    low, high = float_of(p), float_of(p + 0x10000)
    middle = (low + high) / 2
    values += [middle, math.nextafter(middle, math.inf), math.nextafter(middle, 0), -math.nextafter(middle, 0)]
    want += [(p >> 16) + (p >> 16 & 1), (p >> 16) + 1, p >> 16, p >> 16 | 0x8000]
values += [math.inf, -math.inf, 1e300, -1e300, 0.0, -0.0, 5e-324]
want += [0x7F80, 0xFF80, 0x7F80, 0xFF80, 0, 0x8000, 0]
got, = call("from_f64", [(F64, values)], [(BF16, 1)])
check("from_f64", got, want)

# Moving values changes no bit.
every = list(range(0x10000))
got, = call("move", [(BF16, every), (BOOL, 0)], [(BF16, 1)])
check("move", got, every)

# f16 sums: by the nearest value, subnormals included.
halves = [(random.getrandbits(16), random.getrandbits(16)) for _ in range(2000)]
halves += [(1, 1), (0x3FF, 1), (0x7BFF, 0x7BFF), (0x8001, 1), (0x7BFF, 0x4C00)]
halves = [(a, b) for a, b in halves if a & 0x7C00 != 0x7C00 and b & 0x7C00 != 0x7C00]


def half(bits):
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def to_half(value):
    try:
        return struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:
        return 0x7C00 if value > 0 else 0xFC00


got, = call("f16_sum", [(F16, [a for a, _ in halves]), (F16, [b for _, b in halves])], [(F16, 1)])
check("f16_sum", got, [to_half(half(a) + half(b)) for a, b in halves])

# A dot product: products and sums rounded one by one, in ascending order.
x = [to_f32(random.gauss(0, 1)) for _ in range(1000)]
y = [to_f32(random.gauss(0, 1)) for _ in range(1000)]
acc = 0.0
for a, b in zip(x, y):
    acc = to_f32(acc + to_f32(a * b))
got, = call("dot", [(F32, x), (F32, y)], [(F32, 0)])
check("dot", [bits_of(got[0])], [bits_of(acc)])

# Functions: within 1 ulp of the exact value; the same on every processor.
x = [to_f32(random.gauss(0, 10)) for _ in range(1000)] + [to_f32(random.uniform(-1e5, 1e5)) for _ in range(1000)]
exp, sin, cos = call("exp_sin_cos", [(F32, x)], [(F32, 1)] * 3)
for function, results in ((math.exp, exp), (math.sin, sin), (math.cos, cos)):
    for argument, result in zip(x, results):
        if function is math.exp and abs(argument) > 80:
            continue
        exact = function(argument)
        ulp = math.ulp(exact) * 2**29
        assert abs(result - exact) <= ulp, (function, argument, result, exact)
special = [0.0, -0.0, math.inf, -math.inf, math.nan, -1000.0, 1000.0]
exp, sin, cos = call("exp_sin_cos", [(F32, special)], [(F32, 1)] * 3)
assert exp[:4] == [1, 1, math.inf, 0] and math.isnan(exp[4]) and exp[5:] == [0, math.inf]
assert sin[0] == 0 and math.copysign(1, sin[1]) == -1 and all(map(math.isnan, sin[2:5]))
assert cos[:2] == [1, 1] and all(map(math.isnan, cos[2:5]))
assert library.lowp_live_allocations() == 0
