# REQUIRES: numpy
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %inputs/models
"""Recipe auto: plans of the six-layer model under several budgets are different
and monotone, hold their budget, are the same each time and from their file, and
their errors are those that lowp-run measures."""

import json
import math
import os
import subprocess
import sys

import numpy

[models] = sys.argv[1:]


def model(name, suffix=".mlir"):
    return os.path.join(models, name + suffix)


def compile(name, *flags):
    """The assigned program."""
    command = ["lowp-compile", model(name), "--params=" + model(name, ".json")]
    command += ["--stop-after=assign", "-o", "-", *flags]
    return subprocess.run(command, check=True, capture_output=True).stdout


def choose(name, *flags):
    """Program, report and text of the recipe."""
    flags += ("--recipe=auto", "--report=report.json", "--recipe-out=recipe.json")
    program = compile(name, *flags)
    with open("report.json") as report, open("recipe.json") as recipe:
        return program, json.load(report), recipe.read()


def check_report(report):
    """The sums of a choice are those of its sites."""
    total = report["auto"]
    sites = [site for site in report["sites"] if "choice" in site]
    assert len(sites) == total["sites"] > 0
    mean = sum(site["choice"]["error"] ** 2 for site in sites) / len(sites)
    assert math.isclose(math.sqrt(mean), total["error"], rel_tol=1e-9, abs_tol=1e-15)
    size = sum(
        site[side].get("quantized_bytes", site[side]["bytes"])
        for site in sites
        for side in ("lhs", "rhs")
    )
    assert size == total["bytes"], (size, total)
    for site in sites:
        choice = site["choice"]
        errors = [choice["lhs_error"] ** 2, choice["rhs_error"] ** 2]
        square = (1 + errors[0]) * (1 + errors[1]) - 1
        assert math.isclose(square, choice["error"] ** 2, rel_tol=1e-6, abs_tol=1e-15)
        for side in ("lhs", "rhs"):
            chosen = choice[side].split(":")[0]
            assert chosen == (site[side]["format"] or "none"), site
        # No other option is better in both.
        for other in choice["others"]:
            assert other["error"] > choice["error"] or other["bits"] > choice["bits"]


def check_budgets(name, data, flag, key, budgets):
    plans, bits, errors = set(), [], []
    for budget in budgets:
        flags = [f"--{flag}={budget}", *data]
        program, report, recipe = choose(name, *flags)
        check_report(report)
        total = report["auto"]
        assert total[key] <= budget and total[key + "_budget"] == budget, total
        # The search was not cut short.
        assert total.get("least_bytes", total["bytes"]) == total["bytes"]
        assert total.get("least_error", total["error"]) == total["error"]
        if budget == budgets[0]:
            again = choose(name, *flags)
            assert again == (program, report, recipe), "not deterministic"
        with open("chosen.json", "w") as file:
            file.write(recipe)
        assert compile(name, "--recipe=chosen.json") == program
        plans.add(program)
        bits.append(total["bits"])
        errors.append(total["error"])
    assert len(plans) == len(budgets), "plans are the same"
    assert bits == sorted(bits, reverse=key == "error"), bits
    assert errors == sorted(errors, reverse=key != "error"), errors


