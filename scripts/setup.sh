#!/usr/bin/env bash
# Installs what loopwright needs and is not there yet: LLVM 22 with clang, and what builds the HiGHS solver.
# The other scripts call it first. With everything there it installs nothing, says nothing and takes no time.
set -euo pipefail

have() { command -v "$1" >/dev/null 2>&1; }

llvm_file() { # llvm_file bindir opt: is that file of LLVM 22 there?
    have llvm-config-22 && [ -e "$(llvm-config-22 "--$1")/$2" ]
}

libclang_is_there() { # bindgen, which HiGHS's crate runs, loads it
    local libdir
    have llvm-config-22 && libdir=$(llvm-config-22 --libdir) &&
        { compgen -G "$libdir/libclang.so*" || compgen -G "$libdir/libclang-[0-9]*.so*"; } >/dev/null
}

missing=()
need() { # need package why command...: the package is missing when the command fails
    local package=$1 why=$2
    shift 2
    if ! "$@"; then
        missing+=("$package")
        reasons+=("  $package: $why")
    fi
}

reasons=()
need llvm-22 "LLVM's libraries, opt and llvm-config" llvm_file bindir opt
need llvm-22-dev "LLVM's C++ headers, for the plugin's shim" llvm_file includedir llvm/Plugins/PassPlugin.h
need llvm-22-tools "lit and FileCheck, for the tests" llvm_file bindir FileCheck
need clang-22 "the compiler that the plugin is made for" have clang-22
need libclang1-22 "bindgen, for the HiGHS solver" libclang_is_there
need g++ "a C++ compiler, for the shim and the HiGHS solver" have c++
need cmake "builds the HiGHS solver" have cmake
need make "builds the HiGHS solver" have make
need python3 "runs the tests and the measurements" have python3

if ! have cargo; then
    echo "setup: cargo is not there; install Rust 1.95 or later from https://rustup.rs" >&2
    exit 1
fi

if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

echo "setup: missing on this machine:"
printf '%s\n' "${reasons[@]}"

if ! have apt-get; then
    echo "setup: these are names of Debian packages, and there is no apt-get here: install them by hand" >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! have sudo; then
        echo "setup: run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
as_root+=(env DEBIAN_FRONTEND=noninteractive)

echo "setup: installing them with apt-get"
if ! "${as_root[@]}" apt-get update -q ||
    ! "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"; then
    echo "setup: apt-get could not install ${missing[*]}" >&2
    echo "setup: LLVM 22 is in Debian 12 by way of its security suite (bookworm-security), and on https://apt.llvm.org" >&2
    exit 1
fi
echo "setup: done"
