//! The `#[limit]` attribute: tokens in, tokens out.
#![forbid(unsafe_code)]
