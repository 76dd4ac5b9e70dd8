# RUN: %python %s lowp-compile %inputs/models
"""Compares the report of every exported model, in every form, with the list of
products in its JSON: none missed, none invented, with and without names."""

import json
import os
import subprocess
import sys
import tempfile

lowp_compile, models = sys.argv[1:]


def get_sites(path, params):
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [lowp_compile, path, "--recipe=bf16", "--stop-after=assign"]
        command += ["-o", os.devnull, "--report=" + report.name]
        if params:
            command.append("--params=" + params)
        subprocess.run(command, check=True)
        with open(report.name) as file:
            sites = json.load(file)["sites"]
    return [
        dict(
            name=site["name"].split("#")[0],
            role=site["role"],
            kind=site["kind"],
            layer=site["layer"],
            side=site["weight"],
        )
        for site in sites
    ]


def expected_kind(product, name):
    if "attn" in name:
        return "attention"
    if name.endswith(("mlp.gate.weight", "router.weight")) or name == "gate.weight":
        return "router"
    if name.endswith("lm_head.weight"):
        return "head"
    if product["op"] == "linalg.batch_matmul":
        return "expert"
    return "dense"


def expected_sites(case, named):
    inputs = {entry["name"]: entry["key"] for entry in case["inputs"]}
    constants, sites = {}, []
    for product in case["matmuls"]:
        if product["product"] not in ("fprop", "dgrad", "wgrad"):
            continue
        name = product["weight"]
        if product["product"] == "wgrad":
            # What it becomes says which weight it is the gradient of.
            name = product["result"].removeprefix("grad.")
        kind = expected_kind(product, name)
        if name == "constant":
            name = "constant%d" % len(constants)
            constants[name] = True
        elif not named:
            name = inputs[name]
        sites.append(
            dict(
                name=name,
                role=product["product"],
                kind=kind,
                layer=product["layer"],
                side=product["side"],
            )
        )
    return sites


def main():
    failures = checked = 0
    files = [os.path.join(models, name) for name in sorted(os.listdir(models))]
    variants = os.path.join(models, "variants")
    files += [os.path.join(variants, name) for name in sorted(os.listdir(variants))]
    for path in files:
        if not path.endswith(".mlir"):
            continue
        case_name = os.path.basename(path).split(".")[0]
        params = os.path.join(models, case_name + ".json")
        with open(params) as file:
            case = json.load(file)
        for named in (True, False):
            expected = expected_sites(case, named)
            actual = get_sites(path, params if named else None)
            checked += 1
            if actual == expected:
                continue
            failures += 1
            print("%s, %s names:" % (path, "with" if named else "without"))
            for site in expected:
                if site not in actual:
                    print("  missed  ", site)
            for site in actual:
                if site not in expected:
                    print("  invented", site)
            if sorted(map(str, actual)) == sorted(map(str, expected)):
                print("  the order differs")
    print("%d programs, %d differ from their JSON" % (checked, failures))
    sys.exit(failures != 0 or checked == 0)


main()
