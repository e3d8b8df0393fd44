//! The paths through a limit take no more instructions than when they were last looked at.
//!
//! A benchmark needs a quiet machine to see a tenth. This needs none and sees one instruction, but not what it costs: a
//! division is one, and a load that waits for memory is one.
//!
//! A figure is what the attribute adds to a call. Each path is taken n times and 2·n times; what the second run executes more
//! is n calls, without the start of the program. The same for the function without an attribute is taken off, and so is the
//! clock's own code (`callgrind.rs`). The secret under which keys are hashed is another in each run, and nothing here depends
//! on it, so the figures repeat to the instruction.
//!
//! It is a step of its own, `cargo test --release -p limiter-counts`. In other builds, `cargo test --workspace --all-features`
//! for one, it says so and counts nothing. It could call cargo to build the program as users do whatever it is itself run
//! by, but then everybody's first `cargo test` would build everything a second time.

use std::{
    env, io,
    process::{Command, ExitCode},
};

mod callgrind;
use callgrind::{Counts, valgrind_is_there};

struct Path {
    name: &'static str,
    /// What the attribute adds.
    instructions: u64,
    clocks: u64,
}

/// For each function without an attribute, the paths through the same function with one.
///
/// If a figure is to grow, write the new one here and say in the commit's message what it is spent on.
const PINNED: [(&str, &[Path]); 2] = [
    (
        "unguarded",
        &[
            Path { name: "bucket-allowed", instructions: 42, clocks: 1 },
            Path { name: "bucket-refused", instructions: 58, clocks: 1 },
            Path { name: "window-allowed", instructions: 47, clocks: 1 },
            Path { name: "window-refused", instructions: 76, clocks: 1 },
            Path { name: "number-allowed", instructions: 116, clocks: 1 },
            Path { name: "number-refused", instructions: 133, clocks: 1 },
            Path { name: "constant-allowed", instructions: 47, clocks: 1 },
            Path { name: "constant-number-allowed", instructions: 116, clocks: 1 },
        ],
    ),
    (
        "unguarded-ip",
        &[
            Path { name: "ipv4-allowed", instructions: 124, clocks: 1 },
            Path { name: "ipv4-refused", instructions: 142, clocks: 1 },
            Path { name: "ipv6-allowed", instructions: 136, clocks: 1 },
        ],
    ),
];

/// What the figures were taken with; other compilers and other targets have others.
const COMPILER: &str = "1.95.0";
const TARGET: &str = "x86_64-unknown-linux-gnu, without `-C target-cpu`";
const IS_TARGET: bool = cfg!(all(
    target_arch = "x86_64",
    target_os = "linux",
    target_env = "gnu",
    // What any `target-cpu` turns on; with AES instructions the hash is another.
    not(target_feature = "sse3")
));

/// By how many of a hundred instructions a path may grow.
const TOLERANCE: u64 = 5;

const CALLS: u64 = 10_000;

fn main() -> io::Result<ExitCode> {
    if cfg!(debug_assertions) {
        return Ok(skip("this is a build with debug assertions. `cargo test --release -p limiter-counts` counts"));
    }
    if !valgrind_is_there() {
        return Ok(skip("there is no `valgrind` to count with"));
    }
    println!("{:<16}{:>14}{:>8}{:>8}", "", "instructions", "pinned", "clocks");
    let (mut passed, mut failures) = (0, Vec::new());
    for (beside, paths) in PINNED {
        let unguarded = per_call(beside)?;
        for path in paths {
            let found = per_call(path.name)?;
            if found.test_util {
                return Ok(skip(
                    "this is a build with `test-util`. `cargo test --release -p limiter-counts` alone counts",
                ));
            }
            let added = found.instructions.saturating_sub(unguarded.instructions);
            println!("{:<16}{added:>14}{:>8}{:>8}", path.name, path.instructions, found.clocks);
            if added * 100 > path.instructions * (100 + TOLERANCE) || found.clocks > path.clocks {
                failures.push(failure(path, added, found.clocks));
            } else {
                passed += 1;
            }
            if added * (100 + TOLERANCE) < path.instructions * 100 {
                println!("    fewer than are pinned: write {added} into `PINNED`, so that it stays so");
            }
        }
    }
    let compiler = compiler()?;
    if !IS_TARGET || compiler != COMPILER {
        return Ok(skip(&format!("the figures are pinned for rustc {COMPILER}, {TARGET}; this is rustc {compiler}")));
    }
    Ok(report(passed, &failures))
}

fn failure(path: &Path, added: u64, clocks: u64) -> String {
    let percent = 100.0 * (added as f64 / path.instructions as f64 - 1.0);
    let mut text = format!("{}: pinned {}, found {added} instructions ({percent:+.1} %)", path.name, path.instructions);
    if clocks > path.clocks {
        text.push_str(&format!("; pinned {}, found {clocks} clocks", path.clocks));
    }
    text
}

fn report(passed: usize, failures: &[String]) -> ExitCode {
    if failures.is_empty() {
        println!("test result: ok. {passed} passed; 0 failed");
        return ExitCode::SUCCESS;
    }
    println!("\nPaths have grown by more than {TOLERANCE} %:");
    for failure in failures {
        println!("    {failure}");
    }
    println!(
        "`cargo rustc --release -p limiter-counts --bin limiter-counts -- --emit asm` shows what they became. If the growth is \
         wanted, write the new figure into `PINNED` in {} and say in the commit's message why.",
        file!()
    );
    println!("test result: FAILED. {passed} passed; {} failed", failures.len());
    ExitCode::FAILURE
}

fn skip(why: &str) -> ExitCode {
    println!("SKIPPED, nothing was judged: {why}.");
    println!("test result: ok. 0 passed; 0 failed; 1 ignored");
    ExitCode::SUCCESS
}

/// The release of the compiler that cargo builds with.
fn compiler() -> io::Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().find_map(|line| line.strip_prefix("release: ")).unwrap_or("of an unknown release").to_owned())
}

/// What one call on a path executes.
fn per_call(path: &str) -> io::Result<Counts> {
    let run = |calls: u64| callgrind::run(env!("CARGO_BIN_EXE_limiter-counts"), [path, &calls.to_string()]);
    let (once, twice) = (run(CALLS)?, run(2 * CALLS)?);
    Ok(Counts {
        instructions: (twice.instructions - once.instructions) / CALLS,
        clocks: (twice.clocks - once.clocks) / CALLS,
        test_util: twice.test_util,
    })
}
