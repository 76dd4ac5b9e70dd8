"""What utils/mutation_check.py breaks: (rule, file, old text, new text). The old
text occurs once in the file. A rule with several texts is broken by each."""

ELEMENT = "lib/Numerics/Element.cpp"
SCALE = "lib/Numerics/Scale.cpp"
QUANTIZE = "lib/Numerics/Quantize.cpp"
PHILOX = "lib/Numerics/Philox.cpp"
HADAMARD = "lib/Numerics/Hadamard.cpp"
LAYOUT = "lib/Numerics/Layout.cpp"
CONTRACT = "lib/Numerics/Contract.cpp"
VIEWS = "lib/Numerics/Views.cpp"

# The scalar library.
SCALAR = [
    ("nearest: ties to the even code", ELEMENT, "cut.discarded == half && (code & 1)", "cut.discarded == half"),
    ("nearest: rounding up", ELEMENT, "if (cut.discarded > half ||", "if (cut.discarded >= 2 * half ||"),
    ("nearest: saturation", ELEMENT, "if (code > format.maxCode())\n", "if (code > format.maxCode() + 1)\n"),
    ("nearest: subnormal codes", ELEMENT, "shift += 1 - exponent;", "shift += 2 - exponent;"),
    ("FP32 subnormals are not flushed", QUANTIZE, "  ScopedFloatEnvironment environment;\n  Quantizer(", "  Quantizer("),
    ("sign of zero", ELEMENT, "if ((bits >> 31) == 0)\n    return code;", "if ((bits >> 31) == 0 || code == 0)\n    return code;"),
    ("S2F6: symmetric range", ELEMENT, "return (0u - code) & mask;", "return (0u - code - (code == 127)) & mask;"),
    ("code of NaN", ELEMENT, "code = format.nanCode();", "code = format.maxCode() - 1;"),
    ("decode: subnormal codes", ELEMENT, "if (exponent == 0)\n    exponent = 1;", "if (exponent == 0)\n    exponent = 0;"),
    ("stochastic: carry", ELEMENT, "((fraction + (random & (one - 1))) >= one)", "((fraction + (random & (one - 1))) > one)"),
    ("stochastic: which bits are discarded", ELEMENT, "cut.discarded >> (cut.shift - randomBits)", "cut.discarded >> (cut.shift - randomBits + 1)"),
    ("UE8M0 rceil", SCALE, "(mantissa > (maxBits & kMantissaMask))", "(mantissa >= (maxBits & kMantissaMask))"),
    ("UE8M0 rceil, subnormal", SCALE, "return mantissa > ((top << emax) >> 1);", "return 0;"),
    ("UE8M0 floor", SCALE, "case ScaleRule::Floor:\n    return clampByte(exponent - emax);", "case ScaleRule::Floor:\n    return clampByte(exponent - emax + 1);"),
    ("UE8M0 ceil", SCALE, "mantissa > (exponent ? 0u : 0x400000u)", "mantissa >= (exponent ? 0u : 0x400000u)"),
    ("UE8M0 even", SCALE, "1u << (22 - format.mantissaBits)", "1u << (21 - format.mantissaBits)"),
    ("UE8M0 decode: byte 0", SCALE, "return fromBits(1u << (exponent + 149));", "return 0.0f;"),
    ("UE8M0 of a number: nearest", SCALE, "mantissa == middle && (byte & 1)", "mantissa == middle"),
    ("UE4M3: bytes with a sign", SCALE, "if (byte & format.element->signMask())", "if (byte == 0xFF)"),
    ("sf_arith = divide", SCALE, "base = (amax / top) * outer.encode;", "base = amax * outer.encode / top;"),
    ("sf_arith = te", SCALE, "base = amax * (outer.encode * (1.0f / top));", "base = amax * outer.encode * (1.0f / top);"),
    ("sf_arith = torchao", SCALE, "base = (amax / top) / outer.decode;", "base = (amax / top) * outer.encode;"),
    ("sf_arith = torchao, least scale", SCALE, "if (base < lowest)", "if (base < 0.0f)"),
    ("sf_arith = compressed_tensors", SCALE, "outer.encode * (amax / top)", "outer.encode * amax / top"),
    ("sf_arith = compressed_tensors, zero scale", SCALE, "return byte == 0 ?", "return byte == 1 ?"),
    ("sf_round = up", SCALE, "if (amax <= unit * decode(element, middle))", "if (amax < unit * decode(element, middle))"),
    ("inverse of the scale", SCALE, "minPropagating(1.0f / (scale.value * outer.decode), FLT_MAX)", "minPropagating((1.0f / scale.value) / outer.decode, FLT_MAX)"),
    ("sf_zero", SCALE, "scale.value == 0.0f && rule.sfZero == ZeroScale::ZeroCodes", "scale.value == 0.0f"),
    ("outer: encode scale", SCALE, "outer.encode = minPropagating(M / amax, FLT_MAX);", "outer.encode = M / amax;"),
    ("outer: stored scale", SCALE, "outer.decode = 1.0f / outer.encode;", "outer.decode = amax / M;"),
    ("outer: M under 4/6", SCALE, "if (rule.fourSix != FourSix::None)\n    scaleTop", "if (false)\n    scaleTop"),
    ("outer_repr = pow2", SCALE, "if (amaxMantissa > maxMantissa)", "if (amaxMantissa >= maxMantissa)"),
    ("outer: smallest scale", SCALE, "while (bits < toBits(FLT_MAX) && !serves(bits))", "while (false)"),
    ("outer: zero group", SCALE, "  if (amax == 0.0f)\n    return outer;", "  if (amax < 0.0f)\n    return outer;"),
    ("outer: given scale of no use", SCALE, "isFinite(decode) && decode > 0.0f", "isFinite(decode)"),
    ("FP32 scale", SCALE, "scale.value = 1.0f / scale.factor;", "scale.value = amax / top;"),
    ("4/6: candidate", SCALE, "base = base * 1.5f;", "base = base * 1.25f;"),
    ("4/6: ties keep 6", QUANTIZE, "four = blockError(otherCodes, other, outer) <", "four = blockError(otherCodes, other, outer) <="),
    ("4/6: two chains", QUANTIZE, "sums[scaled ? i % 2 : 0]", "sums[0]"),
    ("4/6: fused squares", QUANTIZE, "scaled ? std::fma(error, error, sum) : sum + error * error", "sum + error * error"),
    ("4/6: dequantized order", QUANTIZE, "(product * outer.amax) / outerMax(format, rule) - value", "product * (outer.amax / outerMax(format, rule)) - value"),
    ("4/6: metric mae", QUANTIZE, "sum = sum + magnitude(error);", "sum = sum + error;"),
    ("4/6: metric absmax", QUANTIZE, "sum = maxPropagating(sum, magnitude(error));", "sum = magnitude(error);"),
    ("4/6: rows of a tile", QUANTIZE, ": rowErrors[row] + rowErrors[row + half];", ": rowErrors[row];"),
    ("propagate: the block", SCALE, "if (!outer.lost() && isFinite(amax)) {", "if (!outer.lost() && !isNan(amax)) {"),
    ("propagate: the outer group", SCALE, "outer.encode = outer.decode = quietNan();", "outer.encode = 1.0f;"),
    ("saturate", QUANTIZE, "if (nonfinite == NonFinite::Propagate || isFinite(values[i]))", ""),
    ("neg_zero = drop", QUANTIZE, "toBits(scaled) == 0x80000000u", "toBits(value) == 0x80000001u"),
    ("given amax", QUANTIZE, "amaxes.assign(inputs.givenAmax, inputs.givenAmax + outers.size());", "amaxes = groupAmaxes();"),
    ("dequantize: order", QUANTIZE, "value * outer);", "value / (1.0f / outer));"),
    ("dequantize: NaN scale", SCALE, "return byte == 0xFF ? quietNan() : powerOfTwo(byte - 127);", "return powerOfTwo(byte - 127);"),
    ("requantize: keep", QUANTIZE, "values[next++] = keep ? value : value * scale;", "values[next++] = value * scale;"),
    ("requantize: fold", QUANTIZE, "values[next++] = keep ? value : value * scale;", "values[next++] = value;"),
    ("BF16 results: nearest even", VIEWS, "(bits + 0x7FFFu + ((bits >> 16) & 1)) >> 16", "(bits + 0x8000u) >> 16"),
    ("Philox: words", PHILOX, "static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0]", "static_cast<uint32_t>(product1 >> 32) ^ counter[3] ^ key[0]"),
    ("Philox: rounds", PHILOX, "round < rounds; ++round", "round + 1 < rounds; ++round"),
    ("random bits of 4-bit elements", PHILOX, "kShift8[] = {0, 16, 8, 24}", "kShift8[] = {0, 8, 16, 24}"),
    ("random bits of 8-bit elements", PHILOX, "kShift16[] = {0, 0, 16, 16}", "kShift16[] = {0, 16, 0, 16}"),
    ("independent random bits", PHILOX, "kShiftIndependent[] = {0, 16}", "kShiftIndependent[] = {16, 0}"),
    ("random bits: groups", PHILOX, "row * ((K + size - 1) / size) + k / size", "row * (K / size) + k / size"),
    ("RHT: order of the butterflies", HADAMARD, "values[i + stride] = a - b;", "values[i + stride] = b - a;"),
    ("RHT: factor", HADAMARD, "return inverse ? 0.125f : 0.25f;", "return 0.25f;"),
    ("RHT: orthonormal factor", HADAMARD, "0x3E3504F3u", "0x3E3504F2u"),
    ("RHT: signs", HADAMARD, "(mask >> (i % 16)) & 1 ? -1 : 1", "(mask >> (15 - i % 16)) & 1 ? -1 : 1"),
    ("RHT: signs of the inverse come last", HADAMARD, "  if (!inverse)\n    applySigns(values, n, signs);", "  applySigns(values, n, signs);"),
    ("layout: formula", LAYOUT, "(row % 32) * 16", "(row % 32) * 4"),
    ("layout: padding", LAYOUT, "std::memset(image, 0,", "std::memset(image, 0x11,"),
    ("nibble order", LAYOUT, "(codes[i] & 0xFu) | (high << 4)", "((codes[i] & 0xFu) << 4) | high"),
    ("scales of tiles repeat", LAYOUT, "if (tile >= 0 && repeatsScales(format))\n    result[tile] = shape[tile];", ""),
    ("contraction: order", CONTRACT, "acc = acc + partial * (left.scale(start) * right.scale(start));", "acc = acc + (partial * left.scale(start)) * right.scale(start);"),
    ("contraction: outer scales", CONTRACT, "(left.outer() * right.outer()) * acc", "left.outer() * (right.outer() * acc)"),
    ("contraction: no fused products", CONTRACT, "acc = acc + left.value(k) * right.value(k);", "acc = __builtin_fmaf(left.value(k), right.value(k), acc);"),
]

