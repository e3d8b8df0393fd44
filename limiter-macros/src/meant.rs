//! Guesses what window or rate was meant by a text that spells it another way: `1 hour`, `1.5s`, `00:01:00`, `10/s`.
//!
//! Nothing is accepted by this. It finds the spelling that is, for the message that asks for it, and finds none where two
//! readers might disagree about what was meant.

use crate::duration::{self, UNITS};

/// Words that are not units here, but leave no doubt about how much of which unit was meant.
const WORDS: &[(&[&str], u64, &str)] = &[
    (&["y", "yr", "yrs", "year", "years"], 365, "d"),
    (&["mo", "month", "months"], 30, "d"),
    (&["w", "wk", "week", "weeks"], 7, "d"),
    (&["day", "days"], 1, "d"),
    (&["hr", "hrs", "hour", "hours"], 1, "h"),
    (&["min", "mins", "minute", "minutes"], 1, "m"),
    (&["sec", "secs", "second", "seconds"], 1, "s"),
    (&["msec", "msecs", "milli", "millis", "millisecond", "milliseconds"], 1, "ms"),
    (&["usec", "usecs", "micro", "micros", "microsecond", "microseconds"], 1, "us"),
    (&["nsec", "nsecs", "nano", "nanos", "nanosecond", "nanoseconds"], 1, "ns"),
];

/// Words around a duration that do not change it.
const FILLERS: [&str; 5] = ["per", "every", "each", "in", "and"];

/// What is counted, in a rate.
const COUNTED: [&str; 12] =
    ["", "r", "x", "req", "reqs", "request", "requests", "call", "calls", "times", "permits", "hits"];

/// A rate in one word.
const RATES: [(&str, &str); 7] =
    [("rps", "1s"), ("qps", "1s"), ("tps", "1s"), ("cps", "1s"), ("hz", "1s"), ("rpm", "1m"), ("rph", "1h")];

/// A number as it was written, times this many of a unit.
struct Part {
    number: String,
    times: u64,
    unit: usize,
}

/// The spelling of a window that was meant by this text.
pub(crate) fn window(text: &str) -> Option<String> {
    let text = plain(text);
    let parts = iso(&text).or_else(|| clock(&text)).or_else(|| call(&text)).or_else(|| words(&text))?;
    spelling(&parts)
}

/// The number of requests and the window that were meant by a text such as `10/s` or `5 per minute`.
pub(crate) fn rate(text: &str) -> Option<(u64, String)> {
    let text = plain(text);
    let (count, window) = match text.split_once('/').or_else(|| text.split_once(" per ")) {
        Some((count, unit)) => (count, window(unit).filter(|_| unit.contains(char::is_alphabetic))?),
        None => {
            let unit = text.trim_start_matches(|c: char| !c.is_alphabetic());
            (text.strip_suffix(unit)?, rate_word(unit)?)
        }
    };
    let what = count.trim_start_matches(|c: char| !c.is_alphabetic());
    let number = count.strip_suffix(what).filter(|_| COUNTED.contains(&what.trim()))?;
    let number = grouped(number.trim())?.parse().ok().filter(|number| *number > 0)?;
    // More than one per nanosecond would be the next error.
    Some((number, window)).filter(|(number, window)| duration::parse(window).is_ok_and(|nanos| *number <= nanos))
}

/// The window that is implied by a word such as `rps`.
pub(crate) fn rate_word(word: &str) -> Option<String> {
    RATES.iter().find(|(rate, _)| *rate == word).map(|(_, window)| (*window).to_owned())
}

/// The window of one unit that a word such as `minute`, `secs` or `ms` stands for.
pub(crate) fn unit_word(word: &str) -> Option<String> {
    let (times, unit) = unit(word)?;
    Some(format!("{times}{}", UNITS[unit].0))
}

