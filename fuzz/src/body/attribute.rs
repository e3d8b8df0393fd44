//! Whatever stands in the attribute and below it: no panic, no hang, and one of two outputs. Either the item as it came with
//! errors behind it, or the function as it came with one statement more.
//!
//! The output is judged by what was put in, without the macro's own reading of it.

use std::time::{Duration, Instant};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::ImplItemFn;

use crate::Outcome;
use crate::answer::{self, trees};
use crate::attribute::attribute;
use crate::generate::case::Case;

/// Inputs are bounded, and nothing is slower than linear in them but the depth of nesting; this is a thousand times of what
/// the longest takes on a busy machine without optimisation.
const PATIENCE: Duration = Duration::from_secs(10);

/// The promise for one input; how bytes are read as one says `generate::case`.
///
/// # Panics
///
/// If it does not hold.
#[must_use]
pub fn run(data: &[u8]) -> Outcome {
    let Some(Case { list, item, expected }) = Case::decode(data) else { return Outcome::Skipped };
    let begun = Instant::now();
    let output = attribute(list.clone(), item.clone());
    let taken = begun.elapsed();
    let context = || format!("#[limit({list})]\n{item}\nbecame\n{output}\n");
    assert!(taken < PATIENCE, "{taken:?} for {}", context());

    if is_refused(&item, &output, &context) {
        assert!(expected != Some(Outcome::Accepted), "nothing was wrong with {}", context());
        return Outcome::Refused;
    }
    assert!(expected != Some(Outcome::Refused), "a key cannot be taken in {}", context());
    keeps_the_function(&item, &output, &context);
    if !has_let_as_value(&list) {
        parses_as_well(&item, &output, &context);
    }
    let again = attribute(list.clone(), output.clone());
    assert!(is_refused(&output, &again, &context), "a second limit was accepted on {}", context());
    Outcome::Accepted
}

/// Whether the output is the item and errors. What is neither that nor a limit is found by what a limit promises.
fn is_refused(item: &TokenStream, output: &TokenStream, context: &dyn Fn() -> String) -> bool {
    let is_refused = answer::errors(item, output).is_some();
    assert!(is_refused || !same(&trees(item), &trees(output)), "neither a limit nor an error: {}", context());
    is_refused
}

/// The head is emitted as it came, but for the name of a parameter that had none; the body is still there as it came.
fn keeps_the_function(item: &TokenStream, output: &TokenStream, context: &dyn Fn() -> String) {
    let (item, output) = (visible(item), visible(output));
    let ([head @ .., TokenTree::Group(body)], [new_head @ .., TokenTree::Group(new_body)]) = (&*item, &*output) else {
        panic!("no function: {}", context());
    };
    let is_renamed = !same(head, new_head) && new_head.iter().any(names_an_argument);
    let is_kept = same(head, new_head) || is_renamed && same(&without_nothing(head), new_head);
    assert!(is_kept, "the head is another: {}", context());
    let (body, new_body) = (visible(&body.stream()), visible(&new_body.stream()));
    let attrs = inner_attrs(&body);
    assert!(new_body.len() > body.len() || contains(&new_body, &body[attrs..]), "the body is shorter: {}", context());
    assert!(same(&body[..attrs], &new_body[..attrs]), "`#![…]` are not first any more: {}", context());
    let rest = &body[attrs..];
    let is_at_the_end = same(rest, &new_body[new_body.len() - rest.len().min(new_body.len())..]);
    assert!(is_at_the_end || contains(&new_body, rest), "the body is another: {}", context());
}

/// A function that a parser takes becomes one that it takes, and has one statement more. What is in a body or in a type
/// that the parser did not know is passed on all the same, and cannot be asked this.
fn parses_as_well(item: &TokenStream, output: &TokenStream, context: &dyn Fn() -> String) {
    let visible = visible(item).into_iter().collect();
    let Ok(before) = syn::parse2::<ImplItemFn>(visible) else { return };
    let after: ImplItemFn = match syn::parse2(output.clone()) {
        Ok(after) => after,
        Err(error) => panic!("{error} in {}", context()),
    };
    let [syn::Stmt::Expr(syn::Expr::If(_), semicolon), ..] = &*after.block.stmts else {
        panic!("the first statement is no guard: {}", context());
    };
    // A body that begins with `;`, an empty statement, has it end the guard.
    let statements = after.block.stmts.len() + usize::from(semicolon.is_some());
    // A body that became the argument of a wrapper is one expression.
    let is_kept = statements == before.block.stmts.len() + 1 || statements == 2;
    assert!(is_kept, "{statements} statements: {}", context());
}

