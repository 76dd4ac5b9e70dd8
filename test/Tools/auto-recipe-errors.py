# REQUIRES: numpy
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s
# One clear error, exit status 1, and no file.
# RUN: not lowp-compile m.mlir --recipe=auto -o out 2>&1 | FileCheck %s --check-prefix=NONE
# NONE: error: expects an error (--max-error) or a number of bits (--bits) to choose formats within, but got none
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --max-error=0.1 -o out 2>&1 | FileCheck %s --check-prefix=BOTH
# BOTH: error: expects an error (--max-error) or a number of bits (--bits) to choose formats within, but got both
# RUN: not lowp-compile m.mlir --recipe=auto --max-error=-0.1 -o out 2>&1 | FileCheck %s --check-prefix=NEGATIVE
# NEGATIVE: error: expects an error to choose formats within of at least 0, but got -0.1
# RUN: not lowp-compile m.mlir --recipe=auto --max-error=nan -o out 2>&1 | FileCheck %s --check-prefix=NAN
# NAN: error: expects an error to choose formats within of at least 0, but got nan
# RUN: not lowp-compile m.mlir --recipe=auto --bits=inf -o out 2>&1 | FileCheck %s --check-prefix=INF
# INF: error: expects a number of bits of at least 0, but got inf
# What is said to be the fewest is enough, and a little less is not.
# RUN: not lowp-compile m.mlir --recipe=auto --bits=4.2499 -o out 2>&1 | FileCheck %s --check-prefix=LEAST
# LEAST: error: expects at least 4.25 bits of a value, the fewest that the formats of the sites take, but got 4.2499
# RUN: lowp-compile m.mlir --recipe=auto --bits=4.25 --stop-after=assign -o - | FileCheck %s --check-prefix=FEWEST
# FEWEST: lowp.matmul {{.*}}mxfp4{{.*}}mxfp4

# Errors only where every format loses something.
# RUN: lowp-compile m.mlir --recipe=auto --max-error=0 --weights=w.npz --stop-after=assign -o - | FileCheck %s --check-prefix=LOSSLESS
# LOSSLESS-NOT: plan =
# RUN: lowp-compile m.mlir --recipe=auto --max-error=0 --weights=small.npz --stop-after=assign -o - | FileCheck %s --check-prefix=EXACT
# EXACT: lowp.matmul {{.*}}rhs = <format = <mxfp4>

# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=absent.npz -o out 2>&1 | FileCheck %s --check-prefix=ABSENT
# ABSENT: error: 'absent.npz': No such file or directory
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=x.npz -o out 2>&1 | FileCheck %s --check-prefix=KEY
# KEY: error: 'x.npz' has no array 'arg1' or 'up.weight'
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=w.npz --calibration=w.npz -o out 2>&1 | FileCheck %s --check-prefix=INPUT
# INPUT: error: 'w.npz' has no array 'arg0'
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=wide.npz -o out 2>&1 | FileCheck %s --check-prefix=SHAPE
# SHAPE: error: 'wide.npz': array 'up.weight': expected bf16[32x64] (as u16), but got u16[32x65]
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=w.npz --calibration=f32.npy -o out 2>&1 | FileCheck %s --check-prefix=DTYPE
# DTYPE: error: 'f32.npy': expected bf16[?x64] (as u16), but got f32[3x64]
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=w.npz --calibration=x.npy --calibration=x.npy -o out 2>&1 | FileCheck %s --check-prefix=COUNT
# COUNT: error: expects 1 files for the arguments that the weights do not give, but got 2
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=w.npz --calibration=x.npy --calibration=x.npz -o out 2>&1 | FileCheck %s --check-prefix=KINDS
# KINDS: error: expects inputs of one kind, .npy files for the arguments of one run or .npz files for a run each, but got both
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=nan.npz -o out 2>&1 | FileCheck %s --check-prefix=WNAN
# WNAN: error: expects the weight of site 'up.weight' to hold finite values, but got a NaN or an infinity
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --weights=w.npz --calibration=inf.npy -o out 2>&1 | FileCheck %s --check-prefix=XINF
# XINF: error: expects the activation of site 'up.weight' to hold finite values, but got a NaN or an infinity
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --rule='kind=dense -> weight=mxfp9' -o out 2>&1 | FileCheck %s --check-prefix=RULE
# RULE: error: in rule 'kind=dense -> weight=mxfp9': unknown format 'mxfp9'
# RULE-NOT: error:
# RUN: not lowp-compile two.mlir --recipe=auto --bits=5 --weights=w.npz -o out 2>&1 | FileCheck %s --check-prefix=ENTRY
# ENTRY: error: expects a public function with a body named 'main' that the weights and inputs are for
# RUN: not lowp-compile called.mlir --recipe=auto --bits=5 --weights=w.npz -o out 2>&1 | FileCheck %s --check-prefix=CALLED
# CALLED: error: expects a function of one block that no other calls, to compute the operands of its sites

