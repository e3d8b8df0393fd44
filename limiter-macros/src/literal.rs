//! Judges the values that are literals; an expression is left to the compiler.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::ToTokens;
use syn::{BinOp, Error, Expr, ExprBinary, ExprLit, ExprUnary, Lit, LitFloat, LitInt, UnOp};

use crate::args::{Arg, example};
use crate::values::peel_expr;
use crate::{duration, meant};

/// A number whose value is known here, or an expression the compiler will evaluate.
pub(crate) enum Value {
    Literal(u64, Span),
    Const(Expr),
}

/// The value as the runtime takes it.
impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Value::Literal(number, span) => {
                let mut literal = Literal::u64_unsuffixed(*number);
                literal.set_span(*span);
                literal.to_tokens(tokens);
            }
            Value::Const(expr) => expr.to_tokens(tokens),
        }
    }
}

/// `requests`, `burst`, `capacity`: a whole number, at least 1.
pub(crate) fn count(Arg { key, value }: &Arg<Expr>) -> Result<Value, Error> {
    let wanted = example(&key.to_string());
    let message = match peel_expr(value) {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => match whole_number(key, int) {
            Ok(number) => return Ok(Value::Literal(number, int.span())),
            Err(message) => message,
        },
        Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => decimal_count(key, float),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            let text = text.value();
            match (text.trim().replace('_', "").parse::<u64>(), rate_for(key, &text)) {
                (Ok(number @ 1..), _) => format!("`{key}` is a number, not a string; write `{key} = {number}`"),
                (_, Some(fix)) => format!("`{key}` is only a number; write `{fix}`"),
                _ => format!("`{key}` is a number, not a string; write {wanted}"),
            }
        }
        negative if is_negative_literal(negative) => {
            format!("`{key}` cannot be negative; it is a whole number, at least 1")
        }
        other => match rate_for(key, &division(other).unwrap_or_default()) {
            Some(fix) => format!("`{key}` is only a number; write `{fix}`"),
            None if is_never_plain(other) => format!("`{key}` is a whole number; write {wanted}"),
            None => return Ok(Value::Const(value.clone())),
        },
    };
    Err(Error::new_spanned(value, message))
}

/// `window`: a duration in quotes. The value is in nanoseconds.
pub(crate) fn window(Arg { value, .. }: &Arg<Expr>) -> Result<Value, Error> {
    let message = match peel_expr(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => match duration::parse(&text.value()) {
            Ok(nanos) => return Ok(Value::Literal(nanos, text.span())),
            Err(message) => message,
        },
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => {
            unquoted_window(&int.to_string(), int.base10_digits(), int.suffix())
        }
        Expr::Lit(ExprLit { lit: Lit::Float(float), .. }) => {
            unquoted_window(&float.to_string(), float.base10_digits(), float.suffix())
        }
        negative if is_negative_literal(negative) => {
            "a window cannot be negative; write a number and a unit, such as `window = \"1s\"`".to_owned()
        }
        other => {
            let written = text_of(other).and_then(|text| meant::window(&text));
            let rate = division(other).and_then(|text| meant::rate(&text));
            match (written, rate) {
                (Some(window), _) => format!("a window is written in quotes; write `window = \"{window}\"`"),
                (_, Some((requests, window))) => {
                    format!("a window is a time, not a rate; write `requests = {requests}, window = \"{window}\"`")
                }
                _ if is_never_plain(other) || is_constant(other) => {
                    "`window` is a duration in quotes; write `window = \"1s\"`".to_owned()
                }
                _ => return Ok(Value::Const(value.clone())),
            }
        }
    };
    Err(Error::new_spanned(value, message))
}

/// What to write instead of a rate that stands where the number of `requests` belongs.
fn rate_for(key: &Ident, text: &str) -> Option<String> {
    let (requests, window) = meant::rate(text).filter(|_| key == "requests")?;
    Some(format!("requests = {requests}, window = \"{window}\""))
}

