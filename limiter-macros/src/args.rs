//! Reads what stands between the parentheses of `#[limit(…)]`: the keys and their syntax, never the function below.
//!
//! Every mistake is reported in one build: after an error, reading goes on behind the next comma.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, ExprLit, Lit, LitStr, Path, Result, Token, Type, TypePath};

use crate::item::peel_type;
use crate::suggest::{self, Meant};

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
}

/// One key of the attribute.
struct Key {
    name: &'static str,
    /// A value that would do, for messages.
    example: &'static str,
    /// Reads the value; `None` for a key that belongs to the attribute but not to this version of it.
    read: Option<Read>,
}

type Read = fn(&mut Args, Ident, ParseStream<'_>) -> Result<()>;

const KEYS: &[Key] = &[
    Key {
        name: "strategy",
        example: "TokenBucket",
        read: Some(|args, key, input| {
            let value = strategy(input)?;
            args.strategy = Some(Arg { key, value });
            Ok(())
        }),
    },
    Key { name: "requests", example: "100", read: Some(|args, key, input| expr(&mut args.requests, key, input)) },
    Key { name: "window", example: "\"1s\"", read: Some(|args, key, input| expr(&mut args.window, key, input)) },
    Key { name: "burst", example: "200", read: Some(|args, key, input| expr(&mut args.burst, key, input)) },
    Key { name: "key", example: "user_id", read: Some(|args, key, input| expr(&mut args.key, key, input)) },
    Key { name: "capacity", example: "65_536", read: Some(|args, key, input| expr(&mut args.capacity, key, input)) },
    Key { name: "fallback", example: "None", read: Some(|args, key, input| expr(&mut args.fallback, key, input)) },
    Key {
        name: "name",
        example: "\"search\"",
        read: Some(|args, key, input| {
            let value = name(input)?;
            args.name = Some(Arg { key, value });
            Ok(())
        }),
    },
    Key {
        name: "crate",
        example: "::limiter",
        read: Some(|args, key, input| {
            let value = krate(input)?;
            args.krate = Some(Arg { key, value });
            Ok(())
        }),
    },
    Key { name: "quota", example: "plan.quota()", read: None },
    Key { name: "concurrent", example: "10", read: None },
    Key { name: "cost", example: "bytes", read: None },
    Key { name: "when", example: "!user.is_admin()", read: None },
    Key { name: "wait", example: "\"500ms\"", read: None },
    Key { name: "charge", example: "|out| out.is_err()", read: None },
    Key { name: "limiter", example: "API", read: None },
    Key { name: "store", example: "REDIS", read: None },
];

const NO_KEY: &str = "expected a key and its value; a limit reads `#[limit(requests = 100, window = \"1s\")]`";

/// Reads the whole list. What could be read is returned even if other parts of it could not.
pub(crate) fn parse(tokens: TokenStream) -> (Args, Vec<Error>) {
    let mut args = Args::default();
    let mut errors = Vec::new();
    let list = |input: ParseStream<'_>| {
        let mut seen = Vec::new();
        let mut positional = false;
        while !input.is_empty() {
            let entry = entry(input, &mut args, &mut seen);
            let separated = entry.is_ok() && input.peek(Token![,]);
            if let Err(error) = entry.and_then(|()| end_of_entry(input)) {
                // Two values without a key are one mistake.
                if error.to_string() != NO_KEY || !std::mem::replace(&mut positional, true) {
                    errors.push(error);
                }
            }
            // A forgotten comma costs nothing but its own message.
            if !separated && starts_entry(input) {
                continue;
            }
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<TokenTree>()?;
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    };
    if let Err(error) = list.parse2(tokens) {
        errors.push(error);
    }
    (args, errors)
}

/// One `key = value`.
fn entry(input: ParseStream<'_>, args: &mut Args, seen: &mut Vec<String>) -> Result<()> {
    let Ok(ident) = input.fork().call(Ident::parse_any) else {
        return Err(input.error(NO_KEY));
    };
    input.call(Ident::parse_any)?;
    let name = ident.unraw().to_string();
    let Some(key) = KEYS.iter().find(|key| key.name == name) else {
        skip_value(input);
        return Err(Error::new(ident.span(), unknown(&name)));
    };
    let Some(read) = key.read else {
        skip_value(input);
        return Err(Error::new(
            ident.span(),
            format!("this version of `#[limit]` does not support `{name}` yet; it takes {}", supported()),
        ));
    };
    if seen.contains(&name) {
        skip_value(input);
        return Err(Error::new(ident.span(), format!("`{name}` is given twice")));
    }
    seen.push(name);
    let wanted = || format!("write `{} = {}`", key.name, key.example);
    if input.is_empty() || input.peek(Token![,]) {
        return Err(Error::new(ident.span(), format!("`{}` needs a value; {}", key.name, wanted())));
    }
    if !input.peek(Token![=]) || input.peek(Token![==]) {
        return Err(input.error(format!("expected `=` after `{}`; {}", key.name, wanted())));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(Error::new(ident.span(), format!("`{}` needs a value; {}", key.name, wanted())));
    }
    read(args, ident.clone(), input).map_err(|error| {
        // The parser knows no place for a missing token but the whole attribute; the key is nearer.
        if error.to_string().starts_with("unexpected end of input") {
            return Error::new(ident.span(), format!("the value of `{}` is not complete; {}", key.name, wanted()));
        }
        error
    })
}

fn unknown(name: &str) -> String {
    let known = supported();
    match suggest::nearest(name, KEYS.iter().map(|key| key.name)) {
        Some(key) => format!("unknown key `{name}`, did you mean `{key}`? The keys are {known}"),
        None => format!("unknown key `{name}`; the keys are {known}"),
    }
}

/// The keys this version reads, for messages.
fn supported() -> String {
    let names: Vec<String> =
        KEYS.iter().filter(|key| key.read.is_some()).map(|key| format!("`{}`", key.name)).collect();
    match names.split_last() {
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Whether what follows is another `key = …`.
fn starts_entry(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.call(Ident::parse_any).is_ok() && ahead.peek(Token![=]) && !ahead.peek(Token![==])
}

fn end_of_entry(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(input.error("expected `,` between one key and the next"))
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

fn expr(slot: &mut Option<Arg<Expr>>, key: Ident, input: ParseStream<'_>) -> Result<()> {
    *slot = Some(Arg { key, value: input.parse()? });
    Ok(())
}

/// An expression without the invisible groups that `macro_rules!` fragments put around it, and without parentheses.
pub(crate) fn peel_expr(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Group(group) => &group.expr,
            Expr::Paren(paren) => &paren.expr,
            other => return other,
        };
    }
}

fn strategy(input: ParseStream<'_>) -> Result<TypePath> {
    if input.peek(Lit) {
        let literal: Lit = input.parse()?;
        let message = match &literal {
            Lit::Str(text) => quoted_strategy(&text.value()),
            _ => format!("`strategy` is a type; there are {}, or a type of your own", suggest::strategies()),
        };
        return Err(Error::new(literal.span(), message));
    }
    let ty: Type = input.parse()?;
    let Type::Path(path) = peel_type(&ty) else {
        return Err(Error::new_spanned(ty, "`strategy` is the path of a type, such as `TokenBucket`"));
    };
    if !input.is_empty() && !input.peek(Token![,]) && !starts_entry(input) {
        return Err(input.error(
            "`strategy` is only the name of a type, such as `TokenBucket`; its numbers go in `requests`, `window` and \
             `burst`",
        ));
    }
    if let Some(message) = path.path.segments.last().and_then(|last| misspelt_strategy(&path.path, &last.ident)) {
        return Err(Error::new_spanned(path, message));
    }
    Ok(path.clone())
}

/// `strategy = "token_bucket"`
fn quoted_strategy(text: &str) -> String {
    let text = text.trim();
    let path = syn::parse_str::<Path>(text).ok();
    let hint = match suggest::strategy(text) {
        Some(Meant::Known(name)) => match text.rsplit_once("::").filter(|_| path.is_some()) {
            Some((module, _)) => format!("{module}::{name}"),
            None => name.to_owned(),
        },
        Some(Meant::Absent) => return absent_strategy(text),
        None => match path.as_ref().and_then(|path| path.segments.last()) {
            Some(last) if last.ident.to_string().starts_with(char::is_uppercase) => text.to_owned(),
            _ => return absent_strategy(text),
        },
    };
    let quotes = if hint == text { ", without quotes" } else { "" };
    format!("`strategy` is a type, not a string: write `strategy = {hint}`{quotes}")
}

/// `strategy = token_bucket`, which the compiler would not find, without a word on how it is spelt.
fn misspelt_strategy(path: &Path, last: &Ident) -> Option<String> {
    let last = last.unraw().to_string();
    Some(match suggest::strategy_in_snake_case(&last)? {
        Meant::Known(name) => {
            let modules = path.segments.iter().rev().skip(1).map(|part| format!("{}::", part.ident)).rev();
            let modules: String = modules.collect();
            format!("`strategy` is a type: write `strategy = {modules}{name}`")
        }
        Meant::Absent => absent_strategy(&last),
    })
}

fn absent_strategy(typed: &str) -> String {
    format!("there is no strategy `{typed}`; there are {}, or a type of your own", suggest::strategies())
}

fn name(input: ParseStream<'_>) -> Result<LitStr> {
    let value: Expr = input.parse()?;
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = peel_expr(&value) else {
        return Err(Error::new_spanned(value, "`name` is a string literal: write `name = \"search\"`"));
    };
    if text.value().trim().is_empty() {
        return Err(Error::new(
            text.span(),
            "the name is empty; leave `name` out to call the limit after its function, or write `name = \"search\"`",
        ));
    }
    Ok(text.clone())
}

fn krate(input: ParseStream<'_>) -> Result<Path> {
    if input.peek(Lit) {
        let literal: Lit = input.parse()?;
        return Err(Error::new(literal.span(), "`crate` is a path, not a literal: write `crate = ::limiter`"));
    }
    let ty: Type = input.parse()?;
    let path = match peel_type(&ty) {
        Type::Path(TypePath { qself: None, path, .. })
            if path.segments.iter().all(|part| part.arguments.is_empty()) =>
        {
            path
        }
        _ => return Err(Error::new_spanned(ty, "`crate` is the path of a crate: write `crate = ::limiter`")),
    };
    let rooted = path.leading_colon.is_some()
        || path.segments.first().is_some_and(|first| first.ident == "crate" || first.ident == "$crate");
    if !rooted {
        let written: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        let written = written.join("::");
        let fix = match written.strip_prefix("self::").or(written.strip_prefix("super::")) {
            Some(rest) => format!("write the full path, such as `crate::{rest}`"),
            None => format!("write `::{written}` for a dependency, `crate::{written}` for a module of this crate"),
        };
        return Err(Error::new_spanned(path, format!("`crate` must not depend on what is in scope; {fix}")));
    }
    Ok(path.clone())
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
            if key.read.is_some() {
                assert_eq!(messages(&once), [""; 0], "{once}");
                assert_eq!(messages(&twice), [format!("`{name}` is given twice")], "{twice}");
            } else {
                assert!(messages(&once).iter().all(|message| message.starts_with(&absent)), "{once}");
                assert_eq!(messages(&once).len(), 1, "{once}");
            }
        }
    }
}
