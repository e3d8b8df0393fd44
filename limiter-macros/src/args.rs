//! Reads what stands between the parentheses of `#[limit(…)]`: the keys and their syntax, never the function below.
//!
//! Every mistake is reported in one build: after an error, reading goes on behind the next comma, or at the next key.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Lit, LitStr, Path, Result, Token, TypePath};

use crate::suggest::{self, Unknown};
use crate::{meant, values};

/// A value and the key it was given for.
pub(crate) struct Arg<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// What was written, key by key.
#[derive(Default)]
pub(crate) struct Args {
    pub(crate) strategy: Option<Arg<TypePath>>,
    pub(crate) requests: Option<Arg<Expr>>,
    pub(crate) window: Option<Arg<Expr>>,
    pub(crate) burst: Option<Arg<Expr>>,
    pub(crate) key: Option<Arg<Expr>>,
    pub(crate) capacity: Option<Arg<Expr>>,
    pub(crate) fallback: Option<Arg<Expr>>,
    pub(crate) name: Option<Arg<LitStr>>,
    pub(crate) krate: Option<Arg<Path>>,
    /// The keys that stand there, also where their values could not be read.
    given: Vec<&'static str>,
    /// The keys that are meant by others.
    meant: Vec<&'static str>,
    /// Whether something stands there that may be any key.
    is_unclear: bool,
}

impl Args {
    /// Whether this key is surely not there, neither right nor wrong.
    pub(crate) fn lacks(&self, key: &str) -> bool {
        !self.is_unclear && !self.given.contains(&key) && !self.meant.contains(&key)
    }

    /// Where the value of a key goes that takes any expression.
    fn expr(&mut self, key: &str) -> Option<&mut Option<Arg<Expr>>> {
        Some(match key {
            "requests" => &mut self.requests,
            "window" => &mut self.window,
            "burst" => &mut self.burst,
            "key" => &mut self.key,
            "capacity" => &mut self.capacity,
            "fallback" => &mut self.fallback,
            _ => return None,
        })
    }
}

/// One key of the attribute.
struct Key {
    name: &'static str,
    /// A value that would do, for messages.
    example: &'static str,
    /// Whether this version reads it.
    is_supported: bool,
}

const fn key(name: &'static str, example: &'static str) -> Key {
    Key { name, example, is_supported: true }
}

const fn later(name: &'static str) -> Key {
    Key { name, example: "", is_supported: false }
}

const KEYS: &[Key] = &[
    key("strategy", "TokenBucket"),
    key("requests", "100"),
    key("window", "\"1s\""),
    key("burst", "200"),
    key("key", "user_id"),
    key("capacity", "65_536"),
    key("fallback", "None"),
    key("name", "\"search\""),
    key("crate", "::limiter"),
    later("quota"),
    later("concurrent"),
    later("cost"),
    later("when"),
    later("wait"),
    later("charge"),
    later("limiter"),
    later("store"),
];

/// A use of this key that would do, for messages.
pub(crate) fn example(key: &str) -> String {
    let key = key.trim_start_matches("r#");
    let example = KEYS.iter().find(|known| known.name == key).map_or("…", |known| known.example);
    format!("`{key} = {example}`")
}

const NO_KEY: &str = "expected a key and its value; a limit reads `#[limit(requests = 100, window = \"1s\")]`";

const NO_COMMA: &str = "expected `,` between one key and the next";

