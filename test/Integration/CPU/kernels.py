# REQUIRES: numpy
# RUN: %python %s lowp-compile %t
"""Kernels do not change a byte.

Programs that normalise, activate, transform and quantise, compiled with and
without kernels, on random inputs with NaN, infinities and zeros: for all
formats and granularities, to nearest and stochastically, for sizes that are not
multiples of anything, one row, and none.
"""

import itertools
import subprocess
import sys

import ml_dtypes
import numpy as np

import lowp

BF16 = ml_dtypes.bfloat16

MAPS = """
#x = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
#t = affine_map<(m, k) -> (k, m)>
#unit = affine_map<(m, k) -> (m, 0)>
#k = affine_map<(m, k) -> (k)>
#x3 = affine_map<(b, s, k) -> (b, s, k)>
#unit3 = affine_map<(b, s, k) -> (b, s, 0)>
#k3 = affine_map<(b, s, k) -> (k)>
"""

# RMSNorm, in f32, of rows that one dim or two number.
NORM = """
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x{K}xbf16>
  %zero = arith.constant 0.0 : f32
  %size = arith.constant {K}.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %sums = tensor.empty(%m) : tensor<?x1xf32>
  %start = linalg.fill ins(%zero : f32) outs(%sums : tensor<?x1xf32>) -> tensor<?x1xf32>
  %ss = linalg.generic {{indexing_maps = [#x, #unit], iterator_types = ["parallel", "reduction"]}}
    ins(%x : tensor<?x{K}xbf16>) outs(%start : tensor<?x1xf32>) {{
    ^bb0(%e: bf16, %o: f32):
      %f = arith.extf %e : bf16 to f32
      %s = arith.mulf %f, %f : f32
      %a = arith.addf %s, %o : f32
      linalg.yield %a : f32
  }} -> tensor<?x1xf32>
  %inv = linalg.generic {{indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}}
    ins(%ss : tensor<?x1xf32>) outs(%sums : tensor<?x1xf32>) {{
    ^bb0(%e: f32, %o: f32):
      %d = arith.divf %e, %size : f32
      %a = arith.addf %d, %eps : f32
      %r = math.rsqrt %a : f32
      linalg.yield %r : f32
  }} -> tensor<?x1xf32>
  %empty = tensor.empty(%m) : tensor<?x{K}xbf16>
  %n = linalg.generic {{indexing_maps = [#x, #unit, #k, #x], iterator_types = ["parallel", "parallel"]}}
    ins(%x, %inv, %g : tensor<?x{K}xbf16>, tensor<?x1xf32>, tensor<{K}xbf16>) outs(%empty : tensor<?x{K}xbf16>) {{
    ^bb0(%e: bf16, %i: f32, %w: bf16, %o: bf16):
      %f = arith.extf %e : bf16 to f32
      %s = arith.mulf %f, %i : f32
      %t = arith.truncf %s : f32 to bf16
      %y = arith.mulf %t, %w : bf16
      linalg.yield %y : bf16
  }} -> tensor<?x{K}xbf16>
"""


# x / (1 + exp(-x)), in a region.
SILU = """
      %neg = arith.negf %w : f32
      %p = math.exp %neg : f32
      %one = arith.constant 1.0 : f32
      %d = arith.addf %p, %one : f32
      %y = arith.divf %w, %d : f32
      linalg.yield %y : f32
  }"""


def norm(columns):
    return NORM.format(K=columns)


def blocked(shape, kind, block, outer="", name="q"):
    return f"!lowp.blocked<{shape}x{kind}, block = {block}{outer}>"


# Format, elements of a block, columns (with whole batches where many), outer
# scales, rules.
FORMATS = [
    (
        "mxfp8_e4m3",
        32,
        557,
        [""],
        ["", "round = stochastic", "round = stochastic, bits = independent", "nonfinite = saturate"],
    ),
    ("mxfp8_e5m2", 32, 83, [""], [""]),
    ("mxfp6_e2m3", 32, 83, [""], [""]),
    ("mxfp6_e3m2", 32, 83, [""], ["round = stochastic"]),
    ("mxfp4", 32, 557, [""], ["", "round = stochastic"]),
    ("mxs2f6", 32, 83, [""], [""]),
    (
        "nvfp4",
        16,
        300,
        ["", ", outer = [0]"],
        ["", "four_six = mse", "round = stochastic"],
    ),
    ("<f8E4M3FN, f32>", 32, 83, [""], [""]),
    ("<f4E2M1FN, f8E4M3FN>", 15, 90, [""], ["", "round = stochastic"]),
]


