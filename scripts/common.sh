# shellcheck shell=bash
# Sourced by the other scripts: installs what is missing, goes to the root of the repository, and knows where things lie.
set -euo pipefail

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
scripts/setup.sh

# Where cargo builds, whatever CARGO_TARGET_DIR and cargo's configuration say.
target_dir=$(cargo metadata --no-deps --format-version 1 |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}

# Another plugin than the one built here can be tried with LOOPWRIGHT_PLUGIN.
build_plugin() {
    if [ -z "${LOOPWRIGHT_PLUGIN:-}" ]; then
        cargo build --release -p pass
        LOOPWRIGHT_PLUGIN=$target_dir/release/libloopwright.so
    fi
    export LOOPWRIGHT_PLUGIN
}
