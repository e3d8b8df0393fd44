//! Judges the values that are literals; an expression is left to the compiler.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::ToTokens;
use syn::{Error, Expr, ExprLit, ExprUnary, Lit, LitFloat, LitInt, UnOp};

use crate::args::{Arg, peel_expr};
use crate::duration;

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
    let lit = match peel_expr(value) {
        Expr::Lit(ExprLit { lit, .. }) => lit,
        negative if is_negative_literal(negative) => {
            return Err(Error::new_spanned(
                value,
                format!("`{key}` cannot be negative; it is a whole number, at least 1"),
            ));
        }
        _ => return Ok(Value::Const(value.clone())),
    };
    let message = match lit {
        Lit::Int(int) => match whole_number(key, int) {
            Ok(number) => return Ok(Value::Literal(number, int.span())),
            Err(message) => message,
        },
        Lit::Float(float) => decimal_count(key, float),
        Lit::Str(text) => match text.value().trim().parse::<u64>() {
            Ok(number) if number > 0 => format!("`{key}` is a number, not a string: write `{key} = {number}`"),
            _ => format!("`{key}` is a number, not a string: write `{key} = 100`"),
        },
        _ => format!("`{key}` is a whole number: write `{key} = 100`"),
    };
    Err(Error::new(lit.span(), message))
}

/// `window`: a duration in quotes. The value is in nanoseconds.
pub(crate) fn window(Arg { value, .. }: &Arg<Expr>) -> Result<Value, Error> {
    let lit = match peel_expr(value) {
        Expr::Lit(ExprLit { lit, .. }) => lit,
        negative if is_negative_literal(negative) => {
            let message = "a window cannot be negative; write a number and a unit, such as `window = \"1s\"`";
            return Err(Error::new_spanned(value, message));
        }
        _ => return Ok(Value::Const(value.clone())),
    };
    let message = match lit {
        Lit::Str(text) => match duration::parse(&text.value()) {
            Ok(nanos) => return Ok(Value::Literal(nanos, text.span())),
            Err(message) => message,
        },
        Lit::Int(int) => unquoted_window(&int.to_string(), int.base10_digits(), int.suffix()),
        Lit::Float(float) => unquoted_window(&float.to_string(), float.base10_digits(), float.suffix()),
        _ => "`window` is a duration in quotes: write `window = \"1s\"`".into(),
    };
    Err(Error::new(lit.span(), message))
}

/// `key`: never a literal, which counts all calls as one.
pub(crate) fn key(value: &Expr) -> Result<(), Error> {
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
            return Err(format!(
                "`{suffix}` is not part of a number; `{key}` is a plain count: write `{key} = {digits}`"
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
    match float.base10_digits().parse::<f64>() {
        Ok(number) if number >= 1.0 && number.fract() == 0.0 && number <= 1e15 => {
            format!("`{key}` is a whole number: write `{key} = {number}`")
        }
        _ => format!("`{key}` is a whole number; for a slower rate make the window longer"),
    }
}

/// `window = 60`, `window = 1.5`, `window = 1s`: a number where a quoted duration belongs.
fn unquoted_window(written: &str, digits: &str, suffix: &str) -> String {
    const NUMBERS: &[&str] =
        &["", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];
    if NUMBERS.contains(&suffix) {
        return match duration::parse(&format!("{digits}s")) {
            Ok(_) => format!("a window needs a unit: write `window = \"{digits}s\"` for seconds"),
            Err(_) => "a window is a number and a unit, in quotes: write `window = \"1s\"`".into(),
        };
    }
    match duration::parse(written) {
        Ok(_) => format!("a window is written in quotes: `window = \"{written}\"`"),
        Err(problem) => format!("a window is written in quotes, as in `window = \"1s\"`; and {problem}"),
    }
}