def fit(rule, type):
    """Scales of few bits are rounded up where elements round stochastically."""
    few = "nvfp4" in type or "f8E4M3FN>" in type
    return rule + ", sf_round = up" if few and "stochastic" in rule else rule


def quantize(name, source, source_type, type, rule, extra="", groups=""):
    attributes = []
    seed = ""
    rule = fit(rule, type)
    if rule:
        attributes.append(f"rule = #lowp.rule<{rule}>")
    if "stochastic" in rule:
        seed = " seed(%seed, %step)"
        attributes.append(f"stream = {next(STREAMS)} : i32")
    text = f" {{{', '.join(attributes)}}}" if attributes else ""
    return f"  %{name} = lowp.quantize %{source}{extra}{seed}{groups}{text} : {source_type} -> {type}\n"


KEY = ", %seed: i64, %step: i32"
STREAMS = itertools.count()


def norm_programs():
    """RMSNorm, and two quantisations of its result."""
    for kind, width, columns, outers, rules in FORMATS:
        for outer, rule in itertools.product(outers, rules):
            across = ", outer = [1]" if outer else ""
            shape = f"?x{columns}"
            row = blocked(shape, kind, f"[1, {width}]", outer)
            column = blocked(shape, kind, f"[{width}, 1]", across)
            source = f"tensor<?x{columns}xbf16>"
            body = norm(columns)
            body += quantize("q", "n", source, row, rule)
            body += quantize("p", "n", source, column, rule)
            body += f"  return %q, %p, %n : {row}, {column}, {source}\n"
            head = f"(%x: {source}, %g: tensor<{columns}xbf16>{KEY}) -> ({row}, {column}, {source})"
            yield head, body, [("x", columns), ("g", columns)]


def tile_programs():
    """Tiles, and a product's bias, activation and transform before blocks."""
    for kind, block, rule in [
        ("<f4E2M1FN, f8E4M3FN>", "[16, 16]", ""),
        ("<f4E2M1FN, f8E4M3FN>", "[16, 16]", "four_six = mse"),
        ("<f8E4M3FN, f32>", "[128, 128]", ""),
        ("mxfp8_e4m3", "[32, 32]", "round = stochastic"),
    ]:
        type = blocked("?x?", kind, block)
        source = "tensor<?x?xf32>"
        body = """
  %e = tensor.empty(%m, %k) : tensor<?x?xf32>
  %b = linalg.generic {indexing_maps = [#x, #k, #x], iterator_types = ["parallel", "parallel"]}
    ins(%x, %g : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
    ^bb0(%v: f32, %u: f32, %o: f32):
      %w = arith.addf %v, %u : f32"""
        body += SILU + " -> tensor<?x?xf32>\n"
        sizes = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %x, %c1 : tensor<?x?xf32>
"""
        body = sizes + body + quantize("q", "b", source, type, rule)
        body += f"  return %q : {type}\n"
        head = f"(%x: {source}, %g: tensor<?xf32>{KEY}) -> {type}"
        yield head, body, [("f", 53), ("f1", 53)]


def transform_programs():
    """Rows and, transposed and transformed, columns of one value of f32, with
    an amax that is given."""
    for kind, width in [("nvfp4", 16), ("mxfp8_e4m3", 32), ("mxs2f6", 32)]:
        for rule in ("", "round = stochastic") if kind != "mxs2f6" else ("",):
            row = blocked("?x80", kind, f"[1, {width}]", ", outer = [0]" if kind == "nvfp4" else "")
            # Groups of 16 rows: only sizes that are multiples.
            column = blocked("80x?", kind, f"[1, {width}]")
            amax = " amax(%a : tensor<f32>)" if kind == "nvfp4" else ""
            body = """
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x80xbf16>
  %e = tensor.empty(%m) : tensor<80x?xbf16>
  %t = linalg.transpose ins(%x : tensor<?x80xbf16>) outs(%e : tensor<80x?xbf16>) permutation = [1, 0]
  %h = lowp.rht %t size = 16 axis = 1 : tensor<80x?xbf16>
  %r = lowp.rht %x size = 16 axis = 1 : tensor<?x80xbf16>
