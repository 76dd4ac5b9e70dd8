# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s make
# RUN: lowp-run add.mlir --entry=add --input=x.npy --input=y.npy --output=z.npy | FileCheck %s
# CHECK: out0: f32[2x3]
# RUN: lowp-run add.mlir --entry=add --input=in.npz --output=z.npz
# RUN: lowp-run add.mlir --entry=add --input=deflated.npz --output=z2.npz
# RUN: cmp z.npz z2.npz
# RUN: %python %s check
# RUN: lowp-run add.mlir --entry=add --input=in.npz --expect=z.npz --max-rel=0 | FileCheck %s --check-prefix=EXACT
# EXACT: out0: max|err| 0, |err|/|ref| 0 (limit 0) ok
# RUN: not lowp-run add.mlir --entry=add --input=in.npz --expect=off.npz --max-rel=0.001 | FileCheck %s --check-prefix=OFF
# OFF: out0: max|err| 1, |err|/|ref| {{.*}} FAIL

# The step of stochastic rounding, a last argument, may be left out.
# RUN: lowp-run add.mlir --entry=step --output=step.npy | FileCheck %s --check-prefix=STEP
# STEP: out0: i32

# RUN: not lowp-run add.mlir --input=in.npz --output=o.npz 2>&1 | FileCheck %s --check-prefix=ENTRY
# ENTRY: error: the program has no entry 'main'; known are add, step, fails
# RUN: not lowp-run add.mlir --entry=add --input=x.npy --output=o.npy 2>&1 | FileCheck %s --check-prefix=COUNT
# COUNT: error: 'add' expects 2 arguments, but got 1
# RUN: not lowp-run add.mlir --entry=add --input=x.npy --input=wide.npy --output=o.npy 2>&1 | FileCheck %s --check-prefix=DTYPE
# DTYPE: error: argument 1 of 'add': expected f32[?x3], but got f64[2x3]
# RUN: not lowp-run add.mlir --entry=add --input=x.npy --input=long.npy --output=o.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
# SHAPE: error: argument 1 of 'add': expected f32[?x3], but got f32[2x4]
# RUN: not lowp-run add.mlir --entry=add --input=x.npy --input=absent.npy --output=o.npy 2>&1 | FileCheck %s --check-prefix=ABSENT
# ABSENT: error: 'absent.npy': No such file or directory
# RUN: not lowp-run add.mlir --entry=add --input=x.npy --input=text.npy --output=o.npy 2>&1 | FileCheck %s --check-prefix=TEXT
# TEXT: error: 'text.npy': not a .npy file
# RUN: not lowp-run add.mlir --entry=add --input=x.npy --input=cut.npy --output=o.npy 2>&1 | FileCheck %s --check-prefix=CUT
# CUT: error: 'cut.npy': expected 24 bytes of elements, but got 20
# RUN: not lowp-run add.mlir --entry=add --input=half.npz --output=o.npy 2>&1 | FileCheck %s --check-prefix=KEY
# KEY: error: 'half.npz' has no array 'arg1'
# RUN: not lowp-run add.mlir --entry=add --input=broken.npz --output=o.npy 2>&1 | FileCheck %s --check-prefix=CRC
# CRC: error: 'broken.npz': member 'arg0.npy': is damaged
# RUN: not lowp-run add.mlir --entry=add --input=in.npz --output=a.npy --output=b.npy 2>&1 | FileCheck %s --check-prefix=OUTPUTS
# OUTPUTS: error: 'add' has 1 results, but got 2 files for them
# RUN: not lowp-run add.mlir --entry=add --input=in.npz --output=no/folder/o.npy 2>&1 | FileCheck %s --check-prefix=WRITE
# WRITE: error: cannot write 'no/folder/o.npy': {{[Nn]}}o such file or directory
# Where one file cannot be written, those before it are not left behind.
# RUN: not lowp-run add.mlir --entry=add --input=in.npz --report=o.json --output=no/folder/o.npy 2>&1 | FileCheck %s --check-prefix=WRITE
# RUN: not lowp-run add.mlir --entry=fails --output=o.npy 2>&1 | FileCheck %s --check-prefix=ASSERT
# ASSERT: error: assertion of the program failed: always
# RUN: not lowp-run add.mlir --entry=add --input=in.npz --simulate 2>&1 | FileCheck %s --check-prefix=SIMULATE
# SIMULATE: error: expected the --target of a GPU to simulate, but got 'cpu'
# RUN: not ls o.npy
# RUN: not ls o.npz
# RUN: not ls a.npy
# RUN: not ls o.json

