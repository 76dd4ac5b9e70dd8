// RUN: lowp-opt %s --verify-diagnostics --split-input-file

// One case per constraint of docs/spec.md, named by its label.

// blocked (C1)
// expected-error@below {{expected rank of at least 1, but got 0}}
func.func private @blocked_c1(!lowp.blocked<nvfp4, block = []>)

// -----

// blocked (C3)
// expected-error@below {{expected block to have one entry per dim (2), but got 1}}
func.func private @blocked_c3(!lowp.blocked<4x16xnvfp4, block = [16]>)

// -----

// blocked (C4)
// expected-error@below {{expected block sizes between 1 and 2147483647, but got 0 in dim 1}}
func.func private @blocked_c4_zero(!lowp.blocked<4x16xnvfp4, block = [1, 0]>)

// -----

// expected-error@below {{expected block sizes between 1 and 2147483647, but got -16 in dim 1}}
func.func private @blocked_c4_negative(!lowp.blocked<4x16xnvfp4, block = [1, -16]>)

// -----

// expected-error@below {{expected block sizes between 1 and 2147483647, but got 9223372036854775807 in dim 0}}
func.func private @blocked_c4_large(!lowp.blocked<4x16xnvfp4, block = [9223372036854775807, 9223372036854775807]>)

// -----

// blocked (C5)
// expected-error@below {{expected blocks along one dim or square tiles of the last two dims, but got [8, 16]}}
func.func private @blocked_c5_square(!lowp.blocked<4x16xnvfp4, block = [8, 16]>)

// -----

// expected-error@below {{expected blocks along one dim or square tiles of the last two dims, but got [16, 1, 16]}}
func.func private @blocked_c5_last_two(!lowp.blocked<4x4x16xnvfp4, block = [16, 1, 16]>)

// -----

// expected-error@below {{expected blocks along one dim or square tiles of the last two dims, but got [16, 16, 16]}}
func.func private @blocked_c5_three(!lowp.blocked<4x4x16xnvfp4, block = [16, 16, 16]>)

// -----

// blocked (C6)
// expected-error@below {{expected outer axes between 0 and 1, but got 2}}
func.func private @blocked_c6_above(!lowp.blocked<4x16xnvfp4, block = [1, 16], outer = [2]>)

// -----

// expected-error@below {{expected outer axes between 0 and 1, but got -1}}
func.func private @blocked_c6_below(!lowp.blocked<4x16xnvfp4, block = [1, 16], outer = [-1]>)

// -----

// blocked (C7)
// expected-error@below {{expected outer axes to ascend, but got [1, 0]}}
func.func private @blocked_c7_order(!lowp.blocked<4x4x16xnvfp4, block = [1, 1, 16], outer = [1, 0]>)

// -----

// expected-error@below {{expected outer axes to ascend, but got [0, 0]}}
func.func private @blocked_c7_twice(!lowp.blocked<4x4x16xnvfp4, block = [1, 1, 16], outer = [0, 0]>)

// -----

// blocked (C8)
// expected-error@below {{expected block size 1 along outer axis 1, but got 16}}
func.func private @blocked_c8(!lowp.blocked<4x16xnvfp4, block = [1, 16], outer = [1]>)

// -----

// blocked (C9)
// expected-error@below {{expected no outer axes, since the format has no outer scale, but got [0]}}
func.func private @blocked_c9(!lowp.blocked<4x16xmxfp4, block = [1, 16], outer = [0]>)

// -----

// blocked (C10)
// expected-error@below {{expected rank of at least 2 for layout tcgen05_128x4, but got 1}}
func.func private @blocked_c10(!lowp.blocked<64xmxfp4, block = [32], layout = tcgen05_128x4>)

// -----

// blocked (C11)
// expected-error@below {{expected block scales of one byte for layout tcgen05_128x4, but got f32}}
func.func private @blocked_c11(!lowp.blocked<4x128xfp8_block, block = [1, 128], layout = tcgen05_128x4>)

// -----

// blocked (C12)
// expected-error@below {{expected scales of less than 2^63 bytes for layout tcgen05_128x4, but got 9223372036854775807 rows of 9223372036854775807 elements}}
func.func private @blocked_c12(!lowp.blocked<9223372036854775807x9223372036854775807xmxfp4, block = [1, 32], layout = tcgen05_128x4>)

// -----

// blocked (C13)
// expected-error@below {{expected groups along a dim between 0 and 1, but got 2}}
func.func private @blocked_c13(!lowp.blocked<4x16xmxfp4, block = [1, 16], groups = 3 along 2>)

// -----

// blocked (C14)
// expected-error@below {{expected between 0 and 2147483647 groups, but got -1}}
func.func private @blocked_c14(!lowp.blocked<4x16xmxfp4, block = [1, 16], groups = -1 along 0>)

// -----

// expected-error@below {{expected between 0 and 2147483647 groups, but got 2147483648}}
func.func private @blocked_c14_most(!lowp.blocked<4x16xmxfp4, block = [1, 16], groups = 2147483648 along 0>)

// -----

// blocked (C15)
// expected-error@below {{expected a group at least along dim 0 of size 4, but got none}}
func.func private @blocked_c15(!lowp.blocked<4x16xmxfp4, block = [1, 16], groups = 0 along 0>)

// -----

// expected-error@below {{expected scales of less than 2^63 bytes for layout tcgen05_128x4, but got 9223372036854775807 rows of 4 elements}}
func.func private @blocked_c12_groups(!lowp.blocked<9223372036854775807x4xmxfp4, block = [1, 1], layout = tcgen05_128x4, groups = 2147483647 along 0>)

// -----

// Text.

// expected-error@below {{expected groups along a dim of at least 0, but got -1}}
func.func private @groups_along(!lowp.blocked<4x16xmxfp4, block = [1, 16], groups = 3 along -1>)

// -----

// expected-error@below {{expected 'along'}}
func.func private @groups_only(!lowp.blocked<4x16xmxfp4, block = [1, 16], groups = 3>)

// -----

// expected-error@below {{expected 'outer', 'layout' or 'groups', in this order}}
func.func private @groups_first(!lowp.blocked<4x16xmxfp4, block = [1, 16], groups = 3 along 0, layout = linear>)

// -----


// expected-error@below {{expected a format, one of nvfp4, mxfp8_e4m3, mxfp8_e5m2, mxfp6_e2m3, mxfp6_e3m2, mxfp4, mxs2f6, fp8_block or <element, scale[, outer]>, but got 'nvfp8'}}
func.func private @unknown_format(!lowp.blocked<4x16xnvfp8, block = [1, 16]>)

// -----

// expected-error@below {{expected 'block'}}
func.func private @no_block(!lowp.blocked<4x16xnvfp4, outer = [0]>)

// -----

// expected-error@below {{expected 'outer', 'layout' or 'groups', in this order}}
func.func private @field_order(!lowp.blocked<4x16xnvfp4, block = [1, 16], layout = linear, outer = [0]>)

// -----

// expected-error@below {{expected layout linear or tcgen05_128x4, but got 'swizzled'}}
func.func private @unknown_layout(!lowp.blocked<4x16xnvfp4, block = [1, 16], layout = swizzled>)
