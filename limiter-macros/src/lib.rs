//! The `#[limit]` attribute: tokens in, tokens out. The runtime is in `limiter-core`, the documented face in `limiter-rs`.
#![forbid(unsafe_code)]

#[cfg(test)]
mod answer;
mod args;
mod attribute;
mod duration;
mod expand;
#[cfg(test)]
mod half_typed;
mod item;
mod keys;
mod literal;
mod meant;
mod paths;
mod place;
mod refusal;
#[cfg(test)]
mod snapshots;
mod suggest;
mod validate;
mod values;

// Its documentation stands where users meet it, on the re-export in `limiter-rs`, which can also compile the examples.
#[expect(missing_docs, reason = "it would be appended to the documentation of the re-export")]
#[proc_macro_attribute]
pub fn limit(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    attribute::attribute(args.into(), item.into()).into()
}
