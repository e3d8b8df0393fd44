//! How the expansion names the runtime: `<crate>::__private`, movable to the place an error should underline.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Path;

/// The crate that re-exports the runtime: `::limiter`, or what `crate = …` names.
pub(crate) struct Runtime {
    pub(crate) krate: Option<Path>,
}

impl Runtime {
    /// `<crate>::__private`, each token at the location of `span`.
    ///
    /// The compiler underlines an expression from its first token to its last, so a prefix left at the attribute would
    /// stretch every error over the attribute. A user's path keeps its own hygiene: `$crate` and `crate` mean what they
    /// meant where they were written.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        let span = generated(span);
        let krate = match &self.krate {
            None => quote_spanned!(span=> ::limiter),
            Some(path) => moved_start(path, span),
        };
        quote_spanned!(span=> #krate::__private)
    }

    /// `<crate>::__private::<name>`, from the first token of the extent to its last.
    pub(crate) fn name(&self, name: &str, Extent { first, last }: Extent) -> TokenStream {
        let k = self.at(first);
        let name = Ident::new(name, generated(last));
        quote_spanned!(generated(first)=> #k::#name)
    }
}

/// The first and the last token of something the user wrote: an error between the two underlines all of it.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Extent {
    /// The attribute itself, for what stands for nothing the user wrote.
    pub(crate) fn attribute() -> Self {
        Extent { first: Span::call_site(), last: Span::call_site() }
    }

    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Extent { first, last: spans.last().unwrap_or(first) }
    }

    /// `function(arguments)` where the call as a whole lies over the extent.
    pub(crate) fn call(self, function: TokenStream, arguments: TokenStream) -> TokenStream {
        let mut call = function;
        let mut group = Group::new(proc_macro2::Delimiter::Parenthesis, arguments);
        group.set_span(generated(self.last));
        call.extend([TokenTree::Group(group)]);
        call
    }
}

/// The location of `span` with the hygiene of macro-generated code.
///
/// Lints take tokens with the user's hygiene for the user's own code, and report what the expansion does as if the user
/// had written it; and generated names must not capture the user's.
pub(crate) fn generated(span: Span) -> Span {
    span.resolved_at(Span::mixed_site())
}

/// A name of the expansion's own, which no name of the user's can meet.
pub(crate) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// A path that begins at the location of `span`. The names in it stay where the user wrote them: should one of them not
/// exist, that is one error there, however often the path is used.
fn moved_start(path: &Path, span: Span) -> TokenStream {
    let starts = if path.leading_colon.is_some() { 2 } else { 1 };
    let moved = |(index, mut token): (usize, TokenTree)| {
        if index < starts {
            token.set_span(token.span().located_at(span));
        }
        token
    };
    path.to_token_stream().into_iter().enumerate().map(moved).collect()
}
