//! The `#[limit]` attribute: tokens in, tokens out. The runtime is in `limiter-core`, the documented face in `limiter-rs`.
#![forbid(unsafe_code)]

mod args;
mod duration;
mod expand;
mod item;
mod keys;
mod literal;
mod paths;
mod refusal;
#[cfg(test)]
mod snapshots;
mod suggest;
mod validate;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Error;

// Its documentation stands where users meet it, on the re-export in `limiter-rs`, which can also compile the examples.
#[expect(missing_docs, reason = "it would be appended to the documentation of the re-export")]
#[proc_macro_attribute]
pub fn limit(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    attribute(args.into(), item.into()).into()
}

/// The attribute on token streams that exist outside a compiler, too.
fn attribute(args: TokenStream, item: TokenStream) -> TokenStream {
    let (args, mut errors) = args::parse(args);
    let func = item::parse(item.clone()).map_err(|error| errors.push(error)).ok();
    match (validate::validate(args, func.as_ref(), &mut errors), func) {
        (Some(plan), Some(func)) => expand::expand(&plan, func),
        _ => {
            // The function stays as it was, so that one mistake in a limit is not a hundred unresolved names.
            let errors = errors.iter().map(Error::to_compile_error);
            if item::is_expression(&item) { quote!({ #(#errors)* }) } else { quote!(#item #(#errors)*) }
        }
    }
}
