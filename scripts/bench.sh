#!/usr/bin/env bash
# Measures the plugin against clang, clang with Polly, gcc, and (where libopenblas-dev is installed, and has a routine)
# OpenBLAS, interleaved in one run, and checks that the results are the same. Writes build/bench.json.
#     scripts/bench.sh [--rounds N] [--only NAME,...] [--quick]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

build_plugin
exec python3 scripts/bench.py "$@"
