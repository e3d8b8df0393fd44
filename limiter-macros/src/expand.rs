//! Writes the function with its guard. Nothing can fail here: everything was decided in `validate`.
//!
//! ```text
//! // Input
//! #[limit(strategy = TokenBucket, requests = 100, window = "1s", key = user)]
//! fn search(user: &str) -> Result<Hits, Rejected> { body }
//!
//! // Output, with `K` for `::limiter::__private`
//! fn search(user: &str) -> Result<Hits, Rejected> {
//!     if let K::Err(__limit_rejected) = {
//!         static __LIMIT_TABLE: K::Table<TokenBucket, 65536> = K::Table::new();
//!         K::check_key(&__LIMIT_TABLE, const { &K::Spec::new(…) }, &(user))
//!     } {
//!         return K::FromRejected::from_rejected(__limit_rejected);
//!     }
//!     body
//! }
//! ```
//!
//! The rules of the output, each of which some user's build depends on:
//!
//! * One statement in front of the body's own, so that the body stays *the* body: inference, temporaries, lints and other
//!   macros find it as it was.
//! * No `use`, `allow`, `unsafe`, closure or prelude name, and the static inside a block of its own: nothing can collide
//!   with the body, trip a `forbid`, or be captured by what the user has in scope.
//! * No type of the signature is named, so none of its lifetimes and hidden types has to be.
//! * The static is not generic, so there is one limit per function in the source, whatever it is called with.
//! * A token that can be wrong lies over what the user wrote; the rest lies at the attribute.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, FnArg, Pat, PatIdent};

use crate::args::peel_expr;
use crate::item::{Func, REJECTED};
use crate::literal::Value;
use crate::paths::{Extent, generated, ident};
use crate::validate::{Key, Plan, Refusal};

/// How many keys a keyed limit holds when `capacity` does not say.
const DEFAULT_CAPACITY: u64 = 65_536;

