# REQUIRES: nvidia-gpu, numpy, torch
# RUN: env LOWP_COMPILE=lowp-compile %python %s --inputs=%inputs
"""Programs on a GPU, with tensors of torch: nothing is copied, streams are
kept, results live on their own, nothing leaks.

By itself, on a machine without the compiler:

    gpu.py --prepare=FOLDER     compiles the programs, where the compiler is
    gpu.py --programs=FOLDER    runs them, where the GPU is
"""

import argparse
import gc
import os
import sys
import tempfile
import threading
import time

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
if "PYTHONPATH" not in os.environ:
    sys.path.insert(0, os.path.join(here, "..", "..", "python"))
import lowp  # noqa: E402

sys.path.insert(0, os.path.join(here, "Inputs"))
from support import ADD, ENTRIES, IDENTITIES, Model, raises  # noqa: E402

MODELS = [
    ("moe_mixtral_dense", "moe-nvfp4"),
    ("moe_lm_6l", "bf16"),
    ("moe_lm_6l", "moe-nvfp4"),
]


def prepare(folder, target, inputs):
    """The programs, and what the models compute on the CPU and in PyTorch."""
    os.makedirs(folder, exist_ok=True)
    programs = [
        ("add", ADD, target, {}),
        # A file of its own is a program of its own.
        ("other", ADD, target, {}),
        ("cpu", ADD, "cpu", {}),
        ("entries", ENTRIES, target, {}),
        ("identities", IDENTITIES, target, {}),
    ]
    for name, recipe in MODELS:
        model = Model(inputs, name)
        options = {"recipe": recipe, "params": model.params}
        programs.append((f"{name}-{recipe}", model.path, target, options))
        arrays = {f"arg{i}": x for i, x in enumerate(model.arguments)}
        arrays["bytes"] = lowp.compile(model.path, **options)(*model.arguments)
        # Where nothing is quantised, the result is PyTorch's, nearly.
        if recipe == "bf16":
            arrays["reference"], arrays["limit"] = model.expected, model.max_rel
        np.savez(os.path.join(folder, f"{name}-{recipe}.npz"), **arrays)
    for name, source, to, more in programs:
        with open(os.path.join(folder, name + ".so"), "wb") as file:
            file.write(lowp.emit(source, "shared", target=to, **more))


parser = argparse.ArgumentParser()
parser.add_argument("--prepare", metavar="FOLDER")
parser.add_argument("--programs", metavar="FOLDER")
parser.add_argument("--target", default=None, help="GPU, by default the first one here")
parser.add_argument("--inputs", default=os.path.join(here, "..", "Inputs"))
options = parser.parse_args()
if options.prepare:
    prepare(options.prepare, options.target or "sm_90a", options.inputs)
    sys.exit()

import torch  # noqa: E402

if not torch.cuda.is_available():
    print("skipped: torch sees no GPU")
    sys.exit()
folder = options.programs
if folder is None:
    folder = tempfile.mkdtemp()
    target = options.target or "sm_%d%da" % torch.cuda.get_device_capability(0)
    prepare(folder, target, options.inputs)


def load(name):
    return lowp.Program(os.path.join(folder, name + ".so"))


def same_bits(one, other):
    # On the default stream, after what is in all others.
    torch.cuda.synchronize()
    return (
        one.dtype == other.dtype
        and one.shape == other.shape
        and one.device == other.device
        and torch.equal(
            one.reshape(-1).view(torch.uint8), other.reshape(-1).view(torch.uint8)
        )
    )


def settled(program):
    gc.collect()
    torch.cuda.synchronize()
    return program.live_allocations


add, entries, identities = load("add"), load("entries"), load("identities")
device = add.devices()[0]
cuda = torch.device("cuda", device)
torch.cuda.set_device(cuda)
a = torch.arange(12.0, device=cuda).reshape(3, 4)
b = torch.arange(4.0, device=cuda)
checks = []


