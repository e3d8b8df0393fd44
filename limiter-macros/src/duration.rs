//! The grammar of a window, `"250ms"` to `"1h30m"`, and what to say about each way of getting it wrong.
//!
//! Numbers with a unit, from the longest unit to the shortest, each unit at most once, nothing between them. The unit is
//! mandatory: a bare `60` is seconds to one reader and milliseconds to the next.

use crate::meant;

/// Every unit with its length in nanoseconds, longest first. `µs` is accepted too, as both of its Unicode spellings.
pub(crate) const UNITS: [(&str, u64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// 365 days: the longest window.
const LONGEST: u128 = 365 * 86_400_000_000_000;

const TOO_LONG: &str = "a window is at most 365 days";

/// A number and its unit as written, where either may be wrong.
struct Part<'a> {
    number: &'a str,
    unit: &'a str,
}

/// What is wrong with a text.
pub(crate) struct Problem {
    /// Without the fix, which is known.
    reason: String,
    /// With what can be said about a fix if that is not known.
    alone: String,
}

impl Problem {
    fn new(reason: impl Into<String>, advice: &str) -> Self {
        let reason = reason.into();
        let alone = format!("{reason}{advice}");
        Problem { reason, alone }
    }
}

/// Nanoseconds of a duration as written in a string literal, or one sentence that says what to write instead.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    exact(text).map_err(|problem| {
        if let Some((requests, window)) = meant::rate(text) {
            return format!("a window is a time, not a rate; write `requests = {requests}, window = \"{window}\"`");
        }
        match meant::window(text) {
            // Only a bare number leaves a choice, and people who think in milliseconds write large ones.
            Some(seconds) if is_bare(text) && seconds.ends_with("000s") => {
                let number = seconds.trim_end_matches('s');
                format!("{}; write \"{number}ms\" for milliseconds or \"{seconds}\" for seconds", problem.reason)
            }
            Some(seconds) if is_bare(text) => format!("{}; write \"{seconds}\" for seconds", problem.reason),
            Some(spelling) => format!("{}; write \"{spelling}\"", problem.reason),
            None => problem.alone,
        }
    })
}

/// Whether this is a number alone, in a spelling that stays a whole number of seconds.
fn is_bare(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '_')
}

/// Nanoseconds of a duration that is written as it must be.
pub(crate) fn exact(text: &str) -> Result<u64, Problem> {
    if text.is_empty() {
        return Err(Problem::new("the window is empty", "; write a number and a unit, such as \"1s\" or \"250ms\""));
    }
    if text.contains(char::is_whitespace) {
        let joined: String = text.split_whitespace().collect();
        let reason = "a window is numbers and units, with no spaces";
        return Err(match exact(&joined) {
            Ok(_) => Problem::new(reason, &format!("; write \"{joined}\"")),
            Err(problem) => Problem::new(reason, &format!("; and {}", problem.alone)),
        });
    }
    if let Some(positive) = text.strip_prefix('-') {
        let advice = if exact(positive).is_ok() { format!("; write \"{positive}\"") } else { String::new() };
        return Err(Problem::new("a window cannot be negative", &advice));
    }

    let mut total: u128 = 0;
    let mut previous: Option<usize> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let part;
        (part, rest) = next_part(rest);
        let index = unit_index(&part, text)?;
        if let Some(previous) = previous.filter(|previous| index <= *previous) {
            let (unit, above) = (UNITS[index].0, UNITS[previous].0);
            return Err(if index == previous {
                Problem::new(format!("`{unit}` is there twice"), "; write each unit once, such as \"1h30m\"")
            } else {
                let reason = format!("units go from the longest to the shortest, so `{unit}` comes before `{above}`");
                Problem::new(reason, ", as in \"1h30m\"")
            });
        }
        previous = Some(index);
        let too_long = || Problem::new(TOO_LONG, "");
        let number: u128 = part.number.parse().map_err(|_| too_long())?;
        total = number
            .checked_mul(u128::from(UNITS[index].1))
            .and_then(|nanos| total.checked_add(nanos))
            .filter(|total| *total <= LONGEST)
            .ok_or_else(too_long)?;
    }
    match u64::try_from(total) {
        Ok(0) => Err(nothing()),
        Ok(nanos) => Ok(nanos),
        Err(_) => Err(Problem::new(TOO_LONG, "")),
    }
}

