#!/usr/bin/env bash
# Attacks the plugin: random programs, damaged programs, large public programs, functions that are too much.
#     scripts/attack.sh [SECONDS]     for each of the fuzzers; the default is short
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

build_plugin
seconds=${1:-60}
seed=${SEED:-1}
status=0
attack() { python3 "scripts/$1.py" --plugin="$LOOPWRIGHT_PLUGIN" "${@:2}" || status=1; }

attack fuzz --seed="$seed" --count=1000000 --seconds="$seconds" --policy=random,force,kernels,auto,small --each=1 --keep=build/fuzz
attack fuzz_shapes --seed="$seed" --count=1000000 --seconds="$seconds" --keep=build/fuzz
attack mutate --seed="$seed" --count=1000000 --seconds="$seconds" --keep=build/mutate
attack mutate --run --seed="$seed" --count=1000000 --seconds="$seconds" --keep=build/mutate
attack big --small --levels=-O2
exit "$status"
