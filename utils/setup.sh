#!/usr/bin/env bash
# Installs what Lowp needs to build and to test itself on Debian 12: packages
# by apt, and a Python environment with numpy, ml_dtypes and NVIDIA's ptxas in
# build/venv. Asks nothing; does nothing where all is in place.
#
#   LOWP_BUILD_DIR  the build folder (default: build beside this checkout's
#                   README.md)
set -euo pipefail

source_dir="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build_dir="${LOWP_BUILD_DIR:-$source_dir/build}"
venv="$build_dir/venv"

# libMLIR, mlir-tblgen and FileCheck come from three packages that do not
# depend on each other.
packages=(
  ca-certificates
  clang-22
  clang-format-22
  cmake
  git
  libgmock-dev
  libgtest-dev
  libmlir-22-dev
  lld-22
  llvm-22-dev
  llvm-22-tools
  mlir-22-tools
  ninja-build
  python3
  python3-venv
  valgrind
  zlib1g-dev
)
# ptxas comes without the CUDA toolkit. 13.5 knows PTX ISA 9.1 and later, which
# the s2f6 conversions need.
ptxas_wheel="nvidia-cuda-nvcc==13.5.37"

say() { echo "[setup] $*"; }
die() {
  echo "[setup] error: $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq \
    -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@"
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

has_candidate() {
  local policy
  policy="$(apt-cache policy "$1" 2>/dev/null)"
  [[ $policy == *"Candidate: "[0-9]* ]]
}

# LLVM 22 reaches Debian 12 through its security suite. Installers and
# container images list it; a bare debootstrap does not.
add_security_suite() {
  local codename
  codename="$(. /etc/os-release && echo "${ID:-}-${VERSION_CODENAME:-}")"
  [ "$codename" = debian-bookworm ] || return 0
  local list=/etc/apt/sources.list.d/bookworm-security.list
  say "LLVM 22 is in none of apt's sources: adding Debian's security suite in $list"
  echo "deb http://deb.debian.org/debian-security bookworm-security main" |
    as_root tee "$list" >/dev/null
  apt_get update
}

install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "all packages are installed"
    return
  fi

  command -v apt-get >/dev/null ||
    die "this system has no apt-get; install by hand: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
    die "root is needed, and sudo is missing or asks for a password; as root, run: apt-get install ${missing[*]}"
  fi

  say "updating apt's lists"
  apt_get update
  has_candidate libmlir-22-dev || add_security_suite
  local absent=()
  for package in "${missing[@]}"; do
    has_candidate "$package" || absent+=("$package")
  done
  [ ${#absent[@]} -eq 0 ] ||
    die "apt's sources have no ${absent[*]}; LLVM and MLIR 22.1 come from Debian 12's security suite ('deb http://deb.debian.org/debian-security bookworm-security main')"

  say "installing ${missing[*]}"
  apt_get install -y --no-install-recommends "${missing[@]}"
}

find_ptxas() {
  compgen -G "$venv/lib/python3*/site-packages/nvidia/*/bin/ptxas"
}

make_venv() {
  local stamp="$venv/lowp-requirements.txt"
  if [ -x "$venv/bin/python3" ] && find_ptxas >/dev/null &&
    cmp -s "$source_dir/utils/requirements.txt" "$stamp"; then
    say "the Python environment is in place"
    return
  fi
  say "making a Python environment in $venv (numpy, ml_dtypes, ptxas)"
  mkdir -p "$build_dir"
  # The distribution's Python: python3-venv belongs to it.
  local python=python3
  [ -x /usr/bin/python3 ] && python=/usr/bin/python3
  "$python" -m venv --clear "$venv"
  local pip=("$venv/bin/python3" -m pip --quiet --disable-pip-version-check)
  "${pip[@]}" install -r "$source_dir/utils/requirements.txt" ||
    die "pip could not install utils/requirements.txt"
  # Only ptxas is wanted from the wheel, not the toolkit that it depends on.
  "${pip[@]}" install --no-deps "$ptxas_wheel" ||
    die "pip could not install $ptxas_wheel"
  find_ptxas >/dev/null || die "$ptxas_wheel holds no ptxas"
  cp "$source_dir/utils/requirements.txt" "$stamp"
}

install_packages
make_venv
