//! The attribute while somebody is typing it, or the function below it: an editor expands it after every key.
//!
//! Whatever is there, the function must come out, or all its uses are unresolved and the editor completes nothing; with an
//! error, or a limit that is not there goes unnoticed; and without a panic, which would be neither.

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::answer::{self, same, trees};
use crate::attribute::attribute;

/// Attributes that are right on [`FUNCTION`], with every kind of value.
const ATTRIBUTES: [&str; 13] = [
    "requests = 100, window = \"1s\"",
    "requests = 1_000u64, window = \"1h30m\",",
    "strategy = TokenBucket, requests = 100, window = \"1s\", burst = 20",
    "strategy = limiter::TokenBucket, requests = LIMIT * 2, window = Duration::from_secs(60)",
    "requests = 5, window = \"1m\", key = user",
    "requests = 5, window = \"1m\", key = (user, &route[1..], self.id), capacity = 10_000",
    "requests = 5, window = \"1m\", key = ip",
    "requests = 5, window = \"1m\", key = headers.get(\"x-api-key\").map(|key| key.len())?",
    "requests = 5, window = \"1m\", fallback = Err(Error::Busy { after: rejected.retry_after(), at: [1, 2] })",
    "requests = 5, window = \"1m\", fallback = panic!(\"refused: {rejected}\"), name = \"search\"",
    "requests = 5, window = \"1m\", fallback = if let Some(x) = rejected { return x } else { None }",
    "requests = 5, window = \"1m\", crate = ::limiter",
    "crate = crate::vendored::limiter, strategy = my::Own<'static, { 1 + 1 }>, requests = 5, window = WINDOW, name = \"a\"",
];

const FUNCTION: &str =
    "#[inline] pub async fn search<T>(&self, user: User, route: &str) -> Result<T, Rejected> { f(user)?.g() }";

/// Functions that are not finished, or not right.
const FUNCTIONS: [&str; 18] = [
    "fn f() -> Option<u8> { let x = ; if { match x. }",
    "fn f() -> Option<u8> { #![a] #![b] fn fn + + ; ' ' }",
    "fn f() -> Option<u8>",
    "fn f() -> Option<u8>;",
    "fn f() ->",
    "fn f() -> { None }",
    "fn f( -> ) {}",
    "fn f(a",
    "fn f(a) -> Option<u8> { None }",
    "fn f(a:) -> Option<u8> { None }",
    "fn f(a: u8, b: , c) -> Option<u8> { None }",
    "fn f(&) -> Option<u8> { None }",
    "fn f<>() -> Option<> { None }",
    "fn f<T: () -> Option<T> { None }",
    "fn () -> Option<u8> { None }",
    "fn",
    "pub",
    "#[inline]",
];

/// The text as tokens, with what is open in it closed: an editor gives a macro nothing that is not balanced.
fn lex(text: &str) -> Option<TokenStream> {
    let closed = |text: &str| {
        let mut open = Vec::new();
        for c in text.chars() {
            match c {
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' => open.push('}'),
                ')' | ']' | '}' => drop(open.pop()),
                _ => {}
            }
        }
        text.chars().chain(open.into_iter().rev()).collect::<String>()
    };
    closed(text).parse().ok()
}

fn tokens(text: &str) -> TokenStream {
    lex(text).unwrap_or_else(|| panic!("no tokens: {text}"))
}

/// The promise for one input. The messages, if there are any.
fn check(list: &TokenStream, item: &TokenStream) -> Option<Vec<String>> {
    let output = attribute(list.clone(), item.clone());
    let errors = answer::errors(item, &output);
    let context = || format!("#[limit({list})] {item}\nbecame {output}");
    let Some(errors) = errors else {
        assert!(keeps_the_body(item, &output), "the function is gone: {}", context());
        assert!(trees(&output).len() >= trees(item).len(), "{}", context());
        return None;
    };
    assert!(!errors.is_empty(), "neither a limit nor an error: {}", context());
    Some(errors)
}

/// Whether the last braces of the output end with what was in the last braces of the item.
fn keeps_the_body(item: &TokenStream, output: &TokenStream) -> bool {
    let body = |tokens: &TokenStream| match trees(tokens).pop() {
        Some(TokenTree::Group(group)) => trees(&group.stream()),
        _ => Vec::new(),
    };
    let (before, after) = (body(item), body(output));
    let attributes = before.chunks(3).take_while(|three| three.len() == 3 && three[0].to_string() == "#").count() * 3;
    let rest = &before[attributes..];
    after.len() > rest.len() && same(&after[after.len() - rest.len()..], rest)
}

/// Every stream that `change` makes of a list of trees, at the top and in every group.
fn everywhere(stream: &TokenStream, change: &dyn Fn(&[TokenTree]) -> Vec<Vec<TokenTree>>) -> Vec<TokenStream> {
    let whole = trees(stream);
    let mut all: Vec<TokenStream> = change(&whole).into_iter().map(|changed| changed.into_iter().collect()).collect();
    for (at, token) in whole.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        for inner in everywhere(&group.stream(), change) {
            let mut changed = whole.clone();
            changed[at] = Group::new(group.delimiter(), inner).into();
            all.push(changed.into_iter().collect());
        }
    }
    all
}

