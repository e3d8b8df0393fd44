//! What the user asked for: a log, a limit, and what to show of the outcome.
//!
//! Every error names the parameter it is about.

use crate::{
    Failure,
    limits::{KINDS, Kind},
};
use lexopt::{
    Arg::{Long, Short, Value},
    Parser, ValueExt,
};
use limiter::{Quota, QuotaError};
use std::{ffi::OsString, fs, path::PathBuf, time::Duration};

const HELP: &str = "\
What would this limit have done to yesterday's traffic?

Usage: cargo run --example replay -- [LOG] [OPTIONS]

Puts every line of a web server's access log (Common or Combined Log Format) through a limit, each client by itself and
on the log's own time, prints what would have been allowed and refused, and draws it over time.

  LOG                  the log; - reads standard input, as in: zcat access.log.gz | … replay -- -
                       default: the log that comes with this example

  --requests N         requests that each client has per window; default: 10
  --window LENGTH      250ms, 1s, 5m, 1h, 1d, 1h30m, as in `#[limit(window = \"1h30m\")]`; default: 1m
  --burst N            requests at once, for strategies that have a burst; default: as many as --requests
  --strategy NAME      {strategies}; may be given several times; default: all
  --top N              how many of the most refused clients to list; default: 10
  --svg FILE           where to write the chart; default: replay.svg
  -h, --help           this text

A client is what stands in the first column, counted as `key = ip` counts: an IPv6 address stands for its /64, and an
IPv4-mapped one is the IPv4 address. Anything else, such as a host name, is kept as it is.

These logs write whole seconds, so requests within one second count as simultaneous. A limit that refills within a second
may therefore look stricter here than it would be.

A log of gigabytes is read ten times faster by: cargo run --release --example replay

Exits with 0 when the log was replayed, 1 when it could not be, 2 when a parameter is wrong.";

const BUNDLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/access.log");

/// What `--help` says.
pub(crate) fn help() -> String {
    HELP.replace("{strategies}", &names())
}

/// A replay that can be run: its limit is one that every chosen strategy can decide.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) log: PathBuf,
    pub(crate) kinds: Vec<&'static Kind>,
    pub(crate) top: usize,
    pub(crate) svg: PathBuf,
    /// As the user wrote it, for titles.
    window: String,
    quota: Quota,
    burst: Option<u64>,
}

impl Options {
    /// The log, for messages.
    pub(crate) fn log_name(&self) -> String {
        if self.log.as_os_str() == "-" { "standard input".to_owned() } else { self.log.display().to_string() }
    }

    /// The limit as `kind` has it: a burst only if that means anything to it.
    pub(crate) fn quota(&self, kind: &Kind) -> Quota {
        match self.burst {
            Some(burst) if kind.has_burst => self.quota.burst(burst),
            _ => self.quota,
        }
    }

    /// `TokenBucket, 10 per 1m, burst 20`
    pub(crate) fn limit(&self, kind: &Kind) -> String {
        let limit = format!("{}, {} per {}", kind.name, self.quota.requests(), self.window);
        match self.burst {
            Some(burst) if kind.has_burst => format!("{limit}, burst {burst}"),
            _ => limit,
        }
    }
}

/// Reads the arguments; `None` when the user asks for help.
pub(crate) fn parse(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Option<Options>, Failure> {
    let mut log = None;
    let (mut requests, mut window, mut burst) = (10, "1m".to_owned(), None);
    let (mut kinds, mut top, mut svg) = (Vec::new(), 10, PathBuf::from("replay.svg"));

    let mut parser = Parser::from_args(arguments);
    while let Some(argument) = parser.next().map_err(misused)? {
        match argument {
            Value(path) if log.is_none() => log = Some(PathBuf::from(path)),
            Long("requests") => requests = number(&mut parser, "--requests")?,
            Long("window") => window = text(&mut parser)?,
            Long("burst") => burst = Some(number(&mut parser, "--burst")?),
            Long("strategy") => kinds.push(kind(&text(&mut parser)?)?),
            Long("top") => top = usize::try_from(number(&mut parser, "--top")?).unwrap_or(usize::MAX),
            Long("svg") => svg = PathBuf::from(parser.value().map_err(misused)?),
            Short('h') | Long("help") => return Ok(None),
            _ => return Err(misused(argument.unexpected())),
        }
    }
    if kinds.is_empty() {
        kinds.extend(KINDS);
    }

    let quota = Quota::try_new(requests, duration(&window)?).map_err(impossible)?;
    if let Some(kind) = kinds.iter().find(|kind| requests > kind.max_requests) {
        return wrong("--requests", format!("{} can count at most {} per window", kind.name, kind.max_requests));
    }
    if let Some(burst) = burst {
        quota.try_burst(burst).map_err(impossible)?;
        if !kinds.iter().any(|kind| kind.has_burst) {
            return wrong("--burst", "the chosen strategy has none; leave it out, or choose another strategy");
        }
    }
    // Without the `..` in it, for the report.
    let log = log.unwrap_or_else(|| fs::canonicalize(BUNDLED).unwrap_or_else(|_| PathBuf::from(BUNDLED)));
    Ok(Some(Options { log, kinds, top, svg, window, quota, burst }))
}

fn misused(error: lexopt::Error) -> Failure {
    Failure::Usage(error.to_string())
}

fn wrong<T>(parameter: &str, what: impl std::fmt::Display) -> Result<T, Failure> {
    Err(Failure::Usage(format!("{parameter}: {what}")))
}

/// The quota knows what is wrong; this adds which parameter said so.
fn impossible(error: QuotaError) -> Failure {
    let parameter = match error {
        QuotaError::EmptyWindow | QuotaError::WindowTooLong { .. } => "--window",
        QuotaError::NoBurst | QuotaError::BurstTooLarge { .. } => "--burst",
        _ => "--requests",
    };
    Failure::Usage(format!("{parameter}: {error}"))
}

fn text(parser: &mut Parser) -> Result<String, Failure> {
    parser.value().and_then(ValueExt::string).map_err(misused)
}

fn number(parser: &mut Parser, parameter: &str) -> Result<u64, Failure> {
    let text = text(parser)?;
    text.parse().or_else(|_| wrong(parameter, format!("`{text}` is not a whole number from 0 to {}", u64::MAX)))
}

fn names() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

fn kind(name: &str) -> Result<&'static Kind, Failure> {
    KINDS
        .iter()
        .find(|kind| kind.name.eq_ignore_ascii_case(name))
        .map_or_else(|| wrong("--strategy", format!("there is no `{name}`; there are {}", names())), Ok)
}

