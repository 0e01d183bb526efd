#!/usr/bin/env bash
# Runs all tests: those of the crates, then those of test-ir/ on LLVM IR and on running programs.
#     scripts/test.sh
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

mkdir -p build
build_plugin

# Neither stops the other: the closing line counts both.
cargo_status=0
cargo test --release --workspace --no-fail-fast 2>&1 | tee build/cargo-test.log || cargo_status=$?

lit_status=0
rm -f build/lit.json
"$(llvm-config-22 --bindir)/lit" -sv --no-progress-bar --output build/lit.json test-ir || lit_status=$?

python3 scripts/summary.py build/cargo-test.log "$cargo_status" build/lit.json "$lit_status"
