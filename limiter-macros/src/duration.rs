//! The grammar of a window, `"250ms"` to `"1h30m"`, and what to say about each way of getting it wrong.
//!
//! Numbers with a unit, from the longest unit to the shortest, each unit at most once, nothing between them. The unit is
//! mandatory: a bare `60` is seconds to one reader and milliseconds to the next.

/// Every unit with its length in nanoseconds, longest first. `µs` is accepted too, as both of its Unicode spellings.
const UNITS: [(&str, u64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Words that are not units here, but leave no doubt which unit was meant (`None`: a week, which is seven days).
const WORDS: &[(&str, Option<&str>)] = &[
    ("w", None),
    ("week", None),
    ("weeks", None),
    ("day", Some("d")),
    ("days", Some("d")),
    ("hr", Some("h")),
    ("hrs", Some("h")),
    ("hour", Some("h")),
    ("hours", Some("h")),
    ("min", Some("m")),
    ("mins", Some("m")),
    ("minute", Some("m")),
    ("minutes", Some("m")),
    ("sec", Some("s")),
    ("secs", Some("s")),
    ("second", Some("s")),
    ("seconds", Some("s")),
    ("msec", Some("ms")),
    ("milli", Some("ms")),
    ("millis", Some("ms")),
    ("millisecond", Some("ms")),
    ("milliseconds", Some("ms")),
    ("usec", Some("us")),
    ("micros", Some("us")),
    ("microsecond", Some("us")),
    ("microseconds", Some("us")),
    ("nsec", Some("ns")),
    ("nanos", Some("ns")),
    ("nanosecond", Some("ns")),
    ("nanoseconds", Some("ns")),
];

/// 365 days: the longest window.
const LONGEST: u128 = 365 * 86_400_000_000_000;

const TOO_LONG: &str = "a window is at most 365 days";

/// A number and its unit as written, where either may be wrong.
struct Part<'a> {
    number: &'a str,
    unit: &'a str,
}

/// Nanoseconds of a duration as written in a string literal, or one sentence that says what to write instead.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    if text.is_empty() {
        return Err("the window is empty; write a number and a unit, such as \"1s\" or \"250ms\"".into());
    }
    if text.contains(char::is_whitespace) {
        let joined: String = text.split_whitespace().collect();
        return Err(match parse(&joined) {
            Ok(_) => format!("a window has no spaces in it; write \"{joined}\""),
            Err(problem) => format!("a window has no spaces in it; and {problem}"),
        });
    }
    if text.starts_with('-') {
        return Err("a window cannot be negative".into());
    }

    let mut total: u128 = 0;
    let mut previous: Option<usize> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let part;
        (part, rest) = next_part(rest);
        let index = unit_index(&part, text, previous)?;
        if let Some(previous) = previous.filter(|previous| index <= *previous) {
            return Err(if index == previous {
                format!("`{}` is there twice; write each unit once, such as \"1h30m\"", UNITS[index].0)
            } else {
                format!(
                    "units go from the longest to the shortest, so `{}` comes before `{}`, as in \"1h30m\"",
                    UNITS[index].0, UNITS[previous].0
                )
            });
        }
        previous = Some(index);
        let number: u128 = part.number.parse().map_err(|_| TOO_LONG)?;
        total = number
            .checked_mul(u128::from(UNITS[index].1))
            .and_then(|nanos| total.checked_add(nanos))
            .filter(|total| *total <= LONGEST)
            .ok_or(TOO_LONG)?;
    }
    match u64::try_from(total) {
        Ok(0) => Err("a window of no length admits nothing; write at least \"1ns\"".into()),
        Ok(nanos) => Ok(nanos),
        Err(_) => Err(TOO_LONG.into()),
    }
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
fn unit_index(part: &Part<'_>, text: &str, previous: Option<usize>) -> Result<usize, String> {
    let Part { number, unit } = part;
    let known = |word: &str| {
        let word = if matches!(word, "µs" | "μs") { "us" } else { word };
        UNITS.iter().position(|(unit, _)| *unit == word)
    };
    if number.is_empty() {
        return Err(match known(unit) {
            Some(_) => format!("the number is missing before `{unit}`; write \"1{unit}\" for one"),
            None => format!("\"{text}\" is not a duration; write a number and a unit, such as \"1s\" or \"250ms\""),
        });
    }
    if unit.is_empty() {
        // "1h30" means thirty minutes to everyone: the unit after the previous one.
        let guess = previous.map_or(3, |index| index + 1);
        return Err(match UNITS.get(guess) {
            Some((unit, _)) => format!("`{number}` needs a unit; for example \"{text}{unit}\""),
            None => format!("`{number}` needs a unit, and there is none after `ns`"),
        });
    }
    if number.contains(['.', ',']) {
        let whole = known(unit).and_then(|index| decimal(number, UNITS[index].1)).filter(|_| previous.is_none());
        return Err(match whole {
            Some(nanos) => format!("a window has no decimals; write \"{}\"", spell(nanos)),
            None => "a window has no decimals; combine units instead, such as \"1h30m\" or \"1s500ms\"".into(),
        });
    }
    if number.contains('_') {
        return Err(format!("a window has plain digits; write \"{}\"", text.replace('_', "")));
    }
    if let Some(index) = known(unit) {
        return Ok(index);
    }
    let lower = unit.to_lowercase();
    if known(&lower).is_some() {
        return Err(format!("units are in lower case; write \"{number}{lower}\""));
    }
    Err(match WORDS.iter().find(|(word, _)| *word == lower) {
        Some((_, Some(short))) => format!("`{unit}` is not a unit here; write \"{number}{short}\""),
        Some((_, None)) => match number.parse::<u64>().ok().and_then(|weeks| weeks.checked_mul(7)) {
            Some(days) => format!("`{unit}` is not a unit here; write \"{days}d\""),
            None => TOO_LONG.into(),
        },
        None => format!("`{unit}` is not a unit; the units are d, h, m, s, ms, us and ns"),
    })
}