/// Reads the whole list. What could be read is returned even if other parts of it could not.
pub(crate) fn parse(tokens: TokenStream) -> (Args, Vec<Error>) {
    let mut args = Args::default();
    let mut errors = Vec::new();
    let list = |input: ParseStream<'_>| {
        let mut positional = false;
        while !input.is_empty() {
            let entry = entry(input, &mut args);
            let is_comma_forgotten = matches!(&entry, Err(error) if error.to_string() == NO_COMMA);
            let goes_on = |input: ParseStream<'_>| starts_entry(input, is_comma_forgotten);
            let is_read = entry.is_ok();
            if let Err(error) = entry {
                // Two values without a key are one mistake.
                let is_positional = error.to_string() == NO_KEY;
                if !is_positional || !std::mem::replace(&mut positional, true) {
                    errors.push(error);
                }
            }
            // A forgotten comma costs nothing but its own message.
            while !is_read && !input.is_empty() && !input.peek(Token![,]) && !goes_on(input) {
                input.parse::<TokenTree>()?;
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    };
    if let Err(error) = list.parse2(tokens) {
        // The parser remembers what was left over in parentheses that were given up.
        if errors.is_empty() {
            errors.push(error);
        }
    }
    (args, errors)
}

/// One `key = value`.
fn entry(input: ParseStream<'_>, args: &mut Args) -> Result<()> {
    let Ok(ident) = input.fork().call(Ident::parse_any) else {
        return Err(no_key(input, args));
    };
    input.call(Ident::parse_any)?;
    let name = ident.unraw().to_string();
    let Some(key) = KEYS.iter().find(|key| key.name == name) else {
        let message = unknown(&name, input, args);
        skip_value(input);
        return Err(Error::new(ident.span(), message));
    };
    if !key.is_supported {
        // It would stand for both numbers.
        args.is_unclear |= name == "quota" || name == "limiter";
        skip_value(input);
        return Err(Error::new(ident.span(), format!("{}; it takes {}", not_yet(&name), supported())));
    }
    if args.given.contains(&key.name) {
        skip_value(input);
        return Err(Error::new(ident.span(), format!("`{name}` is given twice; remove one of them")));
    }
    args.given.push(key.name);
    let wanted = || format!("write {}", example(key.name));
    let needs_value = || Error::new(ident.span(), format!("`{}` needs a value; {}", key.name, wanted()));
    if input.is_empty() || input.peek(Token![,]) {
        return Err(needs_value());
    }
    if !input.peek(Token![=]) || input.peek(Token![==]) || input.peek(Token![=>]) {
        return Err(input.error(format!("expected `=` after `{}`; {}", key.name, wanted())));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(needs_value());
    }
    let value = input.fork();
    match key.name {
        "strategy" => args.strategy = Some(Arg { value: values::strategy(&ident, input)?, key: ident }),
        "name" => args.name = Some(Arg { value: values::name(&ident, input)?, key: ident }),
        "crate" => args.krate = Some(Arg { value: values::krate(&ident, input)?, key: ident }),
        _ => {
            let read: Expr = values::parse(&ident, input)?;
            if let (Expr::Assign(assign), false) = (&read, matches!(key.name, "key" | "fallback")) {
                // `requests = 5 / window = "1s"`; what refused calls do may be to assign.
                args.is_unclear = true;
                return Err(Error::new_spanned(assign, NO_COMMA));
            }
            if let Some(slot) = args.expr(key.name) {
                *slot = Some(Arg { key: ident, value: read });
            }
        }
    }
    end_of_entry(key.name, &value, input).inspect_err(|_| {
        // What is only half of a value is not judged as a whole one.
        if let Some(slot) = args.expr(key.name).filter(|_| !starts_entry(input, true)) {
            *slot = None;
        }
    })
}

fn no_key(input: ParseStream<'_>, args: &mut Args) -> Error {
    let ahead = input.fork();
    if let Ok(Lit::Str(text)) = ahead.parse() {
        let key = KEYS.iter().find(|key| key.name == text.value());
        if let Some(key) = key.filter(|_| ahead.peek(Token![=])) {
            args.meant.push(key.name);
            return Error::new(text.span(), format!("a key has no quotes around it; write `{}`", key.name));
        }
    }
    args.is_unclear = true;
    input.error(NO_KEY)
}

fn unknown(name: &str, input: ParseStream<'_>, args: &mut Args) -> String {
    let has_value = input.peek(Token![=]);
    let known = |is_supported| KEYS.iter().filter(move |key| key.is_supported == is_supported).map(|key| key.name);
    match suggest::unknown(name, has_value, given_number(input), known(true), known(false)) {
        Unknown::Near(_) | Unknown::Nothing if !has_value && args.given.last() == Some(&"key") => {
            format!("unknown key `{name}`; a key of several values is a tuple, as in `key = (user_id, {name})`")
        }
        Unknown::Near(key) => {
            args.meant.push(key);
            format!("unknown key `{name}`, did you mean `{key}`? The keys are {}", supported())
        }
        Unknown::Write(fix, keys) => {
            args.meant.extend(keys);
            format!("unknown key `{name}`; write `{fix}`")
        }
        Unknown::Later(key) => format!("unknown key `{name}`, and {}; it takes {}", not_yet(key), supported()),
        Unknown::Nothing => {
            args.is_unclear = true;
            format!("unknown key `{name}`; the keys are {}", supported())
        }
    }
}

/// The whole number behind the `=` that follows.
fn given_number(input: ParseStream<'_>) -> Option<u64> {
    let ahead = input.fork();
    ahead.parse::<Token![=]>().ok()?;
    ahead.parse::<syn::LitInt>().ok()?.base10_parse().ok()
}

fn not_yet(key: &str) -> String {
    format!("this version of `#[limit]` does not support `{key}` yet")
}

/// The keys this version reads, for messages.
fn supported() -> String {
    let names: Vec<String> = KEYS.iter().filter(|key| key.is_supported).map(|key| format!("`{}`", key.name)).collect();
    match names.split_last() {
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Whether what follows is another `key = …`, of any name or of a name that is known.
pub(crate) fn starts_entry(input: ParseStream<'_>, is_any: bool) -> bool {
    let ahead = input.fork();
    let Ok(name) = ahead.call(Ident::parse_any) else { return false };
    ahead.peek(Token![=]) && !ahead.peek(Token![==]) && (is_any || KEYS.iter().any(|key| name == key.name))
}

/// What follows a value. `value` is where the value began.
fn end_of_entry(key: &str, value: ParseStream<'_>, input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    if starts_entry(input, true) {
        return Err(input.error(NO_COMMA));
    }
    let mut whole = TokenStream::new();
    while !value.is_empty() && !value.peek(Token![,]) && (whole.is_empty() || !starts_entry(value, true)) {
        value.parse::<TokenTree>()?.to_tokens(&mut whole);
    }
    // `requests = 5 per second`, `window = 1 h 30 m`
    let text = whole.to_string().replace('"', "");
    let fix = match key {
        "requests" => {
            meant::rate(&text).map(|(requests, window)| format!("requests = {requests}, window = \"{window}\""))
        }
        "window" => meant::window(&text).map(|window| format!("window = \"{window}\"")),
        _ => None,
    };
    match fix {
        Some(fix) if key == "window" => {
            Err(Error::new_spanned(whole, format!("a window is written in quotes; write `{fix}`")))
        }
        Some(fix) => Err(Error::new_spanned(whole, format!("`requests` is only a number; write `{fix}`"))),
        None => Err(input.error(NO_COMMA)),
    }
}

/// Steps over the value of a key that is an error already, so that a comma inside it is not taken for its end.
fn skip_value(input: ParseStream<'_>) {
    let ahead = input.fork();
    let skip = |ahead: ParseStream<'_>| {
        ahead.parse::<Token![=]>()?;
        ahead.parse::<Expr>()
    };
    if skip(&ahead).is_ok() {
        let _ = skip(input);
    } else {
        while !input.is_empty() && !input.peek(Token![,]) {
            let _ = input.parse::<TokenTree>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS, parse};

    #[test]
    fn every_key_may_be_given_once() {
        for key in KEYS {
            let (name, example) = (key.name, key.example);
            let messages = |text: &str| -> Vec<String> {
                let (_, errors) = parse(text.parse().expect("tokens"));
                errors.iter().map(ToString::to_string).collect()
            };
            let (once, twice) = (format!("{name} = {example}"), format!("{name} = {example}, {name} = {example}"));
            let absent = format!("this version of `#[limit]` does not support `{name}` yet");
            if key.is_supported {
                assert_eq!(messages(&once), [""; 0], "{once}");
                assert_eq!(messages(&twice), [format!("`{name}` is given twice; remove one of them")], "{twice}");
            } else {
                assert!(messages(&once).iter().all(|message| message.starts_with(&absent)), "{once}");
                assert_eq!(messages(&once).len(), 1, "{once}");
            }
        }
    }
}
