//! What a refused call does: decided by the return type and by `fallback`, and written as the statement that does it.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, ExprMacro, GenericArgument, PathArguments, Stmt, Token, Type, TypeImplTrait, TypeParamBound};

use crate::item::{Func, peel_type};
use crate::paths::{Extent, Runtime, generated};
use crate::values::peel_expr;

/// What a refused call does.
pub(crate) enum Refusal {
    /// Returns what the return type makes of the refusal.
    ByType(Extent),
    /// Returns through the wrapper that a `-> impl …` needs.
    Wrapped(Wrapper, Option<Expr>),
    /// Returns the fallback, a future or its output, as the boxed future that the return type is.
    Boxed(Expr),
    /// Returns the value of the fallback.
    Return(Expr),
    /// Evaluates the fallback, `()`, and returns nothing.
    Nothing,
    /// Runs the fallback, which must not return.
    Diverge(Expr),
}

/// The wrapper of a `-> impl …`.
#[derive(Clone, Copy)]
pub(crate) struct Wrapper {
    /// The return type.
    extent: Extent,
    /// The macro that names its constructors.
    constructors: &'static str,
}

const NOTHING: &str = "a refused call would return without doing its work, and the caller could not tell; say that this \
                       is wanted with `fallback = ()`, or return a `Result` or an `Option`";

/// What a refused call of this function does, or why nothing can be done without (another) `fallback`.
pub(crate) fn decide(fallback: Option<Expr>, func: &Func) -> Result<Refusal, Error> {
    let output = func.output();
    if let Some(fallback) = fallback {
        if is_closure(&fallback) && output.is_none_or(is_no_closure) {
            let message = "`fallback` is what a refused call evaluates; write what the closure returns, in which \
                           `rejected` is the `&Rejected`";
            return Err(Error::new_spanned(fallback, message));
        }
        return Ok(by_fallback(fallback, output));
    }
    let Some(output) = output else {
        return Err(Error::new(func.sig.ident.span(), NOTHING));
    };
    match output {
        Type::Never(_) => Err(Error::new_spanned(
            output,
            "this function never returns, so a refused call needs something else to do: add `fallback = …` with an \
             expression that does not return either, such as `panic!(\"refused\")`",
        )),
        Type::Tuple(tuple) if tuple.elems.is_empty() => Err(Error::new_spanned(output, NOTHING)),
        Type::ImplTrait(hidden) => match wrapper(hidden) {
            Some(wrapper) => Ok(Refusal::Wrapped(wrapper, None)),
            None => Err(Error::new_spanned(
                output,
                "`#[limit]` cannot make a value of a type that is not named here; name the type, or say what a refused \
                 call returns: `fallback = …`, of the same type as the body",
            )),
        },
        _ => Ok(Refusal::ByType(Extent::of(output))),
    }
}

fn by_fallback(fallback: Expr, output: Option<&Type>) -> Refusal {
    let hidden = match output {
        Some(Type::Never(_)) => return Refusal::Diverge(fallback),
        Some(Type::ImplTrait(hidden)) => wrapper(hidden).filter(|_| !has_other_bounds(hidden)),
        _ => None,
    };
    if let Some(wrapper) = hidden {
        let value = match peel_expr(&fallback) {
            Expr::Return(returned) => returned.expr.as_deref().unwrap_or(&fallback),
            other => other,
        };
        // What a `return` somewhere inside returns is not wrapped.
        if !diverges(value) && !says_return(value.to_token_stream()) {
            return Refusal::Wrapped(wrapper, Some(value.clone()));
        }
    }
    let nothing = output.is_none_or(is_unit_type) && is_unit(&fallback);
    match fallback {
        _ if nothing => Refusal::Nothing,
        fallback if diverges(&fallback) => Refusal::Diverge(fallback),
        fallback if output.is_some_and(is_boxed_future) && !exits(&fallback) => Refusal::Boxed(fallback),
        fallback => Refusal::Return(fallback),
    }
}

/// `Pin<Box<dyn Future<…>>>`, however it is spelt. `#[async_trait]` makes it of an `async fn`, whose author knows nothing of
/// the box.
fn is_boxed_future(output: &Type) -> bool {
    let boxed = type_argument(output, "Pin").and_then(|pinned| type_argument(pinned, "Box"));
    match boxed.map(peel_type) {
        // With another bound the box has to be of the user's own making.
        Some(Type::TraitObject(object)) => {
            traits(&object.bounds).any(|name| name == "Future")
                && traits(&object.bounds).all(|name| name == "Future" || name == "Send" || name == "Sync")
        }
        _ => false,
    }
}

/// The `T` of a `name<T>`.
fn type_argument<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = peel_type(ty) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(argument)) => Some(argument),
        _ => None,
    }
}