/// The value of a decimal number of units of that length, if it is a whole number of nanoseconds.
fn decimal(number: &str, length: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once(['.', ','])?;
    let mut nanos = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()?.checked_mul(length)? };
    let mut digit = length;
    for c in fraction.chars() {
        let value = u64::from(c.to_digit(10)?);
        if digit % 10 != 0 && value != 0 {
            return None;
        }
        digit /= 10;
        nanos = nanos.checked_add(value.checked_mul(digit)?)?;
    }
    (nanos > 0).then_some(nanos)
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
            ("1 s", "a window has no spaces in it; write \"1s\""),
            (" 1s ", "a window has no spaces in it; write \"1s\""),
            ("1h 30m", "a window has no spaces in it; write \"1h30m\""),
            ("1 sec", "a window has no spaces in it; and `sec` is not a unit here; write \"1s\""),
            ("1S", "units are in lower case; write \"1s\""),
            ("10MS", "units are in lower case; write \"10ms\""),
            ("1sec", "`sec` is not a unit here; write \"1s\""),
            ("1min", "`min` is not a unit here; write \"1m\""),
            ("2Hours", "`Hours` is not a unit here; write \"2h\""),
            ("2w", "`w` is not a unit here; write \"14d\""),
            ("1y", "`y` is not a unit; the units are d, h, m, s, ms, us and ns"),
            ("0s", "a window of no length admits nothing; write at least \"1ns\""),
            ("0h0m", "a window of no length admits nothing; write at least \"1ns\""),
            ("1.5s", "a window has no decimals; write \"1500ms\""),
            ("0.5h", "a window has no decimals; write \"30m\""),
            (".5s", "a window has no decimals; write \"500ms\""),
            ("1,5s", "a window has no decimals; write \"1500ms\""),
            ("0.5ns", "a window has no decimals; combine units instead, such as \"1h30m\" or \"1s500ms\""),
            ("1h1.5m", "a window has no decimals; combine units instead, such as \"1h30m\" or \"1s500ms\""),
            ("1_000ms", "a window has plain digits; write \"1000ms\""),
            ("60", "`60` needs a unit; for example \"60s\""),
            ("1h30", "`30` needs a unit; for example \"1h30m\""),
            ("1ms2", "`2` needs a unit; for example \"1ms2us\""),
            ("1ns2", "`2` needs a unit, and there is none after `ns`"),
            ("s", "the number is missing before `s`; write \"1s\" for one"),
            ("minute", "\"minute\" is not a duration; write a number and a unit, such as \"1s\" or \"250ms\""),
            ("1m1h", "units go from the longest to the shortest, so `h` comes before `m`, as in \"1h30m\""),
            ("1s1s", "`s` is there twice; write each unit once, such as \"1h30m\""),
            ("-1s", "a window cannot be negative"),
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
