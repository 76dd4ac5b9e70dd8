"""Runs the kernels of kernels.mlir in the simulator, for each GPU, and compares
all buffers with what the program gives on the CPU, bit for bit."""

import os
import subprocess
import sys

import numpy

ROWS = 37
TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a")

# By function: its arguments, its results (buffers of the kernels, by name), and
# the launches: kernel, threads, arguments. Numbers are sizes or the step.
R = ROWS
PROGRAMS = {
    "nvfp4": (
        ("x16",),
        ("codes4", "scales4", "decode"),
        (
            ("nvfp4_quantize_amax", R, ("x16", R, "amax", R)),
            ("nvfp4_quantize_outer", R, ("encode", R, "amax", R, "decode", R, R)),
            (
                "nvfp4_quantize",
                4 * R,
                ("x16", R, "encode", R, "decode", R, "codes4", R, "scales4", R),
            ),
        ),
    ),
    "s2f6": (
        ("x32",),
        ("codes8", "scales2"),
        (
            ("s2f6_rht", 2 * R, ("x32", R, "y32", R)),
            ("s2f6_quantize", 2 * R, ("y32", R, "codes8", R, "scales2", R, R)),
        ),
    ),
    "stochastic": (
        ("x16",),
        ("codes4", "scales2"),
        (("stochastic_quantize", 2 * R, ("x16", R, "codes4", R, "scales2", R, "i32:0")),),
    ),
    "dequantize": (
        ("bytes", "exponents"),
        ("y32",),
        (("dequantize_dequantize", 2 * R, ("bytes", R, "exponents", R, "y32", R)),),
    ),
}


def make_buffers():
    random = numpy.random.default_rng(0)
    x = random.normal(size=(R, 64)) * numpy.exp(8 * random.normal(size=(R, 1)))
    x[0, :3] = [numpy.nan, numpy.inf, -numpy.inf]
    x[1] = 0
    x[2, 5] = -0.0
    x[3] *= 1e-38 / numpy.abs(x[3]).max()
    x32 = x.astype(numpy.float32)
    # S2F6 of numbers that are not finite is not what this is about.
    tame = numpy.where(numpy.isfinite(x32), x32, 1)
    return {
        "x16": (x32.view(numpy.uint32) >> 16).astype(numpy.uint16),
        "x32": tame,
        "y32": numpy.zeros((R, 64), numpy.float32),
        "amax": numpy.zeros(R, numpy.float32),
        "decode": numpy.zeros(R, numpy.float32),
        "encode": numpy.zeros(R, numpy.float32),
        "codes4": numpy.zeros((R, 32), numpy.uint8),
        "codes8": numpy.zeros((R, 64), numpy.uint8),
        "scales4": numpy.zeros((R, 4), numpy.uint8),
        "scales2": numpy.zeros((R, 2), numpy.uint8),
        "bytes": random.integers(0, 256, (R, 64)).astype(numpy.uint8),
        "exponents": random.integers(0, 256, (R, 2)).astype(numpy.uint8),
    }


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(" ".join(command) + "\n" + result.stderr)


def bits(array):
    """Bytes; which NaN a float result is, docs/spec.md leaves open."""
    if array.dtype == numpy.float32:
        array = numpy.where(numpy.isnan(array), numpy.float32(numpy.nan), array)
    return numpy.frombuffer(array.tobytes(), numpy.uint8)


def main():
    tools, program, folder = sys.argv[1:]
    tool = {name: os.path.join(tools, "lowp-" + name) for name in ("compile", "run", "sim")}
    os.makedirs(folder, exist_ok=True)
    path = lambda name: os.path.join(folder, name + ".npy")
    buffers = make_buffers()
    expected = {}
    for entry, (arguments, results, _) in PROGRAMS.items():
        for name in arguments:
            numpy.save(path(name), buffers[name])
        outputs = [path("cpu." + name) for name in results]
        command = [tool["run"], program, f"--entry={entry}"]
        command += [f"--input={path(name)}" for name in arguments]
        run(*command, *(f"--output={output}" for output in outputs))
        expected[entry] = [bits(numpy.load(output)) for output in outputs]
    wrong = []
    for target in TARGETS:
        ptx = os.path.join(folder, target + ".ptx")
        run(tool["compile"], program, f"--target={target}", "--emit=ptx", "-o", ptx)
        for entry, (_, results, launches) in PROGRAMS.items():
            for name, array in buffers.items():
                numpy.save(path(name), array)
            for kernel, threads, arguments in launches:
                command = [tool["sim"], ptx, f"--entry={kernel}", "--block=128"]
                command += [f"--grid={-(-threads // 128)}"]
                for argument in arguments:
                    if isinstance(argument, int):
                        command += [f"--arg=i64:{argument}"]
                    elif ":" in argument:
                        command += [f"--arg={argument}"]
                    else:
                        command += [f"--arg=inout:{path(argument)}"]
                run(*command)
            for name, array in zip(results, expected[entry]):
                actual = bits(numpy.load(path(name)))
                if not numpy.array_equal(actual, array):
                    count = (actual != array).sum() if actual.shape == array.shape else "all"
                    wrong.append(f"{entry} for {target}: {count} bytes of {name} differ")
    print("\n".join(wrong) if wrong else "all bits are equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