def check(function):
    checks.append(function)
    return function


@check
def tensors_in_and_out():
    y = add(a, b)
    assert y.is_cuda and y.device == cuda and not y.requires_grad
    assert same_bits(y, a + b)
    assert same_bits(add(a[:0], b), a[:0])
    # The result is the program's memory, not a copy in torch's.
    allocated = torch.cuda.memory_allocated()
    big = torch.ones(1 << 18, 4, device=cuda)
    before = torch.cuda.memory_allocated() - allocated
    results = [add(big, b) for _ in range(4)]
    assert torch.cuda.memory_allocated() - allocated == before
    assert add.live_allocations == 5
    del results, y
    assert settled(add) == 0


@check
def all_types():
    for entry in identities.entries:
        tensor = identities.entries[entry].arguments[0]
        name = lowp._types.DTYPES[tensor.dtype].public
        dtype = getattr(torch, name, torch.uint8)
        size = torch.empty(0, dtype=dtype).element_size()
        for count in (0, 1, 33):
            x = (torch.arange(count * size, dtype=torch.uint8, device=cuda) % 2).view(dtype)
            y = identities(x, entry=entry)
            assert y.data_ptr() != x.data_ptr() or not count
            assert same_bits(y, x), entry
    del y
    assert settled(identities) == 0


@check
def written_in_place():
    x, one = torch.arange(4.0, device=cuda), torch.ones(4, device=cuda)
    version, address = x._version, x.data_ptr()
    y = entries(x, one, entry="bump")
    assert x.data_ptr() == address and x._version > version
    assert same_bits(x, torch.arange(1.0, 5.0, device=cuda))
    assert same_bits(y, x * x)
    # Host arrays beside it are copied there and back.
    host = np.arange(8, dtype=np.float32)[::2]
    y = entries(host, one, entry="bump")
    assert same_bits(y, torch.tensor([1.0, 9, 25, 49], device=cuda))
    assert host.tolist() == [1, 3, 5, 7]
    x = torch.zeros(3, dtype=torch.bfloat16, device=cuda)
    assert entries(x, entry="ones") is None
    assert same_bits(x, torch.ones_like(x))


@check
def results_follow_arguments():
    x, w = a.cpu(), b.cpu()
    assert isinstance(add(x.numpy(), w.numpy()), np.ndarray)
    assert same_bits(add(x, w), x + w)
    assert same_bits(add(x, w.numpy()), x + w)
    assert same_bits(add(a, w), a + b)
    assert same_bits(add(a, w.numpy()), a + b)
    assert same_bits(add(x.numpy(), b), a + b)
    assert same_bits(add(a.tolist(), b), a + b)
    held = add.upload(w)
    assert held.device == device and (held.numpy() == w.numpy()).all()
    assert same_bits(add(a, held), a + b)
    assert same_bits(add(x, held), x + w)
    y = add(x.numpy(), held)
    assert isinstance(y, lowp.DeviceArray)
    # To torch and back, without a copy.
    t = torch.from_dlpack(y)
    assert t.device == cuda and t.data_ptr() == y._memory.address
    assert same_bits(t, a + b)
    del y, held
    assert same_bits(t, a + b)
    del t
    values = entries(2, 3, True, torch.tensor(1.5, device=cuda), 1.5, entry="mixed")
    assert [v.item() for v in values] == [2, 3, True, 3, 1.5]
    assert [v.is_cuda for v in values] == [False, False, False, True, False]
    del values
    assert settled(add) == settled(entries) == 0


