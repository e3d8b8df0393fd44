//! One use of the attribute. An input that begins with a zero byte is decisions for the generators; every other is text: the
//! list, a line `---`, and the item.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use crate::Outcome;

use super::choices::Choices;
use super::{edit, function, list};

/// Text of this length holds any use, and keeps every parser that recurses within the stack of a test's thread.
const LONGEST: usize = 2048;
/// As deep as anything was ever nested by hand, for the same reason.
const DEEPEST: usize = 32;

pub(crate) struct Case {
    pub(crate) list: TokenStream,
    pub(crate) item: TokenStream,
    /// What must become of it, where that was decided with it.
    pub(crate) expected: Option<Outcome>,
}

impl Case {
    /// `None` for what is not tokens.
    pub(crate) fn decode(input: &[u8]) -> Option<Case> {
        match input.split_first() {
            Some((0, decisions)) => Case::decide(&mut Choices::new(decisions)),
            _ => Case::read(std::str::from_utf8(input).ok()?),
        }
    }

    fn read(text: &str) -> Option<Case> {
        if text.len() > LONGEST {
            return None;
        }
        let (list, item) = text.split_once("\n---\n")?;
        let case = Case { list: lex(list)?, item: lex(item)?, expected: None };
        (is_shallow(&case.list, DEEPEST) && is_shallow(&case.item, DEEPEST)).then_some(case)
    }

    fn decide(choices: &mut Choices<'_>) -> Option<Case> {
        let edits = choices.below(8).saturating_sub(3);
        let list = list::list(choices);
        let function = function::function(choices);
        let is_right = list.is_right && function.is_limitable && (function.can_refuse || list.has_fallback);
        let expected = match edits {
            0 if is_right => Some(Outcome::Accepted),
            0 if list.is_wrong => Some(Outcome::Refused),
            _ => None,
        };
        let mut case = Case { list: lex(&list.text)?, item: lex(&function.text)?, expected };
        for _ in 0..edits {
            let side = if choices.below(2) == 0 { &mut case.list } else { &mut case.item };
            *side = edit::edit(std::mem::take(side), choices);
        }
        Some(case)
    }
}

fn lex(text: &str) -> Option<TokenStream> {
    TokenStream::from_str(text).ok()
}

fn is_shallow(tokens: &TokenStream, depth: usize) -> bool {
    tokens.clone().into_iter().all(|token| match token {
        TokenTree::Group(group) => depth > 0 && is_shallow(&group.stream(), depth - 1),
        _ => true,
    })
}
