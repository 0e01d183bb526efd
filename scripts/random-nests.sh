#!/usr/bin/env bash
# Schedules random nests on all cores and checks every schedule by its certificates and by enumeration; prints how many
# found a schedule other than the source's, and how many of these without shifting statements against each other:
#     scripts/random-nests.sh [COUNT] [SEED]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

exec cargo run --quiet --release -p scheduler --example random_nests -- "${1:-20000}" "${2:-1}"
