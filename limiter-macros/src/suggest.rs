//! Guesses which key a misspelt one was meant to be: the nearest by edits, else by what other libraries call it.

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

/// The one of `known` that `typed` most likely stands for, if any is near enough to be worth a hint.
pub(crate) fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    // A third of the word may be wrong: "windw" and "reqests" are caught, while "user" is not taken for "burst".
    let tolerance = (typed.chars().count() / 3).max(1);
    known
        .clone()
        .map(|word| (distance(&typed, word), word))
        .filter(|(edits, _)| *edits <= tolerance)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
        .or_else(|| {
            let (_, meant) = ALIASES.iter().find(|(alias, _)| *alias == typed)?;
            known.clone().find(|word| word == meant)
        })
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
    use super::{distance, nearest};

    const KEYS: [&str; 7] = ["strategy", "requests", "window", "burst", "key", "capacity", "fallback"];

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
        assert_eq!(nearest("weight"), None, "`cost` is not among these keys");
    }

    #[test]
    fn stays_silent_when_nothing_is_near() {
        let nearest = |typed| nearest(typed, KEYS.iter().copied());
        assert_eq!(nearest("user"), None);
        assert_eq!(nearest("colour"), None);
        assert_eq!(nearest(""), None);
    }
}
