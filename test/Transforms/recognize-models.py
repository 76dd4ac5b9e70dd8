# RUN: %python %s %lowp_tools_dir/lowp-opt %inputs/models
"""Compares the sites of every exported model, in every form, with the list of
products in its JSON: none missed, none invented, with and without names."""

import json
import os
import re
import subprocess
import sys

lowp_opt, models = sys.argv[1:]
SITE = re.compile(
    r"site = #lowp\.site<name = \"([^\"]*)\", role = (\w+), kind = (\w+)"
    r"(?:, layer = (\d+))?, weight = (\w+)>"
)


def get_sites(path, params):
    passes = ["lowp-recognize", "lowp-assign-formats{recipe=bf16}"]
    if params:
        passes.insert(0, "lowp-annotate-params{params=%s}" % params)
    command = [lowp_opt, path, "--pass-pipeline=builtin.module(%s)" % ",".join(passes)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    header = next(line for line in text.splitlines() if "lowp.sites = [" in line)
    sites = []
    for name, role, kind, layer, side in SITE.findall(header):
        name = name.split("#")[0]
        layer = int(layer) if layer else None
        sites.append(dict(name=name, role=role, kind=kind, layer=layer, side=side))
    return sites


def expected_kind(product):
    name = product["weight"]
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
        if product["product"] not in ("fprop", "dgrad"):
            continue
        name = product["weight"]
        if name == "constant":
            name = "constant%d" % len(constants)
            constants[name] = True
        elif not named:
            name = inputs[name]
        sites.append(
            dict(
                name=name,
                role=product["product"],
                kind=expected_kind(product),
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