fn nothing() -> Problem {
    Problem::new("a window of no length admits nothing", "; write at least \"1ns\"")
}

/// The shortest spelling of `nanos`: one number with the longest unit that needs no fraction.
pub(crate) fn spell(nanos: u64) -> String {
    let (unit, length) = UNITS.iter().find(|(_, length)| nanos % length == 0).unwrap_or(&("ns", 1));
    format!("{}{unit}", nanos / length)
}

/// Splits off the leading number (with anything number-like in it) and the letters after it.
fn next_part(text: &str) -> (Part<'_>, &str) {
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '_');
    let (number, rest) = text.split_at(text.find(|c| !numeric(c)).unwrap_or(text.len()));
    let (unit, rest) = rest.split_at(rest.find(numeric).unwrap_or(rest.len()));
    (Part { number, unit }, rest)
}

/// Which unit of `UNITS` this part names, once its number and its unit are known to be well-formed.
fn unit_index(part: &Part<'_>, text: &str) -> Result<usize, Problem> {
    let Part { number, unit } = part;
    let known = |word: &str| {
        let word = if matches!(word, "µs" | "μs") { "us" } else { word };
        UNITS.iter().position(|(unit, _)| *unit == word)
    };
    if !number.contains(|c: char| c.is_ascii_digit()) || unit.contains(|c: char| !c.is_alphabetic()) {
        return Err(match known(unit) {
            Some(_) => Problem::new(format!("the number is missing before `{unit}`"), &format!("; write \"1{unit}\"")),
            None => {
                let advice = "; write a number and a unit, such as \"1s\" or \"250ms\"";
                Problem::new(format!("\"{text}\" is not a duration here"), advice)
            }
        });
    }
    if unit.is_empty() {
        let is_zero = *number == text && number.bytes().all(|digit| digit == b'0');
        return Err(if is_zero { nothing() } else { Problem::new(format!("`{number}` needs a unit"), "") });
    }
    if number.contains(['.', ',']) {
        let advice = "; combine units instead, such as \"1h30m\" or \"1s500ms\"";
        return Err(Problem::new("a window has no decimals", advice));
    }
    if number.contains('_') || matches!(*unit, "e" | "E") {
        return Err(Problem::new("a window has plain digits", ""));
    }
    if let Some(index) = known(unit) {
        return Ok(index);
    }
    if known(&unit.to_lowercase()).is_some() {
        return Err(Problem::new("units are in lower case", ""));
    }
    Err(Problem {
        reason: format!("`{unit}` is not a unit here"),
        alone: format!("`{unit}` is not a unit; the units are d, h, m, s, ms, us and ns"),
    })
}

#[cfg(test)]
mod tests {
    use super::{parse, spell};

