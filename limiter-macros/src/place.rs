//! What else than a function the attribute may stand on: its name for the message, and where an error may stand beside it.
//!
//! Nothing of it can be limited, but all of it has to come out again: an item that is gone is an error for each of its uses.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// Where the tokens below the attribute stand, as far as they show it.
#[derive(Debug, PartialEq)]
pub(crate) enum Place {
    Item,
    Statement,
    Expression,
}

/// The errors and the item they are about, as one piece of syntax for where the item stood.
pub(crate) fn beside(item: &TokenStream, errors: impl Iterator<Item = TokenStream>) -> TokenStream {
    match place(item) {
        Place::Item => quote!(#item #(#errors)*),
        // An expression without a semicolon may be all that is left of one.
        Place::Statement => quote!(#(#errors)* #item),
        // Beside an expression nothing can stand, so they become one.
        Place::Expression => quote!({ #(#errors)* #item }),
    }
}

/// What this is called, and where the attribute works instead; `None` for what has no name.
pub(crate) fn name(item: &TokenStream) -> Option<&'static str> {
    let tokens = without_attributes(item);
    let mut words = tokens.iter().map_while(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        TokenTree::Literal(abi) if abi.to_string().ends_with('"') => Some(String::new()),
        _ => None,
    });
    let is_qualifier =
        |word: &str| matches!(word, "default" | "const" | "async" | "unsafe" | "auto" | "extern" | "safe" | "");
    let qualifiers: Vec<String> = words.clone().take_while(|word| is_qualifier(word)).collect();
    let says = |qualifier: &str| qualifiers.iter().any(|word| word == qualifier);
    let ends_in_braces =
        matches!(tokens.last(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
    Some(match words.find(|word| !is_qualifier(word)).as_deref() {
        Some("struct") => "a struct; put it on each method of the struct",
        Some("enum") => "an enum; put it on each method of the enum",
        Some("union") if place(item) == Place::Item => "a union; put it on each method of the union",
        Some("mod") => "a module; put it on each function in it",
        Some("impl") => "an impl block; put it on each method in it",
        Some("trait") => "a trait; put it on a default body, or on the method of an implementation",
        Some("static") if place(item) == Place::Item => "a static",
        Some("type") => "a type alias",
        Some("use") => "an import; put it on the function itself, or on one of yours that calls it",
        Some("macro_rules" | "macro") => "a macro; put it on the function that the macro writes, inside the macro",
        Some("crate") if says("extern") => "an `extern crate`",
        Some("let") => "a statement; put it on the function around it, or on the one that is called",
        _ if says("extern") && ends_in_braces => {
            "an extern block, whose functions have no body; put it on a function of yours that calls them"
        }
        _ if place(item) == Place::Expression => match is_closure(&tokens) {
            true => "a closure; make it a function, or put it on a function that the closure calls",
            false => "an expression; put it on the function around it, or on the one that is called",
        },
        _ if says("const") => "a constant",
        _ if is_call_of_macro(&tokens) => {
            "the call of a macro; put it on the function that the macro writes, inside the macro"
        }
        _ => return None,
    })
}

/// Where such tokens stand.
pub(crate) fn place(item: &TokenStream) -> Place {
    let tokens = without_attributes(item);
    let next = |is: fn(&TokenTree) -> bool| tokens.get(1).is_some_and(is);
    let is_item = match tokens.first() {
        None => true,
        Some(TokenTree::Ident(word)) => match word.to_string().as_str() {
            "let" => return Place::Statement,
            "pub" | "fn" | "struct" | "enum" | "mod" | "impl" | "trait" | "type" | "use" | "extern" => true,
            "macro_rules" => true,
            "default" | "union" | "auto" | "safe" | "macro" | "gen" => next(is_word),
            "const" | "static" => {
                !next(|token| is_braces(token) || is_punct(token, '|') || is_one_of(token, &["move", "async"]))
                    || is_one_of_at(&tokens, 2, &["fn", "unsafe", "extern"])
            }
            "unsafe" => !next(is_braces),
            "async" => next(|token| is_one_of(token, &["fn", "unsafe", "extern"])),
            _ => is_call_of_macro(&tokens),
        },
        Some(TokenTree::Punct(colon)) if colon.as_char() == ':' => is_call_of_macro(&tokens),
        Some(_) => false,
    };
    if is_item { Place::Item } else { Place::Expression }
}

/// The tokens out of invisible groups, without attributes and a visibility at their beginning.
fn without_attributes(item: &TokenStream) -> Vec<TokenTree> {
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    loop {
        let skipped = match tokens.as_slice() {
            [TokenTree::Group(group), rest @ ..] if group.delimiter() == Delimiter::None => {
                let inner = without_attributes(&group.stream());
                tokens = inner.into_iter().chain(rest.iter().cloned()).collect();
                continue;
            }
            [TokenTree::Punct(hash), TokenTree::Group(_), ..] if hash.as_char() == '#' => 2,
            [TokenTree::Ident(word), TokenTree::Group(group), ..]
                if word == "pub" && group.delimiter() == Delimiter::Parenthesis =>
            {
                2
            }
            [TokenTree::Ident(word), _, ..] if word == "pub" => 1,
            _ => return tokens,
        };
        tokens.drain(..skipped);
    }
}

/// A macro's call that an item may be, `m! {}` or `m!();`. Without its semicolon, `m!()` is an expression.
fn is_call_of_macro(tokens: &[TokenTree]) -> bool {
    let path = tokens.iter().take_while(|token| is_word(token) || is_punct(token, ':')).count();
    path > 0
        && tokens.get(path).is_some_and(|token| is_punct(token, '!'))
        && tokens.last().is_some_and(|last| is_braces(last) || is_punct(last, ';'))
}

fn is_closure(tokens: &[TokenTree]) -> bool {
    let words = tokens.iter().take_while(|token| is_one_of(token, &["static", "const", "async", "move"])).count();
    let is_bound = tokens.first().is_some_and(|token| is_one_of(token, &["for"]))
        && tokens.get(1).is_some_and(|token| is_punct(token, '<'));
    is_bound || tokens.get(words).is_some_and(|token| is_punct(token, '|'))
}

fn is_word(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_))
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_one_of(token: &TokenTree, words: &[&str]) -> bool {
    matches!(token, TokenTree::Ident(word) if words.iter().any(|wanted| word == wanted))
}

fn is_one_of_at(tokens: &[TokenTree], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| is_one_of(token, words))
}

#[cfg(test)]
mod tests {
    use super::{Place, name, place};

    fn tokens(text: &str) -> proc_macro2::TokenStream {
        text.parse().expect("tokens")
    }

    #[test]
    fn tells_items_from_what_stands_in_a_body() {
        for text in [
            "",
            "fn f() {}",
            "#[inline] pub(crate) async unsafe fn f() {}",
            "const fn f() {}",
            "const async fn f() {}",
            "pub struct S;",
            "union U { a: u8 }",
            "const C: u8 = 1;",
            "static S: u8 = 1;",
            "unsafe impl T for U {}",
            "unsafe extern \"C\" {}",
            "extern crate std;",
            "default fn f() {}",
            "m!();",
            "std::m! {}",
            "::std::m!();",
        ] {
            assert_eq!(place(&tokens(text)), Place::Item, "{text}");
        }
        for text in [
            "|| 1",
            "move || 1",
            "async move || 1",
            "static || 1",
            "const || 1",
            "for<'a> |a: &'a u8| 1",
            "async { 1 }",
            "unsafe { 1 }",
            "const { 1 }",
            "{}",
            "f(1)",
            "5",
            "union(1)",
            "vec![1]",
            "<T>::f()",
            "#[a] if true {}",
        ] {
            assert_eq!(place(&tokens(text)), Place::Expression, "{text}");
        }
        assert_eq!(place(&tokens("let x = 1;")), Place::Statement);
    }

    #[test]
    fn names_what_it_sees() {
        for (text, begins) in [
            ("pub struct S;", "a struct"),
            ("#[a] enum E {}", "an enum"),
            ("union U {}", "a union"),
            ("pub(crate) mod m {}", "a module"),
            ("unsafe impl T for U {}", "an impl"),
            ("unsafe auto trait T {}", "a trait"),
            ("static S: u8 = 1;", "a static"),
            ("const C: fn() = || ();", "a constant"),
            ("use std::fmt;", "an import"),
            ("macro_rules! m {}", "a macro"),
            ("m!();", "the call of a macro"),
            ("vec![1]", "an expression"),
            ("extern crate std;", "an `extern crate`"),
            ("unsafe extern \"C\" {}", "an extern block"),
            ("let x = || 1;", "a statement"),
            ("async move |a| a", "a closure"),
            ("for<'a> |a: &'a u8| 1", "a closure"),
            ("async { 1 }", "an expression"),
        ] {
            let name = name(&tokens(text));
            assert!(name.is_some_and(|name| name.starts_with(begins)), "{text}: {name:?}");
        }
        assert_eq!(name(&tokens("pub")), None);
    }
}
