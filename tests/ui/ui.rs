//! Every way to use the attribute wrongly that has a message of its own, one file per mistake, and what must compile.
//!
//! The messages are compared word by word, so they are those of one compiler. `TRYBUILD=overwrite` writes them anew; read
//! each as somebody would who sees it at two in the morning.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Without the library's features, whatever else is built with them: this package has none to pass on.
///
/// One build for all: that a pass case is among them makes trybuild run `cargo build`, in which constants are evaluated.
#[rustversion::attr(not(stable(1.95)), ignore = "the messages are those of Rust 1.95")]
#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*.rs");
    cases.compile_fail("same/*.rs");
}

/// What is wrong beside a limit is said as if there were none: the messages of `same` are those of the same files without it.
#[rustversion::attr(not(stable(1.95)), ignore = "the messages are those of Rust 1.95")]
#[test]
fn a_mistake_that_is_not_the_limits_is_reported_as_without_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("same");
    fs::create_dir_all(&folder).expect("a folder for the files without a limit");
    let mut compared = 0;
    for entry in fs::read_dir("same").expect("tests run in their package") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let limited = fs::read_to_string(path.with_extension("stderr")).expect("each case has its message");
            assert_eq!(message_without_limit(&path, &folder), limited.trim_end(), "{}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

/// What the compiler says to a file whose limit was taken out, each line left where it is.
fn message_without_limit(path: &Path, folder: &Path) -> String {
    let text = fs::read_to_string(path).expect("a case");
    let is_limit = |line: &str| line.starts_with("use limiter") || line.trim_start().starts_with("#[limit");
    let lines: Vec<&str> = text.lines().map(|line| if is_limit(line) { "" } else { line }).collect();
    assert!(lines.join("\n").len() + 20 < text.len(), "no limit in {}", path.display());
    let file = folder.join(path.file_name().expect("a case"));
    fs::write(&file, lines.join("\n") + "\n").expect("a file without a limit");

    let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
    let mut rustc = Command::new(rustc);
    rustc.args(["--edition", "2024", "--emit", "metadata", "--crate-type", "bin", "-A", "warnings", "--out-dir"]);
    let output = rustc.arg(folder).arg(path).current_dir(folder.parent().expect("a folder in another")).output();
    let message = String::from_utf8(output.expect("a compiler").stderr).expect("text");
    let end = message.find("\nerror: aborting").expect("a message that ends");
    message[..end].trim_end().to_owned()
}