# RUN: not lowp-compile same.mlir --resume-from=assign --recipe=auto --bits=5 --calibration=same.npz -o out 2>&1 | FileCheck %s --check-prefix=SAME
# SAME: error: 'lowp.batch_matmul' op expects a site with a name of its own, but got another one of name 'w'
# SAME: note: the other one is here
# RUN: not lowp-compile huge.mlir --resume-from=assign --recipe=auto --bits=5 -o out 2>&1 | FileCheck %s --check-prefix=HUGE
# HUGE: error: expects operands of at most 2^48 elements, but site 'w' has one of type 'tensor<2147483648x4294967296xf32>'
# RUN: not lowp-compile groups.mlir --resume-from=assign --recipe=auto --bits=5 --calibration=descending.npz -o out 2>&1 | FileCheck %s --check-prefix=OFFSETS
# OFFSETS: error: site 'w': expects offsets from 0 to the size of the grouped dim that do not descend

# The flags are those of this recipe, in the stage where it is chosen.
# RUN: not lowp-compile m.mlir --recipe=mxfp8 --bits=5 -o out 2>&1 | FileCheck %s --check-prefix=OTHER
# OTHER: error: a budget, weights and inputs to calibrate with are for recipe 'auto', but the recipe is 'mxfp8'
# RUN: not lowp-compile m.mlir --recipe=mxfp8 --recipe-out=out -o out2 2>&1 | FileCheck %s --check-prefix=OUT
# OUT: error: --recipe-out is for the recipe that --recipe=auto chooses
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --stop-after=recognize -o out 2>&1 | FileCheck %s --check-prefix=STAGE
# STAGE: error: recipe 'auto' is chosen in stage 'assign', which does not run
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --recipe-out=no/folder/r.json -o out 2>&1 | FileCheck %s --check-prefix=WRITE
# WRITE: error: cannot write 'no/folder/r.json'
# RUN: not lowp-compile m.mlir --recipe=auto --bits=5 --recipe-out=out -o out 2>&1 | FileCheck %s --check-prefix=TWICE
# TWICE: error: expects a file for each output, but got 'out' twice
# RUN: not ls out
# RUN: not ls out2

