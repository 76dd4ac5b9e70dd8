# RUN: %python %s opt %lowp_src %t
# RUN: %python %s lsp %lowp_src %t
"""No input, however malformed, crashes a tool or leaves a file behind.

Programs of the tests are damaged at random, always in the same way. A tool may
accept what comes out, or say what is wrong with it and exit with 1.
"""

import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys

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


def damaged(root, seed):
    rng = random.Random(seed)
    seeds = programs(root)
    return [mutate(rng.choice(seeds), rng) for _ in range(COUNT)]


def run_each(inputs, folder, command_of):
    """Runs a command on each input. Returns the complaints."""

    def run(index):
        source = os.path.join(folder, f"{index}.mlir")
        output = os.path.join(folder, f"{index}.out")
        with open(source, "w", encoding="utf-8") as file:
            file.write(inputs[index])
        command = command_of(index, source, output)
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
        elif result.returncode == 1 and os.path.exists(output):
            problem = "fails and leaves its output"
        if problem:
            return f"{' '.join(command)}: {problem}\n{errors[:4000]}"
        return None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [line for line in pool.map(run, range(len(inputs))) if line]


def check_opt(root, folder):
    def command(index, source, output):
        return ["lowp-opt", source, "--canonicalize", "--cse", "-o", output]

    return run_each(damaged(root, 1), folder, command)


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