/// The function with the limit in front of its body.
pub(crate) fn expand(plan: &Plan, mut func: Func) -> TokenStream {
    let renamed = matches!(plan.key, Key::IpProbe(_)) && name_ignored_parameters(&mut func);
    let prologue = prologue(plan, &func);
    let body = match plan.refusal {
        Refusal::Wrapped(extent, constructors) => wrapped(plan, &func, extent, constructors),
        _ => func.body,
    };
    let inner_attrs = func.inner_attrs;
    let mut braces = Group::new(Delimiter::Brace, quote!(#inner_attrs #prologue #body));
    braces.set_span(func.braces.span());
    if renamed {
        let Func { attrs, vis, defaultness, sig, .. } = func;
        return quote!(#(#attrs)* #vis #defaultness #sig #braces);
    }
    let head = func.head;
    quote!(#head #braces)
}

fn prologue(plan: &Plan, func: &Func) -> TokenStream {
    let site = Span::mixed_site();
    let k = plan.runtime.at(site);
    let rejected = ident(REJECTED);
    let spec = spec(plan, func);
    let (item, call) = match &plan.key {
        Key::Everyone => {
            let name = ident("__LIMIT_BUCKET");
            let ty = state(plan, "Bucket", None);
            (
                quote_spanned!(site=> static #name: #ty = #k::Bucket::new();),
                quote_spanned!(site=> #k::check(&#name, #spec)),
            )
        }
        key => {
            let name = ident("__LIMIT_TABLE");
            let ty = state(plan, "Table", Some(capacity(plan)));
            let (key, extent) = key_argument(plan, func, key);
            // A key that cannot be hashed is reported at the key, and at the function that wanted to hash it.
            let check = plan.runtime.name("check_key", extent);
            (
                quote_spanned!(site=> static #name: #ty = #k::Table::new();),
                quote_spanned!(site=> #check(&#name, #spec, #key)),
            )
        }
    };
    let refusal = refusal(plan, &rejected);
    // The braces are of this crate's edition, 2024, in which what the key borrowed or locked is free again at their end,
    // before the refusal is made.
    quote_spanned! {site=>
        if let #k::Err(#rejected) = {
            #item
            #call
        } {
            #refusal
        }
    }
}

/// `K::Bucket<S>`, the one place that names the strategy; it lies over it, where a type that is none is reported.
fn state(plan: &Plan, name: &str, capacity: Option<TokenStream>) -> TokenStream {
    let strategy = match &plan.strategy {
        Some(path) => path.to_token_stream(),
        None => plan.runtime.name("FixedWindow", Extent::attribute()),
    };
    let extent = plan.strategy.as_ref().map_or_else(Extent::attribute, Extent::of);
    let name = plan.runtime.name(name, Extent { first: extent.first, last: extent.first });
    let capacity = capacity.map(|capacity| quote!(, #capacity));
    let close = generated(extent.last);
    let open = quote_spanned!(generated(extent.first)=> <);
    let close = quote_spanned!(close=> >);
    quote!(#name #open #strategy #capacity #close)
}

/// `const { &K::Spec::new(name, file, line, quota) }`
fn spec(plan: &Plan, func: &Func) -> TokenStream {
    let site = Span::mixed_site();
    let k = plan.runtime.at(site);
    let name = match &plan.name {
        Some(name) => name.to_token_stream(),
        None => {
            let function = Literal::string(&func.sig.ident.unraw().to_string());
            quote_spanned!(site=> #k::concat!(#k::module_path!(), "::", #function))
        }
    };
    let requests = argument(plan, "requests", &plan.requests);
    let window = argument(plan, "window", &plan.window);
    // Whether the numbers go together is reported at `requests`, or at `burst` if it is only that.
    let extent = plan.requests.1;
    let function = plan.runtime.name("quota", extent);
    let function = quote_spanned!(generated(extent.first)=> #function::<_, #requests, #window>);
    let mut quota = extent.call(function, TokenStream::new());
    if let Some(burst) = &plan.burst {
        let extent = burst.1;
        let burst = argument(plan, "burst", burst);
        let function = plan.runtime.name("quota_with_burst", extent);
        quota = extent.call(quote_spanned!(generated(extent.first)=> #function::<_, #burst>), quota);
    }
    quote_spanned!(site=> const { &#k::Spec::new(#name, #k::file!(), #k::line!(), #quota) })
}

/// A number as a generic argument: a literal as it is, an expression in the runtime's check of it, lying over it.
///
/// Generic arguments are evaluated by `cargo check`, too, and may not depend on the function's own generics: its instances
/// share one state, which means nothing under two quotas.
fn argument(plan: &Plan, check: &str, (value, extent): &(Value, Extent)) -> TokenStream {
    match value {
        Value::Literal(..) => value.to_token_stream(),
        Value::Const(expr) => {
            let check = extent.call(plan.runtime.name(check, *extent), expr.to_token_stream());
            quote_spanned!(Span::mixed_site()=> { #check })
        }
    }
}

fn capacity(plan: &Plan) -> TokenStream {
    match &plan.capacity {
        Some(capacity) => argument(plan, "capacity", capacity),
        None => Literal::u64_unsuffixed(DEFAULT_CAPACITY).into_token_stream(),
    }
}

/// A reference to what is counted, and what the user wrote for it.
fn key_argument(plan: &Plan, func: &Func, key: &Key) -> (TokenStream, Extent) {
    match key {
        Key::Everyone => (TokenStream::new(), Extent::attribute()),
        Key::By(expr) => (borrowed(expr), Extent::of(expr)),
        Key::IpBinding(expr) => {
            let extent = Extent::of(expr);
            let binding = plan.runtime.name("IpBinding", extent);
            let ip = borrowed(expr);
            (quote_spanned!(generated(extent.first)=> &#binding::new(#ip).key()), extent)
        }
        Key::IpProbe(word) => (probe(plan, func, *word), Extent { first: *word, last: *word }),
    }
}

/// The elements of a tuple are borrowed one by one, or the tuple would move them out of the parameters.
fn borrowed(expr: &Expr) -> TokenStream {
    let extent = Extent::of(expr);
    let and = quote_spanned!(generated(extent.first)=> &);
    match peel_expr(expr) {
        Expr::Tuple(tuple) => {
            let elements = tuple.elems.iter().map(borrowed);
            extent.call(and, quote!(#(#elements,)*))
        }
        _ => extent.call(and, expr.to_token_stream()),
    }
}

/// Asks every parameter for a client address; the types decide that exactly one has one.
///
/// A chain of shadowing `let`s, because a parameter under a `#[cfg]` can be asked only under the same `#[cfg]`.
fn probe(plan: &Plan, func: &Func, word: Span) -> TokenStream {
    let span = generated(word);
    let k = plan.runtime.at(word);
    let found = Ident::new("__limit_ip", span);
    let steps = func.bindings().into_iter().map(|(name, parameter)| {
        let attrs = match parameter {
            FnArg::Receiver(receiver) => &receiver.attrs,
            FnArg::Typed(typed) => &typed.attrs,
        };
        let cfgs = attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
        quote_spanned!(span=> #(#cfgs)* let #found = #k::or(#found, #k::Probe::new(&#name).client_ip());)
    });
    quote_spanned!(span=> &({ let #found = #k::NoClientIp; #(#steps)* #k::the_ip(#found) }))
}

/// Gives every `_: T` parameter a name, so that it can be asked for an address. Says whether there was one.
fn name_ignored_parameters(func: &mut Func) -> bool {
    let mut renamed = false;
    for (index, input) in func.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        if let Pat::Wild(wild) = &*typed.pat {
            let ident = Ident::new(&format!("__limit_arg{index}"), generated(wild.span()));
            *typed.pat =
                Pat::Ident(PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident, subpat: None });
            renamed = true;
        }
    }
    renamed
}

/// What happens to a refused call; `rejected` is the name it is bound to.
fn refusal(plan: &Plan, rejected: &Ident) -> TokenStream {
    let site = Span::mixed_site();
    match &plan.refusal {
        Refusal::ByType(extent) => {
            let convert = plan.runtime.name("FromRejected", Extent { first: extent.first, last: extent.first });
            let method = quote_spanned!(generated(extent.last)=> from_rejected(#rejected));
            quote_spanned!(site=> return #convert::#method;)
        }
        Refusal::Wrapped(extent, constructors) => {
            let rejection = constructor(plan, *extent, constructors, "rejected");
            quote_spanned!(site=> return #rejection(#rejected);)
        }
        Refusal::Return(expr) => {
            let binding = fallback_binding(expr, rejected);
            // `return ()` would be taken for the user's own idea.
            let value = (!is_unit(expr)).then_some(expr);
            quote_spanned!(site=> #binding return #value;)
        }
        Refusal::Diverge(expr) => {
            let binding = fallback_binding(expr, rejected).unwrap_or(quote_spanned!(site=> let _ = #rejected;));
            let never = plan.runtime.name("Never", Extent::of(expr));
            // Returned, it would be reported as unreachable code; as a bare statement it might come back and run the
            // body. A block with a statement in it is where clippy, too, lets an expression diverge.
            quote_spanned!(site=> let _: #never = { #binding #expr };)
        }
    }
}

fn is_unit(expr: &Expr) -> bool {
    matches!(peel_expr(expr), Expr::Tuple(tuple) if tuple.elems.is_empty())
}

/// The body as the value of the wrapper, which implements the hidden trait for both outcomes.
fn wrapped(plan: &Plan, func: &Func, extent: Extent, constructors: &str) -> TokenStream {
    let k = plan.runtime.at(Span::mixed_site());
    let constructor = constructor(plan, extent, constructors, "admitted");
    let mut body = Group::new(Delimiter::Brace, func.body.clone());
    body.set_span(func.braces.span());
    if func.sig.asyncness.is_some() {
        quote_spanned!(Span::mixed_site()=> #constructor(async move #body.await))
    } else {
        // `call_once` makes the closure an `FnOnce`, so that the body may still give its parameters away.
        quote_spanned!(Span::mixed_site()=> #constructor(#k::call_once(move || #body)))
    }
}

/// A macro names the constructor: without the feature its trait needs, it is one error instead of a puzzle.
fn constructor(plan: &Plan, extent: Extent, constructors: &str, variant: &str) -> TokenStream {
    let constructors = plan.runtime.name(constructors, Extent { first: extent.first, last: extent.first });
    let variant = Ident::new(variant, generated(extent.last));
    extent.call(quote_spanned!(generated(extent.first)=> #constructors!), variant.into_token_stream())
}

/// `let rejected = &…;` when the fallback mentions it. It gets the hygiene of the mention, to be what the mention means.
fn fallback_binding(fallback: &Expr, rejected: &Ident) -> Option<TokenStream> {
    let mention = mention(fallback.to_token_stream())?;
    let name = Ident::new("rejected", mention);
    // Used once here, in case the mention was a field or a method of the same name.
    Some(quote_spanned!(Span::mixed_site()=> let #name = &#rejected; let _ = #name;))
}

/// The span of the first `rejected` among the tokens, or in the braces of a format string among them.
fn mention(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => mention(group.stream()),
        TokenTree::Ident(word) => (word == "rejected").then(|| word.span()),
        TokenTree::Literal(literal) => formats_rejected(&literal.to_string()).then(|| literal.span()),
        TokenTree::Punct(_) => None,
    })
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