/// What is there while it is typed: the first tokens. In a group, what is behind the group is not there either.
fn prefixes(stream: &TokenStream) -> Vec<TokenStream> {
    let whole = trees(stream);
    let mut all = Vec::new();
    for at in 0..whole.len() {
        all.push(whole[..at].iter().cloned().collect());
        if let TokenTree::Group(group) = &whole[at] {
            for inner in prefixes(&group.stream()) {
                let group = TokenTree::from(Group::new(group.delimiter(), inner));
                all.push(whole[..at].iter().cloned().chain([group]).collect());
            }
        }
    }
    all
}

fn deletions(trees: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    (0..trees.len()).map(|at| [&trees[..at], &trees[at + 1..]].concat()).collect()
}

fn swaps(trees: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let swapped = |at: usize| {
        let mut swapped = trees.to_vec();
        swapped.swap(at, at + 1);
        swapped
    };
    (1..trees.len()).map(|end| swapped(end - 1)).collect()
}

/// The same trees in 40 other orders, the same in every run.
fn shuffles(trees: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    let mut state = 1u64;
    let mut below = |ceiling: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % ceiling
    };
    let mut shuffled = trees.to_vec();
    let mut shuffle = || {
        (1..shuffled.len()).rev().for_each(|at| shuffled.swap(at, below(at + 1)));
        shuffled.clone()
    };
    (0..40).map(|_| shuffle()).collect()
}

#[test]
fn the_attributes_are_right_when_they_are_whole() {
    for list in ATTRIBUTES {
        assert_eq!(check(&tokens(list), &tokens(FUNCTION)), None, "{list}");
    }
}

#[test]
fn a_function_survives_every_beginning_of_an_attribute() {
    for list in ATTRIBUTES {
        for prefix in prefixes(&tokens(list)) {
            let errors = check(&prefix, &tokens(FUNCTION));
            // Without both numbers it is no limit yet.
            let is_begun = ["requests", "window"].iter().all(|key| prefix.to_string().contains(&format!("{key} = ")));
            assert!(errors.is_some() || is_begun, "taken for a limit: {prefix}");
        }
    }
}

#[test]
fn a_function_survives_every_cut_of_the_text_of_an_attribute() {
    for list in ATTRIBUTES {
        // Half a string is no token, and no macro is called.
        for prefix in (0..list.len()).filter_map(|at| lex(&list[..at])) {
            let _ = check(&prefix, &tokens(FUNCTION));
        }
    }
}

#[test]
fn a_function_survives_every_lost_token_and_every_swap_of_two() {
    let mut refused = 0;
    for list in ATTRIBUTES {
        for change in [deletions, swaps] {
            for changed in everywhere(&tokens(list), &change) {
                refused += usize::from(check(&changed, &tokens(FUNCTION)).is_some());
            }
        }
    }
    assert!(refused > 300, "{refused} of them were wrong");
}

#[test]
fn a_function_survives_every_order_of_the_tokens() {
    for list in ATTRIBUTES {
        for changed in everywhere(&tokens(list), &shuffles) {
            let _ = check(&changed, &tokens(FUNCTION));
        }
    }
}

#[test]
fn half_a_function_survives_every_attribute() {
    for function in FUNCTIONS {
        for list in ATTRIBUTES.iter().chain(&["", "requests", "key = ", "window = 1 s"]) {
            let _ = check(&tokens(list), &tokens(function));
        }
    }
}

#[test]
fn every_beginning_of_a_function_survives() {
    let whole = tokens(FUNCTION);
    let changed = [deletions, swaps, shuffles].map(|change| everywhere(&whole, &change)).concat();
    for item in prefixes(&whole).into_iter().chain(changed) {
        let _ = check(&tokens(ATTRIBUTES[0]), &item);
        let _ = check(&tokens("key = "), &item);
    }
}

#[test]
fn a_body_may_have_any_mistakes_of_its_own() {
    for body in ["let x = ;", "match x. {", "foo(", "#![a] #![b] fn fn + + ;", "#!", "..", "if let"] {
        let function = format!("fn f() -> Option<u8> {{ {body} }}");
        if let Ok(function) = function.parse() {
            assert_eq!(check(&tokens(ATTRIBUTES[0]), &function), None, "{function}");
        }
    }
}

#[test]
fn a_key_without_its_value_says_which_value_it_takes() {
    for (list, says) in [
        ("requests", "`requests` needs a value; write `requests = 100`"),
        ("requests = 5, window", "`window` needs a value; write `window = \"1s\"`"),
        ("requests = 5, window = ", "`window` needs a value; write `window = \"1s\"`"),
        ("requests = 5, window = \"1s\", key = ", "`key` needs a value; write `key = user_id`"),
        ("requests = 5, window = \"1s\", key = user.", "the value of `key` is not complete; write `key = user_id`"),
        (
            "requests = 5, window = \"1s\", key = user +, name = \"a\"",
            "the value of `key` is not complete; write `key = user_id`",
        ),
    ] {
        let errors = check(&tokens(list), &tokens(FUNCTION)).unwrap_or_default();
        assert_eq!(errors.first().map(String::as_str), Some(says), "{list}: {errors:?}");
    }
}
