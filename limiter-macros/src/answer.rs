//! Reads what the attribute answered, without the macro's own reading of it: whether it is the item and errors beside it.
//!
//! Only for tests, and for the fuzzer, which compiles this file, too.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The messages, if the output is the item as it came with one error or more: behind it, in front of it, or where nothing
/// can stand beside it in braces with it.
///
/// # Panics
///
/// If what stands there is no error, or an error without a message of its own.
pub(crate) fn errors(item: &TokenStream, output: &TokenStream) -> Option<Vec<String>> {
    let (item, output) = (trees(item), trees(output));
    if let [TokenTree::Group(block)] = &*output {
        if block.delimiter() == Delimiter::Brace && !same(&item, &output) {
            return messages(trees(&block.stream()).strip_end(&item)?);
        }
    }
    match output.strip_start(&item) {
        Some(errors) if !errors.is_empty() || item.is_empty() => messages(errors),
        _ => messages(output.strip_end(&item)?),
    }
}

trait Strip {
    fn strip_start(&self, start: &[TokenTree]) -> Option<&[TokenTree]>;
    fn strip_end(&self, end: &[TokenTree]) -> Option<&[TokenTree]>;
}

impl Strip for Vec<TokenTree> {
    fn strip_start(&self, start: &[TokenTree]) -> Option<&[TokenTree]> {
        self.split_at_checked(start.len()).filter(|(front, _)| same(front, start)).map(|(_, rest)| rest)
    }

    fn strip_end(&self, end: &[TokenTree]) -> Option<&[TokenTree]> {
        let at = self.len().checked_sub(end.len())?;
        self.split_at_checked(at).filter(|(_, back)| same(back, end)).map(|(rest, _)| rest)
    }
}

/// The texts of the errors these tokens are; `None` if they begin with something else.
fn messages(errors: &[TokenTree]) -> Option<Vec<String>> {
    if !matches!(errors.first(), Some(TokenTree::Ident(name)) if name == "compile_error") {
        return None;
    }
    let message = |error: &[TokenTree]| {
        let [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(message)] = error else {
            panic!("something else than an error beside the item: {error:?}");
        };
        assert!(name == "compile_error" && bang.as_char() == '!', "no error: {error:?}");
        let message: syn::LitStr = syn::parse2(message.stream()).expect("a message is one string");
        let message = message.value();
        assert!(message.chars().any(char::is_alphabetic), "an error without a message: {error:?}");
        assert!(!message.contains("__private"), "a hidden path in {message}");
        message
    };
    Some(errors.chunks(3).map(message).collect())
}

pub(crate) fn trees(tokens: &TokenStream) -> Vec<TokenTree> {
    tokens.clone().into_iter().collect()
}

/// Equal but for spans.
pub(crate) fn same(left: &[TokenTree], right: &[TokenTree]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|pair| match pair {
            (TokenTree::Group(left), TokenTree::Group(right)) => {
                left.delimiter() == right.delimiter() && same(&trees(&left.stream()), &trees(&right.stream()))
            }
            (TokenTree::Ident(left), TokenTree::Ident(right)) => left == right,
            (TokenTree::Punct(left), TokenTree::Punct(right)) => left.as_char() == right.as_char(),
            (TokenTree::Literal(left), TokenTree::Literal(right)) => left.to_string() == right.to_string(),
            _ => false,
        })
}