fn duration(text: &str) -> Result<Duration, Failure> {
    let examples = "write numbers with their units and no spaces, like 250ms, 1s, 5m, 1h, 1d or 1h30m";
    nanos(text).map_or_else(
        || wrong("--window", format!("`{text}` is not a length of time; {examples}")),
        |nanos| Ok(Duration::from_nanos(nanos)),
    )
}

/// Every unit of a window with its length in nanoseconds.
const UNITS: [(&str, u64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// The attribute's grammar, so that a window that was tried here can be copied there: the units from long to short, each
/// at most once.
fn nanos(text: &str) -> Option<u64> {
    let (mut rest, mut total, mut units) = (text, 0_u64, UNITS.iter());
    while !rest.is_empty() {
        let (number, unit_and_rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let end = unit_and_rest.find(|c: char| c.is_ascii_digit()).unwrap_or(unit_and_rest.len());
        let unit = &unit_and_rest[..end];
        let unit = if matches!(unit, "\u{b5}s" | "\u{3bc}s") { "us" } else { unit };
        let (_, length) = units.find(|(name, _)| *name == unit)?;
        total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(*length)?)?;
        rest = &unit_and_rest[end..];
    }
    (!text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::{Options, help, kind, parse};
    use crate::{Failure, limits::KINDS};
    use std::time::Duration;

    fn options(arguments: &str) -> Options {
        parse(arguments.split_whitespace()).unwrap().unwrap()
    }

    fn usage_error(arguments: &str) -> String {
        match parse(arguments.split_whitespace()) {
            Err(Failure::Usage(error)) => error,
            other => panic!("{arguments}: {other:?}"),
        }
    }

    #[test]
    fn nothing_is_required() {
        let options = options("");
        assert!(options.log.ends_with("tests/data/access.log"));
        assert_eq!(options.kinds.len(), KINDS.len());
    }

    #[test]
    fn windows_are_written_with_their_unit() {
        for (text, nanos) in [
            ("250ms", 250_000_000),
            ("1s", 1_000_000_000),
            ("5m", 300_000_000_000),
            ("1h", 3_600_000_000_000),
            ("1d", 86_400_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("1s500ms", 1_500_000_000),
            ("10µs", 10_000),
            ("365d", 31_536_000_000_000_000),
        ] {
            let options = options(&format!("--requests 1 --window {text}"));
            assert_eq!(options.quota(&KINDS[0]).window(), Duration::from_nanos(nanos), "{text}");
        }
        for text in [
            "",
            "10",
            "1.5",
            "1.5s",
            "s",
            "-1s",
            "1x",
            "soon",
            "1mo",
            "1y",
            "1sm",
            "99999999999999d",
            "1 min",
            "1 m",
            "1min",
            "1 hour",
            "1h 30m",
            "30m1h",
            "1m1m",
            "1M",
            "PT1M",
            "1h30",
            "1_000ms",
        ] {
            let error = match parse([format!("--window={text}")]) {
                Err(Failure::Usage(error)) => error,
                other => panic!("{text}: {other:?}"),
            };
            assert!(error.starts_with("--window: ") && error.contains("1h30m"), "{error}");
        }
    }

    #[test]
    fn a_burst_is_for_those_who_have_one() {
        let options = options("--requests 10 --window 1m --burst 20");
        for (name, limit, burst) in
            [("FixedWindow", "FixedWindow, 10 per 1m", 10), ("TokenBucket", "TokenBucket, 10 per 1m, burst 20", 20)]
        {
            let kind = kind(name).unwrap();
            assert_eq!((options.limit(kind).as_str(), options.quota(kind).burst_size()), (limit, burst));
        }
    }

    #[test]
    fn an_error_names_the_parameter() {
        for (arguments, parameter) in [
            ("--requests 0", "--requests"),
            ("--requests many", "--requests"),
            ("--requests -1", "--requests"),
            ("--requests", "--requests"),
            ("--requests 1001 --window 1us", "--requests"),
            ("--window 0s", "--window"),
            ("--window 366d", "--window"),
            ("--burst 0", "--burst"),
            ("--burst 18446744073709551615 --window 1d", "--burst"),
            ("--burst 20 --strategy FixedWindow", "--burst"),
            ("--strategy LuckyDip", "--strategy"),
            ("--top some", "--top"),
            ("--svg", "--svg"),
            ("--colour red", "--colour"),
            ("one.log two.log", "two.log"),
        ] {
            let error = usage_error(arguments);
            assert!(error.contains(parameter), "{arguments}: {error}");
        }
    }

    #[test]
    fn help_is_not_an_error() {
        assert!(parse(["--help"]).unwrap().is_none());
        assert!(KINDS.iter().all(|kind| help().contains(kind.name)), "it lists every strategy");
    }
}
