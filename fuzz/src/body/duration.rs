//! A window is accepted exactly if a second reading of the grammar accepts it, and as the same number of nanoseconds. What a
//! refusal tells the user to write instead must not be the next mistake.

use crate::Outcome;
use crate::duration::{parse, spell};

/// The order of the grammar, with both spellings of `µs`. The lengths are written out once more on purpose.
const UNITS: [(&[&str], u128); 7] = [
    (&["d"], 24 * 60 * 60 * 1_000_000_000),
    (&["h"], 60 * 60 * 1_000_000_000),
    (&["m"], 60 * 1_000_000_000),
    (&["s"], 1_000_000_000),
    (&["ms"], 1_000_000),
    (&["us", "\u{b5}s", "\u{3bc}s"], 1_000),
    (&["ns"], 1),
];

const YEAR: u128 = 365 * 24 * 60 * 60 * 1_000_000_000;

/// Longer inputs find nothing that shorter ones do not.
const LONGEST_INPUT: usize = 1024;

/// The promise for one text. Bytes that are no text become the text that a lossy reader would see.
///
/// # Panics
///
/// If it does not hold.
#[must_use]
pub fn run(data: &[u8]) -> Outcome {
    if data.len() > LONGEST_INPUT {
        return Outcome::Skipped;
    }
    let text = &*String::from_utf8_lossy(data);
    let answer = parse(text);
    assert_eq!(answer.as_ref().ok(), naive(text).as_ref(), "{text:?} was answered with {answer:?}");
    match answer {
        Ok(nanos) => {
            assert_eq!(parse(&spell(nanos)), Ok(nanos), "the shortest spelling of {text:?}");
            Outcome::Accepted
        }
        Err(problem) => {
            hints_are_accepted(text, &problem);
            Outcome::Refused
        }
    }
}

/// `(number unit)*` with the units in their order and each at most once, read unit by unit instead of part by part.
fn naive(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total: u128 = 0;
    for (spellings, length) in UNITS {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = rest.split_at(digits);
        if digits == 0 {
            break;
        }
        // `1ms` is no minute: a unit ends where a digit or nothing follows.
        let ends = |rest: &&str| rest.bytes().next().is_none_or(|byte| byte.is_ascii_digit());
        let Some(behind) = spellings.iter().find_map(|unit| behind.strip_prefix(unit).filter(ends)) else { continue };
        // A number too large for this is larger than any window.
        let value = number.bytes().fold(0, |sum: u128, digit| (sum * 10 + u128::from(digit - b'0')).min(YEAR + 1));
        total += value * length;
        rest = behind;
    }
    (rest.is_empty() && (1..=YEAR).contains(&total)).then(|| u64::try_from(total).expect("a year fits"))
}

/// Where the message says "write …", that is accepted.
fn hints_are_accepted(text: &str, problem: &str) {
    // Quoted in a message, such a text could be taken for a hint.
    if text.contains('"') {
        return;
    }
    let Some((_, advice)) = problem.split_once("; write ") else { return };
    for hint in advice.split('"').skip(1).step_by(2) {
        assert!(parse(hint).is_ok(), "for {text:?}: {problem} leads to: {:?}", parse(hint));
    }
}
