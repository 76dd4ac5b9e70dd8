"""Programs of block operations for the vectors of stochastic rounding.

Where random bits are given, no program on blocked values takes them: these
functions read blocks and round them with the bits of a tensor.
"""


def dims(shape):
    return "".join(f"{d}x" for d in shape)


def quantize_given_bits(format, dtype, shape, rule):
    """x, bits -> codes, scales and, where the format has one, outer scale, of a
    static shape that is a multiple of the block."""
    rows, columns = shape
    block = format.block[1]
    element, name = format.element_type, format.format_attribute
    packed = format.packed()
    code_columns, code_block = (columns // 2, block // 2) if packed else (columns, block)

    def read(name, at, count):
        """`count` elements of x from column `at`, as f32."""
        narrow = name if dtype == "f32" else name + "n"
        text = (
            f"%{narrow} = vector.transfer_read %x[%i, {at}], %pad {{in_bounds = [true]}}"
            f" : tensor<{dims(shape)}{dtype}>, vector<{count}x{dtype}>"
        )
        if dtype != "f32":
            text += f"\n    %{name} = arith.extf %{narrow} : vector<{count}x{dtype}> to vector<{count}xf32>"
        return text

    outer = format.outer
    row_scales = ""
    if outer:
        row_scales = f"""
    {read("row", "%c0", columns)}
    %ra = lowp.block_amax %row : vector<{columns}xf32>
    %enc, %dec = lowp.outer_scale %ra format = {name} rule = {rule}
    %o1 = tensor.insert %dec into %o[%i] : tensor<{rows}xf32>"""
    types = [
        f"tensor<{rows}x{code_columns}xi8>",
        f"tensor<{rows}x{columns // block}xi8>",
        f"tensor<{rows}xf32>",
    ]
    result = f"({types[0]}, {types[1]}, {types[2]})"
    return f"""(%x: tensor<{dims(shape)}{dtype}>, %r: tensor<{dims(shape)}i32>) -> {result} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant {rows} : index
  %columns = arith.constant {columns} : index
  %block = arith.constant {block} : index
  %pad = arith.constant 0.0 : {dtype}
  %zero = arith.constant 0 : i32
  %nan = arith.constant {127 if format.scale == "ue4m3" else -1} : i8
  %none = arith.constant {0 if format.scale == "ue4m3" else -1} : i8
  %ec = tensor.empty() : {types[0]}
  %es = tensor.empty() : {types[1]}
  %eo = tensor.empty() : {types[2]}
  %q:3 = scf.for %i = %c0 to %rows step %c1 iter_args(%c = %ec, %s = %es, %o = %eo) -> {result} {{{row_scales}
    %w:2 = scf.for %k = %c0 to %columns step %block iter_args(%d = %c, %t = %s) -> ({types[0]}, {types[1]}) {{
    {read("v", "%k", block)}
    %bits = vector.transfer_read %r[%i, %k], %zero {{in_bounds = [true]}} : tensor<{dims(shape)}i32>, vector<{block}xi32>
    %a = lowp.block_amax %v : vector<{block}xf32>
    %scale, %factor = lowp.block_scale %a {"outer(%enc, %dec) " if outer else ""}format = {name} rule = {rule} : i8
    %isnan = arith.cmpi ne, %scale, %nan : i8
    %iszero = arith.cmpi ne, %scale, %none : i8
    %ok = arith.andi %isnan, %iszero : i1
    %f = vector.broadcast %factor : f32 to vector<{block}xf32>
    %y = arith.mulf %v, %f : vector<{block}xf32>
    %codes = lowp.encode %y valid(%ok) random(%bits : vector<{block}xi32>) element = {element} rule = {rule} : vector<{block}xf32> -> vector<{code_block}xi8>
    %kc = arith.divui %k, {"%c2" if packed else "%c1"} : index
    %ks = arith.divui %k, %block : index
    %d1 = vector.transfer_write %codes, %d[%i, %kc] {{in_bounds = [true]}} : vector<{code_block}xi8>, {types[0]}
    %t1 = tensor.insert %scale into %t[%i, %ks] : {types[1]}
    scf.yield %d1, %t1 : {types[0]}, {types[1]}
    }}
    scf.yield %w#0, %w#1, {"%o1" if outer else "%o"} : {", ".join(types)}
  }}
  return %q#0, %q#1, %q#2 : {", ".join(types)}
}}"""


def values_text(source, result, shape, fold):
    """What a requantisation quantises: a blocked value as f32, transposed."""
    rows, columns = shape
    plain = source.plain_type(shape)
    inner = "%q"
    strip = ""
    if not fold:
        codes, scales, outer = source.component_types(shape)
        strip = f"""  %c, %s, %o = lowp.unpack %q : {source.type(shape)} -> {codes}, {scales}, {outer}
  %p = lowp.pack %c, %s : {codes}, {scales} -> {plain}
"""
        inner = "%p"
    type = source.type(shape) if fold else plain
    return f"""(%q: {source.type(shape)}) -> tensor<{columns}x{rows}xf32> {{
{strip}  %y = lowp.dequantize {inner} : {type} -> tensor<{rows}x{columns}xf32>
  %e = tensor.empty() : tensor<{columns}x{rows}xf32>
  %t = linalg.transpose ins(%y : tensor<{rows}x{columns}xf32>) outs(%e : tensor<{columns}x{rows}xf32>) permutation = [1, 0]
  return %t : tensor<{columns}x{rows}xf32>
}}"""


def encode_words(element, bits):
    """x, words -> codes, one a byte."""
    return f"""(%x: tensor<?xf32>, %r: tensor<?xi32>) -> tensor<?xi8> {{
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xi8>
  %q = scf.for %i = %c0 to %n step %c16 iter_args(%t = %e) -> tensor<?xi8> {{
    %v = vector.transfer_read %x[%i], %pad {{in_bounds = [true]}} : tensor<?xf32>, vector<16xf32>
    %w = vector.transfer_read %r[%i], %zero {{in_bounds = [true]}} : tensor<?xi32>, vector<16xi32>
    %c = lowp.encode %v random(%w : vector<16xi32>) element = {element} rule = <round = stochastic, sr_bits = {bits}> : vector<16xf32> -> vector<16xi8>
    %u = vector.transfer_write %c, %t[%i] {{in_bounds = [true]}} : vector<16xi8>, tensor<?xi8>
    scf.yield %u : tensor<?xi8>
  }}
  return %q : tensor<?xi8>
}}"""


def philox_words(stream, rounds):
    """seed, step, group -> four words. Bit 31 of the counter word of the stream
    says that bits are independent."""
    independent = " independent" if stream >> 31 else ""
    return f"""(%seed: i64, %step: i32, %group: i64) -> (i32, i32, i32, i32) {{
  %stream = arith.constant {stream & 0x7FFFFFFF} : i32
  %w:4 = lowp.philox %seed, %step, %stream, %group rounds = {rounds}{independent} : i64
  return %w#0, %w#1, %w#2, %w#3 : i32, i32, i32, i32
}}"""


def random_bits(shape, stream, rounds, bits):
    """seed, step -> the random bits of a tensor, blocks along its last dim."""
    rows, columns = shape
    groups = -(-columns // 16)
    return f"""(%seed: i64, %step: i32) -> tensor<{rows}x{columns}xi32> {{
  %stream = arith.constant {stream} : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = arith.constant {rows} : index
  %groups = arith.constant {groups} : index
  %e = tensor.empty() : tensor<{rows}x{columns}xi32>
  %q = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %e) -> tensor<{rows}x{columns}xi32> {{
    %p = scf.for %j = %c0 to %groups step %c1 iter_args(%t = %s) -> tensor<{rows}x{columns}xi32> {{
      %first = arith.muli %i, %groups : index
      %g = arith.addi %first, %j : index
      %group = arith.index_cast %g : index to i64
      %w:4 = lowp.philox %seed, %step, %stream, %group rounds = {rounds} : i64
      %words = vector.from_elements %w#0, %w#1, %w#2, %w#3 : vector<4xi32>
      %bits = lowp.random_bits %words bits = {bits} : vector<4xi32> -> vector<16xi32>
      %k = arith.muli %j, %c16 : index
      %u = vector.transfer_write %bits, %t[%i, %k] {{in_bounds = [false]}} : vector<16xi32>, tensor<{rows}x{columns}xi32>
      scf.yield %u : tensor<{rows}x{columns}xi32>
    }}
    scf.yield %p : tensor<{rows}x{columns}xi32>
  }}
  return %q : tensor<{rows}x{columns}xi32>
}}"""
