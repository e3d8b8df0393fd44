//! The macro crate and the core under inputs that nobody wrote. Each file of `body` is one promise about one input.
//!
//! ```text
//! cargo install cargo-fuzz
//! cargo +nightly fuzz run duration          # from the root of the repository; until a promise is broken, or Ctrl-C
//! cargo +nightly fuzz run attribute -- -max_total_time=240 -timeout=5
//! ./ci.sh fuzz                              # every target for ten minutes
//! cargo +nightly fuzz cmin attribute        # the corpus without what reaches nothing new
//!
//! cargo test -p limiter-fuzz                # the corpus, and some ten thousand seeded inputs; any toolchain
//! cargo run -p limiter-fuzz --bin duration -- fuzz/artifacts/duration/crash-…
//! ```
//!
//! What `history` is given and compared with is `limiter-oracle`'s (`tests/oracle`).
//!
//! An input that broke a promise goes into `corpus`, under a name that says what was wrong.
//!
//! A proc-macro crate can export nothing but macros, which take the compiler's own token streams and run inside it only. So
//! its modules are compiled here a second time, from where they stand. They have to stand at this crate's root, because
//! they name each other by `crate::`; what is this crate's own is therefore in modules that the macro crate has not.
#![forbid(unsafe_code)]

#[path = "../../limiter-macros/src/answer.rs"]
mod answer;
#[path = "../../limiter-macros/src/args.rs"]
mod args;
#[path = "../../limiter-macros/src/attribute.rs"]
mod attribute;
#[path = "../../limiter-macros/src/duration.rs"]
mod duration;
#[path = "../../limiter-macros/src/expand.rs"]
mod expand;
#[path = "../../limiter-macros/src/item.rs"]
mod item;
#[path = "../../limiter-macros/src/keys.rs"]
mod keys;
#[path = "../../limiter-macros/src/literal.rs"]
mod literal;
#[path = "../../limiter-macros/src/meant.rs"]
mod meant;
#[path = "../../limiter-macros/src/paths.rs"]
mod paths;
#[path = "../../limiter-macros/src/place.rs"]
mod place;
#[path = "../../limiter-macros/src/refusal.rs"]
mod refusal;
#[path = "../../limiter-macros/src/suggest.rs"]
mod suggest;
#[path = "../../limiter-macros/src/validate.rs"]
mod validate;
#[path = "../../limiter-macros/src/values.rs"]
mod values;

/// What must hold, one file per promise; each takes an input and panics if it does not.
pub mod body {
    pub mod attribute;
    pub mod duration;
    pub mod history;
}
/// Inputs for the attribute, out of bytes.
mod generate {
    pub(crate) mod case;
    pub(crate) mod choices;
    pub(crate) mod edit;
    pub(crate) mod function;
    pub(crate) mod list;
}
pub mod seeded;

/// What became of an input, so that a test can tell a body that tries everything from one that tries nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It stands for nothing that the code could be given.
    Skipped,
    /// It was answered with an error, and everything else held.
    Refused,
    /// It was taken, and everything held.
    Accepted,
}

/// Runs a body on every file named as an argument.
///
/// # Errors
///
/// If a file cannot be read.
pub fn reproduce(body: fn(&[u8]) -> Outcome) -> std::io::Result<()> {
    for file in std::env::args_os().skip(1) {
        let outcome = body(&std::fs::read(&file)?);
        println!("{}: {outcome:?}", std::path::Path::new(&file).display());
    }
    Ok(())
}
