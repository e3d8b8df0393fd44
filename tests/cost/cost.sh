#!/usr/bin/env bash
# What the attribute costs whoever compiles it: per annotated function at most 1 ms over the function without it, and for the
# macro crate with all it needs at most 1.2 times syn, quote and proc-macro2 alone.
#
# Times are processor time, user and system, of cargo and all it starts, which other programs disturb least. Of several runs,
# in turns, the least counts.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never

functions=${LIMITER_COST_FUNCTIONS:-2000}
rounds=${LIMITER_COST_ROUNDS:-5}
root=$PWD
work=$root/target/cost
rm -rf "$work"
mkdir -p "$work"

# Processor time of a command in milliseconds.
milliseconds() {
    local TIMEFORMAT='%U %S' spent
    spent=$({ time "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; } 2>&1)
    awk '{ printf "%d\n", ($1 + $2) * 1000 }' <<< "$spent"
}

least() { sort -n | head -n1; }

# ---- A function

# A handful of shapes in turns: a limit for all, keys, an address, a burst, async, a method, a generic function.
shapes() {
    local limit=$1 i
    echo 'use std::net::SocketAddr;'
    [ -z "$limit" ] || echo 'use limiter::{limit, TokenBucket};'
    echo 'pub struct Api { pub tenant: u32 }'
    for ((i = 0; i < functions; i += 8)); do
        a() { [ -z "$limit" ] || echo "#[limit($1)]"; }
        cat << END
$(a 'requests = 100, window = "1s"')
pub fn f$i(x: u64) -> Option<u64> { Some(x + 1) }
$(a 'strategy = TokenBucket, requests = 100, window = "1m", burst = 20')
pub fn f$((i + 1))(text: &str) -> Option<usize> { Some(text.len()) }
$(a 'requests = 5, window = "1m", key = user')
pub fn f$((i + 2))(user: u64) -> Option<u64> { Some(user) }
$(a 'requests = 5, window = "1m", key = ip')
pub fn f$((i + 3))(peer: SocketAddr) -> Option<u16> { Some(peer.port()) }
$(a 'strategy = TokenBucket, requests = 5, window = "1h30m"')
pub async fn f$((i + 4))(x: u64) -> Option<u64> { Some(x + 1) }
$(a 'requests = 1, window = "1s", fallback = 0')
pub fn f$((i + 5))(x: u64) -> u64 { x + 1 }
impl Api {
    $(a 'requests = 5, window = "1m", key = (self.tenant, route), capacity = 1_000')
    pub fn f$((i + 6))(&self, route: &str) -> Option<usize> { Some(route.len()) }
}
$(a 'requests = 10, window = "1s"')
pub fn f$((i + 7))<T: Clone>(x: &T) -> Option<T> { Some(x.clone()) }
END
    done
}

package() {
    mkdir -p "$work/$1/src"
    cat > "$work/$1/Cargo.toml"
    cp "$root/Cargo.lock" "$work/$1/"
}

for kind in plain limited; do
    package "$kind" << END
[package]
name = "$kind"
version = "0.0.0"
edition = "2024"

[dependencies]
limiter-rs = { path = "$root" }

[workspace]
END
done
shapes '' > "$work/plain/src/lib.rs"
shapes limit > "$work/limited/src/lib.rs"

compile() {
    touch "$work/$1/src/lib.rs"
    CARGO_TARGET_DIR="$work/target" milliseconds cargo "${@:2}" -q --manifest-path "$work/$1/Cargo.toml"
}

# What they need is built once, and not measured.
for kind in plain limited; do
    for command in check build 'build --release'; do
        # shellcheck disable=SC2086
        compile "$kind" $command > /dev/null
    done
done

failed=0
printf '%s functions, the least of %s runs, processor time\n\n' "$functions" "$rounds"
printf '%-16s%14s%14s%22s\n' '' 'plain, ms' 'limited, ms' 'a function, ms'
for command in check build 'build --release'; do
    : > "$work/plain.ms"
    : > "$work/limited.ms"
    for ((round = 0; round < rounds; round++)); do
        for kind in plain limited; do
            # shellcheck disable=SC2086
            compile "$kind" $command >> "$work/$kind.ms"
        done
    done
    plain=$(least < "$work/plain.ms")
    limited=$(least < "$work/limited.ms")
    each=$(awk -v a="$plain" -v b="$limited" -v n="$functions" 'BEGIN { printf "%.2f", (b - a) / n }')
    printf '%-16s%14s%14s%22s\n' "cargo $command" "$plain" "$limited" "$each"
    # The promise is of the compiler's front, which everybody waits for after each change.
    if [ "$command" = check ] && awk -v e="$each" 'BEGIN { exit !(e > 1) }'; then failed=1; fi
done

# ---- The macro crate

package parser << END
[package]
name = "parser"
version = "0.0.0"
edition = "2024"

[dependencies]
$(sed -n '/^\[dependencies\]/,/^\[/p' limiter-macros/Cargo.toml | grep -E '^[a-z0-9-]+ = ')

[workspace]
END
echo '//! Nothing.' > "$work/parser/src/lib.rs"

cold() {
    rm -rf "$work/cold"
    CARGO_TARGET_DIR="$work/cold" milliseconds cargo build -q "$@"
}

: > "$work/parser.ms"
: > "$work/macros.ms"
cargo fetch -q --manifest-path "$work/parser/Cargo.toml"
for ((round = 0; round < rounds; round++)); do
    cold --manifest-path "$work/parser/Cargo.toml" >> "$work/parser.ms"
    cold -p limiter-macros >> "$work/macros.ms"
done
parser=$(least < "$work/parser.ms")
macros=$(least < "$work/macros.ms")
ratio=$(awk -v a="$parser" -v b="$macros" 'BEGIN { printf "%.2f", b / a }')
printf '\nsyn, quote and proc-macro2: %s ms; with the macro crate: %s ms; ratio %s\n' "$parser" "$macros" "$ratio"
if awk -v r="$ratio" 'BEGIN { exit !(r > 1.2) }'; then failed=1; fi

[ "$failed" = 0 ] || { echo 'above the promise: 1 ms a function in cargo check, 1.2 times the parser' >&2; exit 1; }
