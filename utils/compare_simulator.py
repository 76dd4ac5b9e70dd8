#!/usr/bin/env python3
"""Compares the PTX simulator with a GPU, instruction form by instruction form.

    build/test/Unit/Simulator/LowpSimulatorCases FOLDER
    utils/compare_simulator.py FOLDER

The first command writes what the simulator gives, the second runs the same
kernels on the GPU of this machine and compares. It needs numpy and NVIDIA's
driver; FOLDER may come from another machine. docs/simulator.md says more.
"""

import argparse
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

import numpy

# Kernels of a module: the driver's assembler has less to do than with one each.
BATCH = 64
# Differences shown of a form, and messages of all.
SHOWN = 3
MESSAGES = 60

INVALID_PTX = 218
UNSUPPORTED_PTX_VERSION = 222


def fail(message):
    sys.exit(f"error: {message}")


class Cases:
    """What LowpSimulatorCases wrote."""

    def __init__(self, folder, pattern):
        try:
            self.read(folder, pattern)
        except OSError as error:
            fail(error)
        if not self.all:
            fail(f"no case has a name that matches '{pattern}'")

    def read(self, folder, pattern):
        with open(os.path.join(folder, "cases.json")) as file:
            manifest = json.load(file)
        if manifest["version"] != 1:
            fail(f"'{folder}': unknown version {manifest['version']}")
        self.compressed = manifest["compressed"]
        with open(os.path.join(folder, "kernels.ptx")) as file:
            self.kernels = file.read()
        with open(os.path.join(folder, "arrays.bin"), "rb") as file:
            self.arrays = file.read()
        self.all = [case for case in manifest["cases"] if re.search(pattern, case["name"])]

    def array(self, where, dtype=numpy.uint8):
        data = self.arrays[where["offset"] : where["offset"] + where["bytes"]]
        if self.compressed and len(data) == where["bytes"]:
            data = zlib.decompress(data)
        if len(data) != where["size"]:
            raise ValueError("arrays.bin: incomplete")
        return numpy.frombuffer(data, dtype)

    def kernel(self, case):
        start, size = case["kernel"]
        return self.kernels[start : start + size]

    def module(self, cases, target):
        """The text of a module, and the line in which each case begins."""
        version = cases[0]["targets"][target]
        text = f".version {version}\n.target {target}\n.address_size 64\n"
        lines = []
        for case in cases:
            lines.append(text.count("\n") + 1)
            text += self.kernel(case)
        return text, lines

    def batches(self, target, cases):
        """Cases, by the version that they need."""
        versions = {}
        for case in cases:
            versions.setdefault(case["targets"][target], []).append(case)
        for cases in versions.values():
            for start in range(0, len(cases), BATCH):
                yield cases[start : start + BATCH]


