//! Every rule that needs to see a value, two keys at once, or a key and the function: `Args` and `Func` become a `Plan`.
//!
//! Literals are judged here, so that `cargo check` already reports them; what only the compiler knows (a constant, a type)
//! is left to the runtime's `const fn`s and trait bounds, placed over the tokens they judge.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, Expr, GenericParam, LitStr, Path, TypePath};

use crate::args::{Arg, Args};
use crate::duration;
use crate::item::Func;
use crate::literal::{self, Value};
use crate::paths::{Extent, Runtime};
use crate::refusal::{self, Refusal};

/// A limit with nothing left to decide.
pub(crate) struct Plan {
    pub(crate) runtime: Runtime,
    pub(crate) strategy: Option<TypePath>,
    pub(crate) requests: (Value, Extent),
    pub(crate) window: (Value, Extent),
    pub(crate) burst: Option<(Value, Extent)>,
    /// Who is counted; `None` is all calls together.
    pub(crate) key: Option<Expr>,
    pub(crate) capacity: Option<(Value, Extent)>,
    pub(crate) refusal: Refusal,
    pub(crate) name: Option<LitStr>,
}

impl Plan {
    /// Whether the quota may be another one in each instance of a generic function. What an expression stands for cannot be
    /// seen here: a name may be a constant, or a generic parameter of an `impl` around the function.
    pub(crate) fn quota_is_expression(&self) -> bool {
        self.expressions().next().is_some()
    }

    /// Where the expression stands, if the quota has one and no more.
    pub(crate) fn only_expression(&self) -> Option<Extent> {
        let mut expressions = self.expressions();
        expressions.next().filter(|_| expressions.next().is_none())
    }

    fn expressions(&self) -> impl Iterator<Item = Extent> {
        let numbers = [Some(&self.requests), Some(&self.window), self.burst.as_ref()];
        numbers.into_iter().flatten().filter(|(value, _)| matches!(value, Value::Const(_))).map(|(_, extent)| *extent)
    }
}

/// Applies every rule. `errors` holds what reading the arguments found; more errors are added to it.
///
/// `func` is absent when the item is no function: the arguments are judged all the same.
pub(crate) fn validate(args: Args, func: Option<&Func>, errors: &mut Vec<Error>) -> Option<Plan> {
    let mut rules = Rules { errors };
    let numbers = Numbers {
        requests: rules.given(&args.requests, literal::count),
        window: rules.given(&args.window, literal::window),
        burst: rules.given(&args.burst, literal::count),
        capacity: rules.given(&args.capacity, literal::count),
    };
    rules.required(&args);
    rules.rate_ceiling(&numbers);
    rules.burst_ceiling(&numbers);
    rules.fixed_window_has_no_burst(&args);
    rules.capacity_ceiling(&numbers);
    rules.capacity_needs_key(&args);
    rules.key_differs(&args);
    let func = func?;
    rules.statics_are_not_generic(&args, func);
    rules.no_const_fn(func);
    rules.no_second_limit(&args, func);
    let refusal = refusal::decide(args.fallback.map(|arg| arg.value), func);
    let refusal = refusal.map_err(|error| rules.errors.push(error)).ok();
    if !rules.errors.is_empty() {
        return None;
    }
    let with_extent = |value: Option<Value>, arg: &Option<Arg<Expr>>| Some((value?, Extent::of(&arg.as_ref()?.value)));
    Some(Plan {
        requests: with_extent(numbers.requests, &args.requests)?,
        window: with_extent(numbers.window, &args.window)?,
        burst: with_extent(numbers.burst, &args.burst),
        capacity: with_extent(numbers.capacity, &args.capacity),
        runtime: Runtime { krate: args.krate.map(|arg| arg.value) },
        strategy: args.strategy.map(|arg| arg.value),
        key: args.key.map(|arg| arg.value),
        refusal: refusal?,
        name: args.name.map(|arg| arg.value),
    })
}

