#!/usr/bin/env bash
# The jobs that have a name: the model checkers, which .ci/run runs too, and the long ones, which it does not.
set -euo pipefail
cd "$(dirname "$0")"

# A job is a function and its line here.
jobs='loom       the races of limiter-core, every interleaving with at most LOOM_MAX_PREEMPTIONS (2 or 3, as each scenario says)
shuttle    the same on random schedules, SHUTTLE_ITERATIONS (10000) of each of two kinds
loom-long  loom with 3 preemptions everywhere
fuzz       each fuzz target, for LIMITER_FUZZ_SECONDS (600); what it finds new stays in target/fuzz
soak       every promise on the real clocks, for LIMITER_SOAK_SECONDS (60)
cost       what the attribute costs to compile, LIMITER_COST_FUNCTIONS (2000) in LIMITER_COST_ROUNDS (5)'

# In a folder of its own: other flags would have everything built anew.
model() {
    RUSTFLAGS="--cfg limiter_$1 -D warnings" CARGO_TARGET_DIR="target/$1" \
        cargo test --release -p limiter-core --lib scenarios -- --nocapture --test-threads 1 2>&1 | tee "target/$1.log" |
        grep -E 'executions|^test |^error|panicked|FAILED|left|right|-->'
    # A filter that matches nothing is no success.
    grep -q '^test result: ok' "target/$1.log" && grep -q executions "target/$1.log"
}

loom() { mkdir -p target && model loom; }

loom-long() { LOOM_MAX_PREEMPTIONS=3 loom; }

shuttle() { mkdir -p target && model shuttle; }

fuzz() {
    missing() { printf 'no %s; install it with: %s\n' "$1" "$2" >&2; exit 3; }
    rustup run nightly cargo --version > /dev/null 2>&1 || missing 'nightly toolchain' 'rustup toolchain install nightly'
    cargo fuzz --version > /dev/null 2>&1 || missing cargo-fuzz 'cargo install cargo-fuzz'
    local target
    for target in duration attribute history; do
        # The first folder is the one that is added to: the corpus of the repository stays as it is.
        mkdir -p "target/fuzz/$target"
        cargo +nightly fuzz run "$target" "target/fuzz/$target" "fuzz/corpus/$target" \
            -- -max_total_time="${LIMITER_FUZZ_SECONDS:-600}" -timeout=10
    done
}

soak() { cargo test --release -p limiter-core --test soak -- --ignored --nocapture; }

cost() { tests/cost/cost.sh; }

name=${1:-}
if [ -z "$name" ]; then
    echo "$jobs"
elif grep -q "^$name " <<< "$jobs"; then
    "$name"
else
    printf 'no job %s; there are:\n%s\n' "$name" "$jobs" >&2
    exit 2
fi
