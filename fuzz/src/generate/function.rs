//! Writes the item below the attribute: mostly functions, put together from parts, and everything else that an item, or
//! something that is none, can be.

use super::choices::Choices;

/// An item as text, and what is known of it.
pub(crate) struct Function {
    pub(crate) text: String,
    /// It is a function that can have a limit.
    pub(crate) is_limitable: bool,
    /// It says itself what a refused call returns.
    pub(crate) can_refuse: bool,
}

const OTHERS: &[&str] = &[
    "",
    ";",
    "{}",
    "1",
    "fn",
    "fn f",
    "fn f()",
    "fn f();",
    "pub fn f() -> u8;",
    "fn f() = 1;",
    "fn f() {} fn g() {}",
    "pub",
    "#[a]",
    "struct S;",
    "struct S { a: u8 }",
    "struct S(u8);",
    "enum E { A }",
    "union U { a: u8 }",
    "impl S { fn f() {} }",
    "unsafe impl<T> A for S {}",
    "trait A { fn f() {} }",
    "unsafe auto trait A {}",
    "mod m { fn f() {} }",
    "mod m;",
    "static S: u8 = 1;",
    "static mut S: u8 = { 1 };",
    "type A = u8;",
    "use a::{b, c};",
    "macro_rules! m { () => {} }",
    "m! { fn f() {} }",
    "extern crate a;",
    "extern \"C\" { fn f(); }",
    "unsafe extern \"C\" {}",
    "const C: u8 = 1;",
    "const _: () = {};",
    "|x| x",
    "|| {}",
    "move || {}",
    "move |x| { x }",
    "async move |x| { x }",
    "async {}",
    "const {}",
    "static || {}",
    "let x = 1;",
    "match x {}",
    "safe fn f() {}",
    "impl const A for S {}",
    "macro m() {}",
    "'a: {}",
];

const ATTRS: &[&str] = &[
    "",
    "#[inline] ",
    "/// A doc.\n",
    "#[a::b(c = \"d\")] #[cfg(unix)] ",
    "#[cfg_attr(a, limit(requests = 1))] ",
    "#[other::limit] ",
    "#[doc = include_str!(\"a\")] ",
];
const OTHER_LIMITS: &[&str] =
    &["#[limit(requests = 1, window = \"1s\")] ", "#[limiter::limit] ", "#[::limiter::limit()] "];
const VISIBILITIES: &[&str] = &["", "pub ", "pub(crate) ", "pub(in a::b) ", "default ", "pub default "];
const QUALIFIERS: &[&str] =
    &["", "async ", "unsafe ", "extern \"C\" ", "extern ", "async unsafe ", "unsafe extern r\"C\" "];
const WRONG_QUALIFIERS: &[&str] =
    &["const ", "const async unsafe ", "safe ", "gen ", "unsafe async ", "auto ", "static ", "move ", "extern 'C' "];
const NAMES: &[&str] = &["f", "r#fn", "r#loop", "日本", "limit"];
const GENERICS: &[&str] = &[
    "",
    "<T>",
    "<const N: u64>",
    "<'a, T: Into<String> + 'a>",
    "<#[cfg(a)] T, const N: usize = { 3 }>",
    "<T = u8,>",
    "<>",
    "<T: for<'x> Fn(&'x u8) -> u8 + ?Sized>",
];
const RECEIVERS: &[&str] =
    &["", "&self, ", "&'static mut self, ", "mut self, ", "self: Pin<&mut Self>, ", "#[cfg(a)] self, "];
const PARAMETERS: &[&str] = &[
    "user: &str",
    "_: ConnectInfo<SocketAddr>",
    "ip: IpAddr",
    "(a, b): (u8, u8)",
    "[x, .., y @ ..]: [u8; 4]",
    "S { p, ref q, r: (s, ..), .. }: S",
    "(Some(z) | Other(z)): O",
    "&(mut m): &u8",
    "w @ (_, _): (u8, u8)",
    "#[cfg(unix)] peer: UCred",
    "ConnectInfo(ip): ConnectInfo<SocketAddr>",
    "_: impl Into<u8>",
    "(v): u8",
    "m!(): u8",
    "#[a] #[cfg(b)] _: [u8; { 3 }]",
    "E::<u8>::V: u8",
    "(_): u8",
    "1..=2: u8",
    "const { 1 }: u8",
    "f: extern \"C\" fn(u8, ...)",
    "(-1 | 'a'): u8",
];
const WRONG_PARAMETERS: &[&str] =
    &["self", "u8", "x", "...", ":", "x = 1", "user: &str user: &str", ";", "a: ", "args: ..."];
