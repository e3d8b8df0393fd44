//! Guesses which key or strategy was meant: by what other libraries call it, else the nearest by edits.

/// What people who know another rate limiter type first, and the key it is called here.
const ALIASES: &[(&str, &str)] = &[
    ("algo", "strategy"),
    ("algorithm", "strategy"),
    ("kind", "strategy"),
    ("limit", "requests"),
    ("max", "requests"),
    ("count", "requests"),
    ("rate", "requests"),
    ("times", "requests"),
    ("permits", "requests"),
    ("per", "window"),
    ("every", "window"),
    ("interval", "window"),
    ("period", "window"),
    ("duration", "window"),
    ("by", "key"),
    ("ip", "key"),
    ("size", "capacity"),
    ("max_keys", "capacity"),
    ("or", "fallback"),
    ("otherwise", "fallback"),
    ("on_limit", "fallback"),
    ("on_reject", "fallback"),
    ("on_rejected", "fallback"),
    ("default", "fallback"),
    ("id", "name"),
    ("label", "name"),
    ("weight", "cost"),
    ("tokens", "cost"),
    ("timeout", "wait"),
    ("skip", "when"),
    ("unless", "when"),
    ("concurrency", "concurrent"),
    ("krate", "crate"),
];

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
    let like_a_type = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    if like_a_type { None } else { exactly(&plain(name)) }
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
pub(crate) fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == typed);
    alias
        .and_then(|(_, meant)| known.clone().find(|word| word == meant))
        .or_else(|| nearest_by_edits(&typed, known.clone()))
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
    use super::{Meant, distance, nearest, strategy, strategy_in_snake_case};

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
        assert_eq!(nearest("user"), None);
        assert_eq!(nearest("colour"), None);
        assert_eq!(nearest(""), None);
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
        for name in ["TokenBucket", "Tokenbucket", "SlidingWindow", "Gcra", "lifetime"] {
            assert_eq!(strategy_in_snake_case(name), None, "{name}");
        }
        assert_eq!(strategy_in_snake_case("token_bucket"), Some(Meant::Known("TokenBucket")));
        assert_eq!(strategy_in_snake_case("FIXEDWINDOW"), Some(Meant::Known("FixedWindow")));
        assert_eq!(strategy_in_snake_case("gcra"), Some(Meant::Absent));
    }
}