class DriverError(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Driver:
    """A GPU, by the functions of libcuda.so.1 that Lowp's programs use, too."""

    def __init__(self, path, ordinal):
        self.library = ctypes.CDLL(path)
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), ordinal)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxPushCurrent_v2", context)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, len(name), device)
        self.name = name.value.decode()
        self.capability = tuple(self.attribute(device, which) for which in (75, 76))
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.version = f"{version.value // 1000}.{version.value % 1000 // 10}"
        self.buffers = {}

    def attribute(self, device, which):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), which, device)
        return value.value

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code == 0:
            return
        text = ctypes.c_char_p()
        self.library.cuGetErrorName(code, ctypes.byref(text))
        raise DriverError(code, f"{name}: {(text.value or b'error').decode()} ({code})")

    def buffer(self, which, size):
        """Memory that is used again; it grows as needed."""
        address, capacity = self.buffers.get(which, (ctypes.c_uint64(), 0))
        if capacity < size:
            if capacity:
                self.call("cuMemFree_v2", address)
            address = ctypes.c_uint64()
            self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
            self.buffers[which] = (address, size)
        return address

    def load(self, text):
        """A module; errors have what the assembler says."""
        log = ctypes.create_string_buffer(8192)
        # The error log and its size.
        options = (ctypes.c_int * 2)(5, 6)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        module = ctypes.c_void_p()
        try:
            image = ctypes.create_string_buffer(text.encode())
            self.call("cuModuleLoadDataEx", ctypes.byref(module), image, 2, options, values)
        except DriverError as error:
            said = log.value.decode(errors="replace").strip().splitlines()
            raise DriverError(error.code, "; ".join([str(error), *said[:2]])) from None
        return module

    def run(self, module, case, data):
        """The bytes that a kernel writes over ones."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, case["entry"].encode())
        size = ctypes.c_size_t(case["output_bytes"])
        result = numpy.full(case["output_bytes"], 0xFF, numpy.uint8)
        source, target = self.buffer("in", data.size), self.buffer("out", result.size)
        pointers = (ctypes.c_void_p * 2)(ctypes.addressof(source), ctypes.addressof(target))
        self.call("cuMemcpyHtoDAsync_v2", source, data.ctypes.data_as(ctypes.c_void_p),
                  ctypes.c_size_t(data.size), None)
        self.call("cuMemcpyHtoDAsync_v2", target, result.ctypes.data_as(ctypes.c_void_p), size, None)
        self.call("cuLaunchKernel", function, *case["grid"], *case["block"], case["shared"],
                  None, pointers, None)
        self.call("cuMemcpyDtoHAsync_v2", result.ctypes.data_as(ctypes.c_void_p), target, size, None)
        self.call("cuCtxSynchronize")
        return result


def choose_target(cases, capability):
    """The target of the cases that a GPU runs: its own, or an older one without
    features that later GPUs lack."""
    own = f"sm_{capability[0]}{capability[1]}"
    targets = {target for case in cases.all for target in case["targets"]}
    for target in (own + "a", own):
        if target in targets:
            return target
    number = 10 * capability[0] + capability[1]
    older = [int(name[3:]) for name in targets if name[3:].isdigit()]
    older = [candidate for candidate in older if candidate <= number]
    if not older:
        fail(f"no case is for a GPU of compute capability {capability[0]}.{capability[1]}")
    return f"sm_{max(older)}"


class Row:
    """What is counted of a group."""

    def __init__(self):
        self.forms = self.absent = self.newer = self.refused = 0
        self.tuples = self.equal = self.differing = 0

    def counts(self):
        return (self.forms, self.tuples, self.equal, self.differing, self.absent, self.newer,
                self.refused)

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def as_integers(data, stride, width):
    """Numbers of `width` bytes, of which one begins every `stride` bytes."""
    lanes = data.reshape(-1, stride)
    numbers = numpy.zeros((len(lanes), 8), numpy.uint8)
    numbers[:, :width] = lanes[:, :width]
    return numbers.view(numpy.uint64)[:, 0]


def as_numbers(bits, kind):
    """The values of floats; infinity is the number after the largest."""
    if kind == "f64":
        # The lower word of an approximation is zero.
        values = bits.astype(numpy.uint64).view(numpy.float64).copy()
        values[bits.astype(numpy.uint64) & numpy.uint64(0xFFFFFFFF) != 0] = numpy.nan
        most = 1024
    elif kind == "f16":
        values, most = bits.astype(numpy.uint16).view(numpy.float16).astype(numpy.float64), 16
    else:
        shift = 16 if kind == "bf16" else 0
        words = (bits.astype(numpy.uint64) << numpy.uint64(shift)).astype(numpy.uint32)
        values, most = words.view(numpy.float32).astype(numpy.float64), 128
    with numpy.errstate(over="ignore"):
        limit = numpy.float64(2) ** most
    infinite = numpy.isinf(values)
    values[infinite] = numpy.copysign(limit, values[infinite])
    return values


class Comparison:
    """Counts, and what differs."""

    def __init__(self, cases):
        self.cases = cases
        self.rows = {}
        # Of an approximation: largest error in units of the documented one.
        self.errors = []
        self.messages = []
        for case in cases.all:
            self.row(case).forms += 1

    def row(self, case):
        return self.rows.setdefault(case["group"], Row())

    def compare(self, case, output):
        """Counts a case whose kernel has run."""
        width = case["width"]
        expected = as_integers(self.cases.array(case["expected"]), width, width)
        stride = case["stride"]
        # What is left out of the results is zero.
        wide = as_integers(output, stride, stride)
        if "approximation" in case:
            good = self.compare_approximation(case, wide, expected)
        else:
            good = wide == expected
        row = self.row(case)
        row.tuples += len(good)
        row.equal += int(good.sum())
        row.differing += int((~good).sum())
        for index in numpy.flatnonzero(~good)[:SHOWN]:
            operands = ""
            if "operands" in case:
                words = self.cases.array(case["input"], numpy.uint64).reshape(-1, 4)[index]
                operands = " of " + " ".join(
                    f"{word:x}" for word in words[: len(case["operands"])])
            self.messages.append(f"{case['name']}{operands} ({case['entry']}, {index}): "
                                 f"simulator {expected[index]:x}, GPU {wide[index]:x}")

    def compare_approximation(self, case, wide, expected):
        function = case["approximation"]
        count, kind = function["count"], function["type"]
        values = self.cases.array(function["values"], numpy.float64).reshape(-1, count)
        errors = self.cases.array(function["errors"], numpy.float64).reshape(-1, count)
        bits = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}[kind]
        good = numpy.ones(len(wide), bool)
        largest = 0.0
        for which in range(count):
            parts = [x >> numpy.uint64(which * bits) for x in (wide, expected)]
            if bits < 64:
                parts = [x & numpy.uint64((1 << bits) - 1) for x in parts]
            actual, simulated = parts
            value, error = values[:, which], errors[:, which]
            exact, bounded = error == 0, error > 0
            good &= ~exact | (actual == simulated)
            distance = numpy.abs(as_numbers(actual, kind)[bounded] - value[bounded])
            ratio = numpy.nan_to_num(distance / error[bounded], nan=numpy.inf)
            good[bounded] &= ratio <= 1
            largest = max(largest, ratio.max(initial=0.0))
        self.errors.append((case["name"], largest, function["documented"]))
        return good

    def failed(self):
        return any(row.differing or row.refused for row in self.rows.values())

    def print(self, target):
        total = Row()
        for row in self.rows.values():
            total.add(row)
        heads = ("forms", "tuples", "equal", "differing", f"not {target}", "newer", "refused")
        print(f"{'group':<22}" + "".join(f"{head:>12}" for head in heads))
        for name, row in [*self.rows.items(), ("all", total)]:
            print(f"{name:<22}" + "".join(f"{count:>12}" for count in row.counts()))
        if self.errors:
            print(f"\n{'approximation':<22}{'largest error':>15} of the documented")
        for name, largest, documented in self.errors:
            print(f"{name:<22}{largest:>15.3f} of {documented}")
        if self.messages:
            print()
        for message in self.messages[:MESSAGES]:
            print(message)
        if len(self.messages) > MESSAGES:
            print(f"and {len(self.messages) - MESSAGES} more")


def compare(cases, driver):
    """Runs the kernels on a GPU; false where something differs."""
    target = choose_target(cases, driver.capability)
    print(f"{driver.name}, {target}, CUDA {driver.version}\n", flush=True)
    comparison = Comparison(cases)
    present = [case for case in cases.all if target in case["targets"]]
    for case in cases.all:
        comparison.row(case).absent += target not in case["targets"]

    def load(batch):
        """Modules and what is in each: one, or one for each case where one of
        them is refused."""
        try:
            return [(driver.load(cases.module(batch, target)[0]), batch)]
        except DriverError as error:
            if error.code == UNSUPPORTED_PTX_VERSION:
                for case in batch:
                    comparison.row(case).newer += 1
                return []
            if len(batch) > 1 and error.code == INVALID_PTX:
                return [loaded for case in batch for loaded in load([case])]
            for case in batch:
                comparison.row(case).refused += 1
                comparison.messages.append(f"{case['name']} ({case['entry']}): {error}")
            return []

    try:
        for batch in cases.batches(target, present):
            for module, loaded in load(batch):
                for case in loaded:
                    comparison.compare(case, driver.run(module, case, cases.array(case["input"])))
                driver.call("cuModuleUnload", module)
    except DriverError as error:
        # A context that has failed takes no more calls.
        comparison.row(case).refused += 1
        comparison.messages.append(f"{case['name']} ({case['entry']}): {error}; "
                                   "what follows was not compared")
    comparison.print(target)
    return not comparison.failed()


def assemble(cases, ptxas, for_all):
    """Assembles each kernel for the oldest target that has it, or for all; false
    where one is refused."""
    def number(target):
        return int(re.sub(r"\D", "", target))

    targets = {}
    for case in cases.all:
        known = sorted(case["targets"], key=number)
        for target in known if for_all else known[:1]:
            targets.setdefault(target, []).append(case)
    refused = 0
    for target in sorted(targets, key=number):
        for batch in cases.batches(target, targets[target]):
            text, lines = cases.module(batch, target)
            with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
                file.write(text)
                file.flush()
                command = [ptxas, f"--gpu-name={target}", "--opt-level=0", "--output-file=/dev/null"]
                result = subprocess.run(command + [file.name], capture_output=True, text=True)
            if result.returncode == 0:
                continue
            said = result.stderr.splitlines()
            places = [re.search(r"line (\d+)", line) for line in said]
            bad = {sum(line <= int(place[1]) for line in lines) - 1 for place in places if place}
            refused += len(bad) or len(batch)
            for index in sorted(bad):
                print(f"{target} refuses {batch[index]['name']} ({batch[index]['entry']})")
            print("\n".join(said[:5]))
        print(f"{target}: {len(targets[target])} kernels")
    return refused == 0


def check(cases):
    """Whether all that a comparison reads is there."""
    for case in cases.all:
        try:
            check_case(cases, case)
        except ValueError as error:
            fail(f"{case['name']} ({case['entry']}): {error}")
    print(f"{len(cases.all)} cases are complete")


def check_case(cases, case):
    if not cases.kernel(case).startswith(f"\n.visible .entry {case['entry']}("):
        raise ValueError("kernels.ptx: no kernel")
    if not case["targets"]:
        raise ValueError("no target has it")
    cases.array(case["input"])
    expected = cases.array(case["expected"])
    if len(expected) * case["stride"] != case["output_bytes"] * case["width"]:
        raise ValueError(f"{len(expected)} bytes of results")
    if "approximation" in case:
        function = case["approximation"]
        tuples = len(expected) // case["width"]
        for name in ("values", "errors"):
            if len(cases.array(function[name], numpy.float64)) != tuples * function["count"]:
                raise ValueError(f"{name} of other than {tuples} tuples")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="what LowpSimulatorCases wrote")
    parser.add_argument("--filter", default="", metavar="REGEX", help="cases to take, by their names")
    parser.add_argument("--driver", default="libcuda.so.1", metavar="FILE", help="the driver's library")
    parser.add_argument("--device", type=int, default=0, metavar="N", help="number of the GPU")
    parser.add_argument("--ptxas", metavar="FILE", help="only assemble the kernels, each for one target")
    parser.add_argument("--all-targets", action="store_true", help="with --ptxas: each for all targets")
    parser.add_argument("--check", action="store_true", help="only check that the folder is complete")
    options = parser.parse_args()
    cases = Cases(options.folder, options.filter)
    if options.check:
        check(cases)
        return 0
    if options.ptxas:
        return 0 if assemble(cases, options.ptxas, options.all_targets) else 1
    try:
        driver = Driver(options.driver, options.device)
    except (OSError, DriverError) as error:
        fail(f"no GPU: {error}")
    return 0 if compare(cases, driver) else 1


if __name__ == "__main__":
    sys.exit(main())
