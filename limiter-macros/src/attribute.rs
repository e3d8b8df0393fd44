//! The attribute from one end to the other, on token streams that exist outside a compiler, too: tests and the fuzzer call
//! it where no `proc_macro` is.

use proc_macro2::{TokenStream, TokenTree};
use syn::Error;

use crate::{args, expand, item, place, validate};

/// The function with its limit, or the function as it was and what is wrong.
pub(crate) fn attribute(args: TokenStream, item: TokenStream) -> TokenStream {
    let (args, mut errors) = args::parse(args);
    let func = item::parse(item.clone()).map_err(|error| errors.push(error)).ok();
    match (validate::validate(args, func.as_ref(), &mut errors), func) {
        (Some(plan), Some(func)) => expand::expand(&plan, func),
        _ => {
            // The function stays as it was, so that one mistake in a limit is not a hundred unresolved names.
            place::beside(&item, errors.iter().map(compile_error))
        }
    }
}

/// `compile_error!` where the error is, without the `::core` in front of it: in a crate of the edition 2015 that is a module
/// of the user's, and every message would be that there is none. Spelt by an edition that knows it, every message would
/// also say that it comes from a macro.
fn compile_error(error: &Error) -> TokenStream {
    let in_path = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Ident(word) => word == "core",
        _ => false,
    };
    error.to_compile_error().into_iter().filter(|token| !in_path(token)).collect()
}
