//! The key of a call: what of the user's expression is borrowed, and what the word `ip` stands for in it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, FnArg, Pat, PatIdent, Token};

use crate::item::Func;
use crate::paths::{Extent, Runtime, generated};
use crate::values::peel_expr;

/// The most elements of a tuple that can be hashed.
const MAX_ELEMENTS: usize = 12;

/// Writes a reference to what is counted.
pub(crate) struct Keys<'a> {
    runtime: &'a Runtime,
    func: &'a Func,
    /// The parameter called `ip`. Without one the word stands for "the parameter that carries an address".
    ip: Option<Ident>,
}

impl<'a> Keys<'a> {
    pub(crate) fn new(runtime: &'a Runtime, func: &'a Func) -> Self {
        let ip = func.bindings().into_iter().map(|(name, _)| name).find(is_ip);
        Keys { runtime, func, ip }
    }

    /// The elements of a tuple are borrowed one by one, or the tuple would move them out of the parameters. An array is
    /// turned into one, because an address in it becomes something else.
    pub(crate) fn borrowed(&self, expr: &Expr) -> TokenStream {
        let extent = Extent::of(expr);
        let and = quote_spanned!(generated(extent.first)=> &);
        if let Some(word) = ip_word(expr) {
            return self.client(word.span(), extent);
        }
        match elements(expr) {
            Some(elements) => {
                let elements = elements.iter().map(|element| self.borrowed(element));
                extent.call(and, quote!(#(#elements,)*))
            }
            None => extent.call(and, expr.to_token_stream()),
        }
    }

    /// The client that the word `ip` stands for.
    fn client(&self, word: Span, extent: Extent) -> TokenStream {
        let span = generated(extent.first);
        let Some(ip) = &self.ip else { return self.probe(word) };
        let binding = self.runtime.name("IpBinding", extent);
        // A macro may have got the parameter's name from elsewhere than the word: the parameter's is the one that exists.
        let ip = Ident::new("ip", ip.span().located_at(word));
        let and = quote_spanned!(span=> &);
        let ip = Extent { first: word, last: word }.call(and.clone(), ip.into_token_stream());
        quote_spanned!(span=> #and #binding::new(#ip).key())
    }

    /// Asks every parameter for a client address; the types decide that exactly one has one.
    ///
    /// A chain of shadowing `let`s, because a parameter under a `#[cfg]` can be asked only under the same `#[cfg]`.
    fn probe(&self, word: Span) -> TokenStream {
        let span = generated(word);
        let k = self.runtime.at(word);
        let found = Ident::new("__limit_ip", span);
        let steps = self.func.bindings().into_iter().map(|(name, parameter)| {
            let attrs = match parameter {
                FnArg::Receiver(receiver) => &receiver.attrs,
                FnArg::Typed(typed) => &typed.attrs,
            };
            let cfgs = attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
            quote_spanned!(span=> #(#cfgs)* let #found = #k::or(#found, #k::Probe::new(&#name).client_ip());)
        });
        quote_spanned!(span=> &({ let #found = #k::NoClientIp; #(#steps)* #k::the_ip(#found) }))
    }
}

/// Gives every `_: T` parameter a name if the key asks the parameters for an address. Says whether there was one.
pub(crate) fn name_ignored_parameters(key: Option<&Expr>, func: &mut Func) -> bool {
    if !key.is_some_and(has_ip_word) || func.bindings().iter().any(|(name, _)| is_ip(name)) {
        return false;
    }
    let mut renamed = false;
    for (index, input) in func.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(typed) = input else { continue };
        if let Pat::Wild(wild) = &*typed.pat {
            // With the hygiene of the type behind it, or the compiler could not underline the two together.
            let ident = Ident::new(&format!("__limit_arg{index}"), wild.span());
            *typed.pat =
                Pat::Ident(PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident, subpat: None });
            renamed = true;
        }
    }
    renamed
}

fn has_ip_word(expr: &Expr) -> bool {
    ip_word(expr).is_some() || elements(expr).is_some_and(|elements| elements.iter().any(has_ip_word))
}

/// The bare word `ip`. A reference to it is borrowed twice, and is the same to whoever wrote it.
fn ip_word(expr: &Expr) -> Option<&Ident> {
    match peel_expr(expr) {
        Expr::Path(path) => path.path.get_ident().filter(|word| is_ip(word)),
        Expr::Reference(reference) if reference.mutability.is_none() => ip_word(&reference.expr),
        _ => None,
    }
}

/// Also as `r#ip`, which is the same name, and what a macro writes that does not look whether it has to.
fn is_ip(name: &Ident) -> bool {
    name.unraw() == "ip"
}

/// The parts of a key that consists of several.
fn elements(expr: &Expr) -> Option<&Punctuated<Expr, Token![,]>> {
    match peel_expr(expr) {
        Expr::Tuple(tuple) => Some(&tuple.elems),
        Expr::Array(array) if array.elems.len() <= MAX_ELEMENTS => Some(&array.elems),
        _ => None,
    }
}