C_ELEMENTS = "lib/Conversion/LowpToArith/Elements.cpp"
C_ROUNDING = "lib/Conversion/LowpToArith/Rounding.cpp"
C_SCALES = "lib/Conversion/LowpToArith/Scales.cpp"
C_ERRORS = "lib/Conversion/LowpToArith/Errors.cpp"
C_PACKED = "lib/Conversion/LowpToArith/PackedEncoding.cpp"
C_DOT_PAIRS = "lib/Conversion/LowpToArith/DotPairs.cpp"
C_HADAMARD = "lib/Conversion/LowpToArith/Hadamard.cpp"
C_PHILOX = "lib/Conversion/LowpToArith/Philox.cpp"
D_QUANTIZE = "lib/Transforms/DecomposeQuantize.cpp"
D_DEQUANTIZE = "lib/Transforms/DecomposeDequantize.cpp"
D_COMPONENTS = "lib/Transforms/DecomposeComponents.cpp"
D_AMAX = "lib/Transforms/DecomposeAmax.cpp"
D_PACKED = "lib/Transforms/DecomposePacked.cpp"
D_CONTRACTION = "lib/Transforms/DecomposeContraction.cpp"

# The expansions of block operations, and the decomposition of tensor ones.
COMPILED = [
    ("nearest: ties to the even code", C_ROUNDING, "(-excess & 0xFF)))", "(-excess & 0xFF) + 1))"),
    ("nearest: saturation", C_ELEMENTS, "return {values.magnitudeBits().umin(maxBits(format)), format};", "return {values.magnitudeBits().umin(maxBits(format) + (1 << 20)), format};"),
    ("nearest: subnormal codes", C_ROUNDING, ".umax(minExponentField(format) << kMantissaBits)", ".umax((minExponentField(format) + 1) << kMantissaBits)"),
    ("sign of zero", C_ELEMENTS, "return codes +\n           ((values.bits() >> (32 - format.codeBits)) & format.signMask());", "return codes +\n           (((values + 0.0f).bits() >> (32 - format.codeBits)) & format.signMask());"),
    ("S2F6: symmetric range", C_ELEMENTS, "maxDropNan(-top)", "maxDropNan(-2.0f)"),
    ("code of NaN", C_ELEMENTS, "codes = select(values.isNan(), format.nanCode(), codes);\n  return codes;\n}\n\nInt encodeStochastic", "codes = select(values.isNan(), format.maxCode(), codes);\n  return codes;\n}\n\nInt encodeStochastic"),
    ("neg_zero = drop", C_ELEMENTS, "NegZero::Drop ? source + 0.0f : source", "NegZero::Drop ? source : source"),
    ("nibble order", C_ELEMENTS, "(pairs | (pairs >> 4)).trunc(8)", "((pairs << 4) | (pairs >> 8)).trunc(8)"),
    ("decode: subnormal codes", C_ROUNDING, "magnitude < (int64_t(1) << format.mantissaBits)", "magnitude < 0"),
    ("stochastic: carry", C_ROUNDING, "(wanted << (discarded - randomBits))", "(wanted << (discarded - randomBits - 1))"),
    ("UE8M0 rceil", C_SCALES, "carry = kMantissaMask - (topBits & kMantissaMask);", "carry = kMantissaMask - (topBits & kMantissaMask) + 1;"),
    ("UE8M0 ceil", C_SCALES, "    carry = kMantissaMask;\n", "    carry = kMantissaMask - 1;\n"),
    ("UE8M0 even", C_SCALES, "int64_t(1) << (22 - format.mantissaBits)", "int64_t(1) << (21 - format.mantissaBits)"),
    ("UE8M0: lower bound", C_SCALES, "return (exponent - topExponent).smax(0);", "return exponent - topExponent;"),
    ("UE8M0 decode: byte 0", C_SCALES, "select(code == 0, kTwoToMinus127Bits, code << 23)", "code << 23"),
    ("UE4M3: bytes with a sign", C_SCALES, "Bool isNan = code > format->element->maxCode();", "Bool isNan = code == 0x7F;"),
    ("sf_arith = divide", C_SCALES, "candidate(hasOuter() ? quotient * encode : quotient)", "candidate(hasOuter() ? amax * encode / top : quotient)"),
    ("sf_arith = te", C_SCALES, "amax * (encode * (1.0f / top))", "amax * encode * (1.0f / top)"),
    ("sf_arith = torchao", C_SCALES, "quotient = quotient / decode;", "quotient = quotient * encode;"),
    ("sf_arith = torchao, least scale", C_SCALES, "select(quotient < lowest, lowest, quotient)", "quotient"),
    ("sf_arith = compressed_tensors", C_SCALES, "product = encode * product;", "product = encode * amax / top;"),
    ("sf_arith = compressed_tensors, zero scale", C_SCALES, "constexpr float kLeast = 0.125f;", "constexpr float kLeast = 0.25f;"),
    ("sf_round = up", C_SCALES, "value.toF64() * unit < exact", "value.toF64() * unit < exact * 0.5"),
    ("inverse of the scale", C_SCALES, "return inverse(hasOuter() ? value * decode : value);", "return hasOuter() ? inverse(value) * encode : inverse(value);"),
    ("sf_zero", C_SCALES, "hasNoCodes = hasNoCodes | (value == 0.0f);", "hasNoCodes = hasNoCodes | (value < 0.0f);"),
    ("outer: encode scale", C_SCALES, "select(isZero, 1.0f, (top / amax).minKeepNan(FLT_MAX));\n    return {encode", "select(isZero, 1.0f, top / amax);\n    return {encode"),
    ("outer: stored scale", C_SCALES, "return {encode, 1.0f / encode};", "return {encode, select(isZero, 1.0f, amax / top)};"),
    ("outer_repr = pow2", C_SCALES, "(mantissaMask - (topBits & mantissaMask))", "(mantissaMask + 1 - (topBits & mantissaMask))"),
    ("outer: given scale of no use", C_SCALES, "Bool usable = Int(source.bits() - 1) < kInfinityBits - 1;", "Bool usable = Int(source.bits() - 1) < kInfinityBits;"),
    ("FP32 scale", C_SCALES, "scale = 1.0f / factor;", "scale = amax / top;"),
    ("saturate", C_SCALES, "select(magnitudes < infinity, magnitudes, magnitudes.like(0))", "magnitudes.umin(infinity - 1)"),
    ("4/6: candidate", C_SCALES, "op.getFour() ? base * 1.5f : base", "op.getFour() ? base * 1.25f : base"),
    ("4/6: ties keep 6", D_QUANTIZE, "arith::CmpFPredicate::OLT, fourError", "arith::CmpFPredicate::OLE, fourError"),
    ("4/6: fused squares", C_ERRORS, "math::FmaOp::create(b, difference, difference, *sum)", "(difference * difference + *sum).get()"),
    ("4/6: dequantized order", C_ERRORS, "return product * outer / top - source;", "return product * (outer / top) - source;"),
    ("4/6: two chains", C_ERRORS, "Value &sum = sums[sumsPairs(rule) ? count % 2 : 0];", "Value &sum = sums[0];"),
    ("packed codes: rounding", C_PACKED, "maxDropNan(1.5f * minNormal)", "maxDropNan(0.5f * minNormal)"),
    ("packed codes: those that clip", C_PACKED, "return Real(b, magnitudes).bits() < maxBits(format) + halfUlp;", "return Real(b, magnitudes).bits() < 0x7F800000;"),
    ("packed codes: digits", C_PACKED, "(bit2 & (bit1 | bit3))", "(bit2 & bit1)"),
    ("packed codes: signs", C_PACKED, "rotate(both[1], 28)", "rotate(both[1], 27)"),
    ("packed codes: blocks that are not regular", D_PACKED, "buildScales(amax, group, /*regular=*/false);", "buildScales(amax, group, /*regular=*/true);"),
    ("packed codes: valid blocks", C_PACKED, "wanted = select(Bool(b, valid), wanted, wanted.like(0));", "wanted = wanted | 0;"),
    ("packed codes: sums", C_PACKED, ".asReal().maxDropNan(minNormal)", ".asReal().maxDropNan(0.5f * minNormal)"),
    ("packed codes: digits of sums", C_PACKED, "excess += high << (4 * i);", "excess += high;"),
    ("pairs: halves of words", C_DOT_PAIRS, "(words << 16).sshr(16) * factor(op.getLowAttr())", "words.sshr(16) * factor(op.getLowAttr())"),
    ("packed codes: order of blocks", D_PACKED, "    scale = decompose::inOrderOfBlocks(b, scale);", "    scale = Value(scale);"),
    ("packed codes: order of the blocks that clip", D_PACKED, "    amax = decompose::inOrderOfBlocks(b, amax);", "    amax = Value(amax);"),
    ("propagate", C_SCALES, "lost(amax.isNonFiniteMagnitude())", "lost(amax.isNan())"),
    ("requantize: keep, fold", D_QUANTIZE, "/*applyOuter=*/!keep", "/*applyOuter=*/keep"),
    ("RHT: butterflies", C_HADAMARD, "others - values, pick", "values - others, pick"),
    ("RHT: signs of the inverse come last", C_HADAMARD, "    if (op.getInverse())\n      values = applySigns(values, op.getNegate());", "    if (op.getInverse())\n      values = values * 1.0f;"),
    ("Philox: keys", C_PHILOX, "key = key + growth;", "key = key + (growth ^ 1);"),
    ("Philox: words", C_PHILOX, "words[0] = high1 ^ words[1]", "words[0] = high1 ^ words[3]"),
    ("random bits of elements", C_PHILOX, "type.getDimSize(0), place.shift)", "type.getDimSize(0), place.shift ^ 8)"),
    ("layout: formula", D_COMPONENTS, "mul(b, modulo(32), 16)", "mul(b, modulo(32), 4)"),
    ("layout: padding", D_COMPONENTS, "mul(b, add(b, row, columnTile), 512)", "mul(b, add(b, row, columnTile), 256)"),
    ("dequantize: outer scale", D_DEQUANTIZE, "return arith::MulFOp::create(b, values, scale);", "return arith::AddFOp::create(b, values, scale);"),
    ("amax: nonfinite", D_AMAX, "    fields.nonFinite = op.getNonfinite();\n", ""),
    ("contraction: order", D_CONTRACTION, "Value(arith::MulFOp::create(b, lhsScale, scale))\n                            : lhsScale;", "(partial = arith::MulFOp::create(b, partial, lhsScale), scale)\n                            : lhsScale;"),
    ("contraction: outer scales", D_CONTRACTION, "Value(arith::MulFOp::create(b, alpha, scale)) : scale;", "(sum = arith::MulFOp::create(b, scale, sum), alpha) : scale;"),
    ("contraction: no fused products", D_CONTRACTION, "next.push_back(arith::AddFOp::create(b, sum, product));", "auto wide = [&](Value value) { return arith::ExtFOp::create(b, VectorType::get({kPanel}, b.getF64Type()), value); };\nproduct = arith::MulFOp::create(b, wide(splat(b, a, kPanel)), wide(panel));\nnext.push_back(arith::TruncFOp::create(b, panel.getType(), arith::AddFOp::create(b, wide(sum), product)));"),
    ("contraction: blocks of the smaller size", D_CONTRACTION, "blockSize = std::min(lhs.blockSize, rhs.blockSize);", "blockSize = std::max(lhs.blockSize, rhs.blockSize);"),
    ("contraction: outer scales of groups", D_CONTRACTION, "sliceOuter(b, operand.type, operand.outer, group)", "sliceOuter(b, operand.type, operand.outer, {index(b, 0), group.first, group.size})"),
]