# Damaged files: an error or a result, never a crash. (The unit tests of
# LowpSupport damage thousands.)
# RUN: %python %s damage

import io
import random
import struct
import subprocess
import sys
import zipfile

ADD = """
func.func @add(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = linalg.add ins(%x, %y : tensor<?x3xf32>, tensor<?x3xf32>)
                  outs(%x : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @step(%s: i32 {lowp.step}) -> i32 {
  return %s : i32
}
func.func @fails() -> f32 {
  %f = arith.constant false
  cf.assert %f, "always"
  %r = arith.constant 1.0 : f32
  return %r : f32
}
"""


def npy(descr, shape, data, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def npz(members, method=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members.items():
            # numpy writes Zip64 fields for every member.
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as file:
                file.write(data)
    return stream.getvalue()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def make():
    write("add.mlir", ADD.encode())
    x = npy("<f4", (2, 3), floats(1, 2, 3, 4, 5, 6))
    # The same shape in Fortran order: rows are 10 20 30, 40 50 60.
    y = npy("<f4", (2, 3), floats(10, 40, 20, 50, 30, 60), fortran=True)
    write("x.npy", x)
    write("y.npy", y)
    write("wide.npy", npy("<f8", (2, 3), bytes(48)))
    write("long.npy", npy("<f4", (2, 4), bytes(32)))
    write("text.npy", b"1 2 3\n4 5 6\n")
    write("cut.npy", x[:-4])
    write("in.npz", npz({"arg0.npy": x, "arg1.npy": y}))
    write("deflated.npz", npz({"arg0.npy": x, "arg1.npy": y}, zipfile.ZIP_DEFLATED))
    write("half.npz", npz({"arg0.npy": x}))
    write("off.npz", npz({"out0.npy": npy("<f4", (2, 3), floats(11, 22, 33, 44, 55, 67))}))
    broken = bytearray(npz({"arg0.npy": x, "arg1.npy": y}))
    broken[broken.index(floats(1, 2, 3)) + 3] ^= 1
    write("broken.npz", bytes(broken))


def check():
    data = open("z.npy", "rb").read()
    assert data == npy("<f4", (2, 3), floats(11, 22, 33, 44, 55, 66)), data
    with zipfile.ZipFile("z.npz") as archive:
        assert archive.namelist() == ["out0.npy"] and archive.testzip() is None
        assert archive.read("out0.npy") == data


def damage():
    random.seed(1)
    good = [open(name, "rb").read() for name in ("in.npz", "deflated.npz", "x.npy")]
    for i in range(20):
        data = bytearray(random.choice(good))
        kind = "npz" if data[:2] == b"PK" else "npy"
        for _ in range(random.randint(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
        name = f"damaged{i}.{kind}"
        write(name, bytes(data))
        result = subprocess.run(
            ["lowp-run", "add.mlir", "-O0", "--entry=add", f"--input={name}", "--output=damaged.out.npy"],
            capture_output=True,
            text=True,
        )
        assert result.returncode in (0, 1), (name, result)
        assert result.returncode == 0 or "error:" in result.stderr, (name, result)
        assert "crash" not in result.stderr, (name, result)


{"make": make, "check": check, "damage": damage}[sys.argv[1]]()
