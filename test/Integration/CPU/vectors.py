# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Compiled programs give the golden vectors, bit for bit.

One module holds a function per format, rule and input type, on dynamic shapes,
and one per shape for some; every entry of the manifest that a program can
express runs through it. What is left out is counted, with the reason.
"""

import collections
import json
import os
import subprocess
import sys

import numpy as np

import lowp

vectors = os.path.join(os.path.dirname(__file__), "..", "..", "Inputs", "vectors")
sys.path.insert(0, vectors)
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import lpvec  # noqa: E402
import stochastic  # noqa: E402

ELEMENTS = {
    "e2m1": "f4E2M1FN",
    "e2m3": "f6E2M3FN",
    "e3m2": "f6E3M2FN",
    "e4m3": "f8E4M3FN",
    "e5m2": "f8E5M2",
    "s2f6": "!lowp.s2f6",
}
SCALES = {"ue4m3": "f8E4M3FN", "ue8m0": "f8E8M0FNU"}


class Excluded(Exception):
    """The entry has no program; the text says why."""


class Module:
    """Functions to compile together, by their text without the name."""

    def __init__(self):
        self.names = {}
        self.extra = []

    def add(self, text):
        return self.names.setdefault(text, f"f{len(self.names)}")

    def compile(self, compiler, path):
        source = path + ".mlir"
        with open(source, "w") as file:
            file.write("\n".join(self.extra))
            for text, name in self.names.items():
                file.write(f"func.func @{name}{text}\n")
        # Behind the pass that wants a stream of its own for every operation:
        # the vectors have few.
        stages = "--resume-from=simplify"
        subprocess.run(
            [compiler, source, stages, "--target=cpu", "--emit=shared", "-o", path],
            check=True,
        )
        self.program = lowp.Program(path)

    def call(self, name, *arguments):
        results = self.program(*arguments, entry=name)
        return results if isinstance(results, tuple) else (results,)


def read(entry, cache={}):
    path = os.path.join(vectors, entry["file"])
    if path not in cache:
        cache[path] = lpvec.read(path)
    return {role: cache[path][name] for role, name in entry["arrays"].items()}


def float_type(x):
    return "bf16" if x.dtype == np.uint16 else "f32"


def as_argument(x):
    return x if x.dtype == np.uint16 else lpvec.f32(x)


def dims(shape):
    return "".join(f"{d}x" for d in shape)


class Format:
    """The blocked type and the rule of a `contract`."""

    def __init__(self, contract):
        self.element = contract["elem"]
        self.scale = contract["scale"]
        self.element_type = ELEMENTS[self.element]
        self.sr_bits = contract["sr_bits"] if contract.get("round") == "sr" else 0
        outer = contract.get("outer", "none")
        self.outer = outer != "none"
        self.per_row = outer == "row"
        block = contract["block"]
        self.block = block if isinstance(block, list) else [1, block]
        outer = ", outer" if self.outer else ""
        self.format_attribute = f"<{self.element_type}, {SCALES[self.scale]}{outer}>"
        self.rule = self.get_rule(contract)
        if self.sr_bits:
            fields = f"round = stochastic, sr_bits = {self.sr_bits}"
            if contract.get("sf_round") == "ceil":
                fields += ", allow_clipping = true"
            self.rule = f"{self.rule[:-1]}, {fields}>"

    def get_rule(self, contract):
        if self.scale == "ue8m0":
            rule = contract.get("ue8m0_rule", "rceil")
            return f"#lowp.rule<scale = {rule}>"
        fields = [f"sf_arith = {contract.get('sf_arith', 'te')}"]
        if "sf_round" in contract:
            names = {"ceil": "ceil", "ceil_exact": "up"}
            fields.append(f"sf_round = {names[contract['sf_round']]}")
        if "map_to" in contract:
            fields.append(f"map_to = {contract['map_to']}")
        if contract.get("four_six", "none") != "none":
            fields.append(f"four_six = {contract['four_six']}")
            error = contract.get("four_six_error", "dequantized")
            fields.append(f"four_six_error = {error}")
        if self.outer and "outer_max" in contract:
            fields.append(f"outer_max = {contract['outer_max']}")
        if self.outer and contract.get("outer_repr") == "pow2":
            fields.append("outer_repr = pow2")
        return f"#lowp.rule<{', '.join(fields)}>"

    def type(self, shape, axis=1):
        outer = ", outer" if self.outer else ""
        block = self.block if axis == 1 else self.block[::-1]
        axes = f", outer = [{1 - axis}]" if self.per_row else ""
        return (
            f"!lowp.blocked<{dims(shape)}<{ELEMENTS[self.element]}, "
            f"{SCALES[self.scale]}{outer}>, block = {block}{axes}>"
        )

    def packed(self):
        return self.element == "e2m1"

    def plain_type(self, shape):
        """The blocked type without the outer scale."""
        return (
            f"!lowp.blocked<{dims(shape)}<{self.element_type}, {SCALES[self.scale]}>, "
            f"block = {self.block}>"
        )

    def component_types(self, shape):
        rows, columns = shape
        codes = columns // 2 if self.packed() else columns
        outer = f"{rows}x" if self.per_row else ""
        return (
            f"tensor<{rows}x{codes}xi8>",
            f"tensor<{rows}x{-(-columns // self.block[1])}xi8>",
            f"tensor<{outer}f32>",
        )


def quantize_text(format, dtype, shape, axis=1, amax=False):
    source = f"tensor<{dims(shape)}{dtype}>"
    result = format.type(shape, axis)
    argument = operand = ""
    if amax:
        groups = f"tensor<{dims(shape[1 - axis:2 - axis] if format.per_row else [])}f32>"
        argument, operand = f", %amax: {groups}", f" amax(%amax : {groups})"
    return f"""(%x: {source}{argument}) -> {result} {{
  %q = lowp.quantize %x{operand} {{rule = {format.rule}}} : {source} -> {result}
  return %q : {result}
}}"""


def dequantize_text(format, shape):
    source = format.type(shape)
    return f"""(%q: {source}) -> tensor<{dims(shape)}f32> {{
  %y = lowp.dequantize %q : {source} -> tensor<{dims(shape)}f32>
  return %y : tensor<{dims(shape)}f32>
}}"""


def blocked_arguments(format, arrays, shape, dynamic=True):
    """Components of a blocked argument, in the order of a signature."""
    result = [arrays[0].view(np.int8), arrays[1].view(np.int8)]
    if format.outer:
        outer = lpvec.f32(arrays[2])
        result.append(outer if format.per_row else outer.reshape(()))
    if dynamic and format.packed():
        result.append(np.int64(shape[1]))
    return result


def unpack(codes, columns):
    codes = codes.view(np.uint8)
    wide = np.stack([codes & 15, codes >> 4], axis=-1)
    return wide.reshape(codes.shape[0], -1)[:, :columns]


def table_text(source, result, body, step):
    """A loop over two tensors of `?` elements; `body` makes %c, a vector of
    `step` elements (or a scalar), from %v."""
    shape = [f"{step}x", f"{step}x"]
    if "packed" in (source, result):
        shape[source != "packed"] = f"{step // 2}x"
    types = [t.replace("packed", "i8") for t in (source, result)]
    read, write = (f"vector<{s}{t}>" for s, t in zip(shape, types))
    at = ["%i", "%i"]
    half = "    %half = arith.divsi %i, %two : index\n" if "packed" in (source, result) else ""
    if half:
        at[source != "packed"] = "%half"
    size = "%n" if result != "packed" else "%n2"
    return f"""(%x: tensor<?x{types[0]}>) -> tensor<?x{types[1]}> {{
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %step = arith.constant {step} : index
  %pad = arith.constant 0{".0" if types[0] == "f32" else ""} : {types[0]}
  %n = tensor.dim %x, %zero : tensor<?x{types[0]}>
  %n2 = arith.divsi %n, %two : index
  %init = tensor.empty({size}) : tensor<?x{types[1]}>
  %r = scf.for %i = %zero to %n step %step iter_args(%t = %init) -> tensor<?x{types[1]}> {{
{half}    %v = vector.transfer_read %x[{at[0]}], %pad {{in_bounds = [true]}} : tensor<?x{types[0]}>, {read}
    {body}
    %u = vector.transfer_write %c, %t[{at[1]}] {{in_bounds = [true]}} : {write}, tensor<?x{types[1]}>
    scf.yield %u : tensor<?x{types[1]}>
  }}
  return %r : tensor<?x{types[1]}>
}}"""


def all_bfloats(count):
    return (np.arange(count, dtype=np.uint32) << 16).view(np.float32)


class Mismatch(Exception):
    pass


def compare(what, actual, expected):
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.dtype == np.float32 or expected.dtype == np.float32:
        actual, expected = actual.view(np.float32), expected.view(np.float32)
        same = (actual.view(np.uint32) == expected.view(np.uint32)) | (
            np.isnan(actual) & np.isnan(expected)
        )
    else:
        actual = actual.view(np.uint8)
        same = actual == expected if actual.shape == expected.shape else np.False_
    if actual.shape != expected.shape:
        raise Mismatch(f"{what}: shape {actual.shape} instead of {expected.shape}")
    if not same.all():
        at = tuple(int(i[0]) for i in np.nonzero(~same))
        raise Mismatch(f"{what}{list(at)}: {actual[at]} instead of {expected[at]}")


def compare_blocked(what, format, actual, arrays, scales="scales", codes="codes"):
    compare(what + scales, actual[1], arrays[scales])
    compare(what + codes, actual[0], arrays[codes])
    if format.outer and "outer" in arrays:
        outer = lpvec.f32(arrays["outer"])
        compare(what + "outer", actual[2].reshape(outer.shape), outer)


class Tests:
    """One `plan_OP` per op: adds functions to the module and gives the check
    that runs once they are compiled."""

    def __init__(self):
        self.module = Module()
        # Rules whose blocks are also laid along the other dim, and that also
        # run on static shapes.
        self.static = collections.Counter()

    def plan_quantize(self, entry):
        format, arrays = Format(entry["contract"]), read(entry)
        if format.sr_bits:
            return self.plan_stochastic(entry["contract"], format, arrays)
        x = arrays["x"]
        shape, dtype = x.shape, float_type(x)
        module, add = self.module, self.module.add
        checks = []

        def check(name, arguments, what, **roles):
            checks.append(
                lambda: compare_blocked(
                    what, format, module.call(name, *arguments), arrays, **roles
                )
            )

        dynamic = add(quantize_text(format, dtype, "??"))
        check(dynamic, [as_argument(x)], "")
        if "t_codes" in arrays:
            transposed = np.ascontiguousarray(x.T)
            check(
                dynamic,
                [as_argument(transposed)],
                "transposed: ",
                scales="t_scales",
                codes="t_codes",
            )
        if "amax" in arrays:
            amax = lpvec.f32(arrays["amax"])
            amax = amax if format.per_row else amax.reshape(())
            name = add(quantize_text(format, dtype, "??", amax=True))
            check(name, [as_argument(x), amax], "given amax: ")
        if "dequant" in arrays:
            name = add(dequantize_text(format, "??"))
            components = [arrays["codes"], arrays["scales"], arrays.get("outer")]
            arguments = blocked_arguments(format, components, shape)
            checks.append(
                lambda name=name: compare(
                    "dequant",
                    module.call(name, *arguments)[0],
                    lpvec.f32(arrays["dequant"]),
                )
            )
        # Each rule on two static shapes, and along the other dim.
        key = (format.rule, format.element, format.type("??"))
        self.static[key] += 1
        if self.static[key] <= 2:
            name = add(quantize_text(format, dtype, shape))
            check(name, [as_argument(x)], "static: ")
        if format.block[0] == 1 and self.static[key] <= 4:
            self.plan_other_dim(format, arrays, dtype, checks)
        return checks

    def plan_stochastic(self, contract, format, arrays):
        """By the key on dynamic shapes, where there is one, and with the bits
        given."""
        x = arrays["x"]
        checks = []
        if "key" in contract:
            key = contract["key"]
            result = format.type("??")
            source = f"tensor<{dims('??')}{float_type(x)}>"
            name = self.module.add(
                f"""(%x: {source}, %seed: i64, %step: i32) -> {result} {{
  %q = lowp.quantize %x seed(%seed, %step) {{rule = {format.rule}, stream = {key["stream"]} : i32}} : {source} -> {result}
  return %q : {result}
}}"""
            )
            arguments = [as_argument(x), np.int64(int(key["seed"], 16)), np.int32(key["step"])]
            checks.append(
                lambda: compare_blocked(
                    "by key: ", format, self.module.call(name, *arguments), arrays
                )
            )
        text = stochastic.quantize_given_bits(format, float_type(x), x.shape, format.rule[10:])
        given = self.module.add(text)
        bits = arrays["rbits"].astype(np.int32)
        checks.append(
            lambda: compare_blocked(
                "bits given: ", format, self.module.call(given, as_argument(x), bits), arrays
            )
        )
        return checks

    def plan_stochastic_requantize(self, contract, source, result, arrays):
        codes, fold = arrays["codes_in"], contract["fold_outer"]
        shape = (codes.shape[0], codes.shape[1] * 2)
        values = self.module.add(stochastic.values_text(source, result, shape, fold))
        plain = Format({**contract, "outer": "none"})
        rounded = self.module.add(
            stochastic.quantize_given_bits(plain, "f32", shape[::-1], plain.rule[10:])
        )
        components = [codes, arrays["scales_in"], arrays["outer_in"]]
        arguments = blocked_arguments(source, components, shape, dynamic=False)
        bits = arrays["rbits"].astype(np.int32)

        def run():
            y = self.module.call(values, *arguments)[0]
            compare_blocked("", plain, self.module.call(rounded, y, bits), arrays)

        return [run]

    def plan_counts(self, contract, arrays):
        """Codes over all random words of a few values."""
        count = 1 << contract["sr_bits"]
        x = lpvec.f32(arrays["x"])
        name = self.module.add(
            stochastic.encode_words(ELEMENTS[contract["elem"]], contract["sr_bits"])
        )

        def run():
            words = np.tile(np.arange(count, dtype=np.int32), x.size)
            codes = self.module.call(name, np.repeat(x, count), words)[0].view(np.uint8)
            codes = codes.reshape(x.size, count)
            low, high = codes[:, :1], codes[:, -1:]
            compare("lo_hi", np.hstack([low, high]), arrays["lo_hi"])
            others = (codes == high) & (codes != low)
            counts = np.stack([(codes == low).sum(1), others.sum(1)], axis=1)
            if (counts != arrays["count"]).any():
                raise Mismatch(f"count: {counts} instead of {arrays['count']}")

        return [run]

    def plan_philox4x32_10(self, entry):
        contract, arrays = entry["contract"], read(entry)
        rows = []
        if "ctr" in arrays:
            for counter, key in zip(arrays["ctr"].tolist(), arrays["key"].tolist()):
                rows.append((counter, key))
        else:
            # Two consecutive counters of each stream; the offset counts them.
            for place in arrays["seed_subseq_offset"].tolist():
                for offset in (0, 1):
                    group = (place[4] | place[5] << 32) + offset
                    counter = [group & 0xFFFFFFFF, group >> 32 & 0xFFFFFFFF, *place[2:4]]
                    rows.append((counter, place[:2]))
        calls = []
        for counter, key in rows:
            name = self.module.add(stochastic.philox_words(counter[2], contract["rounds"]))
            numbers = np.array([key, counter[:2]], np.uint32).view(np.int64).reshape(2)
            calls.append((name, numbers[0], np.uint32(counter[3]).view(np.int32), numbers[1]))

        def run():
            words = [self.module.call(*call) for call in calls]
            words = np.array(words).view(np.uint32).reshape(arrays["out"].shape)
            if (words != arrays["out"]).any():
                raise Mismatch(f"words: {words} instead of {arrays['out']}")

        return [run]

    def plan_sr_bits(self, entry):
        contract, arrays = entry["contract"], read(entry)
        text = stochastic.random_bits(
            contract["shape"], contract["stream"], contract["rounds"], contract["sr_bits"]
        )
        name = self.module.add(text)
        seed, step = np.int64(int(contract["seed"], 16)), np.int32(contract["step"])

        def run():
            bits = self.module.call(name, seed, step)[0]
            if (bits != arrays["bits"]).any():
                raise Mismatch(f"bits: {bits} instead of {arrays['bits']}")

        return [run]

    def plan_other_dim(self, format, arrays, dtype, checks):
        """Blocks along dim 0 of the transpose: the same codes and scales."""
        x = arrays["x"]
        name = self.module.add(quantize_text(format, dtype, "??", axis=0))
        transposed = as_argument(np.ascontiguousarray(x.T))

        def run():
            codes, scales = self.module.call(name, transposed)[:2]
            expected = arrays["codes"]
            if format.packed():
                codes = unpack(codes, x.shape[0])
                expected = unpack(expected, x.shape[1])
            compare("other dim: scales", np.ascontiguousarray(scales.T), arrays["scales"])
            compare("other dim: codes", np.ascontiguousarray(codes.T), expected)

        checks.append(run)

    def plan_table(self, text, argument, what, expected, step):
        name = self.module.add(text)
        count = argument.size
        padded = np.zeros(-(-count // step) * step, argument.dtype)
        padded[:count] = argument.reshape(-1)

        def run():
            actual = self.module.call(name, padded)[0]
            compare(what, actual[: expected.size], expected.reshape(-1))

        return [run]

    def plan_decode(self, entry):
        contract, arrays = entry["contract"], read(entry)
        if "table" in arrays:
            expected = lpvec.f32(arrays["table"])
            codes = np.arange(expected.size).astype(np.uint8)
        else:
            expected, codes = lpvec.f32(arrays["values"]), arrays["codes"].astype(np.uint8)
        if "scale" in contract:
            step = 1
            body = f"""%b = vector.extract %v[0] : i8 from vector<1xi8>
    %s = lowp.decode_scale %b type = {SCALES[contract["scale"]]}
    %c = vector.broadcast %s : f32 to vector<1xf32>"""
        else:
            step = 16
            body = (
                f"%c = lowp.decode %v element = {ELEMENTS[contract['elem']]}"
                " : vector<16xi8> -> vector<16xf32>"
            )
        text = table_text("i8", "f32", body, step)
        return self.plan_table(text, codes.view(np.int8), "values", expected, step)

    def plan_encode(self, entry):
        contract, arrays = entry["contract"], read(entry)
        if contract["round"] == "sr":
            return self.plan_counts(contract, arrays)
        expected = arrays["codes"]
        saturates = contract.get("sat", True)
        if "scale" in contract:
            x = lpvec.f32(arrays["x"]) if "x" in arrays else all_bfloats(expected.size)
            rounds = {"rne": "nearest", "rz": "toward_zero", "rp": "up"}
            body = f"""%a = vector.extract %v[0] : f32 from vector<1xf32>
    %b = lowp.encode_scale %a type = {SCALES[contract["scale"]]}
      round = {rounds[contract["round"]]} overflow = {"saturate" if saturates else "nonfinite"}
    %c = vector.broadcast %b : i8 to vector<1xi8>"""
            text = table_text("f32", "i8", body, 1)
            return self.plan_table(text, x, "codes", expected, 1)
        # NaN has a code where it does not take the block's scale.
        fields = ["nonfinite = saturate"]
        if contract["round"] == "rz":
            fields.append("round = toward_zero")
        if not saturates and contract["elem"] in ("e4m3", "e5m2"):
            fields.append("overflow = nonfinite")
        if "x" not in arrays:
            x = all_bfloats(65536)
        elif arrays["x"].dtype == np.uint16:
            x = (arrays["x"].astype(np.uint32) << 16).view(np.float32)
        else:
            x = lpvec.f32(arrays["x"])
        packed = expected.size * 2 == x.size
        result = f"vector<{16 if packed else 32}xi8>"
        body = (
            f"%c = lowp.encode %v element = {ELEMENTS[contract['elem']]}"
            f" rule = <{', '.join(fields)}> : vector<32xf32> -> {result}"
        )
        text = table_text("f32", "packed" if packed else "i8", body, 32)
        return self.plan_table(text, x, "codes", expected, 32)

    def plan_encode_scaled(self, entry):
        contract, arrays = entry["contract"], read(entry)
        expected = arrays["codes"]
        name = self.module.add(
            f"""(%x: tensor<?xf32>, %s: tensor<?xi8>) -> tensor<?xi8> {{
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %init = tensor.empty(%n) : tensor<?xi8>
  %r = scf.for %i = %zero to %n step %step iter_args(%t = %init) -> tensor<?xi8> {{
    %a = tensor.extract %x[%i] : tensor<?xf32>
    %b = tensor.extract %s[%i] : tensor<?xi8>
    %scale = lowp.decode_scale %b type = {SCALES[contract["scale"]]}
    // Exact: scales are powers of two.
    %factor = arith.divf %one, %scale : f32
    %scaled = arith.mulf %a, %factor : f32
    %v = vector.broadcast %scaled : f32 to vector<1xf32>
    %c = lowp.encode %v element = {ELEMENTS[contract["elem"]]} : vector<1xf32> -> vector<1xi8>
    %code = vector.extract %c[0] : i8 from vector<1xi8>
    %u = tensor.insert %code into %t[%i] : tensor<?xi8>
    scf.yield %u : tensor<?xi8>
  }}
  return %r : tensor<?xi8>
}}"""
        )
        x = lpvec.f32(arrays["x"]).reshape(-1)
        scales = arrays["scale_bytes"].reshape(-1).astype(np.uint8).view(np.int8)
        return [
            lambda: compare(
                "codes", self.module.call(name, x, scales)[0], expected.reshape(-1)
            )
        ]

    def plan_dequantize(self, entry):
        order = entry["contract"].get("deq_order", "outer_last")
        if order != "outer_last":
            raise Excluded("values are fl(fl(q * sf) * S_dec) in every format")
        arrays = read(entry)
        contract = dict(entry["contract"])
        if "outer" in arrays:
            contract["outer"] = "tensor"
        format = Format(contract)
        shape = arrays["dequant"].shape
        components = [arrays["codes"], arrays["scales"], arrays.get("outer")]
        checks = []
        for sizes, dynamic in (("??", True), (shape, False)):
            name = self.module.add(dequantize_text(format, sizes))
            arguments = blocked_arguments(format, components, shape, dynamic)
            checks.append(
                lambda name=name, arguments=arguments: compare(
                    "dequant",
                    self.module.call(name, *arguments)[0],
                    lpvec.f32(arrays["dequant"]),
                )
            )
        return checks

    def plan_requantize(self, entry):
        contract, arrays = entry["contract"], read(entry)
        fold = contract["fold_outer"]
        source = Format(contract["source"])
        result = Format({**contract, "outer": "none"})
        if result.sr_bits:
            return self.plan_stochastic_requantize(contract, source, result, arrays)
        if not fold:
            result.outer, result.per_row = True, False
        text = f"""(%q: {source.type("??")}) -> {result.type("??")} {{
  %r = lowp.requantize %q permutation = [1, 0] outer = {"fold" if fold else "keep"}
     {{rule = {result.rule}}} : {source.type("??")} -> {result.type("??")}
  return %r : {result.type("??")}
}}"""
        name = self.module.add(text)
        codes = arrays["codes_in"]
        components = [codes, arrays["scales_in"], arrays["outer_in"]]
        shape = (codes.shape[0], codes.shape[1] * 2)
        arguments = blocked_arguments(source, components, shape)
        expected = dict(arrays, outer=arrays["outer_in"])
        return [
            lambda: compare_blocked(
                "", result, self.module.call(name, *arguments), expected
            )
        ]

    def plan_hadamard(self, entry):
        contract, arrays = entry["contract"], read(entry)
        size = contract["block"]
        inverse = " inverse" if contract["direction"] == "inverse" else ""
        negate = lpvec.f32(arrays["signs"]) < 0
        signs = f"lowp.signs @s{size} = [{', '.join(str(bool(n)).lower() for n in negate)}]"
        if signs not in self.module.extra:
            self.module.extra.append(signs)
        x = lpvec.f32(arrays["x"])
        checks = []
        named = [f" signs = @s{size}"] + ([""] if size == 16 else [])
        for name_signs in named:
            for shape in ("??", x.shape):
                tensor = f"tensor<{dims(shape)}f32>"
                name = self.module.add(
                    f"""(%x: {tensor}) -> {tensor} {{
  %y = lowp.rht %x size = {size} axis = 1{inverse}{name_signs} : {tensor}
  return %y : {tensor}
}}"""
                )
                checks.append(
                    lambda name=name: compare(
                        "y", self.module.call(name, x)[0], lpvec.f32(arrays["y"])
                    )
                )
        return checks

    def plan_convert_layout(self, entry):
        arrays = read(entry)
        if "linear" not in arrays:
            return self.plan_offsets(arrays)
        linear = arrays["linear"]
        shape = (linear.shape[0], linear.shape[1] * 32)
        codes = np.zeros(shape, np.int8)
        expected = arrays["swizzled"].reshape(-1)
        checks = []
        for sizes in ("??", shape):
            plain = f"!lowp.blocked<{dims(sizes)}mxfp8_e4m3, block = [1, 32]>"
            tiled = plain[:-1] + ", layout = tcgen05_128x4>"
            there = self.module.add(
                f"""(%q: {plain}) -> {tiled} {{
  %t = lowp.convert_layout %q : {plain} -> {tiled}
  return %t : {tiled}
}}"""
            )
            back = self.module.add(
                f"""(%q: {tiled}) -> {plain} {{
  %t = lowp.convert_layout %q : {tiled} -> {plain}
  return %t : {plain}
}}"""
            )

            def run(there=there, back=back):
                tiles = self.module.call(there, codes, linear.view(np.int8))[1]
                compare("swizzled", tiles, expected)
                # What lies in the padding is never read.
                compare("linear", self.module.call(back, codes, tiles)[1], linear)

            checks.append(run)
        return checks

    def plan_offsets(self, arrays):
        """Where a scale that is not zero comes to lie."""
        plain = "!lowp.blocked<?x?xmxfp8_e4m3, block = [1, 32]>"
        tiled = plain[:-1] + ", layout = tcgen05_128x4>"
        name = self.module.add(
            f"""(%q: {plain}) -> {tiled} {{
  %t = lowp.convert_layout %q : {plain} -> {tiled}
  return %t : {tiled}
}}"""
        )
        places = arrays["row_col_cols"].reshape(-1, 3)

        def run():
            for (row, column, columns), offset in zip(
                places.tolist(), arrays["offsets"].reshape(-1).tolist()
            ):
                scales = np.zeros((row + 1, columns), np.int8)
                scales[row, column] = 1
                codes = np.zeros((row + 1, columns * 32), np.int8)
                tiles = np.asarray(self.module.call(name, codes, scales)[1])
                found = np.flatnonzero(tiles)
                if found.tolist() != [offset]:
                    raise Mismatch(f"scale ({row}, {column}) at {found} instead of {offset}")

        return [run]

    def plan_transpose(self, entry):
        arrays = read(entry)
        codes = arrays["codes"]
        source = "!lowp.blocked<?x?xmxfp4, block = [1, 32]>"
        result = "!lowp.blocked<?x?xmxfp4, block = [32, 1]>"
        name = self.module.add(
            f"""(%q: {source}) -> {result} {{
  %t = lowp.transpose %q permutation = [1, 0] : {source} -> {result}
  return %t : {result}
}}"""
        )
        columns = codes.shape[1] * 2
        scales = np.zeros((codes.shape[0], -(-columns // 32)), np.int8)
        arguments = [codes.view(np.int8), scales, np.int64(columns)]
        return [
            lambda: compare(
                "t_codes", self.module.call(name, *arguments)[0], arrays["t_codes"]
            )
        ]


def check_empty(module):
    """Empty tensors: empty results of the right shape, and no crash."""
    count = 0
    for text, name in module.names.items():
        signature = module.program.entries[name]
        argument = signature.arguments[0]
        if "lowp.quantize" not in text or len(signature.arguments) != 1:
            continue
        if argument.shape != (None, None):
            continue
        for shape in ((0, 64), (3, 0), (0, 0)):
            dtype = np.uint16 if argument.dtype == "bf16" else np.float32
            results = module.call(name, np.zeros(shape, dtype))
            assert results[0].size == 0 and results[1].size == 0, (text, shape)
            assert results[0].shape[0] == shape[0], (text, shape)
            count += 1
    return count


def main():
    compiler, path = sys.argv[1:]
    manifest = json.load(open(os.path.join(vectors, "manifest.json")))
    tests = Tests()
    excluded = collections.Counter()
    planned = []
    for entry in manifest["entries"]:
        op = entry["op"]
        try:
            planned.append((entry, getattr(tests, "plan_" + op)(entry)))
        except Excluded as reason:
            excluded[op, str(reason)] += 1
    tests.module.compile(compiler, path + ".so")

    reproduced = collections.Counter()
    failures = []
    for entry, checks in planned:
        try:
            for check in checks:
                check()
            reproduced[entry["op"]] += 1
        except Mismatch as mismatch:
            failures.append(f"{entry['file']} {entry['out']}: {mismatch}")
    empty = check_empty(tests.module)

    print(f"functions compiled: {len(tests.module.names)}, calls on empty: {empty}")
    for op, count in sorted(reproduced.items()):
        print(f"{op}: {count} reproduced")
    for (op, reason), count in sorted(excluded.items()):
        print(f"{op}: {count} excluded: {reason}")
    print(*failures[:40], sep="\n")
    total = sum(reproduced.values()) + sum(excluded.values())
    print(f"reproduced {sum(reproduced.values())} / excluded {sum(excluded.values())} of {total}")
    assert not failures, f"{len(failures)} entries differ"
    assert sum(excluded.values()) == 8, "docs/conformance.md lists what is left out"
    assert total == len(manifest["entries"])
    assert tests.module.program.live_allocations == 0


if __name__ == "__main__":
    main()