"""
            body += quantize("q", "r", "tensor<?x80xbf16>", row, rule)
            body += quantize("p", "h", "tensor<80x?xbf16>", column, rule, amax)
            body += f"  return %q, %p, %h : {row}, {column}, tensor<80x?xbf16>\n"
            head = f"(%x: tensor<?x80xbf16>, %a: tensor<f32>{KEY}) -> ({row}, {column}, tensor<80x?xbf16>)"
            yield head, body, [("x16", 80), ("a", 0)]


def requantize_programs():
    """Decode, transpose, quantise."""
    for first, second, outer, second_outer in [
        ("nvfp4", "mxfp8_e4m3", "", ""),
        ("nvfp4", "mxfp8_e4m3", ", outer = [0]", ""),
        ("nvfp4", "nvfp4", ", outer = [0]", ", outer = [1]"),
        ("nvfp4", "nvfp4", "", ""),
        ("mxfp8_e4m3", "mxfp4", "", ""),
        ("<f8E4M3FN, f32>", "<f8E4M3FN, f32>", "", ""),
    ]:
        widths = [16 if kind == "nvfp4" else 32 for kind in (first, second)]
        for rule in ("", "round = stochastic") if second != "<f8E4M3FN, f32>" else ("",):
            for mode in ("fold", "keep") if first == second == "nvfp4" else ("fold",):
                source = blocked("?x70", first, f"[1, {widths[0]}]", outer)
                block = f"[{widths[1]}, 1]" if second_outer else f"[1, {widths[1]}]"
                to = blocked("70x?", second, block, second_outer)
                back = blocked("?x70", second, f"[1, {widths[1]}]", outer if second_outer else "")
                seed, attributes = "", ""
                if rule:
                    seed = " seed(%seed, %step)"
                    attributes = f" {{rule = #lowp.rule<{fit(rule, to)}>, stream = {next(STREAMS)} : i32}}"
                body = quantize("s", "x", "tensor<?x70xbf16>", source, "")
                body += f"  %q = lowp.requantize %s{seed} permutation = [1, 0] outer = {mode}{attributes} : {source} -> {to}\n"
                body += f"  %d = lowp.dequantize %s : {source} -> tensor<?x70xf32>\n"
                body += quantize("p", "d", "tensor<?x70xf32>", back, "")
                body += f"  return %s, %q, %p : {source}, {to}, {back}\n"
                head = f"(%x: tensor<?x70xbf16>{KEY}) -> ({source}, {to}, {back})"
                yield head, body, [("x", 70)]


def gate_programs():
    """SwiGLU of both halves of one product, of rows that two dims number, which
    are one for the quantisation."""
    for kind, width, outer, rule in [
        ("mxfp8_e4m3", 32, "", ""),
        ("mxfp8_e4m3", 32, "", "round = stochastic"),
        ("nvfp4", 16, ", outer = [0]", "four_six = mse"),
        ("nvfp4", 16, "", ""),
    ]:
        flat = blocked("?x72", kind, f"[1, {width}]", outer)
        kept = blocked("?x?x72", kind, f"[1, 1, {width}]", ", outer = [0, 1]" if outer else "")
        body = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?x144xbf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x144xbf16>
  %gate = tensor.extract_slice %x[0, 0, 0] [%m, %n, 72] [1, 1, 1] : tensor<?x?x144xbf16> to tensor<?x?x72xbf16>
  %up = tensor.extract_slice %x[0, 0, 72] [%m, %n, 72] [1, 1, 1] : tensor<?x?x144xbf16> to tensor<?x?x72xbf16>
  %e = tensor.empty(%m, %n) : tensor<?x?x72xbf16>
  %f = tensor.empty(%m, %n) : tensor<?x?x72xf32>
  %silu = linalg.generic {indexing_maps = [#x3, #x3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%gate : tensor<?x?x72xbf16>) outs(%f : tensor<?x?x72xf32>) {
    ^bb0(%v: bf16, %o: f32):
      %w = arith.extf %v : bf16 to f32"""
        body += SILU
        body += """ -> tensor<?x?x72xf32>
  %y = linalg.generic {indexing_maps = [#x3, #x3, #x3], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%silu, %up : tensor<?x?x72xf32>, tensor<?x?x72xbf16>) outs(%e : tensor<?x?x72xbf16>) {
    ^bb0(%v: f32, %u: bf16, %o: bf16):
      %t = arith.truncf %v : f32 to bf16
      %z = arith.mulf %t, %u : bf16
      linalg.yield %z : bf16
  } -> tensor<?x?x72xbf16>
  %double = arith.addf %y, %y : tensor<?x?x72xbf16>
  %flat = tensor.collapse_shape %double [[0, 1], [2]] : tensor<?x?x72xbf16> into tensor<?x72xbf16>
"""
        body += quantize("q", "flat", "tensor<?x72xbf16>", flat, rule)
        body += quantize("p", "double", "tensor<?x?x72xbf16>", kept, rule)
        body += f"  return %q, %p, %double : {flat}, {kept}, tensor<?x?x72xbf16>\n"
        head = f"(%x: tensor<?x?x144xbf16>{KEY}) -> ({flat}, {kept}, tensor<?x?x72xbf16>)"
        yield head, body, [("x3", 144)]


