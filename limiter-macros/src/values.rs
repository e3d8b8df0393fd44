//! Reads the values: the syntax that each key takes behind its `=`.

use proc_macro2::{Ident, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, ExprLit, Lit, LitStr, Path, Result, Token, Type, TypePath};

use crate::args::{example, starts_entry};
use crate::item::peel_type;
use crate::suggest::{self, Meant};

/// A value of any syntax. Where a value should begin, the parser's errors name all that Rust has in such a place, of which
/// nothing but the key's own kind of value is of use here.
pub(crate) fn parse<T: Parse>(key: &Ident, input: ParseStream<'_>) -> Result<T> {
    let value = input.fork();
    input.parse().map_err(|error: Error| {
        let message = error.to_string();
        let key_name = key.unraw();
        let wanted = example(&key_name.to_string());
        // The parser knows no place for a missing token but the one behind it; the key is nearer.
        let is_behind = (input.is_empty() || input.peek(Token![,])) && !ends_in_group(&value, input);
        if is_behind || message.starts_with("unexpected end of input") {
            return Error::new(key.span(), format!("the value of `{key_name}` is not complete; write {wanted}"));
        }
        let is_type = matches!(&*key_name.to_string(), "strategy" | "crate");
        if is_type && message.starts_with("expected") || message == "expected an expression" {
            return Error::new(error.span(), format!("expected a value, such as {wanted}"));
        }
        error
    })
}

/// Whether the tokens from here to there end in a group: an error behind them is then one in it.
fn ends_in_group(from: ParseStream<'_>, to: ParseStream<'_>) -> bool {
    let mut last = None;
    while from.cursor() != to.cursor() {
        let Ok(token) = from.parse() else { break };
        last = Some(token);
    }
    matches!(last, Some(TokenTree::Group(_)))
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

/// The path of a type.
pub(crate) fn strategy(key: &Ident, input: ParseStream<'_>) -> Result<TypePath> {
    if input.peek(Lit) {
        let literal: Lit = input.parse()?;
        let message = match &literal {
            Lit::Str(text) => quoted_strategy(&text.value()),
            _ => format!("`strategy` is a type; there are {}, or a type of your own", suggest::strategies()),
        };
        return Err(Error::new(literal.span(), message));
    }
    let ty: Type = parse(key, input)?;
    let Type::Path(path) = peel_type(&ty) else {
        return Err(Error::new_spanned(ty, "`strategy` is the path of a type, such as `TokenBucket`"));
    };
    if !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) && !starts_entry(input, true) {
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
    if text.is_empty() {
        return format!("`strategy` is a type, not a string; there are {}", suggest::strategies());
    }
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

/// A string literal.
pub(crate) fn name(key: &Ident, input: ParseStream<'_>) -> Result<LitStr> {
    let value: Expr = parse(key, input)?;
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

/// A path that means the same everywhere.
pub(crate) fn krate(key: &Ident, input: ParseStream<'_>) -> Result<Path> {
    if input.peek(Lit) {
        let literal: Lit = input.parse()?;
        return Err(Error::new(literal.span(), "`crate` is a path, not a literal: write `crate = ::limiter`"));
    }
    let ty: Type = parse(key, input)?;
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
            None if written == "self" || written == "super" => "write the full path, such as `crate`".to_owned(),
            None => format!("write `::{written}` for a dependency, `crate::{written}` for a module of this crate"),
        };
        return Err(Error::new_spanned(path, format!("`crate` must not depend on what is in scope; {fix}")));
    }
    Ok(path.clone())
}