/// The numbers that could be read; a missing or wrong one is `None`.
struct Numbers {
    requests: Option<Value>,
    window: Option<Value>,
    burst: Option<Value>,
    capacity: Option<Value>,
}

struct Rules<'a> {
    errors: &'a mut Vec<Error>,
}

impl Rules<'_> {
    fn error(&mut self, span: Span, message: impl std::fmt::Display) {
        self.errors.push(Error::new(span, message));
    }

    fn error_at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.errors.push(Error::new_spanned(tokens, message));
    }

    fn required(&mut self, args: &Args) {
        // A message that says how both are written has said it.
        if self.errors.iter().any(|error| error.to_string().contains(", window = ")) {
            return;
        }
        let message = match (args.lacks("requests"), args.lacks("window")) {
            (true, true) => "a limit needs `requests` and `window`: write `#[limit(requests = 100, window = \"1s\")]`",
            (true, false) => "a limit needs `requests`, the number of permits per window: add `requests = 100`",
            (false, true) => "a limit needs `window`, the time in which the requests count: add `window = \"1s\"`",
            (false, false) => return,
        };
        self.error(Span::call_site(), message);
    }

    fn given(&mut self, arg: &Option<Arg<Expr>>, rule: fn(&Arg<Expr>) -> Result<Value, Error>) -> Option<Value> {
        rule(arg.as_ref()?).map_err(|error| self.errors.push(error)).ok()
    }

    fn rate_ceiling(&mut self, numbers: &Numbers) {
        let (Some(Value::Literal(requests, span)), Some(Value::Literal(window, _))) =
            (&numbers.requests, &numbers.window)
        else {
            return;
        };
        if requests > window {
            self.error(
                *span,
                format!(
                    "{requests} requests per {} is more than one per nanosecond, which is the highest rate a limit \
                     can count: at most {window} in this window",
                    duration::spell(*window)
                ),
            );
        }
    }

    /// An empty bucket has to be full again within 2⁶² ns, or instants would overflow.
    fn burst_ceiling(&mut self, numbers: &Numbers) {
        let (Some(Value::Literal(requests, _)), Some(Value::Literal(window, _)), Some(Value::Literal(burst, span))) =
            (&numbers.requests, &numbers.window, &numbers.burst)
        else {
            return;
        };
        let ceiling = (1 << 62) * u128::from(*requests) / u128::from(*window);
        if u128::from(*burst) > ceiling {
            self.error(
                *span,
                format!(
                    "a burst of {burst} would take more than 146 years to fill; at this rate it is at most {ceiling}"
                ),
            );
        }
    }

    /// `FixedWindow` is the default, so this is easily forgotten. Another strategy says so itself, when it is evaluated.
    fn fixed_window_has_no_burst(&mut self, args: &Args) {
        let named = args.strategy.as_ref().map(|arg| &arg.value.path);
        let is_fixed_window = match named {
            Some(path) => names(path, "FixedWindow", args),
            // One that could not be read is not the default.
            None => args.lacks("strategy"),
        };
        if !is_fixed_window {
            return;
        }
        if let Some(burst) = &args.burst {
            let default = if named.is_none() { ", the default strategy," } else { "" };
            self.error(
                burst.key.span(),
                format!("`FixedWindow`{default} has no burst; write `strategy = TokenBucket` to have one"),
            );
        }
    }

    /// See the runtime's check of the same: above this the compiler itself runs out of memory.
    fn capacity_ceiling(&mut self, numbers: &Numbers) {
        const CEILING: u64 = 1 << 24;
        if let Some(Value::Literal(capacity, span)) = numbers.capacity {
            if capacity > CEILING {
                self.error(span, format!("`capacity` is at most {CEILING} keys"));
            }
        }
    }

    fn capacity_needs_key(&mut self, args: &Args) {
        if let (Some(capacity), true) = (&args.capacity, args.lacks("key")) {
            self.error(
                capacity.key.span(),
                "`capacity` is how many keys are held at once, and this limit has no `key`; add one or leave `capacity` \
                 out",
            );
        }
    }

    /// In quotes, the name of a parameter compiles and counts everybody as one.
    fn key_differs(&mut self, args: &Args) {
        if let Some(key) = &args.key {
            self.errors.extend(literal::key(&key.value).err());
        }
    }

    /// The compiler would say the same about the type of the static in the expansion, less clearly.
    fn statics_are_not_generic(&mut self, args: &Args, func: &Func) {
        let generics: Vec<&Ident> = func
            .sig
            .generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                GenericParam::Type(parameter) => Some(&parameter.ident),
                GenericParam::Const(parameter) => Some(&parameter.ident),
                _ => None,
            })
            .collect();
        let strategy = args.strategy.as_ref().map(|arg| ("strategy", arg.value.to_token_stream()));
        let capacity = args.capacity.as_ref().map(|arg| ("capacity", arg.value.to_token_stream()));
        let numbers = [("requests", &args.requests), ("window", &args.window), ("burst", &args.burst)];
        let numbers = numbers.into_iter().filter_map(|(key, arg)| Some((key, arg.as_ref()?.value.to_token_stream())));
        for (key, value) in numbers.filter(|_| args.key.is_some()) {
            if let Some(used) = mention(value, &generics) {
                self.error(
                    used.span(),
                    format!(
                        "`{used}` is a generic parameter, and a limit with a `key` has one `{key}` for all instances of this \
                         function; without `key`, each may have its own"
                    ),
                );
            }
        }
        for (key, value) in [strategy, capacity].into_iter().flatten() {
            if let Some(used) = mention(value, &generics) {
                self.error(
                    used.span(),
                    format!(
                        "`{used}` is a generic parameter, and the `{key}` is one for all instances of this function; \
                         `requests`, `window` and `burst` may use it"
                    ),
                );
            }
        }
    }

    fn no_const_fn(&mut self, func: &Func) {
        if let Some(constness) = &func.sig.constness {
            self.error(
                constness.span,
                "a `const fn` cannot be limited, because a limit counts calls while the program runs; remove `const` or \
                 put `#[limit]` on the function that calls this one",
            );
        }
    }

    /// Two limits on one function have to decide together, or a call that the second refuses is charged by the first.
    ///
    /// One under any other name is found when it expands, in the body that has a limit by then.
    fn no_second_limit(&mut self, args: &Args, func: &Func) {
        const MESSAGE: &str = "this version of `#[limit]` allows one limit per function, because several have to \
                               decide as one; move the second to the caller or to a function this one calls";
        let second = func.attrs.iter().map(syn::Attribute::path).find(|path| names(path, "limit", args));
        if let Some(path) = second {
            self.error_at(path, MESSAGE);
        } else if func.is_limited() {
            self.error(Span::call_site(), MESSAGE);
        }
    }
}

/// Whether a path is `name` alone, or that name in this crate: `limiter::name`, or behind what `crate = …` says. Another's
/// item may have the same name.
fn names(path: &Path, name: &str, args: &Args) -> bool {
    let words = |path: &Path| path.segments.iter().map(|part| part.ident.to_string()).collect::<Vec<_>>();
    let path = words(path);
    let Some((last, modules)) = path.split_last() else { return false };
    let renamed = args.krate.as_ref().is_some_and(|arg| words(&arg.value) == modules);
    last == name && (renamed || modules.first().is_none_or(|first| first == "limiter"))
}

/// The first of `names` that the tokens use on its own, rather than as a part of a path or a field.
fn mention(tokens: TokenStream, names: &[&Ident]) -> Option<Ident> {
    let mut qualified = false;
    for token in tokens {
        let found = match &token {
            TokenTree::Group(group) => mention(group.stream(), names),
            TokenTree::Ident(word) if !qualified && names.contains(&word) => Some(word.clone()),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        qualified = matches!(&token, TokenTree::Punct(punct) if matches!(punct.as_char(), ':' | '.'));
    }
    None
}
