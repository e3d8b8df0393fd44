//! Runs a program under callgrind, and reads from its profile what the program executed.
//!
//! Valgrind hides the kernel's vDSO from the program, so that libc's `clock_gettime` ends in a system call, 10 instructions
//! in glibc 2.36, where otherwise it ends in the vDSO's code. Neither is the guard's. What `clock_gettime` itself executes is
//! left out therefore, by its name in the profile, and its calls are counted instead. Nothing else of libc is left out: a
//! `memcpy` or a `malloc` that finds its way into a path shall be seen.

use std::{
    collections::HashMap,
    fs, io,
    path::Path,
    process::{Command, Stdio},
};

/// What a run executed, or one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) instructions: u64,
    /// Calls of `clock_gettime`.
    pub(crate) clocks: u64,
    /// Whether it went through `limiter::test`, the feature `test-util`.
    pub(crate) test_util: bool,
}

/// Whether there is a valgrind to run.
pub(crate) fn valgrind_is_there() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// What `program` executes with these arguments, from its first instruction to its last.
pub(crate) fn run(program: &str, arguments: [&str; 2]) -> io::Result<Counts> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("callgrind.{}", std::process::id()));
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(arguments)
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)));
    }
    let profile = fs::read_to_string(&file)?;
    fs::remove_file(&file)?;
    Ok(read(&profile))
}

/// Sums a profile up. Its format: <https://valgrind.org/docs/manual/cl-format.html>.
fn read(profile: &str) -> Counts {
    let mut counts = Counts::default();
    let mut names = HashMap::new();
    // A name is written out once, `(7) name`, and is `(7)` from then on.
    let mut name = |field: &str| -> String {
        match field.split_once(' ') {
            Some((number, name)) => names.insert(number.to_owned(), name.to_owned()),
            None => None,
        };
        names.get(field.split(' ').next().unwrap_or(field)).cloned().unwrap_or_default()
    };
    let (mut function, mut callee) = (String::new(), String::new());
    let mut lines = profile.lines();
    while let Some(line) = lines.next() {
        if let Some(field) = line.strip_prefix("fn=") {
            function = name(field);
            counts.test_util |= function.contains("limiter_core::test");
        } else if let Some(field) = line.strip_prefix("cfn=") {
            callee = name(field);
        } else if let Some(fields) = line.strip_prefix("calls=") {
            if is_clock(&callee) {
                counts.clocks += first_number(fields);
            }
            // What the callee executed: counted there.
            lines.next();
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) && !is_clock(&function) {
            let (_place, executed) = line.split_once(' ').unwrap_or_default();
            counts.instructions += first_number(executed);
        }
    }
    counts
}

fn is_clock(function: &str) -> bool {
    // With its version: `clock_gettime@@GLIBC_2.17`.
    function.split('@').next() == Some("clock_gettime")
}

fn first_number(fields: &str) -> u64 {
    fields.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0)
}