/// `100 / s`, as text. What is divided by an expression of more than one word is arithmetic.
fn division(expr: &Expr) -> Option<String> {
    let Expr::Binary(ExprBinary { left, op: BinOp::Div(_), right, .. }) = expr else { return None };
    let is_unit = match peel_expr(right) {
        Expr::Lit(_) => true,
        // Not `M` or `MINUTES`, which are constants or const generics.
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| name.to_string().starts_with(char::is_lowercase)),
        _ => false,
    };
    let left = matches!(peel_expr(left), Expr::Lit(_)) && is_unit;
    left.then(|| expr.to_token_stream().to_string().replace('"', ""))
}

/// A duration that is not in quotes, or not alone, as text: `5.seconds()`, `1.hour`, `"1s".into()`, `&"1s"`.
fn text_of(expr: &Expr) -> Option<String> {
    let literal = |expr: &Expr| match peel_expr(expr) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) if int.suffix().is_empty() => Some(int.to_string()),
        _ => None,
    };
    match expr {
        Expr::Reference(reference) => literal(&reference.expr),
        Expr::Field(field) => Some(literal(&field.base)? + &field.member.to_token_stream().to_string()),
        Expr::MethodCall(call) => match peel_expr(&call.receiver) {
            // `"5".minutes()` is not five seconds, and `"1s".into()` is a second.
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value().contains(char::is_alphabetic) => {
                Some(text.value())
            }
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value() + &call.method.to_string()),
            receiver => Some(literal(receiver)? + &call.method.to_string()),
        },
        _ => None,
    }
}

/// Whether this is an expression that is seen to be neither a number nor a duration.
fn is_never_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Closure(_) | Expr::Async(_) | Expr::Range(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Reference(_) | Expr::Infer(_) | Expr::Let(_) | Expr::Assign(_) => true,
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Lit(_) => true,
        Expr::Binary(binary) => is_string(&binary.left) || is_string(&binary.right),
        _ => false,
    }
}

fn is_string(expr: &Expr) -> bool {
    matches!(peel_expr(expr), Expr::Lit(ExprLit { lit: Lit::Str(_), .. }))
}

/// `key`: never a literal, which counts all calls as one, nor a function of what it is evaluated beside.
pub(crate) fn key(value: &Expr) -> Result<(), Error> {
    if let Expr::Closure(_) = peel_expr(value) {
        let message = "`key` is an expression over the parameters, which every call evaluates; write what the closure \
                       returns, such as `key = user_id`";
        return Err(Error::new_spanned(value, message));
    }
    if !is_constant(value) {
        return Ok(());
    }
    let message = match literal_in(value) {
        Some(Lit::Str(text)) if is_place(&text.value()) => {
            let place = text.value();
            format!(
                "`key` is an expression; write `key = {place}`; `{}` is the same for every call",
                text.to_token_stream()
            )
        }
        lit => {
            let what = lit.map_or("this".into(), |lit| format!("`{}`", lit.to_token_stream()));
            format!(
                "`key` is an expression over the parameters, such as `key = user_id`; {what} is the same for every \
                 call; leave `key` out to count all calls together"
            )
        }
    };
    Err(Error::new_spanned(value, message))
}

/// Whether this is made of literals alone. A path may name a constant, too, but nobody writes one for a parameter.
fn is_constant(expr: &Expr) -> bool {
    match peel_expr(expr) {
        Expr::Lit(_) => true,
        Expr::Unary(ExprUnary { op: UnOp::Neg(_) | UnOp::Not(_), expr, .. }) => is_constant(expr),
        Expr::Reference(reference) => is_constant(&reference.expr),
        Expr::Cast(cast) => is_constant(&cast.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_constant),
        Expr::Array(array) => array.elems.iter().all(is_constant),
        Expr::Repeat(repeat) => is_constant(&repeat.expr),
        Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        _ => false,
    }
}