def group_programs():
    """Groups of tokens that blocks do not cross, from values of such groups."""
    groups, offsets = ", groups = 4 along 0", " groups(%o : tensor<5xi32>)"
    for kind, width, outer, rule in [
        ("mxfp8_e4m3", 32, "", "round = stochastic"),
        ("nvfp4", 16, ", outer = [0]", "four_six = mse"),
    ]:
        type = blocked("?x80", kind, f"[1, {width}]", outer + groups)
        to = blocked("80x?", "mxfp8_e4m3", "[32, 1]", ", groups = 4 along 1")
        body = quantize("s", "x", "tensor<?x80xbf16>", type, rule, groups=offsets)
        body += f"  %d = lowp.dequantize %s : {type} -> tensor<?x80xbf16>\n"
        body += "  %y = arith.mulf %d, %x : tensor<?x80xbf16>\n"
        body += quantize("p", "y", "tensor<?x80xbf16>", type, rule, groups=offsets)
        body += f"  %q = lowp.requantize %p permutation = [1, 0] outer = fold : {type} -> {to}\n"
        body += f"  return %s, %p, %q : {type}, {type}, {to}\n"
        head = f"(%x: tensor<?x80xbf16>, %o: tensor<5xi32>{KEY}) -> ({type}, {type}, {to})"
        yield head, body, [("x", 80), ("o", 0)]


def square_programs():
    """Operations that take different dims of one value for rows: the scales of
    columns multiply rows too, and a sum with its own transpose."""
    type = blocked("64x64", "nvfp4", "[16, 1]", ", outer = [1]")
    for scale in ("", "outer", "amax"):
        maps, operands, source = "#x, #row", "%x, %g", "tensor<64xf32>"
        extra = f" {scale}(%g : tensor<64xf32>)"
        if not scale:
            maps, operands, source, extra = "#x, #t", "%x, %x", "tensor<64x64xf32>", ""
        body = f"""
  %e = tensor.empty() : tensor<64x64xf32>
  %y = linalg.generic {{indexing_maps = [{maps}, #x], iterator_types = ["parallel", "parallel"]}}
    ins({operands} : tensor<64x64xf32>, {source}) outs(%e : tensor<64x64xf32>) {{
    ^bb0(%v: f32, %w: f32, %o: f32):
      %s = arith.addf %v, %w : f32
      linalg.yield %s : f32
  }} -> tensor<64x64xf32>
"""
        body += quantize("q", "y", "tensor<64x64xf32>", type, "", extra)
        body += f"  return %q : {type}\n"
        head = f"(%x: tensor<64x64xf32>, %g: tensor<64xf32>{KEY}) -> {type}"
        yield head, body, [("square", 64), ("scales", 64)]


ROWS = [0, 1, 5, 16, 33, 64, 131]