/// In lower case, with ASCII in the place of what is typed for it by accident.
fn plain(text: &str) -> String {
    let ascii = |c: char| match c {
        '\u{b5}' | '\u{3bc}' => 'u',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    };
    text.trim().chars().map(ascii).flat_map(char::to_lowercase).collect()
}

fn unit(word: &str) -> Option<(u64, usize)> {
    let index = |unit: &str| UNITS.iter().position(|(known, _)| *known == unit);
    if let Some(index) = index(word) {
        return Some((1, index));
    }
    let (_, times, unit) = WORDS.iter().find(|(known, ..)| known.contains(&word))?;
    Some((*times, index(unit)?))
}

/// `PT1H30M`
fn iso(text: &str) -> Option<Vec<Part>> {
    let mut rest = text.strip_prefix('p')?;
    let mut parts = Vec::new();
    let mut is_time = false;
    while !rest.is_empty() {
        if let (false, Some(time)) = (is_time, rest.strip_prefix('t')) {
            (rest, is_time) = (time, true);
            continue;
        }
        let at = rest.find(char::is_alphabetic)?;
        let word = match (rest[at..].chars().next()?, is_time) {
            ('y', false) => "y",
            ('m', false) => "mo",
            ('w', false) => "w",
            ('d', false) => "d",
            ('h', true) => "h",
            ('m', true) => "m",
            ('s', true) => "s",
            _ => return None,
        };
        let (times, unit) = unit(word)?;
        parts.push(Part { number: rest[..at].to_owned(), times, unit });
        rest = &rest[at + 1..];
    }
    Some(parts)
}

/// `00:01:00`. Of two numbers nobody knows whether they are hours or seconds.
fn clock(text: &str) -> Option<Vec<Part>> {
    let fields: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = *fields.as_slice() else { return None };
    if fields.iter().any(|field| !field.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let part = |(number, word): (&str, &str)| {
        let (times, unit) = unit(word)?;
        Some(Part { number: number.to_owned(), times, unit })
    };
    let is_zero = |number: &str| number.chars().all(|c| c == '0');
    [(hours, "h"), (minutes, "m"), (seconds, "s")]
        .into_iter()
        .filter(|(number, _)| !is_zero(number))
        .map(part)
        .collect()
}

/// `Duration::from_secs(60)`
fn call(text: &str) -> Option<Vec<Part>> {
    let (function, argument) = text.strip_suffix(')')?.split_once('(')?;
    let name = function.rsplit("::").next().unwrap_or(function);
    let name = name.strip_prefix("from_").unwrap_or(name);
    let name = name.strip_suffix("_f64").or_else(|| name.strip_suffix("_f32")).unwrap_or(name);
    let (times, unit) = unit(name)?;
    Some(vec![Part { number: argument.to_owned(), times, unit }])
}

/// `1 hour and 30 min`, `1h30`, `per second`
fn words(text: &str) -> Option<Vec<Part>> {
    let text = text.trim_start_matches(['/', '+']).trim_end_matches([',', '.', ';', ' ']);
    let mut parts: Vec<Part> = Vec::new();
    let mut number: Option<String> = None;
    // Whether the last unit had a number in front of it.
    let mut is_counted = true;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if first.is_ascii_digit() || first == '.' {
            number_length(rest)
        } else if first.is_alphabetic() {
            rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let token;
        (token, rest) = rest.split_at(end);
        if first.is_ascii_digit() || first == '.' {
            number = match number {
                None => Some(token.to_owned()),
                // `1 000`
                Some(thousands) if token.len() == 3 => Some(thousands + token),
                Some(_) => return None,
            };
        } else if let Some((times, unit)) = unit(token) {
            is_counted = number.is_some();
            let number = match number.take() {
                Some(number) => number,
                None if parts.is_empty() => "1".to_owned(),
                None => return None,
            };
            parts.push(Part { number, times, unit });
        } else if matches!(token, "a" | "an" | "one") && number.is_none() && parts.is_empty() {
            number = Some("1".to_owned());
        } else if !first.is_whitespace() {
            // What stands between a number and its unit or between two numbers makes another thing of them: `5 in 100ms`.
            let between = number.is_none() && (FILLERS.contains(&token) || matches!(first, ',' | '+' | '&' | ':'));
            if !between {
                return None;
            }
        }
    }
    if let Some(number) = number {
        if !is_counted {
            return None;
        }
        // "1h30" means thirty minutes to everyone: the unit after the previous one.
        let unit = parts.last().map_or(Some(3), |part| Some(part.unit + 1).filter(|unit| *unit < UNITS.len()))?;
        parts.push(Part { number, times: 1, unit });
    }
    Some(parts)
}

/// How much of this is a number, with anything in it that separates digits, or an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut at = 0;
    while is_digit(at)
        || matches!(bytes.get(at), Some(b'.' | b'_' | b'e')) && is_digit(at + 1)
        || bytes.get(at) == Some(&b',') && is_digit(at + 1)
        || matches!(bytes.get(at), Some(b'_' | b'.'))
    {
        at += 1;
    }
    at
}

