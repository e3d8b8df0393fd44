#!/usr/bin/env bash
# The long jobs, each by its name. What must hold before every change is in .ci/run.
set -euo pipefail
cd "$(dirname "$0")"

# A job is a function and its line here.
jobs='soak   every promise on the real clocks, for LIMITER_SOAK_SECONDS (60)'

soak() { cargo test --release -p limiter-core --test soak -- --ignored --nocapture; }

name=${1:-}
if [ -z "$name" ]; then
    echo "$jobs"
elif grep -q "^$name " <<< "$jobs"; then
    "$name"
else
    printf 'no job %s; there are:\n%s\n' "$name" "$jobs" >&2
    exit 2
fi
