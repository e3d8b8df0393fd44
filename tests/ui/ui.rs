//! Every way to use the attribute wrongly that has a message of its own, one file per mistake, and what must compile.
//!
//! The messages are compared word by word, so they are those of one compiler. `TRYBUILD=overwrite` writes them anew; read
//! each as somebody would who sees it at two in the morning.

/// One build for all: that a pass case is among them makes trybuild run `cargo build`, in which constants are evaluated.
#[rustversion::attr(not(stable(1.95)), ignore = "the messages are those of Rust 1.95")]
#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    if cfg!(feature = "axum") {
        // The compiler lists one more return type in its messages, so they are compared without the feature only.
        cases.pass("axum/pass/*.rs");
    } else {
        cases.compile_fail("fail/*.rs");
        cases.compile_fail("axum/fail/*.rs");
        cases.pass("axum/without/*.rs");
    }
}
