//! Edits tokens the way a slip, a macro or another attribute does: one lost, one twice, two swapped, the rest cut off, some
//! wrapped in a group or out of one. The invisible groups of `macro_rules!` can be written no other way.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use super::choices::Choices;

const DELIMITERS: [Delimiter; 4] = [Delimiter::None, Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket];

/// The tokens with one edit, at any depth.
pub(crate) fn edit(tokens: TokenStream, choices: &mut Choices<'_>) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    if trees.is_empty() {
        return TokenStream::from(odd(choices));
    }
    let at = choices.below(trees.len().min(256));
    if let TokenTree::Group(group) = &trees[at] {
        if choices.below(2) == 0 {
            let mut edited = Group::new(group.delimiter(), edit(group.stream(), choices));
            edited.set_span(group.span());
            trees[at] = edited.into();
            return trees.into_iter().collect();
        }
    }
    match choices.below(8) {
        0 => wrap(&mut trees, at, choices),
        1 => drop(trees.remove(at)),
        2 => trees.insert(at, trees[at].clone()),
        3 => {
            let other = choices.below(trees.len().min(256));
            trees.swap(at, other);
        }
        4 => trees.truncate(at),
        5 => trees[at] = odd(choices),
        6 => trees.insert(at, odd(choices)),
        _ => {
            if let TokenTree::Group(group) = &trees[at] {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                trees.splice(at..=at, inner);
            }
        }
    }
    trees.into_iter().collect()
}

fn wrap(trees: &mut Vec<TokenTree>, at: usize, choices: &mut Choices<'_>) {
    let delimiter = *choices.of(&DELIMITERS);
    let end = (at + 1 + choices.below(16)).min(trees.len());
    let inner: TokenStream = trees[at..end].iter().cloned().collect();
    trees.splice(at..end, [Group::new(delimiter, inner).into()]);
}

/// A token that text does not have, or that has no business here.
fn odd(choices: &mut Choices<'_>) -> TokenTree {
    match choices.below(6) {
        // A macro can make a negative number one token.
        0 => Literal::i64_unsuffixed(-1).into(),
        1 => Group::new(*choices.of(&DELIMITERS), TokenStream::new()).into(),
        2 => Punct::new(
            *choices.of(&[',', '=', ':', ';', '#', '!', '<', '>', '&', '|', '-', '.', '$', '?']),
            Spacing::Alone,
        )
        .into(),
        3 => Punct::new(*choices.of(&['=', ':', '<', '>', '&', '|', '-', '.']), Spacing::Joint).into(),
        4 => {
            let words =
                ["ip", "rejected", "self", "crate", "fn", "move", "async", "const", "T", "__limit_rejected", "_"];
            Ident::new(choices.word(&words), Span::call_site()).into()
        }
        _ => Literal::string(choices.word(&["1s", "{rejected}", ""])).into(),
    }
}