class OnlyDLPack:
    """An array of another library, as far as programs can see."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, **keywords):
        return self.tensor.__dlpack__(**keywords)


@check
def other_libraries():
    y = add(OnlyDLPack(a), OnlyDLPack(b))
    assert isinstance(y, lowp.DeviceArray)
    assert (y.numpy() == (a + b).cpu().numpy()).all()
    # What their stream still has to do is waited for.
    stream = torch.cuda.Stream()
    for i in range(20):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)
            x = torch.full((1 << 16, 4), float(i), device=cuda)
            y = add(OnlyDLPack(x), OnlyDLPack(b)).numpy()
        assert (y == i + b.cpu().numpy()).all(), i
    # Beside tensors of torch, in the stream of those.
    with torch.cuda.stream(stream):
        torch.cuda._sleep(20_000_000)
        x = torch.full((1 << 16, 4), 7.0, device=cuda)
        y = add(x, OnlyDLPack(b + 1))
        assert (y.cpu() == (7 + b + 1).cpu()).all()
    del y
    assert settled(add) == 0


@check
def streams():
    side = torch.cuda.Stream()
    big = torch.empty(1 << 18, 4, device=cuda)
    add(big, b)
    torch.cuda.synchronize()
    for i in range(20):
        with torch.cuda.stream(side):
            torch.cuda._sleep(50_000_000)
            big.fill_(float(i))
            y = add(big, b)
            z = add(y, b)
            done = torch.cuda.Event()
            done.record()
            # The host is ahead of the device: nothing waited.
            assert not done.query(), "the call waited for its stream"
            big.fill_(-1.0)
            total = (z - 2 * b - i).abs().sum()
        side.synchronize()
        assert total.item() == 0, i
    # Chained over two programs and two streams, with torch's own means.
    other = load("other")
    second = torch.cuda.Stream()
    for i in range(20):
        with torch.cuda.stream(side):
            torch.cuda._sleep(50_000_000)
            big.fill_(float(i))
            y = add(big, b)
        second.wait_stream(side)
        with torch.cuda.stream(second):
            z = other(y, b)
            total = (z - 2 * b - i).abs().sum()
        side.wait_stream(second)
        second.synchronize()
        assert total.item() == 0, i
    # The thread's stream is back: calls on the host return when they are done.
    with torch.cuda.stream(side):
        torch.cuda._sleep(50_000_000)
        add(big, b)
    assert (add(np.zeros((1, 4), np.float32), np.ones(4, np.float32)) == 1).all()
    # The default stream.
    torch.cuda._sleep(50_000_000)
    big.fill_(3.0)
    y = add(big, b)
    done = torch.cuda.Event()
    done.record()
    assert not done.query(), "the call waited for its stream"
    assert same_bits(y, big + b)
    del y, z
    assert settled(add) == settled(other) == 0


@check
def models():
    for name, recipe in MODELS:
        program = load(f"{name}-{recipe}")
        with np.load(os.path.join(folder, f"{name}-{recipe}.npz")) as archive:
            arrays = dict(archive)
        expected = arrays["bytes"]
        arguments = [
            arrays[f"arg{i}"] for i in range(sum(key.startswith("arg") for key in arrays))
        ]
        assert (program(*arguments) == expected).all()
        tensors = [
            torch.from_numpy(x.view(np.int16)).view(torch.bfloat16).to(cuda)
            if x.dtype == np.uint16
            else torch.from_numpy(x).to(cuda)
            for x in arguments
        ]
        y = program(*tensors)
        assert y.is_cuda and y.dtype == torch.bfloat16
        assert (y.view(torch.int16).cpu().numpy().view(np.uint16) == expected).all()
        if "reference" in arrays:
            bits = torch.from_numpy(arrays["reference"].view(np.int16))
            reference = bits.view(torch.bfloat16).to(cuda).double()
            error = ((y.double() - reference).norm() / reference.norm()).item()
            print(f"{name} under {recipe}: |err|/|ref| {error:.4g}")
            assert error <= arrays["limit"]
        held = [program.upload(x) for x in arguments]
        assert (program(*held).numpy() == expected).all()
    del y, held
    assert settled(program) == 0


@check
def what_is_refused():
    expects = "'add' expects argument 0 to be tensor<?x4xf32>, but got "
    big = torch.zeros(64, device=cuda)
    for got, x in (
        ("torch.float64", a.double()),
        ("shape (4, 3)", a.reshape(4, 3)),
        ("strides (1, 3): elements have to be contiguous", a.t().contiguous().t()),
        ("elements that are not aligned to 16 bytes", big[1:5].reshape(1, 4)),
        ("a tensor that requires a gradient", a.clone().requires_grad_()),
        ("a tensor on device 'meta'", a.to("meta")),
    ):
        raises(TypeError, expects + got, lambda: add(x, b))
    cpu = load("cpu")
    raises(TypeError, f"an array on device {device}: the program is for the CPU", lambda: cpu(a, b))
    raises(TypeError, "scalars are on the host", lambda: entries(b[0], 3, True, 1.5, 1.5, entry="mixed"))
    raises(TypeError, f"device {device}, not 63 which is chosen", lambda: add(a, b, device=63))
    error = raises(lowp.RuntimeFailure, "devices, but got device 63", lambda: add(a.cpu(), b.cpu(), device=63))
    assert error.status == 1
    raises(TypeError, f"one on device {device}", lambda: add.upload(a))
    for other in range(torch.cuda.device_count()):
        if other == device:
            continue
        raises(TypeError, f"device {other}, not {device} as argument 0", lambda: add(a, b.to(other)))
        if other in add.devices():
            x = a.to(other)
            y = add(x, b.to(other))
            assert y.device.index == other and same_bits(y, (a + b).to(other))
            del y
    error = raises(lowp.RuntimeFailure, "sizes differ", lambda: entries(b, 5, entry="check"))
    assert error.status == 3
    assert same_bits(entries(b, 4, entry="check"), b + b)
    assert settled(add) == settled(entries) == 0
    assert same_bits(add(a, b), a + b)


@check
def results_outlive_the_program():
    program = load("other")
    y = program(a, b)
    w = program.upload(b.cpu())
    del program
    gc.collect()
    junk = [torch.full((3, 4), -1.0, device=cuda) for _ in range(100)]
    assert same_bits(y, a + b) and (w.numpy() == b.cpu().numpy()).all()
    del junk


@check
def threads():
    failures = []

    def work(seed):
        try:
            torch.cuda.set_device(cuda)
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                for i in range(50):
                    x = torch.full((1 << 12, 4), float(seed * 100 + i), device=cuda)
                    y = add(add(x, b), b)
                    host = add(np.full((2, 4), seed, np.float32), np.ones(4, np.float32))
                    assert (host == seed + 1).all()
                    assert (y - x - 2 * b).abs().sum().item() == 0
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures, failures
    assert settled(add) == 0


@check
def a_thousand_calls():
    big = torch.zeros(1 << 18, 4, device=cuda)
    host = np.zeros((1 << 10, 4), np.float32)
    held = add.upload(host)

    def run():
        y = big
        for _ in range(10):
            y = add(y, b)
        add(host, b)
        add(held, OnlyDLPack(b))
        return y

    for _ in range(10):
        run()
    torch.cuda.synchronize()
    used = torch.cuda.mem_get_info()[0]
    for _ in range(100):
        y = run()
    torch.cuda.synchronize()
    assert (y == 10 * b).all()
    growth = used - torch.cuda.mem_get_info()[0]
    assert growth <= 0, f"{growth} bytes more"
    del y, held
    assert settled(add) == 0
    add.trim()
    assert torch.cuda.mem_get_info()[0] >= used
    start = time.perf_counter()
    for _ in range(1000):
        add(a, b)
    torch.cuda.synchronize()
    print(f"a call takes {(time.perf_counter() - start) * 1e3:.1f} us")


for function in checks:
    function()
    print("passed:", function.__name__.replace("_", " "))
# The process may end while somebody holds results.
torch.kept = add(a, b), add.upload(b.cpu())
