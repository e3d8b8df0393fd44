//! Reads the function below the attribute: its signature is parsed, its body stays the tokens it came as.
//!
//! A body that is never parsed cannot be changed by accident, may contain syntax newer than the parser, and when it has a
//! mistake in it the compiler's own message points at the mistake.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, FnArg, Pat, ReturnType, Signature, Token, Type, Visibility};

use crate::place;

/// The name the expansion binds a refusal to. Finding it in a body means the body has a limit already.
pub(crate) const REJECTED: &str = "__limit_rejected";

/// A function with a body.
pub(crate) struct Func {
    /// Everything in front of the body, as it came: attributes, visibility, signature.
    pub(crate) head: TokenStream,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) defaultness: Option<Ident>,
    pub(crate) sig: Signature,
    /// The braces, for the span they carry.
    pub(crate) braces: Group,
    /// The `#![…]` the body begins with; they have to stay first.
    pub(crate) inner_attrs: TokenStream,
    /// The rest of the body.
    pub(crate) body: TokenStream,
}

/// The function in these tokens, or the error that says where the attribute belongs.
pub(crate) fn parse(item: TokenStream) -> Result<Func, Error> {
    let mut trees = unwrap_groups(item.clone());
    let last = trees.pop();
    let head: TokenStream = trees.into_iter().collect();
    let (braces, missing) = match last.map(body_of) {
        Some(Ok(braces)) => (Some(braces), None),
        Some(Err(other)) => (None, Some(other)),
        None => (None, None),
    };
    let parse_head = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        require_function(input, &item)?;
        let defaultness = if input.peek(Token![default]) { Some(input.call(Ident::parse_any)?) } else { None };
        let sig: Signature = input.parse()?;
        Ok((attrs, vis, defaultness, sig))
    };
    let Some(braces) = &braces else {
        // Without a body the last token belongs to the head: the `;` of a declaration, or part of another item.
        let whole: TokenStream = head.into_iter().chain(missing).collect();
        let parse_whole = |input: ParseStream<'_>| {
            let (.., sig) = parse_head(input)?;
            input.parse::<TokenStream>()?;
            Ok(sig)
        };
        let sig = parse_whole.parse2(whole)?;
        return Err(Error::new(
            sig.ident.span(),
            "`#[limit]` needs a function body, and this declaration has none; put it on the implementation, or on a \
             default body",
        ));
    };
    let (attrs, vis, defaultness, sig) = parse_head.parse2(head.clone())?;
    let (inner_attrs, body) = split_inner_attrs(braces.stream());
    Ok(Func { head, attrs, vis, defaultness, sig, braces: braces.clone(), inner_attrs, body })
}

impl Func {
    /// Every name the parameters bind, with the parameter it comes from; `self` counts as one.
    pub(crate) fn bindings(&self) -> Vec<(Ident, &FnArg)> {
        let mut all = Vec::new();
        for input in &self.sig.inputs {
            let mut names = Vec::new();
            match input {
                FnArg::Receiver(receiver) => names.push(Ident::new("self", receiver.self_token.span)),
                FnArg::Typed(typed) => bound_names(&typed.pat, &mut names),
            }
            all.extend(names.into_iter().map(|name| (name, input)));
        }
        all
    }

    /// The return type with the invisible groups and parentheses around it removed; `None` without a `->`.
    pub(crate) fn output(&self) -> Option<&Type> {
        let ReturnType::Type(_, ty) = &self.sig.output else { return None };
        Some(peel_type(ty))
    }

    /// Whether a `#[limit]` has expanded on this function already, which happens when the second one was hidden in a
    /// `cfg_attr` while the first one looked for it.
    pub(crate) fn is_limited(&self) -> bool {
        let pattern = self
            .body
            .clone()
            .into_iter()
            .take_while(|token| !matches!(token, TokenTree::Punct(p) if p.as_char() == '='));
        pattern.last().is_some_and(|token| match token {
            TokenTree::Group(group) => match group.stream().into_iter().next() {
                Some(TokenTree::Ident(name)) => name == REJECTED,
                _ => false,
            },
            _ => false,
        })
    }
}

/// A type without the invisible groups that macros put around it, and without parentheses.
pub(crate) fn peel_type(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            other => return other,
        };
    }
}

/// The token trees of an item, out of the invisible group a `macro_rules!` fragment puts around it.
fn unwrap_groups(item: TokenStream) -> Vec<TokenTree> {
    let trees: Vec<TokenTree> = item.into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => unwrap_groups(group.stream()),
        _ => trees,
    }
}

/// The braces of a body; `$body:block` brings them inside an invisible group.
fn body_of(token: TokenTree) -> Result<Group, TokenTree> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Ok(group),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let mut inner = group.stream().into_iter();
            match (inner.next(), inner.next()) {
                (Some(only), None) => body_of(only),
                _ => Err(TokenTree::Group(group)),
            }
        }
        other => Err(other),
    }
}

/// Refuses every item that is no function, each with its name and the place where the attribute would work.
fn require_function(input: ParseStream<'_>, item: &TokenStream) -> Result<(), Error> {
    let ahead = input.fork();
    while ahead.peek(Token![default])
        || ahead.peek(Token![const])
        || ahead.peek(Token![async])
        || ahead.peek(Token![unsafe])
        || ahead.peek(Token![extern])
    {
        ahead.call(Ident::parse_any)?;
        ahead.parse::<Option<syn::LitStr>>()?;
    }
    if ahead.peek(Token![fn]) {
        return Ok(());
    }
    const MESSAGE: &str = "`#[limit]` goes on a function with a body";
    Err(match place::name(item) {
        Some(name) => Error::new(input.span(), format!("{MESSAGE}, and this is {name}")),
        None => Error::new(input.span(), MESSAGE),
    })
}

/// Splits the leading `#![…]` from the rest of a body.
fn split_inner_attrs(body: TokenStream) -> (TokenStream, TokenStream) {
    let trees: Vec<TokenTree> = body.into_iter().collect();
    let mut end = 0;
    while let [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(group), ..] = &trees[end..] {
        if hash.as_char() != '#' || bang.as_char() != '!' || group.delimiter() != Delimiter::Bracket {
            break;
        }
        end += 3;
    }
    let rest = trees[end..].iter().cloned().collect();
    (trees.into_iter().take(end).collect(), rest)
}

fn bound_names(pat: &Pat, names: &mut Vec<Ident>) {
    match pat {
        Pat::Ident(bound) => {
            names.push(bound.ident.clone());
            if let Some((_, inner)) = &bound.subpat {
                bound_names(inner, names);
            }
        }
        Pat::Reference(inner) => bound_names(&inner.pat, names),
        Pat::Paren(inner) => bound_names(&inner.pat, names),
        Pat::Type(inner) => bound_names(&inner.pat, names),
        Pat::Tuple(tuple) => tuple.elems.iter().for_each(|inner| bound_names(inner, names)),
        Pat::TupleStruct(tuple) => tuple.elems.iter().for_each(|inner| bound_names(inner, names)),
        Pat::Struct(fields) => fields.fields.iter().for_each(|field| bound_names(&field.pat, names)),
        Pat::Slice(slice) => slice.elems.iter().for_each(|inner| bound_names(inner, names)),
        // Each alternative binds the same names.
        Pat::Or(or) => or.cases.iter().take(1).for_each(|inner| bound_names(inner, names)),
        _ => {}
    }
}