    #[test]
    fn accepts() {
        for (text, nanos) in [
            ("1ns", 1),
            ("1us", 1_000),
            ("1µs", 1_000),
            ("1\u{3bc}s", 1_000),
            ("250ms", 250_000_000),
            ("1s", 1_000_000_000),
            ("01s", 1_000_000_000),
            ("5m", 300_000_000_000),
            ("1h", 3_600_000_000_000),
            ("1d", 86_400_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("1s500ms", 1_500_000_000),
            ("1d1h1m1s1ms1us1ns", 90_061_001_001_001),
            ("0s1ns", 1),
            ("90m", 5_400_000_000_000),
            ("365d", 31_536_000_000_000_000),
            ("8760h", 31_536_000_000_000_000),
        ] {
            assert_eq!(parse(text), Ok(nanos), "{text}");
        }
    }

    #[test]
    fn refuses_and_says_what_to_write() {
        for (text, message) in [
            ("", "the window is empty; write a number and a unit, such as \"1s\" or \"250ms\""),
            ("1 s", "a window is numbers and units, with no spaces; write \"1s\""),
            (" 1s ", "a window is numbers and units, with no spaces; write \"1s\""),
            ("1h 30m", "a window is numbers and units, with no spaces; write \"1h30m\""),
            ("1 sec", "a window is numbers and units, with no spaces; write \"1s\""),
            ("1 m s", "a window is numbers and units, with no spaces; write \"1ms\""),
            ("1e3ms", "a window has plain digits; write \"1s\""),
            (".s", "the number is missing before `s`; write \"1s\""),
            (
                "1 x",
                "a window is numbers and units, with no spaces; and `x` is not a unit; the units are d, h, m, s, ms, us and ns",
            ),
            ("1S", "units are in lower case; write \"1s\""),
            ("10MS", "units are in lower case; write \"10ms\""),
            ("1sec", "`sec` is not a unit here; write \"1s\""),
            ("1min", "`min` is not a unit here; write \"1m\""),
            ("2Hours", "`Hours` is not a unit here; write \"2h\""),
            ("2w", "`w` is not a unit here; write \"14d\""),
            ("1y", "`y` is not a unit here; write \"365d\""),
            ("2y", "`y` is not a unit; the units are d, h, m, s, ms, us and ns"),
            ("1h30min", "`min` is not a unit here; write \"1h30m\""),
            ("1q", "`q` is not a unit; the units are d, h, m, s, ms, us and ns"),
            ("0", "a window of no length admits nothing; write at least \"1ns\""),
            ("0s", "a window of no length admits nothing; write at least \"1ns\""),
            ("0h0m", "a window of no length admits nothing; write at least \"1ns\""),
            ("1.5s", "a window has no decimals; write \"1500ms\""),
            ("0.5h", "a window has no decimals; write \"30m\""),
            (".5s", "a window has no decimals; write \"500ms\""),
            ("1,5s", "a window has no decimals; write \"1500ms\""),
            ("0.5ns", "a window has no decimals; combine units instead, such as \"1h30m\" or \"1s500ms\""),
            ("1h1.5m", "a window has no decimals; write \"3690s\""),
            ("1_000ms", "a window has plain digits; write \"1000ms\""),
            ("60", "`60` needs a unit; write \"60s\" for seconds"),
            ("5000", "`5000` needs a unit; write \"5000ms\" for milliseconds or \"5000s\" for seconds"),
            ("60_000", "`60_000` needs a unit; write \"60000ms\" for milliseconds or \"60000s\" for seconds"),
            ("1.5", "`1.5` needs a unit; write \"1500ms\""),
            ("1h30", "`30` needs a unit; write \"1h30m\""),
            ("1ms2", "`2` needs a unit; write \"1ms2us\""),
            ("1ns2", "`2` needs a unit"),
            ("s", "the number is missing before `s`; write \"1s\""),
            ("minute", "\"minute\" is not a duration here; write \"1m\""),
            ("soon", "\"soon\" is not a duration here; write a number and a unit, such as \"1s\" or \"250ms\""),
            ("00:01:00", "\"00:01:00\" is not a duration here; write \"1m\""),
            ("PT1M", "\"PT1M\" is not a duration here; write \"1m\""),
            ("1s,", "\"1s,\" is not a duration here; write \"1s\""),
            ("\u{ff11}s", "\"\u{ff11}s\" is not a duration here; write \"1s\""),
            ("10/s", "a window is a time, not a rate; write `requests = 10, window = \"1s\"`"),
            ("1,000ms", "a window has no decimals; write \"1000ms\""),
            ("1m1h", "units go from the longest to the shortest, so `h` comes before `m`; write \"1h1m\""),
            ("1s1s", "`s` is there twice; write \"2s\""),
            ("-1s", "a window cannot be negative; write \"1s\""),
            ("-x", "a window cannot be negative"),
            ("366d", "a window is at most 365 days"),
            ("365d1ns", "a window is at most 365 days"),
            ("99999999999999999999999999999999999999999999s", "a window is at most 365 days"),
            ("340282366920938463463374607431768211455d", "a window is at most 365 days"),
        ] {
            assert_eq!(parse(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn spells_with_the_longest_unit_that_fits() {
        assert_eq!(spell(1_500_000_000), "1500ms");
        assert_eq!(spell(60_000_000_000), "1m");
        assert_eq!(spell(1), "1ns");
    }
}