# Programs without a function for the files, without sites, and stopped before.
# RUN: lowp-compile two.mlir --recipe=auto --bits=5 --stop-after=assign -o - | FileCheck %s --check-prefix=FUNCTIONS
# FUNCTIONS-COUNT-2: lowp.matmul {{.*}}plan =
# RUN: lowp-compile none.mlir --recipe=auto --bits=5 --calibration=x.npy --recipe-out=r.json -o none.out
# RUN: FileCheck %s --check-prefix=NOSITES --input-file=r.json
# NOSITES: "rules": []
# RUN: lowp-compile m.mlir --stop-after=recognize -o m1.mlir
# RUN: lowp-compile m1.mlir --resume-from=assign --recipe=auto --bits=5 --weights=w.npz --stop-after=assign -o m2.mlir
# RUN: lowp-compile m.mlir --recipe=auto --bits=5 --weights=w.npz --stop-after=assign -o m3.mlir
# RUN: cmp m2.mlir m3.mlir
# Groups are quantised alone: of two, one of ones and one of tiny numbers, nothing is lost.
# RUN: lowp-compile groups.mlir --resume-from=assign --recipe=auto --max-error=0 --calibration=groups.npz --stop-after=assign -o - | FileCheck %s --check-prefix=GROUPS
# GROUPS: lowp.k_grouped_matmul {{.*}}lhs = <format = <mxfp4>
# RUN: lowp-compile groups.mlir --resume-from=assign --recipe=auto --max-error=0 --calibration=one.npz --stop-after=assign -o - | FileCheck %s --check-prefix=ONE
# ONE-NOT: lhs = <format = <mxfp4>
# The step of stochastic rounding that a program draws is the first one.
# RUN: lowp-compile step.mlir --recipe=auto --bits=5 --weights=w.npz --calibration=x.npy --recipe-out=step.json -o step.out
# RUN: FileCheck %s --check-prefix=STEP --input-file=step.json
# RUN: lowp-compile argument.mlir --recipe=auto --bits=5 --weights=w.npz --calibration=x.npy --recipe-out=argument.json -o step.out
# RUN: cmp step.json argument.json
# STEP: "why": "error {{.*}} by data, weight {{.*}} by data
# Without tokens nothing is lost.
# RUN: lowp-run m.mlir --recipe=auto --max-error=0 --weights=small.npz --calibration=empty.npy --input=empty.npy --input=small.npy | FileCheck %s --check-prefix=EMPTY
# EMPTY: out0: f32[0x32]

import numpy

BODY = """func.func {kind} @{name}(%x: tensor<?x64xbf16>,
    %w: tensor<32x64xbf16> {{lowp.param = #lowp.param<name = "up.weight", kind = weight>}}) -> tensor<?x32xf32> {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %empty = tensor.empty(%m) : tensor<?x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x32xf32>) -> tensor<?x32xf32>
  %wt = tensor.empty() : tensor<64x32xbf16>
  %t = linalg.transpose ins(%w : tensor<32x64xbf16>) outs(%wt : tensor<64x32xbf16>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %t : tensor<?x64xbf16>, tensor<64x32xbf16>)
    outs(%init : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}}
"""
CALLER = """func.func private @other(%x: tensor<?x64xbf16>, %w: tensor<32x64xbf16>) -> tensor<?x32xf32> {
  %y = func.call @main(%x, %w) : (tensor<?x64xbf16>, tensor<32x64xbf16>) -> tensor<?x32xf32>
  return %y : tensor<?x32xf32>
}
"""
# Operands that one name would mix up.
SAME = """func.func @main(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>, %a: tensor<2x4x64xf32>, %b: tensor<2x16x64xf32>) -> (tensor<4x32xf32>, tensor<2x4x16xf32>) {
  %y = lowp.matmul %x, %w transpose_rhs site = <name = "w", role = fprop, kind = dense, weight = rhs> : tensor<4x64xf32>, tensor<32x64xf32> -> tensor<4x32xf32>
  %z = lowp.batch_matmul %a, %b transpose_rhs site = <name = "w", role = fprop, kind = dense, weight = rhs> : tensor<2x4x64xf32>, tensor<2x16x64xf32> -> tensor<2x4x16xf32>
  return %y, %z : tensor<4x32xf32>, tensor<2x4x16xf32>
}
"""
HUGE = """func.func @main(%x: tensor<4x4294967296xf32>, %w: tensor<2147483648x4294967296xf32>) -> tensor<4x2147483648xf32> {
  %y = lowp.matmul %x, %w transpose_rhs site = <name = "w", role = fprop, kind = dense, weight = rhs> : tensor<4x4294967296xf32>, tensor<2147483648x4294967296xf32> -> tensor<4x2147483648xf32>
  return %y : tensor<4x2147483648xf32>
}
"""
GROUPS = """func.func @main(%x: tensor<?x32xf32>, %g: tensor<?x16xf32>, %o: tensor<3xi32>) -> tensor<2x32x16xf32> {
  %w = lowp.k_grouped_matmul %x, %g groups(%o : tensor<3xi32>) transpose_lhs site = <name = "w", role = wgrad, kind = expert, activation = lhs> : tensor<?x32xf32>, tensor<?x16xf32> -> tensor<2x32x16xf32>
  return %w : tensor<2x32x16xf32>
}
"""
BLOCKED = "!lowp.blocked<?x64xmxfp8_e4m3, block = [1, 32]>"
ROUNDED = f"""%q = lowp.quantize %x{{}} {{{{rule = #lowp.rule<round = stochastic>}}}} : tensor<?x64xbf16> -> {BLOCKED}
  %r = lowp.dequantize %q : {BLOCKED} -> tensor<?x64xbf16>
"""
NONE = "func.func @main(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> { return %x : tensor<?x64xbf16> }\n"