/// With a refusal of their own.
const RESULTS: &[&str] = &[
    "-> Option<u8> ",
    "-> Result<(), E<'_>> ",
    "-> impl Future<Output = Option<u8>> + Send ",
    "-> impl IntoResponse ",
    "-> (Option<u8>) ",
    "-> u8 ",
    "-> impl Future<Output = u8> + Clone + 'static ",
    "-> Pin<Box<dyn Future<Output = ()> + '_>> ",
    "-> [u8; { 3 }] ",
    "-> fn() -> ! ",
    "-> <T as A<{ 1 }>>::B ",
    "-> m!() ",
    "-> impl a::IntoResponse + use<'a, T> ",
    "-> &'a dyn A ",
    "-> ((), ) ",
    "-> _ ",
];
/// That a `fallback` is needed for.
const SILENT_RESULTS: &[&str] = &[
    "",
    "-> () ",
    "-> ! ",
    "-> (()) ",
    "-> impl Iterator<Item = u8> + '_ ",
    "-> impl for<'x> Fn(&'x u8) ",
    "-> (impl ?Sized) ",
];
const CONDITIONS: &[&str] =
    &["", "where ", "where T: Clone ", "where [(); N]:, ", "where for<'x> &'x T: A<'x>, Self: Sized "];
const BODIES: &[&str] = &[
    "{ Some(1) }",
    "{}",
    "{ #![allow(unused)] 1 }",
    "{ #![a] #![b(c)] }",
    "{ return; }",
    "{ let x = 1; x; { x } }",
    "{ macro_rules! m { () => {} } m!{} }",
    "{ fn g() {} async move { g().await? } }",
    "{ #[a] 1 }",
    "{ ; ; }",
    "{ .. }",
    "{ -1 }",
    "{ *x = 1; }",
    "{ &&x }",
    "{ (a, b) }",
    "{ [1] }",
    "{ |x| x }",
    "{ <T as A>::f() }",
    "{ 'a: {} }",
    "{ ::std::println!(\"\"); if let Some(x) = y {} else {} }",
    // Not Rust, and no concern of the attribute's.
    "{ let x = ; }",
    "{ # ! }",
    "{ => $ }",
    "{ #! [a] = }",
];
const LIMITED_BODY: &str = "{ if let K::Err(__limit_rejected) = { 1 } { return } }";

/// One item; two of three are functions.
pub(crate) fn function(choices: &mut Choices<'_>) -> Function {
    if choices.below(6) > 3 {
        return Function { text: choices.word(OTHERS).to_owned(), is_limitable: false, can_refuse: true };
    }
    let mut is_limitable = true;
    let mut either = |choices: &mut Choices<'_>, right: &[&'static str], wrong: &[&'static str]| {
        if choices.once_in(24) {
            is_limitable = false;
            return choices.word(wrong);
        }
        choices.word(right)
    };
    let mut text = either(choices, ATTRS, OTHER_LIMITS).to_owned();
    text.push_str(choices.word(VISIBILITIES));
    text.push_str(either(choices, QUALIFIERS, WRONG_QUALIFIERS));
    text.push_str("fn ");
    text.push_str(either(choices, NAMES, &["", "self", "1", "m!"]));
    text.push_str(either(choices, GENERICS, &["<", "<T", "<1>", "<fn>"]));
    text.push('(');
    text.push_str(choices.word(RECEIVERS));
    let parameters: Vec<&str> = (0..choices.below(4)).map(|_| either(choices, PARAMETERS, WRONG_PARAMETERS)).collect();
    text.push_str(&parameters.join(", "));
    text.push_str(") ");
    let can_refuse = !choices.once_in(4);
    text.push_str(choices.word(if can_refuse { RESULTS } else { SILENT_RESULTS }));
    text.push_str(choices.word(CONDITIONS));
    text.push_str(either(choices, BODIES, &[LIMITED_BODY, ";", "", "{} {}", "{ 1 };", "= 1;"]));
    Function { text, is_limitable, can_refuse }
}
