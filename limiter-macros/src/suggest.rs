//! Guesses which key or strategy was meant: by what other libraries call it, else the nearest by edits.

use crate::{duration, meant};

/// What people who know another rate limiter type first, and the key it is called here.
const ALIASES: &[(&str, &[&str])] = &[
    ("strategy", &["algo", "algorithm", "kind", "type", "method", "mode", "policy", "strat", "ty", "limiter_type"]),
    (
        "requests",
        &[
            "limit",
            "limits",
            "max",
            "count",
            "rate",
            "times",
            "permits",
            "calls",
            "max_calls",
            "req",
            "reqs",
            "num",
            "n",
            "number",
            "amount",
            "quantity",
            "hits",
            "max_hits",
            "points",
            "max_requests",
            "num_requests",
            "refill_rate",
        ],
    ),
    (
        "window",
        &[
            "per",
            "every",
            "interval",
            "period",
            "duration",
            "time",
            "ttl",
            "window_size",
            "window_ms",
            "window_secs",
            "time_window",
            "timeframe",
            "refill",
            "refill_interval",
            "fill_interval",
            "refill_period",
        ],
    ),
    ("burst", &["burst_size", "max_burst", "burst_limit", "max_tokens", "bucket_size"]),
    (
        "key",
        &[
            "by",
            "by_ip",
            "per_ip",
            "per_user",
            "per_key",
            "key_by",
            "key_fn",
            "key_func",
            "key_extractor",
            "extractor",
            "group_by",
            "ip",
            "user",
            "scope",
            "partition",
        ],
    ),
    ("capacity", &["size", "max_keys", "keys_max", "max_entries", "max_size"]),
    (
        "fallback",
        &[
            "or",
            "or_else",
            "else",
            "otherwise",
            "on_limit",
            "on_limited",
            "on_reject",
            "reject",
            "on_rejected",
            "on_exceeded",
            "on_error",
            "default",
            "handler",
            "error",
            "response",
            "error_message",
            "message",
        ],
    ),
    ("name", &["id", "label", "title", "namespace", "prefix"]),
    ("crate", &["krate", "path"]),
    ("cost", &["weight", "tokens", "points_per_call"]),
    ("wait", &["timeout", "retry", "max_wait", "sleep", "block", "delay", "queue", "jitter", "retry_after"]),
    ("when", &["skip", "unless", "exempt", "exempt_when", "skip_if", "enabled", "condition", "cond", "if"]),
    ("concurrent", &["concurrency", "max_concurrent", "max_concurrency", "parallel"]),
    ("store", &["backend", "redis", "storage", "cache"]),
];

/// What somebody meant by a key that is none.
#[derive(Debug, PartialEq)]
pub(crate) enum Unknown<'a> {
    /// This key, with the value that is there.
    Near(&'a str),
    /// Something that is written thus, and gives these keys.
    Write(String, &'static [&'static str]),
    /// A key of a later version.
    Later(&'a str),
    /// Nothing that is near enough to be worth a hint.
    Nothing,
}

/// What somebody meant by a key that is none: with a value or without, and with a whole number for it or without.
pub(crate) fn unknown<'a>(
    typed: &str,
    has_value: bool,
    number: Option<u64>,
    known: impl Iterator<Item = &'a str> + Clone,
    later: impl Iterator<Item = &'a str> + Clone,
) -> Unknown<'a> {
    if !has_value {
        match exactly(&plain(typed)) {
            Some(Meant::Known(name)) => return Unknown::Write(format!("strategy = {name}"), &["strategy"]),
            _ if typed == "ip" => return Unknown::Write("key = ip".to_owned(), &["key"]),
            _ => {}
        }
    }
    let lower = typed.to_lowercase();
    let per = lower.rsplit_once("per_").filter(|(before, _)| before.is_empty() || before.ends_with('_'));
    // `rps`, `requests_per_minute`, `per_hour`
    if let Some(window) = meant::rate_word(&lower).or_else(|| meant::unit_word(per?.1)) {
        let ceiling = duration::parse(&window).unwrap_or(u64::MAX);
        let requests = number.filter(|number| (1..=ceiling).contains(number)).unwrap_or(100);
        return Unknown::Write(format!("requests = {requests}, window = \"{window}\""), &["requests", "window"]);
    }
    if let Some(one) = meant::unit_word(&lower) {
        let window = match number {
            Some(number) => meant::window(&format!("{number}{lower}")),
            None => Some(one).filter(|_| !has_value),
        };
        // Too long, or no number: another length would be another limit.
        let Some(window) = window else { return Unknown::Near("window") };
        return Unknown::Write(format!("window = \"{window}\""), &["window"]);
    }
    match (nearest(typed, known), nearest(typed, later)) {
        (Some(key), _) => Unknown::Near(key),
        (None, Some(key)) => Unknown::Later(key),
        (None, None) => Unknown::Nothing,
    }
}