fn wrapper(hidden: &TypeImplTrait) -> Option<Wrapper> {
    let constructors = traits(&hidden.bounds).find_map(|name| match name.to_string().as_str() {
        "IntoResponse" => Some("into_response"),
        "Future" => Some("future"),
        _ => None,
    })?;
    Some(Wrapper { extent: Extent::of(hidden), constructors })
}

/// Whether the type promises a trait that a wrapper does not implement when what it holds does.
fn has_other_bounds(hidden: &TypeImplTrait) -> bool {
    const PASSED_ON: [&str; 5] = ["IntoResponse", "Future", "Send", "Sync", "Unpin"];
    traits(&hidden.bounds).any(|name| PASSED_ON.iter().all(|passed_on| name != passed_on))
}

fn traits(bounds: &Punctuated<TypeParamBound, Token![+]>) -> impl Iterator<Item = &Ident> {
    bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().map(|last| &last.ident),
        _ => None,
    })
}

fn is_closure(expr: &Expr) -> bool {
    matches!(peel_expr(expr), Expr::Closure(_))
}

/// Types that are seen to be none that a closure could have: any other name may be one's own for what holds a closure.
fn is_no_closure(ty: &Type) -> bool {
    match ty {
        Type::Tuple(_) | Type::Never(_) => true,
        Type::Path(path) => {
            path.path.segments.last().is_some_and(|last| last.ident == "Result" || last.ident == "Option")
        }
        _ => false,
    }
}

fn is_unit(expr: &Expr) -> bool {
    matches!(peel_expr(expr), Expr::Tuple(tuple) if tuple.elems.is_empty())
}

fn is_unit_type(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Expressions that are seen to produce no value.
fn diverges(fallback: &Expr) -> bool {
    match peel_expr(fallback) {
        Expr::Return(_) => true,
        Expr::Macro(call) => call.mac.path.segments.last().is_some_and(|name| {
            ["panic", "unreachable", "todo", "unimplemented"].iter().any(|diverging| name.ident == diverging)
        }),
        Expr::Loop(endless) => !says_break(endless.body.to_token_stream()),
        Expr::Block(block) => match block.block.stmts.last() {
            Some(Stmt::Expr(last, _)) => diverges(last),
            Some(Stmt::Macro(last)) => diverges(&Expr::Macro(ExprMacro { attrs: Vec::new(), mac: last.mac.clone() })),
            _ => false,
        },
        _ => false,
    }
}

fn says_break(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => says_break(group.stream()),
        TokenTree::Ident(word) => word == "break",
        _ => false,
    })
}

/// A call that ends the process. Its type could be any, and a boxed fallback must have one.
fn exits(fallback: &Expr) -> bool {
    let Expr::Call(call) = peel_expr(fallback) else { return false };
    let Expr::Path(path) = peel_expr(&call.func) else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "exit" || last.ident == "abort")
}

/// Expressions that are seen to produce a value, or to be the user's own mistake: a constructor's call, but not that of a
/// function like [`std::process::exit`].
fn is_value(fallback: &Expr) -> bool {
    match peel_expr(fallback) {
        // Where `()` is another type's name, `return ()` would be taken for the user's own idea.
        Expr::Tuple(tuple) => !tuple.elems.is_empty(),
        Expr::Lit(_) | Expr::Path(_) | Expr::Struct(_) | Expr::Array(_) | Expr::Repeat(_) => true,
        Expr::Closure(_) | Expr::Async(_) | Expr::Field(_) | Expr::Reference(_) => true,
        Expr::Call(call) => match peel_expr(&call.func) {
            Expr::Path(path) => {
                path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
            }
            _ => false,
        },
        _ => false,
    }
}

fn says_return(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => says_return(group.stream()),
        TokenTree::Ident(word) => word == "return",
        _ => false,
    })
}

