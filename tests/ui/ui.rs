//! Every way to use the attribute wrongly that has a message of its own, one file per mistake, and what must compile.
//!
//! The messages are compared word by word, so they are those of one compiler. `TRYBUILD=overwrite` writes them anew; read
//! each as somebody would who sees it at two in the morning.

/// Without the library's features, whatever else is built with them: this package has none to pass on.
///
/// One build for all: that a pass case is among them makes trybuild run `cargo build`, in which constants are evaluated.
#[rustversion::attr(not(stable(1.95)), ignore = "the messages are those of Rust 1.95")]
#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*.rs");
}