def make(random, what, rows, columns):
    if what == "o":
        return np.array([0, rows // 3, rows // 3, rows // 2, rows], np.int32)
    if what == "a":
        return np.array(3.5, np.float32)
    shape = {
        "x": (rows, columns),
        "x16": (rows // 16 * 16, columns),
        "f": (rows, columns),
        "x3": (rows // 7, 7, columns) if rows > 9 else (2, rows, columns),
        "g": (columns,),
        "f1": (columns,),
        "square": (columns, columns),
        "scales": (columns,),
    }[what]
    x = random.standard_normal(shape).astype(np.float32)
    x *= np.exp2(random.integers(-6, 7, shape)).astype(np.float32)
    if x.size > 400 and what not in ("g", "f1"):
        flat = x.reshape(-1)
        flat[[3, 170]] = np.nan, -np.inf
        flat[200:240] = 0.0
        flat[250:300] *= np.float32(2) ** -120
    if what == "scales":
        return np.abs(x)
    return x if what in ("f", "f1", "square") else x.astype(BF16)


def same(a, b):
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    if a.dtype == np.float32:
        equal = (a.view(np.uint32) == b.view(np.uint32)) | (np.isnan(a) & np.isnan(b))
    elif a.dtype == BF16:
        wide = [x.astype(np.float32) for x in (a, b)]
        equal = (a.view(np.uint16) == b.view(np.uint16)) | (np.isnan(wide[0]) & np.isnan(wide[1]))
    else:
        equal = a.view(np.uint8) == b.view(np.uint8)
    return a.shape == b.shape and bool(np.all(equal))


def write(path, programs):
    with open(path, "w") as file:
        file.write(MAPS)
        for number, (head, body, _) in programs:
            file.write(f"func.func @f{number}{head} {{\n{body}}}\n")


def compile(compiler, path, name, *flags):
    output = f"{path}.{name}.so"
    command = [compiler, path + ".mlir", "--emit=shared", *flags]
    subprocess.run([*command, "-o", output], check=True)
    return lowp.Program(output)


def compare(random, programs, one, other):
    results = 0
    for number, (head, _, kinds) in programs:
        for rows in ROWS:
            arguments = [make(random, what, rows, columns) for what, columns in kinds]
            arguments += [np.int64(77), np.int32(3)]
            parts = [program(*arguments, entry=f"f{number}") for program in (one, other)]
            for i, (a, b) in enumerate(zip(*parts, strict=True)):
                assert same(a, b), f"{head}: {rows} rows, result {i}"
                results += 1
    return results


def check_failure(program, entry):
    """A number of rows that is not a multiple of the transform's."""
    arguments = [make(np.random.default_rng(1), what, 0, 80) for what in ("x16", "a")]
    arguments[0] = np.ones((67, 80), BF16)
    before = program.live_allocations
    try:
        program(*arguments, np.int64(1), np.int32(1), entry=entry)
    except lowp.RuntimeFailure as error:
        assert "multiple of 16" in str(error), error
    else:
        raise AssertionError("no error")
    assert program.live_allocations == before


def main():
    compiler, path = sys.argv[1:]
    random = np.random.default_rng(5)
    families = [norm_programs, tile_programs, transform_programs, requantize_programs, gate_programs, group_programs, square_programs]
    programs, some, transform = [], [], None
    for family in families:
        found = list(enumerate(family(), start=len(programs)))
        some.append(found[1])
        if family is transform_programs:
            transform = f"f{found[1][0]}"
        programs += found

    write(path + ".mlir", programs)
    text = subprocess.run(
        [compiler, path + ".mlir", "--stop-after=form-kernels", "-o", "-"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    bodies = text.split("func.func ")[1:]
    assert len(bodies) == len(programs)
    left = [number for number, body in enumerate(bodies) if "lowp.kernel" not in body]
    # One scale needs the whole tensor first, and a sum takes rows and columns.
    assert len(left) == 3, f"programs without kernels: {left}"
    formed = compile(compiler, path, "formed")
    separate = compile(compiler, path, "separate", "--form-kernels=false")
    results = compare(random, programs, formed, separate)
    check_failure(formed, transform)

    # Buffers of a trip belong to its thread.
    write(path + ".threads.mlir", some)
    threads = compile(compiler, path + ".threads", "formed", "--threads=3")
    results += compare(random, some, formed, threads)
    check_failure(threads, transform)
    results += compare(random, some, formed, threads)
    print(f"{len(programs)} programs, {results} results")


if __name__ == "__main__":
    main()
