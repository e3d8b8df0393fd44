//! Writes what stands between the parentheses of the attribute: known and unknown keys, each with a value that would do or
//! with one that belongs elsewhere.

use super::choices::Choices;

/// A list as text, and what is known of it.
pub(crate) struct List {
    pub(crate) text: String,
    /// Nothing is wrong with it, on a function that suits it.
    pub(crate) is_right: bool,
    /// Whatever else it says, one of its keys cannot be taken.
    pub(crate) is_wrong: bool,
    pub(crate) has_fallback: bool,
}

struct Key {
    name: &'static str,
    right: &'static [&'static str],
}

/// The literals go together in any combination: at least 146 permits of burst fill within the 146 years there are.
const KEYS: [Key; 9] = [
    Key {
        name: "requests",
        right: &["100", "1", "7u32", "0x10", "1_000", "1u128", "(2)", "LIMIT", "Self::LIMIT * 2", "{ 5 }", "a::<3>()"],
    },
    Key {
        name: "window",
        right: &[
            "\"1s\"",
            "\"250ms\"",
            "\"1h30m\"",
            "\"365d\"",
            "\"1us\"",
            "r#\"2m\"#",
            "(\"1d\")",
            "\"\\u{31}s\"",
            "WINDOW",
            "Duration::from_secs(1)",
            "if cfg!(test) { A } else { B }",
        ],
    },
    Key {
        name: "strategy",
        right: &[
            "TokenBucket",
            "FixedWindow",
            "my::Own",
            "limiter::TokenBucket",
            "::limiter::FixedWindow",
            "Own<u8, { 3 }>",
            "<My as Trait>::Out",
            "(TokenBucket)",
        ],
    },
    Key { name: "burst", right: &["20", "1", "100usize", "BURST", "{ A + B }", "if A { 1 } else { 2 }"] },
    Key {
        name: "key",
        right: &[
            "user",
            "ip",
            "&ip",
            "(ip, user)",
            "[user, ip]",
            "(&ip, (ip, &&user.id), [ip; 2])",
            "[a, b, c, d, e, f, g, h, i, j, k, l, ip]",
            "user.id().0",
            "(ip)",
            "&mut ip",
            "{ ip }",
            "match ip { x if x => 1, _ => 2 }",
            "(|x: u8| -> u8 { x })(user)",
            "a..=b",
            "(a = b, ..)",
            "if let Some(x) = a && b { c } else { d }",
            "m![ip, \"{ip}\"]",
            "headers[\"x\"] as u64",
            "-user",
            "user?.0.1",
            "async move { ip }.await",
            "unsafe { *p }",
        ],
    },
    Key { name: "capacity", right: &["65_536", "1", "16777216", "SIZE", "{ N_KEYS }"] },
    Key {
        name: "fallback",
        right: &[
            "None",
            "()",
            "(())",
            "panic!(\"{rejected}\")",
            "std::unreachable! { rejected }",
            "Err(rejected.into())",
            "return",
            "return 3",
            "return Err(rejected.clone())",
            "Reply::Busy { rejected, ..x }",
            "{ log(rejected); 5 }",
            "\"{rejected:?}\"",
            "\"{{rejected}}\"",
            "format!(\"{x:rejected$}\")",
            "process::exit(1)",
            "loop {}",
            "async { return 1 }",
            "(|rejected| rejected)(rejected)",
            "match rejected { _ => return 1 }",
            "rejected()",
            "x.rejected",
            "[rejected; 2]",
            "..",
            "break 'a 1",
            "'a: loop { break 'a }",
            "if x { return 1 } else { 2 }",
            "unsafe { f() }",
            "a < b && c > d",
            "S::<rejected> {}",
            "#[cfg(a)] rejected",
            "const { 1 }",
            "5",
            "_",
            "x = y",
            "call(move || ())",
        ],
    },
    Key { name: "name", right: &["\"search\"", "r#\"a b\"#", "(\"x\")", "\"\\u{7f}{}\\\"\""] },
    Key { name: "crate", right: &["::limiter", "crate::vendored", "::a::b", "crate", "(::limiter)"] },
];

const STRANGE_KEYS: &[&str] = &[
    "request",
    "per",
    "rate",
    "widnow",
    "r#requests",
    "quota",
    "concurrent",
    "cost",
    "when",
    "wait",
    "charge",
    "limiter",
    "store",
    "self",
    "Self",
    "fn",
    "_",
    "日本",
    "a::b",
    "100",
    "\"requests\"",
    "(requests)",
    "-",
    "'a",
    "#",
    "=",
    "requests_per_a_very_long_time_that_nobody_would_ever_have_called_a_window",
    "union",
];