impl Refusal {
    /// The end of a refused call; `rejected` is the name the refusal is bound to.
    pub(crate) fn statement(&self, runtime: &Runtime, rejected: &Ident) -> TokenStream {
        let site = Span::mixed_site();
        let k = runtime.at(site);
        match self {
            Refusal::ByType(extent) => {
                let convert = runtime.name("FromRejected", Extent { first: extent.first, last: extent.first });
                let method = quote_spanned!(generated(extent.last)=> from_rejected(#rejected));
                quote_spanned!(site=> return #convert::#method;)
            }
            Refusal::Wrapped(wrapper, None) => {
                let rejection = wrapper.constructor(runtime, "rejected");
                quote_spanned!(site=> return #rejection(#rejected);)
            }
            Refusal::Wrapped(wrapper, Some(expr)) => {
                let binding = binding(expr, rejected);
                // A fallback that does not implement the trait is reported where it stands.
                let extent = Extent::of(expr);
                let fallback = Wrapper { extent, ..*wrapper }.constructor(runtime, "fallback");
                let fallback = extent.call(fallback, expr.to_token_stream());
                quote_spanned!(site=> #binding return #fallback;)
            }
            Refusal::Boxed(expr) => {
                let binding = binding(expr, rejected);
                // A fallback of another type is reported where it stands.
                let extent = Extent::of(expr);
                let fallback = extent.call(runtime.name("boxed", extent), expr.to_token_stream());
                quote_spanned!(site=> #binding return #fallback;)
            }
            Refusal::Nothing => quote_spanned!(site=> return;),
            Refusal::Return(expr) => {
                let binding = binding(expr, rejected);
                if is_value(expr) {
                    return quote_spanned!(site=> #binding return #expr;);
                }
                // Should the expression not come back, the `return` would be reported as unreachable. That it might not
                // be is only said to the compiler, which does not look at `true` for that; nothing of it is left.
                quote_spanned!(site=> #binding return if true { #expr } else { #k::impossible() };)
            }
            Refusal::Diverge(expr) => {
                let binding = binding(expr, rejected).unwrap_or(quote_spanned!(site=> let _ = #rejected;));
                let never = runtime.name("Never", Extent::of(expr));
                // Returned, it would be reported as unreachable code; as a bare statement it might come back and run the
                // body. A block with a statement in it is where clippy, too, lets an expression diverge.
                quote_spanned!(site=> let _: #never = { #binding #expr };)
            }
        }
    }

    /// What follows the guard: the body, or the body as the value of the wrapper, which implements the hidden trait for
    /// both outcomes.
    pub(crate) fn body(&self, runtime: &Runtime, func: &Func) -> TokenStream {
        let Refusal::Wrapped(wrapper, fallback) = self else { return func.body.clone() };
        let site = Span::mixed_site();
        let k = runtime.at(site);
        let constructor = wrapper.constructor(runtime, if fallback.is_some() { "body" } else { "admitted" });
        let mut body = Group::new(proc_macro2::Delimiter::Brace, func.body.clone());
        body.set_span(func.braces.span());
        if func.sig.asyncness.is_some() {
            quote_spanned!(site=> #constructor(async move #body.await))
        } else {
            // `call_once` makes the closure an `FnOnce`, so that the body may still give its parameters away.
            quote_spanned!(site=> #constructor(#k::call_once(move || #body)))
        }
    }
}

impl Wrapper {
    /// A macro names the constructor: without the feature its trait needs, it is one error instead of a puzzle.
    fn constructor(&self, runtime: &Runtime, variant: &str) -> TokenStream {
        let Wrapper { extent, constructors } = *self;
        let constructors = runtime.name(constructors, Extent { first: extent.first, last: extent.first });
        let variant = Ident::new(variant, generated(extent.last));
        extent.call(quote_spanned!(generated(extent.first)=> #constructors!), variant.into_token_stream())
    }
}

/// `let rejected = &…;` when the fallback mentions it. It gets the hygiene of the mention, to be what the mention means.
fn binding(fallback: &Expr, rejected: &Ident) -> Option<TokenStream> {
    let mention = mention(fallback.to_token_stream())?;
    let name = Ident::new("rejected", mention);
    // Used once here, in case the mention was a field of the same name.
    Some(quote_spanned!(Span::mixed_site()=> let #name = &#rejected; let _ = #name;))
}

/// The span of the first `rejected` among the tokens, or in the braces of a format string among them.
///
/// One with parentheses behind it is the user's own function or method, since a refusal cannot be called.
fn mention(tokens: TokenStream) -> Option<Span> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Group(group) => mention(group.stream()),
            TokenTree::Ident(word) if word == "rejected" => (!is_call(tokens.peek())).then(|| word.span()),
            TokenTree::Literal(literal) => formats_rejected(&literal.to_string()).then(|| literal.span()),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn is_call(next: Option<&TokenTree>) -> bool {
    matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == proc_macro2::Delimiter::Parenthesis)
}

/// Whether a format string has `rejected` as an inline argument: `{rejected}`, `{rejected:?}`, `{x:rejected$}`.
fn formats_rejected(literal: &str) -> bool {
    if !literal.contains('"') {
        return false;
    }
    let unescaped = literal.replace("{{", "");
    unescaped.split('{').skip(1).any(|part| {
        let argument = part.split('}').next().unwrap_or_default();
        let (name, format) = argument.split_once(':').unwrap_or((argument, ""));
        name.trim() == "rejected" || format.contains("rejected$")
    })
}

#[cfg(test)]
mod tests {
    use super::formats_rejected;

    #[test]
    fn finds_inline_format_arguments() {
        for literal in [
            r#""{rejected}""#,
            r#""refused: {rejected:?}!""#,
            r#""{ rejected }""#,
            r#""{{{rejected}}}""#,
            r##"r#"{rejected}"#"##,
            r#""{x:rejected$}""#,
        ] {
            assert!(formats_rejected(literal), "{literal}");
        }
        for literal in [r#""rejected""#, r#""{{rejected}}""#, r#""{rejected_at}""#, r#""{}""#, "'{'", "1"] {
            assert!(!formats_rejected(literal), "{literal}");
        }
    }
}
