"""Programs for processors that the host need not be."""

import subprocess

import lowp


def compile_lowered(opt, option, expected, text):
    """A program that is lowered under an option of the pipeline, with `expected`
    in it, and converted for the host by generic expansions."""
    stages = ["--lowp-stage-insert", f"--lowp-stage-lower={option}=true"]
    lowered = subprocess.run(
        [opt, *stages], input=text, capture_output=True, text=True, check=True
    ).stdout
    assert expected in lowered
    return lowp.compile(lowered, flags=["--resume-from=convert"])