/// The strategies of the library, as they are written.
const STRATEGIES: [&str; 2] = ["FixedWindow", "TokenBucket"];

/// Algorithms that other limiters have and this library does not, in the spelling of [`plain`].
const ABSENT: &[&str] = &[
    "slidingwindow",
    "slidingwindowlog",
    "slidingwindowcounter",
    "slidingcounter",
    "slidinglog",
    "movingwindow",
    "rollingwindow",
    "leakybucket",
    "gcra",
    "genericcellratealgorithm",
    "concurrency",
    "semaphore",
];

/// What somebody meant by the name of a strategy.
#[derive(Debug, PartialEq)]
pub(crate) enum Meant {
    /// This one, under the name it has here.
    Known(&'static str),
    /// An algorithm that is not here.
    Absent,
}

/// What the name of a strategy in a string stands for: in any spelling, and with a slip or two.
pub(crate) fn strategy(typed: &str) -> Option<Meant> {
    let typed = plain(typed);
    exactly(&typed).or_else(|| {
        let names = STRATEGIES.map(plain);
        let index = |word: &str| names.iter().position(|name| name == word);
        let near = nearest_by_edits(&typed, names.iter().map(String::as_str)).and_then(index);
        // "token", "fixed".
        let begun = || names.iter().position(|name| typed.len() >= 5 && name.starts_with(&typed));
        near.or_else(begun).map(|index| Meant::Known(STRATEGIES[index]))
    })
}

/// The same for the last name of a path that is spelt unlike a type: a name like `Tokenbucket` may be the user's own.
pub(crate) fn strategy_in_snake_case(name: &str) -> Option<Meant> {
    let is_upper = name.starts_with(char::is_uppercase);
    if is_upper && name.contains(char::is_lowercase) {
        return None;
    }
    // `GCRA` is how a type of the user's own may be spelt, of an algorithm that is not here.
    exactly(&plain(name)).filter(|meant| !is_upper || matches!(meant, Meant::Known(_)))
}

/// "`FixedWindow` and `TokenBucket`", for messages.
pub(crate) fn strategies() -> String {
    STRATEGIES.map(|name| format!("`{name}`")).join(" and ")
}

fn exactly(plain_name: &str) -> Option<Meant> {
    if ABSENT.contains(&plain_name) {
        return Some(Meant::Absent);
    }
    STRATEGIES.into_iter().find(|name| plain(name) == plain_name).map(Meant::Known)
}

/// A name without its path, its case and what separates its words: `limiter::token_bucket` is `tokenbucket`.
fn plain(name: &str) -> String {
    let last = name.rsplit("::").next().unwrap_or(name);
    last.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The one of `known` that `typed` most likely stands for, if any is near enough to be worth a hint.
///
/// What other libraries call it comes first: `rate` is one letter from `crate`, which nobody means.
fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let alias = ALIASES.iter().find(|(_, aliases)| aliases.contains(&&*typed));
    match alias {
        Some((meant, _)) => known.clone().find(|word| word == meant),
        None => nearest_by_edits(&typed, known),
    }
}

fn nearest_by_edits<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A third of the word may be wrong: "windw" and "reqests" are caught, while "user" is not taken for "burst".
    let tolerance = (typed.chars().count() / 3).max(1);
    known
        .map(|word| (distance(typed, word), word))
        .filter(|(edits, _)| *edits <= tolerance)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

/// How many single-character insertions, deletions, replacements and swaps of neighbours turn `a` into `b`.
///
/// Swaps count as one edit because they are what fast typing produces ("widnow").
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[(i - 1) * width + j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(table[(i - 1) * width + j] + 1).min(table[i * width + j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(table[(i - 2) * width + j - 2] + 1);
                }
                best
            };
        }
    }
    table[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Meant, Unknown, distance, nearest, strategy, strategy_in_snake_case, unknown};

    const KEYS: [&str; 8] = ["strategy", "requests", "window", "burst", "key", "capacity", "fallback", "crate"];

    #[test]
    fn counts_edits() {
        assert_eq!(distance("window", "window"), 0);
        assert_eq!(distance("windw", "window"), 1);
        assert_eq!(distance("widnow", "window"), 1, "a swap is one edit");
        assert_eq!(distance("", "key"), 3);
        assert_eq!(distance("key", ""), 3);
        assert_eq!(distance("abc", "xyz"), 3);
    }

    #[test]
    fn suggests_the_nearest_key() {
        let nearest = |typed| nearest(typed, KEYS.iter().copied());
        assert_eq!(nearest("request"), Some("requests"));
        assert_eq!(nearest("reqeusts"), Some("requests"));
        assert_eq!(nearest("Window"), Some("window"));
        assert_eq!(nearest("startegy"), Some("strategy"));
        assert_eq!(nearest("keys"), Some("key"));
        assert_eq!(nearest("falback"), Some("fallback"));
    }

    #[test]
    fn knows_the_names_other_libraries_use() {
        let nearest = |typed| nearest(typed, KEYS.iter().copied());
        assert_eq!(nearest("per"), Some("window"));
        assert_eq!(nearest("interval"), Some("window"));
        assert_eq!(nearest("on_limit"), Some("fallback"));
        assert_eq!(nearest("rate"), Some("requests"), "not `crate`");
        assert_eq!(nearest("weight"), None, "`cost` is not among these keys");
    }

    #[test]
    fn stays_silent_when_nothing_is_near() {
        let nearest = |typed| nearest(typed, KEYS.iter().copied());
        assert_eq!(nearest("users"), None);
        assert_eq!(nearest("colour"), None);
        assert_eq!(nearest(""), None);
    }

    #[test]
    fn says_what_to_write_for_a_key_that_is_none() {
        let unknown = |typed, has_value, number| {
            unknown(typed, has_value, number, KEYS.into_iter(), ["cost", "wait", "limiter"].into_iter())
        };
        let write = |fix: &str, keys| Unknown::Write(fix.to_owned(), keys);
        assert_eq!(unknown("rate", true, Some(5)), Unknown::Near("requests"));
        assert_eq!(unknown("limits", true, None), Unknown::Near("requests"), "not `limiter`");
        assert_eq!(unknown("rps", true, Some(5)), write("requests = 5, window = \"1s\"", &["requests", "window"]));
        assert_eq!(
            unknown("per_minute", true, None),
            write("requests = 100, window = \"1m\"", &["requests", "window"])
        );
        assert_eq!(
            unknown("requests_per_hour", true, Some(7)),
            write("requests = 7, window = \"1h\"", &["requests", "window"])
        );
        assert_eq!(unknown("per_ip", true, None), Unknown::Near("key"));
        assert_eq!(unknown("seconds", true, Some(60)), write("window = \"60s\"", &["window"]));
        assert_eq!(unknown("minutes", false, None), write("window = \"1m\"", &["window"]));
        assert_eq!(
            unknown("minutes", true, None),
            Unknown::Near("window"),
            "as many as the value says, which is no number"
        );
        assert_eq!(unknown("days", true, Some(400)), Unknown::Near("window"), "too long");
        assert_eq!(unknown("rps", true, Some(0)), write("requests = 100, window = \"1s\"", &["requests", "window"]));
        assert_eq!(unknown("fixed_window", false, None), write("strategy = FixedWindow", &["strategy"]));
        assert_eq!(unknown("ip", false, None), write("key = ip", &["key"]));
        assert_eq!(unknown("timeout", true, Some(5)), Unknown::Later("wait"));
        assert_eq!(unknown("colour", true, None), Unknown::Nothing);
    }

    #[test]
    fn knows_a_strategy_in_any_spelling() {
        for typed in
            ["TokenBucket", "token_bucket", "token-bucket", "Token Bucket", "my::tokenbucket", "TokenBuckt", "token"]
        {
            assert_eq!(strategy(typed), Some(Meant::Known("TokenBucket")), "{typed}");
        }
        for typed in ["fixed_window", "FIXED_WINDOW", "fixed", "FixdWindow"] {
            assert_eq!(strategy(typed), Some(Meant::Known("FixedWindow")), "{typed}");
        }
        for typed in ["sliding_window", "SlidingWindow", "leaky-bucket", "GCRA"] {
            assert_eq!(strategy(typed), Some(Meant::Absent), "{typed}");
        }
        for typed in ["Lifetime", "my::Quota", "none", "", "window"] {
            assert_eq!(strategy(typed), None, "{typed}");
        }
    }

    #[test]
    fn a_path_spelt_like_a_type_may_be_the_users_own() {
        for name in ["TokenBucket", "Tokenbucket", "SlidingWindow", "Gcra", "GCRA", "lifetime"] {
            assert_eq!(strategy_in_snake_case(name), None, "{name}");
        }
        assert_eq!(strategy_in_snake_case("token_bucket"), Some(Meant::Known("TokenBucket")));
        assert_eq!(strategy_in_snake_case("FIXEDWINDOW"), Some(Meant::Known("FixedWindow")));
        assert_eq!(strategy_in_snake_case("gcra"), Some(Meant::Absent));
    }
}
