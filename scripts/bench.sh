#!/usr/bin/env bash
# Measures the plugin against clang, clang with Polly, gcc, and (where libopenblas-dev is installed, and has a routine)
# OpenBLAS, interleaved in one run, and checks that the results are the same. Writes build/bench.json.
#     scripts/bench.sh [--rounds N] [--minutes M] [--only NAME,...] [--thirty] [--quick] [--plot FOLDER]
# Speed against size, sizes given or a range of them:
#     scripts/bench.sh --only NAME,... --sizes sweep|N,... [--plot FOLDER]
# Predicted cost against measured time, over what the plugin makes of each kernel when it is made to choose otherwise:
#     scripts/bench.sh --ranks [--rounds N] [--minutes M] [--only NAME,...] [--thirty] [--plot FOLDER]
# Everything, with pictures, into results/PROCESSOR/, for a machine that is quiet for 90 minutes; with less time rivals are left out first:
#     scripts/bench.sh --keep --minutes 90
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
