# RUN: %python %s lowp-opt %t
"""Random programs of lowp's operations, types and attributes, from a grammar that
now and then breaks its own rules: parser, verifiers, folds and lowerings accept
them or say what is wrong, and neither crash nor hang.

generated-inputs.py OPT FOLDER [BATCHES [SEED]]: more of them, others.
"""

import concurrent.futures
import os
import random
import shutil
import subprocess
import sys

PER_BATCH = 80
TIMEOUT_S = 120
PASSES = [
    ["--canonicalize", "--cse"],
    ["--verify-roundtrip"],
    ["--lowp-decompose", "--canonicalize"],
    ["--convert-lowp-to-arith", "--canonicalize"],
    ["--convert-lowp-to-nvvm=chip=sm_100a"],
    ["--lowp-decompose", "--convert-lowp-to-arith"],
]

ELEMENTS = ["f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E4M3FN", "f8E5M2", "!lowp.s2f6"]
SCALES = ["f8E8M0FNU", "f8E4M3FN", "f32"]
NAMED = ["nvfp4", "mxfp8_e4m3", "mxfp8_e5m2", "mxfp6_e2m3", "mxfp6_e3m2", "mxfp4", "mxs2f6", "fp8_block"]
FIELDS = {
    "scale": ["rceil", "floor", "ceil", "even"],
    "sf_arith": ["divide", "te", "torchao", "compressed_tensors"],
    "sf_round": ["rne", "up"],
    "round": ["nearest", "stochastic"],
    "four_six": ["none", "mse", "mae", "absmax"],
    "four_six_error": ["scaled", "dequantized"],
    "outer_max": ["0", "1536", "448", "16777216", "16777217", "-1"],
    "outer_repr": ["decode_f32", "pow2"],
    "nonfinite": ["propagate", "saturate"],
    "neg_zero": ["keep", "drop"],
    "sf_zero": ["zero_codes", "keep_codes"],
    "bits": ["shared", "independent"],
    "rounds": ["7", "10", "0", "11"],
    "allow_clipping": ["false", "true"],
}
PRESETS = ["te", "te_four_six", "fouroversix", "torchao", "compressed_tensors", "ocp"]
LAYOUTS = ["linear", "tcgen05_128x4"]
FLOATS = ["0.0", "-0.0", "1.0", "-2.5", "6.0", "448.0", "3.4e38", "1.0e-45", "0x7F800000", "0xFF800000", "0x7FC00000"]
LARGE = ["4294967296", "2147483647", "9223372036854775807"]


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def pick(self, choices):
        return self.rng.choice(choices)

    # Pieces.

    def dims(self, rank):
        result = []
        for _ in range(rank):
            kind = self.rng.randrange(20)
            if kind < 6:
                result.append("?")
            elif kind < 8:
                result.append("0")
            elif kind == 8 and self.chance(20):
                result.append(self.pick(LARGE))
            else:
                result.append(self.pick(["1", "3", "16", "32", "33", "64", "96", "128", "130"]))
        return result

    def format(self):
        if self.chance(60):
            return self.pick(NAMED)
        element = self.pick(ELEMENTS + (["f16", "f8E8M0FNU", "i8"] if self.chance(5) else []))
        scale = self.pick(SCALES + (["f8E5M2", "f16"] if self.chance(5) else []))
        return f"<{element}, {scale}{', outer' if self.chance(40) else ''}>"

    def block(self, rank):
        sizes = ["1"] * rank
        if rank and self.chance(20) and rank >= 2:
            sizes[-1] = sizes[-2] = self.pick(["4", "16", "32", "128"])
        elif rank:
            sizes[self.rng.randrange(rank) if self.chance(30) else -1] = self.pick(["16", "32", "32", "7", "1", "128"])
        if self.chance(4):
            sizes = sizes[:-1] + [self.pick(["0", "-1", "1", "2147483648", "17"])]
        if self.chance(2):
            sizes.append("1")
        return sizes

    def blocked(self, dims, form=None, block=None):
        rank = len(dims)
        form = form or self.format()
        block = block or self.block(rank)
        text = f"!lowp.blocked<{''.join(d + 'x' for d in dims)}{form}, block = [{', '.join(block)}]"
        if "outer" in form or form == "nvfp4" or self.chance(3):
            axes = [str(i) for i in range(rank) if i < len(block) and block[i] == "1" and self.chance(60)]
            if self.chance(3):
                axes.append(self.pick(["0", "-1", "9"]))
            if axes:
                text += f", outer = [{', '.join(axes)}]"
        if self.chance(12):
            text += f", layout = {self.pick(LAYOUTS)}"
        if self.chance(12):
            text += f", groups = {self.pick(['1', '4', '0', '-1', '?'])} along {self.rng.randrange(rank + 1)}"
        return text + ">"

    def rule(self):
        if self.chance(30):
            return "#lowp.rule<>"
        parts = [self.pick(PRESETS)] if self.chance(15) else []
        for name in self.rng.sample(sorted(FIELDS), self.pick([1, 1, 2, 3])):
            parts.append(f"{name} = {self.pick(FIELDS[name])}")
        if self.chance(2):
            parts.append(self.pick(parts))
        return f"#lowp.rule<{', '.join(parts)}>"

    def tensor(self, dims, element=None):
        return f"tensor<{''.join(d + 'x' for d in dims)}{element or self.pick(['f32', 'bf16', 'f16'])}>"

    def permutation(self, rank):
        order = [str(i) for i in range(rank)]
        self.rng.shuffle(order)
        if self.chance(4) and order:
            order[0] = self.pick(["0", "-1", "7"])
        return f"[{', '.join(order)}]"

    def agree(self, dims):
        """Sizes that agree, mostly."""
        return [d if not self.chance(10) else self.pick(["?", "5", d]) for d in dims]

    # Programs: arguments, lines, results as (value, type).

    def quantize(self):
        dims = self.dims(self.pick([1, 2, 2, 2, 3, 4]) if not self.chance(2) else 0)
        source, result = self.tensor(dims), self.blocked(self.agree(dims))
        arguments, operands = [("%x", source)], ""
        for name in ("outer", "amax"):
            if self.chance(10):
                kind = self.tensor(self.dims(self.pick([0, 1, 1, 2])), "f32")
                if self.chance(40):
                    constant = f"%{name} = arith.constant dense<{self.pick(FLOATS)}> : {kind}"
                    arguments.append((constant, None))
                else:
                    arguments.append((f"%{name}", kind))
                operands += f" {name}(%{name} : {kind})"
        if self.chance(15):
            arguments += [("%seed", "i64"), ("%step", "i32")]
            operands += " seed(%seed, %step)"
        if "groups" in result and self.chance(80):
            kind = self.pick(["tensor<5xi32>", "tensor<2xi64>", "tensor<?xi64>", "tensor<1xi32>"])
            arguments.append(("%offsets", kind))
            operands += f" groups(%offsets : {kind})"
        stream = f", stream = {self.pick(['0', '3', '-1'])} : i32" if self.chance(15) else ""
        line = f"%r = lowp.quantize %x{operands} {{rule = {self.rule()}{stream}}} : {source} -> {result}"
        return arguments, [line], [("%r", result)]

    def dequantize(self):
        dims = self.dims(self.pick([1, 2, 3]))
        source, result = self.blocked(dims), self.tensor(self.agree(dims))
        return [("%x", source)], [f"%r = lowp.dequantize %x : {source} -> {result}"], [("%r", result)]

    def requantize(self):
        dims = self.dims(self.pick([1, 2, 2, 3]))
        source, result = self.blocked(dims), self.blocked(self.agree(list(reversed(dims))))
        line = (
            f"%r = lowp.requantize %x permutation = {self.permutation(len(dims))} "
            f"outer = {self.pick(['fold', 'keep'])} {{rule = {self.rule()}}} : {source} -> {result}"
        )
        return [("%x", source)], [line], [("%r", result)]

    def move(self):
        dims = self.dims(2)
        source, result = self.blocked(dims), self.blocked(list(reversed(dims)))
        if self.chance(50):
            op = f"lowp.transpose %x permutation = {self.permutation(2)}"
        else:
            op = "lowp.convert_layout %x"
            result = source[:-1] + ", layout = tcgen05_128x4>" if "layout" not in source else source
        return [("%x", source)], [f"%r = {op} : {source} -> {result}"], [("%r", result)]

    def pack(self):
        dims = self.dims(2)
        kind = self.blocked(dims)
        parts = [self.tensor(self.dims(2), "i8"), self.tensor(self.dims(2), self.pick(["i8", "i8", "f32"]))]
        if self.chance(40):
            parts.append(self.tensor(self.dims(1), "f32"))
        if self.chance(50):
            names = ", ".join(f"%p{i}" for i in range(len(parts)))
            sizes = ", ".join(["%n"] * dims.count("?"))
            arguments = [(f"%p{i}", part) for i, part in enumerate(parts)] + [("%n", "index")]
            line = f"%r = lowp.pack {names}{f' dims({sizes})' if sizes else ''} : {', '.join(parts)} -> {kind}"
            return arguments, [line], [("%r", kind)]
        results = ", ".join(f"%r{i}" for i in range(len(parts)))
        line = f"{results} = lowp.unpack %x : {kind} -> {', '.join(parts)}"
        return [("%x", kind)], [line], [(f"%r{i}", part) for i, part in enumerate(parts)]

    def dim(self):
        kind = self.blocked(self.dims(2))
        return [("%x", kind)], [f"%r = lowp.dim %x, {self.pick([0, 1, 2, 9])} : {kind}"], [("%r", "index")]

    def rht(self):
        kind = self.tensor(self.dims(self.pick([1, 2, 3])))
        extra = (" inverse" if self.chance(30) else "") + (" normalization = orthonormal" if self.chance(30) else "")
        if self.chance(20):
            extra += " signs = @s"
        line = f"%r = lowp.rht %x size = {self.pick([16, 32, 64, 128, 48, 0, -1])} axis = {self.pick([0, 1, 2, -1])}{extra} : {kind}"
        return [("%x", kind)], [line], [("%r", kind)]

    def matmul(self):
        m, n, k = self.dims(1)[0], self.dims(1)[0], self.dims(1)[0]
        lhs = self.blocked([m, k]) if self.chance(60) else self.tensor([m, k])
        turned = self.chance(50)
        shape = [n, k] if turned else [k, n]
        rhs = self.blocked(shape) if self.chance(60) else self.tensor(shape)
        result = self.tensor([m, n])
        line = f"%r = lowp.matmul %x, %w{' transpose_rhs' if turned else ''} : {lhs}, {rhs} -> {result}"
        return [("%x", lhs), ("%w", rhs)], [line], [("%r", result)]

    # Block operations, on constants half of the time: those are what folds.

    def number(self, name, kind="f32"):
        if self.chance(50):
            return name, kind
        value = self.pick(FLOATS) if kind == "f32" else str(self.pick([0, 1, -1, 127, -128, 126, 2147483647]))
        if kind == "i8":
            value = str(self.pick([0, 1, -1, 127, -128, 126, 8]))
        return f"{name} = arith.constant {value} : {kind}", None

    def vector(self, name, count, kind="f32"):
        type = f"vector<{count}x{kind}>"
        if self.chance(50):
            return (name, type), type
        value = self.pick(FLOATS) if kind == "f32" else str(self.pick([0, 1, -1, 127, -128]))
        if kind == "f32" and self.chance(50):
            value = "[" + ", ".join(self.pick(FLOATS) for _ in range(count)) + "]"
        else:
            value = f"{value}"
        return (f"{name} = arith.constant dense<{value}> : {type}", None), type

    def short_rule(self):
        return self.rule().removeprefix("#lowp.rule")

    def format_attribute(self):
        form = self.format()
        return form if form.startswith("<") else f"<{form}>"

    def scales(self):
        arguments = [self.number("%a")]
        if self.chance(40):
            line = f"%e, %d = lowp.outer_scale %a format = {self.format_attribute()} rule = {self.short_rule()}"
            line += self.pick(["", "", " from = scale", " from = amax"])
            return arguments, [line], [("%e", "f32"), ("%d", "f32")]
        if self.chance(30):
            line = f"%r = lowp.decode_scale %b type = {self.pick(SCALES + ['i8'])}"
            return [self.number("%b", "i8")], [line], [("%r", "f32")]
        outer = ""
        if self.chance(50):
            arguments += [self.number("%e"), self.number("%d")]
            outer = " outer(%e, %d)"
        stored = self.pick(["i8", "i8", "i8", "f32"])
        line = f"%s, %f = lowp.block_scale %a{outer} format = {self.format_attribute()} rule = {self.short_rule()}"
        line += f"{' four' if self.chance(20) else ''} : {stored}"
        return arguments, [line], [("%s", stored), ("%f", "f32")]

    def amax(self):
        argument, kind = self.vector("%v", self.pick([1, 2, 7, 16, 32]))
        line = f"%r = lowp.block_amax %v nonfinite = {self.pick(['propagate', 'saturate'])} : {kind}"
        return [argument], [line], [("%r", "f32")]

    def encode(self):
        count = self.pick([1, 2, 7, 16, 32])
        argument, kind = self.vector("%v", count)
        arguments, operands = [argument], ""
        if self.chance(40):
            arguments.append(("%ok", "i1"))
            operands = " valid(%ok)"
        if self.chance(30):
            random_argument, random_kind = self.vector("%w", count, "i32")
            arguments.append(random_argument)
            operands += f" random(%w : {random_kind})"
        codes = f"vector<{count // 2 if self.chance(30) else count}xi8>"
        line = (
            f"%r = lowp.encode %v{operands} element = {self.pick(ELEMENTS + ['f16'])} "
            f"rule = {self.short_rule()} : {kind} -> {codes}"
        )
        return arguments, [line], [("%r", codes)]

    def decode(self):
        count = self.pick([1, 2, 7, 8, 16])
        argument, kind = self.vector("%c", count, "i8")
        result = f"vector<{count * self.pick([1, 1, 2])}xf32>"
        return [argument], [f"%r = lowp.decode %c element = {self.pick(ELEMENTS)} : {kind} -> {result}"], [("%r", result)]

    def error(self):
        count = self.pick([1, 7, 16])
        x, kind = self.vector("%x", count)
        q, _ = self.vector("%q", count)
        line = f"%r = lowp.block_error %x, %q, %s, %o format = {self.pick(['<nvfp4>', self.format_attribute()])} rule = "
        line += self.pick(["<four_six = mse>", "<fouroversix>", "<four_six = absmax>", self.short_rule()])
        line += f"{' given_scale' if self.chance(30) else ''} : {kind}"
        return [x, q, self.number("%s"), self.number("%o")], [line], [("%r", "f32")]

    def hadamard(self):
        count = self.pick([16, 16, 32, 64, 128, 8])
        argument, kind = self.vector("%v", count)
        signs = ", ".join(self.pick(["true", "false"]) for _ in range(count if self.chance(90) else 3))
        line = f"%r = lowp.hadamard %v negate = [{signs}]{' inverse' if self.chance(40) else ''} : {kind}"
        return [argument], [line], [("%r", kind)]

    def philox(self):
        if self.chance(60):
            kind = self.pick(["i64", "vector<2xi64>", "vector<0xi64>", "i32"])
            arguments = [self.number("%seed", "i64"), self.number("%step", "i32"), self.number("%stream", "i32"), ("%g", kind)]
            line = f"%r:4 = lowp.philox %seed, %step, %stream, %g"
            line += self.pick(["", " rounds = 7", " rounds = 0"]) + (" independent" if self.chance(20) else "")
            return arguments, [f"{line} : {kind}"], []
        argument, kind = self.vector("%w", self.pick([1, 2, 4, 8]), "i32")
        result = f"vector<{self.pick([1, 3, 8, 16, 32])}xi32>"
        line = f"%r = lowp.random_bits %w bits = {self.pick([8, 16, 0, 24])}"
        return [argument], [f"{line}{' independent' if self.chance(30) else ''} : {kind} -> {result}"], [("%r", result)]

    def dot_pairs(self):
        argument, kind = self.vector("%w", self.pick([1, 8, 16, 32]), "i32")
        factors = f"{self.pick([0, 64, -32768, 32767, 40000])}, {self.pick([1, -1, 256])}"
        return [argument], [f"%r = lowp.dot_pairs %w by {factors} plus %w : {kind}"], [("%r", kind)]

    def program(self):
        make = self.pick(
            [self.quantize] * 4
            + [self.dequantize, self.requantize, self.requantize, self.move, self.pack, self.dim, self.rht, self.matmul]
            + [self.scales, self.scales, self.amax, self.encode, self.encode, self.decode, self.error]
            + [self.hadamard, self.philox, self.dot_pairs]
        )
        arguments, lines, results = make()
        lines = [text for text, kind in arguments if kind is None] + lines
        parameters = ", ".join(f"{name}: {kind}" for name, kind in arguments if kind is not None)
        body = "".join(f"  {line}\n" for line in lines)
        if results:
            kinds = ", ".join(kind for _, kind in results)
            body += f"  return {', '.join(name for name, _ in results)} : {kinds}\n"
            return f"func.func @f({parameters}) -> ({kinds}) {{\n{body}}}\n"
        return f"func.func @f({parameters}) {{\n{body}  return\n}}\n"


