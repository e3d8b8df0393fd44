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
//!         static __LIMIT_TABLE: K::Table<TokenBucket, 65536, 256> = K::Table::UNSEEN;
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

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;

use crate::item::{Func, REJECTED};
use crate::keys::{Keys, name_ignored_parameters};
use crate::literal::Value;
use crate::paths::{Extent, generated, ident};
use crate::validate::Plan;

/// How many keys a keyed limit holds when `capacity` does not say.
const DEFAULT_CAPACITY: u64 = 65_536;

/// Keys in a chunk of the table, as the runtime has it. It would not compile what is computed with another number; a call of
/// its function takes the compiler a tenth of what the whole guard does.
const CHUNK: u64 = 256;

/// What a `capacity` that is an expression is called in the guard.
const CAPACITY: &str = "__LIMIT_CAPACITY";

/// The function with the limit in front of its body.
pub(crate) fn expand(plan: &Plan, mut func: Func) -> TokenStream {
    let renamed = name_ignored_parameters(plan.key.as_ref(), &mut func);
    let prologue = prologue(plan, &func);
    let body = plan.refusal.body(&plan.runtime, &func);
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
    let by_quota = plan.quota_is_expression();
    let (item, call) = match &plan.key {
        None => {
            let name = ident("__LIMIT_BUCKET");
            let (ty, check) = if by_quota { ("Buckets", "check_by_quota") } else { ("Bucket", "check") };
            let (new, check) = (ident(ty), ident(check));
            let ty = state(plan, ty, None);
            (
                quote_spanned!(site=> static #name: #ty = #k::#new::new();),
                quote_spanned!(site=> #k::#check(&#name, #spec)),
            )
        }
        Some(key) => {
            let name = ident("__LIMIT_TABLE");
            let ty = state(plan, "Table", Some(capacity(plan)));
            // A key that cannot be hashed is reported at the key, and at the function that wanted to hash it.
            let check = plan.runtime.name("check_key", Extent::of(key));
            let key = Keys::new(&plan.runtime, func).borrowed(key);
            let capacity = capacity_once(plan);
            (
                quote_spanned!(site=> #capacity static #name: #ty = #k::Table::UNSEEN;),
                quote_spanned!(site=> #check(&#name, #spec, #key)),
            )
        }
    };
    let refusal = plan.refusal.statement(&plan.runtime, &rejected);
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

/// `const { &K::Spec::new(name, quota) }`, which takes file and line from where it stands.
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
    let quota = if plan.key.is_some() { quota_of_table(plan, requests, window) } else { quota(plan, requests, window) };
    let named = plan.name.is_some().then(|| quote_spanned!(site=> .named()));
    let spec = quote_spanned!(site=> &#k::Spec::new(#name, #quota)#named);
    // If it cannot be evaluated, a note of the compiler's underlines the block: better the expression than the attribute.
    let block = plan.only_expression().unwrap_or_else(Extent::attribute);
    let mut braces = Group::new(Delimiter::Brace, spec);
    braces.set_span(generated(block.last));
    quote_spanned!(generated(block.first)=> const #braces)
}

/// `K::quota(requests, window)`, in which everything in scope may be used. Whether the numbers go together is reported at
/// `requests`, or at `burst` if it is only that.
fn quota(plan: &Plan, requests: TokenStream, window: TokenStream) -> TokenStream {
    let site = Span::mixed_site();
    let extent = plan.requests.1;
    let quota = extent.call(plan.runtime.name("quota", extent), quote_spanned!(site=> #requests, #window));
    let Some(burst) = &plan.burst else { return quota };
    let extent = burst.1;
    let burst = argument(plan, "burst", burst);
    extent.call(plan.runtime.name("quota_with_burst", extent), quote_spanned!(site=> #quota, #burst))
}

/// The same for a table. An expression stands in a generic argument, which can be nothing generic: a table has one quota.
fn quota_of_table(plan: &Plan, requests: TokenStream, window: TokenStream) -> TokenStream {
    if !plan.quota_is_expression() {
        return quota(plan, requests, window);
    }
    let site = Span::mixed_site();
    let extent = plan.requests.1;
    let rate = extent.call(plan.runtime.name("rate", extent), quote_spanned!(site=> #requests, #window));
    let function = plan.runtime.name("quota_of", extent);
    let quota = extent.call(quote_spanned!(generated(extent.first)=> #function::<_, { #rate }>), TokenStream::new());
    let Some(burst) = &plan.burst else { return quota };
    let extent = burst.1;
    let burst = argument(plan, "burst", burst);
    let function = plan.runtime.name("quota_of_with_burst", extent);
    extent.call(quote_spanned!(generated(extent.first)=> #function::<_, { #burst }>), quota)
}

/// A number: a literal as it is, an expression in the runtime's check of it, lying over it.
fn argument(plan: &Plan, check: &str, (value, extent): &(Value, Extent)) -> TokenStream {
    match value {
        Value::Literal(..) => value.to_token_stream(),
        Value::Const(expr) => extent.call(plan.runtime.name(check, *extent), expr.to_token_stream()),
    }
}

/// An expression is written once, into a constant of its own, so that a mistake in it is told once.
fn capacity_once(plan: &Plan) -> Option<TokenStream> {
    let capacity = plan.capacity.as_ref().filter(|(value, _)| matches!(value, Value::Const(_)))?;
    let (name, value) = (ident(CAPACITY), argument(plan, "capacity", capacity));
    let size = plan.runtime.name("usize", Extent::attribute());
    Some(quote_spanned!(Span::mixed_site()=> const #name: #size = #value;))
}

/// The last two arguments of the table's type: how many keys, and how many chunks that is.
fn capacity(plan: &Plan) -> TokenStream {
    let site = Span::mixed_site();
    let chunks = |capacity: u64| Literal::u64_unsuffixed(capacity.div_ceil(CHUNK));
    match &plan.capacity {
        // Generic arguments of the static's type, which an expression has to be put into braces for.
        Some((Value::Const(_), extent)) => {
            let (k, mut capacity) = (plan.runtime.at(site), ident(CAPACITY));
            capacity.set_span(generated(extent.first));
            quote_spanned!(site=> #capacity, { #k::chunks(#capacity) })
        }
        Some((number @ Value::Literal(capacity, _), _)) => {
            let chunks = chunks(*capacity);
            quote!(#number, #chunks)
        }
        None => {
            let (capacity, chunks) = (Literal::u64_unsuffixed(DEFAULT_CAPACITY), chunks(DEFAULT_CAPACITY));
            quote!(#capacity, #chunks)
        }
    }
}