/// The digits of a whole number without what groups them; `1,000` is one thousand to everyone, `1.000` is not.
fn grouped(number: &str) -> Option<String> {
    let number = number.replace('_', "");
    let is_grouped = |separator: char| {
        let mut groups = number.split(separator);
        let first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()));
        first && groups.all(|group| group.len() == 3)
    };
    let commas = number.matches(',').count();
    let dots = number.matches('.').count();
    let digits = match (commas, dots) {
        (0, 0) => number,
        (_, 0) if is_grouped(',') => number.replace(',', ""),
        (0, 2..) if is_grouped('.') => number.replace('.', ""),
        _ => return None,
    };
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// The parts as they must be written: as they came, where each is whole and no unit is there twice.
fn spelling(parts: &[Part]) -> Option<String> {
    let mut total: u64 = 0;
    let mut whole = Some(Vec::new());
    for part in parts {
        let length = UNITS[part.unit].1.checked_mul(part.times)?;
        let nanos = match grouped(&part.number) {
            Some(digits) => {
                let number = digits.parse::<u64>().ok()?;
                let number = number.checked_mul(part.times)?;
                whole.iter_mut().for_each(|whole| whole.push((part.unit, number)));
                number.checked_mul(UNITS[part.unit].1)?
            }
            None => {
                whole = None;
                decimal(&part.number, length)?
            }
        };
        total = total.checked_add(nanos)?;
    }
    let as_written = whole.and_then(|mut parts| {
        parts.sort_by_key(|(unit, _)| *unit);
        let is_twice = parts.windows(2).any(|pair| pair[0].0 == pair[1].0);
        let parts = parts.into_iter().map(|(unit, number)| format!("{number}{}", UNITS[unit].0));
        (!is_twice).then(|| parts.collect::<String>())
    });
    let spelling = as_written.unwrap_or_else(|| duration::spell(total));
    duration::exact(&spelling).is_ok().then_some(spelling)
}

