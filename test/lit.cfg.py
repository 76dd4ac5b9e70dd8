import glob
import os
import platform
import re
import shutil
import subprocess

import lit.formats

config.name = "Lowp"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.lowp_obj_root, "test")
config.excludes = ["Inputs", "__pycache__", "docs_format.py", "lit.cfg.py", "lit.site.cfg.py"]

# The environment made by utils/setup.sh, where there is one.
venv_python = os.path.join(config.lowp_venv, "bin", "python3")
python = venv_python if os.path.exists(venv_python) else config.python


def has_python_module(*names):
    code = "; ".join(f"import {name}" for name in names)
    return (
        subprocess.run(
            [python, "-c", code],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ).returncode
        == 0
    )


def ptxas_release(path):
    """The release of a ptxas, e.g. (13, 5), or None where it does not work."""
    try:
        output = subprocess.run([path, "--version"], capture_output=True, text=True)
    except OSError:
        return None
    release = re.search(r"release (\d+)\.(\d+)", output.stdout)
    return tuple(map(int, release.groups())) if release else None


def find_ptxas():
    """The newest ptxas of the PATH, of CUDA_HOME, and of nvidia-cuda-nvcc."""
    candidates = [shutil.which("ptxas")]
    if "CUDA_HOME" in os.environ:
        candidates.append(os.path.join(os.environ["CUDA_HOME"], "bin", "ptxas"))
    pattern = "lib/python3*/site-packages/nvidia/*/bin/ptxas"
    candidates += sorted(glob.glob(os.path.join(config.lowp_venv, pattern)))
    releases = [(ptxas_release(path), path) for path in candidates if path]
    # s2f6 needs PTX ISA 9.1.
    usable = [entry for entry in releases if entry[0] and entry[0] >= (13, 1)]
    return max(usable)[1] if usable else None


if has_python_module("numpy", "ml_dtypes"):
    config.available_features.add("numpy")
if has_python_module("torch"):
    config.available_features.add("torch")
if has_python_module("torch", "torch_mlir"):
    config.available_features.add("torch-mlir")
ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
# Other versions format otherwise.
clang_format = shutil.which("clang-format-22")
if clang_format:
    config.available_features.add("clang-format")
    config.substitutions.append(("%clang_format", clang_format))
if platform.machine() in ("x86_64", "AMD64"):
    config.available_features.add("x86-host")
if shutil.which("valgrind"):
    config.available_features.add("valgrind")
nvidia_smi = shutil.which("nvidia-smi")
if (
    nvidia_smi
    and subprocess.run([nvidia_smi, "-L"], capture_output=True).returncode == 0
):
    config.available_features.add("nvidia-gpu")
if config.lowp_sanitized:
    config.available_features.add("asan")
    # LLVM's own libraries are not instrumented: allocators and vectors that both
    # sides use are marked by one of them only. The simulated driver is loaded by
    # programs that are not instrumented.
    config.environment["ASAN_OPTIONS"] = (
        "allow_user_poisoning=0:detect_container_overflow=0:"
        "verify_asan_link_order=0"
    )

path = [config.lowp_tools_dir, config.llvm_tools_dir]
path += [os.path.dirname(python), os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
config.environment["PYTHONPATH"] = os.path.join(config.lowp_src_root, "python")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
for name in ("HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CCACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Tools are found on the PATH set above; the absolute path in a failing RUN
# line saves the reader a search.
for tool in (
    "lowp-opt",
    "lowp-compile",
    "lowp-run",
    "lowp-conformance",
    "lowp-sim",
    "lowp-lsp-server",
):
    tool_path = os.path.join(config.lowp_tools_dir, tool)
    config.substitutions.append((rf"(?<![\w/.-]){tool}(?![\w/.-])", tool_path))

config.substitutions += [
    ("%python", python),
    ("%cmake", config.cmake),
    ("%host_cxx", config.host_cxx),
    ("%host_cc", config.host_cc),
    ("%lowp_src", config.lowp_src_root),
    ("%lowp_obj", config.lowp_obj_root),
    ("%lowp_lib_dir", config.lowp_lib_dir),
    ("%lowp_tools_dir", config.lowp_tools_dir),
    ("%shlibext", config.lowp_shlib_suffix),
    ("%inputs", os.path.join(config.test_source_root, "Inputs")),
    ("%llvm_tools_dir", config.llvm_tools_dir),
]