def run(opt, source, passes):
    """What is wrong with the run, or None; and what it said."""
    command = [opt, source, "--split-input-file", *passes, "-o", os.devnull]
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return "does not end", ""
    errors = result.stderr.decode("utf-8", "replace")
    if result.returncode not in (0, 1):
        return f"exit status {result.returncode}", errors
    if "cannot process this input" in errors:
        return "crashes", errors
    if result.returncode == 1 and "error" not in errors:
        return "fails without an error", errors
    return None, errors


def check_batch(opt, folder, seed):
    """The complaints of a batch, and how many of its programs are errors."""
    generator = Generator(seed)
    programs = [generator.program() for _ in range(PER_BATCH)]
    passes = PASSES[seed % len(PASSES)]
    source = os.path.join(folder, f"{seed}.mlir")
    with open(source, "w") as file:
        file.write("// -----\n".join(programs))
    problem, errors = run(opt, source, passes)
    if not problem:
        return [], errors.count("error:")
    # One at a time, to name those at fault.
    complaints = []
    for index, program in enumerate(programs):
        single = os.path.join(folder, f"{seed}-{index}.mlir")
        with open(single, "w") as file:
            file.write(program)
        lone_problem, lone_errors = run(opt, single, passes)
        if lone_problem:
            complaints.append(f"{' '.join(passes)} {lone_problem} on\n{program}{lone_errors[-1500:]}")
    return complaints or [f"{source}: {problem}\n{errors[-1500:]}"], 0


def main():
    opt, folder, *more = sys.argv[1:]
    batches = int(more[0]) if more else 42
    first = int(more[1]) if len(more) > 1 else 0
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda i: check_batch(opt, folder, first + i), range(batches)))
    complaints = [line for lines, _ in results for line in lines]
    errors = sum(count for _, count in results)
    print(f"{batches * PER_BATCH} programs, about {errors} with an error, {len(complaints)} at fault")
    print("\n".join(complaints[:10]), file=sys.stderr)
    # A grammar whose programs are all wrong, or all right, tests little.
    share = errors / (batches * PER_BATCH)
    return 1 if complaints or not 0.05 < share < 0.9 else 0


if __name__ == "__main__":
    sys.exit(main())