/// The value of a decimal number of units of that length, if it is a whole number of nanoseconds.
fn decimal(number: &str, length: u64) -> Option<u64> {
    let number = number.replace('_', "").replace(',', ".");
    if let Some((digits, exponent)) = number.split_once('e') {
        let factor = 10u64.checked_pow(exponent.parse().ok()?)?;
        return decimal(&format!("{digits}."), length.checked_mul(factor)?);
    }
    let (whole, fraction) = number.split_once('.')?;
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
    use super::{rate, rate_word, unit_word, window};

    #[test]
    fn finds_the_window_that_was_meant() {
        for (text, meant) in [
            ("1 sec", "1s"),
            ("1 second", "1s"),
            ("1min", "1m"),
            ("1 hour", "1h"),
            ("1hr", "1h"),
            ("1 s", "1s"),
            (" 1s ", "1s"),
            ("1\u{a0}s", "1s"),
            ("1S", "1s"),
            ("60", "60s"),
            ("60_000", "60000s"),
            ("1m30", "1m30s"),
            ("1h 30m", "1h30m"),
            ("1h30min", "1h30m"),
            ("1 hour and 30 minutes", "1h30m"),
            ("1h, 30m", "1h30m"),
            ("1h+30m", "1h30m"),
            ("60s1m", "1m60s"),
            ("60s60s", "2m"),
            ("1w", "7d"),
            ("1 month", "30d"),
            ("1y", "365d"),
            ("1w2d", "9d"),
            ("1.5s", "1500ms"),
            ("0.5h", "30m"),
            ("1.5 hours", "90m"),
            ("1.5", "1500ms"),
            ("1,5s", "1500ms"),
            ("1,000ms", "1000ms"),
            ("1.000.000ns", "1000000ns"),
            ("1 000ms", "1000ms"),
            ("1_000ms", "1000ms"),
            ("1e3ms", "1s"),
            ("00:01:00", "1m"),
            ("01:30:00", "1h30m"),
            ("PT1M", "1m"),
            ("PT1H30M", "1h30m"),
            ("P1DT12H", "1d12h"),
            ("P1M", "30d"),
            ("PT0.5S", "500ms"),
            ("per second", "1s"),
            ("second", "1s"),
            ("a minute", "1m"),
            ("every 5s", "5s"),
            ("/s", "1s"),
            ("Duration::from_secs(1)", "1s"),
            ("std::time::Duration::from_millis(250)", "250ms"),
            ("Duration::from_secs_f64(0.5)", "500ms"),
            ("5 \u{3bc}s", "5us"),
            ("5\u{b5}sec", "5us"),
            ("\u{ff11}s", "1s"),
            ("1\u{ff4d}s", "1ms"),
            ("+1s", "1s"),
            ("1s.", "1s"),
        ] {
            assert_eq!(window(text).as_deref(), Some(meant), "{text}");
        }
    }

    #[test]
    fn guesses_nothing_where_it_might_be_wrong() {
        for text in [
            "",
            "0s",
            "-1s",
            "1:30",
            "soon",
            "10/s",
            "1s/10",
            "60*60s",
            "400d",
            "1ns2",
            "p",
            "pt",
            "1e99s",
            "1 2s",
            "ms s",
            "5 in 100ms",
            "10 every 100ms",
            "10, 100ms",
            "10:100ms",
            "10 seconds a day",
            "per minute 5",
        ] {
            assert_eq!(window(text), None, "{text}");
        }
    }

    #[test]
    fn finds_the_rate_that_was_meant() {
        for (text, requests, meant) in [
            ("10/s", 10, "1s"),
            ("100/min", 100, "1m"),
            ("1,000 / hour", 1000, "1h"),
            ("5 per minute", 5, "1m"),
            ("5 requests per 2 minutes", 5, "2m"),
            ("5 req/s", 5, "1s"),
            ("5/10s", 5, "10s"),
            ("10rps", 10, "1s"),
            ("10 RPM", 10, "1m"),
        ] {
            assert_eq!(rate(text), Some((requests, meant.to_owned())), "{text}");
        }
        for text in ["", "10", "0/s", "10/60", "s/10", "ten per second", "1s", "per second", "rps"] {
            assert_eq!(rate(text), None, "{text}");
        }
    }

    #[test]
    fn knows_the_words_for_units_and_rates() {
        assert_eq!(unit_word("minutes").as_deref(), Some("1m"));
        assert_eq!(unit_word("ms").as_deref(), Some("1ms"));
        assert_eq!(unit_word("weeks").as_deref(), Some("7d"));
        assert_eq!(unit_word("moment"), None);
        assert_eq!(rate_word("rpm").as_deref(), Some("1m"));
        assert_eq!(rate_word("per"), None);
    }
}