const WRONG_VALUES: &[&str] = &[
    "()",
    "",
    "0",
    "-1",
    "- 1",
    "-(1)",
    "-\"1s\"",
    "1.5",
    "1e3",
    "1e400",
    "100.0",
    "1.",
    "'a'",
    "b'a'",
    "true",
    "\"100\"",
    "\" 7 \"",
    "b\"x\"",
    "c\"x\"",
    "\"x\"y",
    "1s",
    "1min",
    "1.5s",
    "60",
    "0b11",
    "0xffff_ffff_ffff_ffff",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "256u8",
    "9i128",
    "1h30m",
    "1_0s",
    "1f64",
    "\"\"",
    "\"1 s\"",
    "\"-1s\"",
    "\"1sec\"",
    "\"1.5h\"",
    "\"366d\"",
    "\"1ns\"",
    "\"1m1h\"",
    "\"０s\"",
    "\"\\n\"",
    "\"ip\"",
    "\"self.user\"",
    "\"a(\"",
    "&\"user\"",
    "(1, \"a\")",
    "!true as u8",
    "[1, 2]",
    "[0; 2]",
    "1 + 2 * 3",
    "token_bucket",
    "let Some(a) = b",
    "Fn(u8) -> Own",
    "$crate::Own",
    "limiter::fixed_window",
    "\"token_bucket\"",
    "\"my::GCRA\"",
    "\"limiter::token_bucket\"",
    "\"::Own\"",
    "sliding_window",
    "TokenBucket(1)",
    "TokenBucket { a: 1 }",
    "[u8; 3]",
    "fn(u8) -> u8",
    "dyn A",
    "impl B + C",
    "!",
    "&'a T",
    "limiter",
    "self::limiter",
    "super::a::b",
    "a::<T>::b",
    "T",
    "N",
    "{ [T::X; N] }",
    "x.T + y::N",
    "= 1",
    "a b",
    "a => b",
    "; 1",
];

/// One list. Most decisions that make it wrong are rare, so that what lies behind them is met together.
pub(crate) fn list(choices: &mut Choices<'_>) -> List {
    let mut given: Vec<(&str, &str)> = Vec::new();
    let mut is_right = true;
    let mut is_wrong = false;
    let mut entries = Vec::new();
    let (required, optional) = KEYS.split_at(2);
    for index in 0..2 + choices.below(6) {
        let is_strange = choices.once_in(24);
        let key = required.get(index).unwrap_or_else(|| choices.of(optional));
        let name = if is_strange { choices.word(STRANGE_KEYS) } else { key.name };
        // A key twice is worth something, but not half of all lists.
        if given.iter().any(|(other, _)| *other == name) && !choices.once_in(8) {
            continue;
        }
        let value = match choices.below(12) {
            10 => choices.word(WRONG_VALUES),
            11 => {
                let other = choices.of(&KEYS);
                choices.word(other.right)
            }
            _ => choices.word(key.right),
        };
        is_wrong |= is_strange && name != "r#requests" || given.iter().any(|(other, _)| *other == name);
        is_right &= !is_strange && key.right.contains(&value);
        given.push((name, value));
        let equals = if choices.once_in(32) { choices.word(&["", ":", "==", "=>", "= =", ",", "::"]) } else { "=" };
        is_right &= equals == "=";
        entries.push(format!("{name} {equals} {value}"));
    }
    if entries.len() > 2 {
        let middle = choices.below(entries.len());
        entries.rotate_left(middle);
    }
    let mut comma = ", ";
    if choices.once_in(16) {
        comma = choices.word(&[" ", "; ", ",, ", " | "]);
        is_right = false;
        // The value before it may take in what follows.
        is_wrong = false;
    }
    let mut text = entries.join(comma);
    text.push_str(choices.word(&["", ","]));
    let value_of = |wanted: &str| given.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    let has_no_burst = value_of("strategy").is_none_or(|strategy| strategy.contains("FixedWindow"));
    is_right &= !(value_of("burst").is_some() && has_no_burst);
    is_right &= value_of("capacity").is_none() || value_of("key").is_some();
    is_right &= value_of("requests").is_some() && value_of("window").is_some();
    is_right &= !is_wrong;
    List { text, is_right, is_wrong, has_fallback: value_of("fallback").is_some() }
}