def check_measured(name):
    """lowp-run measures the same errors of operands that quantisation before
    them does not change: weights, and the input of the first layer."""
    inputs = model(name, ".inputs.npz")
    _, report, recipe = choose(name, "--max-error=0.08", "--calibration=" + inputs)
    with open("chosen.json", "w") as file:
        file.write(recipe)
    subprocess.run(
        ["lowp-run", model(name), "--params=" + model(name, ".json"), "-O0"]
        + ["--recipe=chosen.json", "--input=" + inputs, "--report=run.json"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with open("run.json") as file:
        run = json.load(file)
    compared = 0
    for index, (site, other) in enumerate(zip(report["sites"], run["sites"])):
        assert site["name"] == other["name"]
        for side in ("lhs", "rhs"):
            choice = site["choice"]
            assert choice[side + "_from"] == "data"
            if other[side]["format"] is None or (index and side == "lhs"):
                continue
            expected = -20 * math.log10(choice[side + "_error"])
            assert abs(other[side]["sqnr_db"] - expected) < 1e-3, (site, other)
            compared += 1
    assert compared > 20, compared


def check_data():
    """Where the numbers come from, and in which form they may come."""
    name = "mlp_bf16_3d_dyn"
    inputs = dict(numpy.load(model(name, ".inputs.npz")))
    with open(model(name, ".json")) as file:
        entries = json.load(file)["inputs"]
    names = {entry["key"]: entry["name"] for entry in entries}
    kinds = {entry["key"]: entry["kind"] for entry in entries}
    weights = {key: value for key, value in inputs.items() if kinds[key] == "weight"}
    others = {key: value for key, value in inputs.items() if kinds[key] != "weight"}
    assert weights and len(others) == 1
    numpy.savez("all.npz", **inputs)
    numpy.savez("weights.npz", **weights)
    numpy.savez("named.npz", **{names[key]: value for key, value in weights.items()})
    numpy.save("x.npy", *others.values())
    numpy.savez("x.npz", **others)

    def sources(report):
        return {
            side: {site["choice"][side + "_from"] for site in report["sites"]}
            for side in ("lhs", "rhs")
        }

    budget = "--bits=6"
    full = choose(name, budget, "--calibration=all.npz")
    assert sources(full[1]) == {"lhs": {"data"}, "rhs": {"data"}}
    for calibration in ("x.npy", "x.npz"):
        for file in ("weights.npz", "named.npz"):
            flags = ["--weights=" + file, "--calibration=" + calibration]
            assert choose(name, budget, *flags) == full
    # Twice the same run gives the same errors.
    twice = choose(name, budget, "--calibration=all.npz", "--calibration=all.npz")
    assert twice[1]["auto"]["bytes"] == full[1]["auto"]["bytes"]
    assert math.isclose(twice[1]["auto"]["error"], full[1]["auto"]["error"])

    half = choose(name, budget, "--weights=weights.npz")[1]
    assert sources(half) == {"lhs": {"model"}, "rhs": {"data"}}
    none = choose(name, budget)[1]
    assert sources(none) == {"lhs": {"model"}, "rhs": {"model"}}
    # The weights are normal: the model is near.
    for a, b in zip(half["sites"], none["sites"]):
        if a["choice"]["rhs"] == b["choice"]["rhs"] != "none":
            ratio = a["choice"]["rhs_error"] / b["choice"]["rhs_error"]
            assert 0.8 < ratio < 1.2, ratio

    constants = choose("mlp_bf16_dense", budget)[1]
    assert sources(constants) == {"lhs": {"model"}, "rhs": {"data"}}
    check_budgets("mlp_bf16_dense", [], "bits", "bits", [5, 7, 10])


def check_rules():
    """Sites that a rule decides are left to it, and do not count."""
    rule = "--rule=kind=router|head -> none"
    program, report, recipe = choose("moe_lm_6l", "--bits=6", rule)
    check_report(report)
    for site in report["sites"]:
        kept = site["kind"] in ("router", "head")
        assert ("choice" in site) != kept
        assert not (kept and site["quantized"])
    with open("chosen.json", "w") as file:
        file.write(recipe)
    assert compile("moe_lm_6l", "--recipe=chosen.json", rule) == program


def check_shared_weight():
    """Two sites of one weight get rules of their own, whatever its name."""
    param = r"w\\*[x]{y}"
    text = """
func.func @main(%x: tensor<8x32xbf16>, %y: tensor<8x32xbf16>,
    %w: tensor<32x32xbf16> {lowp.param = #lowp.param<name = "NAME", kind = weight>},
    %i: tensor<8x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.matmul ins(%y, %w : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<8x32xf32>, tensor<8x32xf32>
}
"""
    with open("shared.mlir", "w") as file:
        file.write(text.replace("NAME", param))
    random = numpy.random.default_rng(0)
    normal = random.normal(size=(32, 32)).astype(numpy.float32).view(numpy.uint32) >> 16
    normal = normal.astype(numpy.uint16)
    # Ones lose nothing, normal numbers something in every format.
    ones = numpy.full((8, 32), 0x3F80, numpy.uint16)
    zeros = numpy.zeros((8, 32), numpy.float32)
    numpy.savez("shared.npz", arg0=ones, arg1=normal[:8], arg2=normal, arg3=zeros)
    command = ["lowp-compile", "shared.mlir", "--stop-after=assign", "-o", "-"]
    flags = ["--recipe=auto", "--max-error=0", "--calibration=shared.npz"]
    flags += ["--recipe-out=chosen.json", "--report=report.json"]
    program = subprocess.run(command + flags, check=True, stdout=subprocess.PIPE).stdout
    with open("report.json") as file:
        sites = json.load(file)["sites"]
    assert sites[1]["name"] == sites[0]["name"] + "#2"
    assert sites[0]["lhs"]["format"] == "mxfp4" and not sites[1]["quantized"], sites
    again = subprocess.run(
        command + ["--recipe=chosen.json"], check=True, stdout=subprocess.PIPE
    ).stdout
    assert again == program


def check_joint(name):
    """Forward and backward sites of one weight get rules of their own; gradients
    are rounded without bias, nothing else is."""
    inputs = model(name, ".inputs.npz")
    check_budgets(
        name, ["--calibration=" + inputs], "max-error", "error", [0.02, 0.06, 0.12]
    )
    _, report, recipe = choose(name, "--bits=5", "--calibration=" + inputs)
    seen = 0
    for rule in json.loads(recipe)["rules"]:
        for operand in ("activation", "weight", "gradient"):
            if operand not in rule:
                continue
            stochastic = ":stochastic" in rule[operand]
            assert stochastic == (operand == "gradient"), rule
            assert rule[operand] in report["auto"]["candidates"][operand]
            seen += stochastic
    assert seen > 2, recipe
    assert report["auto"]["source"] == "high_precision"
    for site in report["sites"]:
        assert all(site[side].get("source", "high_precision") == "high_precision"
                   for side in ("lhs", "rhs"))


def main():
    data = ["--weights=" + model("moe_lm_6l", ".inputs.npz")]
    check_budgets("moe_lm_6l", data, "max-error", "error", [0.03, 0.06, 0.12])
    check_budgets("moe_lm_6l", [], "bits", "bits", [4.5, 6, 8])
    check_measured("moe_lm_6l")
    check_data()
    check_rules()
    check_shared_weight()
    check_joint("mlp_bf16_joint")


main()
