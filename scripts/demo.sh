#!/usr/bin/env bash
# Builds the plugin, compiles every file of examples/ with and without it, and shows what it did:
#     scripts/demo.sh [name...]
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

build_plugin
exec python3 scripts/demo.py "$@"