/// The literal itself, if this is one and not made of several.
fn literal_in(expr: &Expr) -> Option<&Lit> {
    match peel_expr(expr) {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        Expr::Reference(reference) => literal_in(&reference.expr),
        _ => None,
    }
}

/// Whether a string is the text of an expression that could be a key: `user`, `self.id`.
fn is_place(text: &str) -> bool {
    matches!(syn::parse_str(text), Ok(Expr::Path(_) | Expr::Field(_)))
}

fn is_negative_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) if matches!(peel_expr(expr), Expr::Lit(_)))
}

fn whole_number(key: &Ident, int: &LitInt) -> Result<u64, String> {
    let digits = int.base10_digits();
    let suffix = int.suffix();
    let ceiling: u128 = match suffix {
        "i8" => 0x7f,
        "u8" => 0xff,
        "i16" => 0x7fff,
        "u16" => 0xffff,
        "i32" => 0x7fff_ffff,
        "u32" => 0xffff_ffff,
        "i64" | "isize" => u128::from(u64::MAX >> 1),
        "" | "u64" | "usize" | "u128" | "i128" => u128::from(u64::MAX),
        _ => {
            let zeros = match suffix {
                "k" | "K" => "000",
                "M" => "000000",
                _ => "",
            };
            return Err(format!(
                "`{suffix}` is not part of a number; `{key}` is a plain count: write `{key} = {digits}{zeros}`"
            ));
        }
    };
    let number = digits.parse::<u128>().ok().filter(|number| *number <= ceiling);
    match number.and_then(|number| u64::try_from(number).ok()) {
        Some(0) => Err(format!("`{key}` must be at least 1")),
        Some(number) => Ok(number),
        None if number.is_some() || suffix.is_empty() => Err(format!("`{key}` is at most {}", u64::MAX)),
        None => Err(format!("`{int}` does not fit its type; write `{key} = {digits}`")),
    }
}

fn decimal_count(key: &Ident, float: &LitFloat) -> String {
    let number = float.base10_digits().parse::<f64>().unwrap_or(0.0);
    let is_whole = |number: f64| (1.0..=1e15).contains(&number) && number.fract() == 0.0;
    if is_whole(number) {
        return format!("`{key}` is a whole number; write `{key} = {number}`");
    }
    let longer = (2u16..=1000).map(f64::from).find(|times| is_whole(number * times)).filter(|_| key == "requests");
    match longer {
        Some(times) => format!(
            "`{key}` is a whole number; write `{key} = {}`, and a `window` {times} times as long",
            number * times
        ),
        None if number > 1.0 && number < 1e15 => {
            format!("`{key}` is a whole number; write `{key} = {}`", number.ceil())
        }
        None => format!("`{key}` is a whole number; write {}", example(&key.to_string())),
    }
}

/// `window = 60`, `window = 1.5`, `window = 1s`: a number where a quoted duration belongs.
fn unquoted_window(written: &str, digits: &str, suffix: &str) -> String {
    const NUMBERS: &[&str] =
        &["", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];
    let is_bare = NUMBERS.contains(&suffix);
    let is_whole = !digits.ends_with(|c: char| c.is_ascii_digit()) || !digits.contains(['.', 'e']);
    let meant = meant::window(if is_bare { digits } else { written });
    match meant {
        Some(window) if is_bare => match window.strip_suffix("000s") {
            Some(thousands) => format!(
                "a window needs a unit; write `window = \"{thousands}000ms\"` for milliseconds or `window = \"{window}\"` \
                 for seconds"
            ),
            None if is_whole => format!("a window needs a unit; write `window = \"{window}\"` for seconds"),
            None => format!("a window needs a unit; write `window = \"{window}\"` for {digits} seconds"),
        },
        Some(window) => format!("a window is written in quotes; write `window = \"{window}\"`"),
        None => "a window is a number and a unit, in quotes; write `window = \"1s\"`".into(),
    }
}
