//! What would this limit have done to yesterday's traffic? A log is replayed through it, on the log's own time.
//!
//! `cargo run --example replay` replays the log that comes with it; `-- --help` tells the rest.
//!
//! Reading order: `line` and `log` (what was asked, by whom, when), `limits` (the decisions), `axis` (time in steps),
//! then `report` and `chart` (the outcome in words and as a picture).

mod axis;
mod chart;
mod limits;
mod line;
mod log;
mod options;
mod report;
#[cfg(test)]
mod tests;

use axis::Axis;
use limits::{Kind, Outcome};
use log::Log;
use options::Options;
use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Write},
    process::ExitCode,
};

/// Why there is no outcome.
#[derive(Debug)]
enum Failure {
    /// A parameter is wrong.
    Usage(String),
    /// A file is.
    Run(String),
}

/// A log, and what each strategy would have done to it.
struct Replay {
    options: Options,
    log: Log,
    axis: Axis,
    outcomes: Vec<(&'static Kind, Outcome)>,
}

fn main() -> ExitCode {
    match run(env::args_os().skip(1)) {
        Ok(text) => {
            // A reader that has seen enough, as in `| head`, is no failure.
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{}", failure.message());
            failure.code().into()
        }
    }
}

/// Replays a log and writes the chart; returns what to print.
fn run(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Result<String, Failure> {
    let Some(options) = options::parse(arguments)? else {
        return Ok(format!("{}\n", options::help()));
    };
    let log = log::read(&options.log, &options.log_name())?;
    let axis = Axis::of(&log);
    let outcomes = options.kinds.iter().map(|kind| (*kind, kind.replay(&log, &axis, &options.quota(kind)))).collect();
    let replay = Replay { options, log, axis, outcomes };

    let path = &replay.options.svg;
    let unwritten = |error: &dyn std::fmt::Display| Failure::Run(format!("cannot write {}: {error}", path.display()));
    let svg = chart::svg(&replay).map_err(|error| unwritten(&error))?;
    fs::write(path, svg).map_err(|error| unwritten(&error))?;
    Ok(report::report(&replay))
}

impl Failure {
    fn message(&self) -> String {
        match self {
            Self::Usage(what) => format!("error: {what}\nFor how it is used: cargo run --example replay -- --help"),
            Self::Run(what) => format!("error: {what}"),
        }
    }

    fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Run(_) => 1,
        }
    }
}
