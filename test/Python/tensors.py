# REQUIRES: numpy, torch
# RUN: env LOWP_COMPILE=lowp-compile %python %s %inputs
"""Tensors of torch on the host, in programs for the CPU and in simulated ones.
gpu.py has those on a GPU."""

import gc
import os
import subprocess
import sys

import numpy as np
import torch

import lowp

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import ADD, ENTRIES, IDENTITIES, TYPES, Model, raises  # noqa: E402

inputs = sys.argv[1]

DTYPES = dict(
    zip(
        TYPES,
        (
            "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 "
            "float64 float8_e4m3fn float8_e5m2 float8_e8m0fnu uint8 uint8 uint8"
        ).split(),
    )
)


def same_bits(one, other):
    return (
        one.dtype == other.dtype
        and one.shape == other.shape
        and torch.equal(
            one.contiguous().reshape(-1).view(torch.uint8),
            other.contiguous().reshape(-1).view(torch.uint8),
        )
    )


def bits(array):
    return torch.from_numpy(np.array(array))


def programs(source, **options):
    yield lowp.compile(source, **options)
    yield lowp.compile(source, target="sm_90a", simulate=True, **options)


for program in programs(IDENTITIES):
    for entry in TYPES:
        dtype = getattr(torch, DTYPES[entry], None)
        if dtype is None:
            # An older torch.
            continue
        size = torch.empty(0, dtype=dtype).element_size()
        for count in (0, 1, 5):
            raw = torch.arange(count * size, dtype=torch.uint8) % 2
            x = raw.view(dtype)
            y = program(x, entry=entry)
            assert same_bits(y, x), (entry, y, x)
            wrong = torch.empty(count, dtype=torch.complex64)
            raises(
                TypeError, "but got torch.complex64", lambda: program(wrong, entry=entry)
            )
    x, y = None, None
    gc.collect()
    assert program.live_allocations == 0

for program in programs(ADD):
    a, b = torch.arange(12.0).reshape(3, 4), torch.arange(4.0)
    assert same_bits(program(a, b), a + b)
    assert same_bits(program(a, b.numpy()), a + b)
    assert same_bits(program(a.numpy(), b), a + b)
    assert same_bits(program([[0, 1, 2, 3]], b), b.reshape(1, 4) * 2)
    assert isinstance(program(a.numpy(), b.numpy()), np.ndarray)
    # A result owns its memory, also without the program.
    y = program(a, b)
    view = y[1:].t()
    del y
    assert same_bits(view, (a + b)[1:].t())
    del view
    gc.collect()
    assert program.live_allocations == 0
    for value, got in (
        (a.t().contiguous().t(), "strides (1, 3): elements have to be contiguous, as .contiguous() makes them"),
        (a[:, ::2], "shape (3, 2)"),
        (a.double(), "torch.float64"),
        (a.to("meta"), "a tensor on device 'meta'"),
        (a.to_sparse(), "a tensor of layout torch.sparse_coo"),
        (a.clone().requires_grad_(), "requires a gradient"),
        (torch.complex(a, a).conj().imag, "a view that negates"),
        (torch.empty(3, 4, dtype=torch.complex64), "torch.complex64"),
    ):
        error = raises(TypeError, got, lambda: program(value, b))
        assert "'add' expects argument 0 to be tensor<?x4xf32>, but got" in str(error)
    parameter = torch.nn.Parameter(a)
    with torch.no_grad():
        y = program(parameter, b)
    assert same_bits(y, a + b) and not y.requires_grad
    with torch.inference_mode():
        assert same_bits(program(a + 0, b), a + b)
    del y
    assert program.live_allocations == 0

for program in programs(ENTRIES):
    x, one = torch.arange(3.0), torch.ones(3)
    version = x._version
    assert same_bits(program(x, one, entry="bump"), torch.arange(1.0, 4.0) ** 2)
    assert same_bits(x, torch.arange(1.0, 4.0))
    # What autograd has saved of it is no longer good.
    assert x._version > version and one._version == 0
    with torch.inference_mode():
        inference = torch.zeros(2, dtype=torch.bfloat16)
    assert program(inference, entry="ones") is None and (inference == 1).all()
    strided = torch.zeros(4)[::2]
    raises(TypeError, ".contiguous()", lambda: program(strided, one[:2], entry="bump"))
    narrow = torch.tensor(1.5, dtype=torch.bfloat16)
    values = program(
        torch.tensor(2.0), torch.tensor(3), True, 1.5, narrow, entry="mixed"
    )
    assert [str(v.dtype) for v in values] == [
        f"torch.{name}" for name in ("float32", "int64", "bool", "float32", "bfloat16")
    ]
    assert [v.item() for v in values] == [2, 3, True, 3, 1.5]
    error = raises(lowp.RuntimeFailure, "sizes differ", lambda: program(x, 4, entry="check"))
    assert error.status == 3
    del values
    assert program.live_allocations == 0
    if program.target != "cpu":
        # Weights on the device, activations of torch on the host.
        held = program.upload(one.bfloat16())
        assert held.dtype == "bf16" and held.numpy().tolist() == [0x3F80] * 3
        held = program.upload(one)
        assert same_bits(program(x, held, entry="bump"), torch.arange(2.0, 5.0) ** 2)
        assert same_bits(x, torch.arange(2.0, 5.0))
        try:
            torch.from_dlpack(held)
        except (BufferError, RuntimeError) as error:
            assert "device" in str(error), error
        else:
            raise AssertionError("memory of a simulated device is no tensor")


model = Model(inputs, "moe_mixtral_dense")
arguments = [
    torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)
    if x.dtype == np.uint16
    else torch.from_numpy(x)
    for x in model.arguments
]
for program in programs(model.path, recipe="moe-nvfp4", params=model.params):
    y = program(*arguments)
    assert y.dtype == torch.bfloat16
    assert same_bits(y.view(torch.int16), bits(program(*model.arguments).view(np.int16)))
    live = program.live_allocations
    for _ in range(20):
        program(*arguments)
    assert program.live_allocations == live

# The interpreter may end while tensors hold results.
code = """
import lowp, sys, torch
program = lowp.compile(sys.argv[1])
held = program(torch.ones(1, 4), torch.ones(4))
torch.kept = program(torch.ones(1, 4), torch.ones(4))
"""
done = subprocess.run([sys.executable, "-c", code, ADD], capture_output=True, text=True)
assert done.returncode == 0 and not done.stderr, done
