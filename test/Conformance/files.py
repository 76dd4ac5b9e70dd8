# REQUIRES: numpy
# RUN: %python %s lowp-conformance %t
"""Vectors as files: the same bytes for a seed, differences found and shown, and
malformed files refused, never with a crash."""

import copy
import json
import os
import random
import shutil
import subprocess
import sys

FILTER = "--filter=^(quantize|requantize|dequantize|rht|philox|decode|random_bits|amax|combine|[a-z_]*matmul)/(nvfp4|mxfp8_e4m3|16|words|e2m1|bits|f32)"
tool, folder = sys.argv[1:]


def run(*arguments, status=0):
    result = subprocess.run(
        [tool, *arguments], capture_output=True, text=True, errors="replace", timeout=120
    )
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    return result


def read(name, where="a"):
    with open(os.path.join(folder, where, name), "rb") as file:
        return file.read()


def write(name, content, where="b"):
    with open(os.path.join(folder, where, name), "wb") as file:
        file.write(content)


shutil.rmtree(folder, ignore_errors=True)
a, b = os.path.join(folder, "a"), os.path.join(folder, "b")
run("write", a, FILTER)
run("write", b, FILTER)
names = ("manifest.json", "inputs.bin", "outputs.bin")
assert all(read(name) == read(name, "b") for name in names)
run("write", b, FILTER, "--seed=2")
assert read("inputs.bin") != read("inputs.bin", "b")
run("write", b, FILTER)

manifest = json.loads(read("manifest.json"))
entries = {entry["name"]: entry for entry in manifest["entries"]}
assert len(entries) > 60
summary = run("check", a).stdout.splitlines()
assert summary[-1] == f"{len(entries)} cases, 0 differ", summary[-1]
assert summary[0] == f"ok {manifest['entries'][0]['name']}"
assert run("check", a, "--quiet").stdout.count("\n") == 1
assert "0 cases" in run("check", a, "--filter=^nothing$").stdout

# Results of another implementation, one code of which differs.
outputs = bytearray(read("outputs.bin"))
entry = next(e for e in entries.values() if e["name"].startswith("quantize/nvfp4/0"))
codes, scales, outer = entry["outputs"]
at = codes["offset"] + codes["shape"][1] + 2
expected = outputs[at]
outputs[at] ^= 0x10
theirs = os.path.join(folder, "theirs.bin")
with open(theirs, "wb") as file:
    file.write(outputs)
result = run("check", a, f"--results={theirs}", "--quiet", status=1).stdout
line = f"codes[1, 2]: expected {expected:#04x}, but got {expected ^ 0x10:#04x}"
assert result == f"differs {entry['name']}: {line}\n{len(entries)} cases, 1 differ\n", result

# Any NaN of a float tensor equals any other.
outputs = bytearray(read("outputs.bin"))
for e in entries.values():
    if e["op"] != "dequantize" or e["attributes"]["dtype"] != "f32":
        continue
    y = e["outputs"][0]
    for i in range(y["offset"], y["offset"] + y["bytes"], 4):
        number = int.from_bytes(outputs[i : i + 4], "little")
        if number & 0x7FFFFFFF > 0x7F800000:
            outputs[i : i + 4] = b"\x01\x00\xA0\xFF"
assert outputs != read("outputs.bin")
with open(theirs, "wb") as file:
    file.write(outputs)
run("check", a, f"--results={theirs}", "--quiet")

# Malformed: what is wrong is said.
for change, message in (
    (lambda m: m.update(version=2), "expects version 1"),
    (lambda m: m.update(format="other"), "expects a manifest of format"),
    (lambda m: m["entries"][0].update(op="sum"), "'op' is not one of"),
    (lambda m: m["entries"][0]["attributes"].update(element="e9"), "'element' is not one of"),
    (lambda m: m["entries"][0]["attributes"].update(shape=[1 << 40]), "sizes between 0 and 2^31"),
    (lambda m: m["entries"][0]["attributes"].update(shape=[17]), "expects shape [17]"),
    (lambda m: m["entries"][0]["outputs"][0].update(offset=1 << 50), "inside a file of"),
    (lambda m: m["entries"][0]["outputs"][0].update(offset=-1), "inside a file of"),
    (lambda m: m["entries"][0]["inputs"].clear(), "expects 1 inputs"),
    (lambda m: m["entries"].append(m["entries"][0]), "occurs twice"),
    (lambda m: m["entries"].append(7), "an object with a name"),
):
    damaged = copy.deepcopy(manifest)
    change(damaged)
    write("manifest.json", json.dumps(damaged).encode())
    errors = run("check", b, status=1).stderr
    assert message in errors and errors.startswith("lowp-conformance: error: "), errors
for text, message in (
    (b"", ""),
    (b"[" * 100000, "at most 32 deep"),
    (b'{"format": "lowp-conformance", "version": 1}', "a list 'entries'"),
):
    write("manifest.json", text)
    assert message in run("check", b, status=1).stderr
write("manifest.json", read("manifest.json"))
write("outputs.bin", read("outputs.bin")[:1000])
assert "inside a file of 1000 bytes" in run("check", b, status=1).stderr
os.remove(os.path.join(b, "inputs.bin"))
assert "cannot read" in run("run", b, status=1).stderr
assert "expects a folder" in run("check", status=1).stderr
assert "but got 'sing'" in run("sing", status=1).stderr
assert "--filter" in run("check", a, "--filter=(", status=1).stderr

# Damaged at random, always in the same way: never a crash.
rng = random.Random(7)
run("write", b, FILTER)
weird = [None, -1, 0, 1, 7, 1 << 31, 1 << 62, 1e300, "", "e2m1", True, [], {}, [1, 1], [-1], [1 << 40, 0]]


def places(value, found):
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        found.append((value, key))
        if isinstance(child, (dict, list)):
            places(child, found)
    return found


sample = {**manifest, "entries": rng.sample(manifest["entries"], 12)}
for _ in range(120):
    damaged = copy.deepcopy(sample)
    for _ in range(rng.choice([1, 1, 2, 4])):
        owner, key = rng.choice(places(damaged, []))
        owner[key] = rng.choice(weird)
    data = bytearray(json.dumps(damaged).encode())
    if rng.random() < 0.3:
        data[rng.randrange(len(data))] = rng.randrange(256)
    write("manifest.json", data)
    result = subprocess.run(
        [tool, "check", b, "--quiet"], capture_output=True, text=True, errors="replace", timeout=60
    )
    assert result.returncode in (0, 1), (result.returncode, data)
    assert "cannot process this input" not in result.stderr, data
