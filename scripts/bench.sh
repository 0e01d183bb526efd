#!/usr/bin/env bash
# Measures the plugin against clang, clang with Polly, gcc, and (where libopenblas-dev is installed, and has a routine)
# OpenBLAS, interleaved in one run, and checks that the results are the same. Writes build/bench.json.
#     scripts/bench.sh [--rounds N] [--only NAME,...] [--quick]
# Traversals of sequences of nests against none:
#     scripts/bench.sh --fusion [--rounds N] [--only NAME,...] [--sizes N,...]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

build_plugin
if [ "${1:-}" = --fusion ]; then
    shift
    exec python3 scripts/bench_fusion.py "$@"
fi
exec python3 scripts/bench.py "$@"
