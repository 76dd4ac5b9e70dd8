# REQUIRES: numpy
# RUN: %python %s
"""The numpy definition that other tests rely on gives the golden vectors."""

import json
import os
import sys

import numpy as np

inputs = os.path.join(os.path.dirname(__file__), "..", "Inputs")
sys.path[:0] = [inputs, os.path.join(inputs, "vectors")]
import lpvec  # noqa: E402
import sqnr_numpy as sq  # noqa: E402

CHECKED = {
    ("s2f6", "ue8m0"): lambda c: c["ue8m0_rule"] == "rceil",
    ("e4m3", "ue8m0"): lambda c: c["ue8m0_rule"] == "rceil"
    and c.get("round", "rne") == "rne",
    ("e2m1", "ue4m3"): lambda c: c.get("sf_arith") == "divide"
    and c["block"] == 16
    and c["outer"] in ("tensor", "row")
    and "map_to" not in c
    and (
        c.get("four_six", "none") == "none"
        and c.get("outer_max") == 2688
        or c.get("four_six") == "mse"
        and c.get("four_six_error") == "scaled"
    ),
}


def signed_codes(packed, width, values):
    """Codes of the vectors as magnitudes and signs."""
    if width == 4:
        codes = np.stack([packed & 15, packed >> 4], axis=-1)
        packed = codes.reshape(packed.shape[:-1] + (-1,))[..., : values.shape[-1]]
        return packed & 7, packed >> 3
    return packed & 127, packed >> 7


def check(entry, contract):
    arrays = lpvec.read(os.path.join(inputs, "vectors", entry["file"]))
    get = lambda role: arrays[entry["arrays"][role]]
    raw = get("x")
    x = lpvec.bf16(raw) if raw.dtype == np.uint16 else lpvec.f32(raw)
    if not np.isfinite(x).all():
        return False
    if contract["elem"] == "e2m1":
        outer_axes = (0,) if contract["outer"] == "row" else ()
        values, parts = sq.nvfp4(x, outer_axes, contract.get("four_six", "none"))
        scales, width = parts["byte"], 4
    else:
        values, parts = (sq.mxfp8 if contract["elem"] == "e4m3" else sq.mxs2f6)(x)
        scales, width = parts["power"] + 127, 8
    np.testing.assert_array_equal(scales[..., 0], get("scales"), entry["out"])
    codes = parts["codes"].reshape(x.shape[:-1] + (-1,))[..., : x.shape[-1]]
    stored = get("codes")
    if contract["elem"] == "s2f6":
        stored = np.abs(stored.astype(np.int8).astype(int))
        np.testing.assert_array_equal(codes, stored, entry["out"])
    else:
        magnitudes, signs = signed_codes(stored, width, x)
        np.testing.assert_array_equal(codes, magnitudes, entry["out"])
        np.testing.assert_array_equal(np.signbit(values), signs == 1, entry["out"])
    if "pick4" in entry["arrays"]:
        np.testing.assert_array_equal(parts["picked"][..., 0], get("pick4"))
    if "dequant" in entry["arrays"]:
        np.testing.assert_array_equal(values, lpvec.f32(get("dequant")))
    return True


manifest = json.load(open(os.path.join(inputs, "vectors", "manifest.json")))
counts = {}
for entry in manifest["entries"]:
    contract = entry["contract"]
    if entry["op"] != "quantize":
        continue
    kind = (contract["elem"], contract["scale"])
    if kind in CHECKED and CHECKED[kind](contract):
        counts[kind] = counts.get(kind, 0) + check(entry, contract)
# Entries without NaN and infinities; none may be passed over in silence.
assert counts == {
    ("s2f6", "ue8m0"): 12,
    ("e4m3", "ue8m0"): 21,
    ("e2m1", "ue4m3"): 25,
}, counts