def bits(array):
    """bf16, truncated."""
    return (array.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def main():
    random = numpy.random.default_rng(0)
    w = bits(random.normal(size=(32, 64)))
    x = bits(random.normal(size=(3, 64)))
    write("m.mlir", BODY.format(kind="", name="main"))
    write("two.mlir", BODY.format(kind="", name="f") + BODY.format(kind="", name="g"))
    write("called.mlir", BODY.format(kind="", name="main") + CALLER)
    write("none.mlir", NONE)
    write("same.mlir", SAME)
    write("huge.mlir", HUGE)
    write("groups.mlir", GROUPS)
    step = BODY.format(kind="", name="main").replace("matmul ins(%x", "matmul ins(%r")
    anchor = "%empty ="
    write("step.mlir", step.replace(anchor, ROUNDED.format("") + anchor))
    step = step.replace("weight>})", "weight>}, %step: i32 {lowp.step})")
    seed = "%seed = arith.constant 0 : i64\n"
    key = " seed(%seed, %step)"
    write("argument.mlir", step.replace(anchor, seed + ROUNDED.format(key) + anchor))
    shapes = [(4, 64), (32, 64), (2, 4, 64), (2, 16, 64)]
    same = {f"arg{i}": random.normal(size=shape) for i, shape in enumerate(shapes)}
    numpy.savez("same.npz", **{key: x.astype(numpy.float32) for key, x in same.items()})
    rows = numpy.ones((32, 32), numpy.float32)
    rows[16:] = 2.0**-20
    for name, offsets in (
        ("groups", [0, 16, 32]),
        ("one", [0, 32, 32]),
        ("descending", [0, 33, 32]),
    ):
        ones = numpy.ones((32, 16), numpy.float32)
        numpy.savez(name + ".npz", arg0=rows, arg1=ones, arg2=numpy.int32(offsets))
    numpy.savez("w.npz", arg1=w)
    numpy.savez("x.npz", arg0=x)
    numpy.save("x.npy", x)
    numpy.save("f32.npy", numpy.zeros((3, 64), numpy.float32))
    numpy.savez("wide.npz", **{"up.weight": numpy.zeros((32, 65), numpy.uint16)})
    # What E2M1 holds exactly; the scale of each block is 1.
    small = random.choice([-6, -1.5, 0, 0.5, 1, 3, 4], size=(32, 64))
    small[:, ::32] = 6
    numpy.savez("small.npz", arg1=bits(small))
    numpy.save("small.npy", bits(small))
    numpy.save("empty.npy", numpy.zeros((0, 64), numpy.uint16))
    damaged = w.copy()
    damaged[7, 9] = 0x7FC0
    numpy.savez("nan.npz", arg1=damaged)
    damaged = x.copy()
    damaged[2, 63] = 0xFF80
    numpy.save("inf.npy", damaged)


main()