/// `fallback = let a = b`: an expression to the parser, until it stands somewhere, and an error to the compiler anywhere.
fn has_let_as_value(list: &TokenStream) -> bool {
    let mut is_value = true;
    visible(list).into_iter().any(|token| match token {
        TokenTree::Ident(word) => std::mem::replace(&mut is_value, false) && word == "let",
        TokenTree::Punct(_) => {
            is_value = true;
            false
        }
        TokenTree::Group(group) => {
            is_value = false;
            group.delimiter() != Delimiter::Brace && has_let_as_value(&group.stream())
        }
        TokenTree::Literal(_) => {
            is_value = false;
            false
        }
    })
}

/// The trees, with those in invisible groups instead of these: they are no difference to who reads the text.
fn visible(tokens: &TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => all.extend(visible(&group.stream())),
            TokenTree::Group(group) => {
                let inner = visible(&group.stream()).into_iter().collect();
                all.push(Group::new(group.delimiter(), inner).into());
            }
            other => all.push(other),
        }
    }
    all
}

/// A head that had a parameter renamed was parsed and written again, without empty lists.
fn without_nothing(head: &[TokenTree]) -> Vec<TokenTree> {
    let is_punct = |at: usize, wanted: char| match head.get(at) {
        Some(TokenTree::Punct(punct)) => punct.as_char() == wanted,
        _ => false,
    };
    let is_empty_list = |at: usize| is_punct(at, '<') && is_punct(at + 1, '>');
    let is_empty_where =
        |at: usize| at + 1 == head.len() && matches!(&head[at], TokenTree::Ident(word) if word == "where");
    let is_left_out = |at: usize| is_empty_where(at) || is_empty_list(at) || at > 0 && is_empty_list(at - 1);
    (0..head.len()).filter(|at| !is_left_out(*at)).map(|at| head[at].clone()).collect()
}

fn names_an_argument(parameters: &TokenTree) -> bool {
    let TokenTree::Group(group) = parameters else { return false };
    trees(&group.stream()).iter().any(|token| token.to_string().starts_with("__limit_arg"))
}

/// How many trees of a body are `#![…]` at its beginning.
fn inner_attrs(body: &[TokenTree]) -> usize {
    let is_inner = |three: &&[TokenTree]| match three {
        [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(group)] => {
            hash.as_char() == '#' && bang.as_char() == '!' && group.delimiter() == Delimiter::Bracket
        }
        _ => false,
    };
    body.chunks(3).take_while(is_inner).count() * 3
}

/// Whether these trees are what is in one of the braces, or in braces of those.
fn contains(all: &[TokenTree], wanted: &[TokenTree]) -> bool {
    all.iter().any(|token| match token {
        TokenTree::Group(group) => {
            let inner = trees(&group.stream());
            group.delimiter() == Delimiter::Brace && same(&inner, wanted) || contains(&inner, wanted)
        }
        _ => false,
    })
}

/// Equal but for spans, and for `_` that was given a name.
fn same(left: &[TokenTree], right: &[TokenTree]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|pair| match pair {
            (TokenTree::Group(left), TokenTree::Group(right)) => {
                left.delimiter() == right.delimiter() && same(&trees(&left.stream()), &trees(&right.stream()))
            }
            (TokenTree::Ident(left), TokenTree::Ident(right)) => {
                left == right
                    || left == "_" && right.to_string().starts_with("__limit_arg")
                    || right == "_" && left.to_string().starts_with("__limit_arg")
            }
            (TokenTree::Punct(left), TokenTree::Punct(right)) => left.as_char() == right.as_char(),
            (TokenTree::Literal(left), TokenTree::Literal(right)) => left.to_string() == right.to_string(),
            _ => false,
        })
}
