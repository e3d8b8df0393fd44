//! The expansion trips no lint, whatever a user forbids; the clippy levels count when `cargo clippy --all-targets` runs.
#![forbid(unsafe_code, unused, unreachable_code, unreachable_pub, unused_qualifications, missing_docs)]
#![forbid(rust_2018_idioms, let_underscore_drop, redundant_lifetimes, unit_bindings, unused_lifetimes)]
#![forbid(single_use_lifetimes, trivial_casts, trivial_numeric_casts, unused_import_braces, unused_results)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
#![allow(
    clippy::blanket_clippy_restriction_lints,
    clippy::assertions_on_result_states,
    clippy::missing_assert_message,
    clippy::missing_docs_in_private_items,
    clippy::single_call_fn,
    clippy::unnecessary_wraps,
    clippy::implicit_return,
    clippy::min_ident_chars,
    clippy::tests_outside_test_module,
    clippy::impl_trait_in_params,
    clippy::needless_pass_by_value,
    clippy::unused_async,
    clippy::panic,
    clippy::std_instead_of_core,
    clippy::absolute_paths,
    clippy::single_char_lifetime_names,
    clippy::pattern_type_mismatch,
    clippy::missing_trait_methods,
    clippy::trivially_copy_pass_by_ref,
    reason = "they are about these tests, not about what the attribute writes"
)]

use core::future::Future;
use core::net::{IpAddr, SocketAddr};
use core::pin::Pin;
use core::time::Duration;
use limiter::{Rejected, TokenBucket, limit};

const LIMIT: u64 = 1;
const WINDOW: Duration = Duration::from_secs(1);

#[limit(strategy = TokenBucket, requests = 1, window = "1s", burst = 2, name = "named")]
fn plain() -> Result<(), Rejected> {
    Ok(())
}

#[limit(strategy = TokenBucket, requests = LIMIT, window = WINDOW, burst = LIMIT, key = (a, b), capacity = 10)]
fn constants(a: &str, b: Option<u8>) -> Option<usize> {
    Some(a.len().wrapping_add(b.map_or(0, usize::from)))
}

#[limit(requests = 1, window = "1s", key = ip)]
fn ip(ip: IpAddr) -> Option<IpAddr> {
    Some(ip)
}

#[limit(requests = 1, window = "1s", key = ip)]
fn probed(name: String, _: SocketAddr) -> Option<String> {
    Some(name)
}

#[limit(requests = 1, window = "1s", fallback = ())]
fn nothing() {}

#[limit(requests = 1, window = "1s", fallback = format!("{rejected}"))]
fn text() -> String {
    String::new()
}

#[limit(requests = 1, window = "1s", fallback = std::panic::resume_unwind(Box::new("refused")))]
fn never() -> ! {
    panic!("ran")
}

#[limit(requests = 1, window = "1s", fallback = panic!("refused"))]
fn value() -> u8 {
    1
}

#[limit(requests = 1, window = "1s", fallback = { drop(text); return String::new(); })]
fn returning(text: String) -> String {
    text
}

#[limit(requests = 1, window = "1s", fallback = std::panic::resume_unwind(Box::new("refused")))]
fn value_by_function() -> u8 {
    1
}

fn refuse() -> ! {
    panic!("refused")
}

#[limit(requests = 1, window = "1s", fallback = refuse())]
fn exiting() {}

#[limit(requests = 1, window = "1s", fallback = match text { "" => return 0, _ => refuse() })]
fn branching(text: &str) -> usize {
    text.len()
}

#[limit(requests = 1, window = "1s", fallback = refuse())]
async fn exiting_asynchronously() -> String {
    String::new()
}

#[limit(requests = 1, window = "1s", fallback = refuse())]
fn exiting_hidden() -> impl Iterator<Item = u8> {
    core::iter::empty()
}

#[limit(requests = 1, window = "1s", fallback = core::future::ready(1))]
fn future_by_fallback() -> impl Future<Output = u8> {
    async { 0 }
}

#[limit(requests = 1, window = "1s")]
fn future() -> impl Future<Output = Option<()>> {
    async { Some(()) }
}

#[limit(requests = 1, window = "1s")]
fn boxed() -> Pin<Box<dyn Future<Output = Option<()>>>> {
    Box::pin(async { Some(()) })
}

#[limit(requests = 1, window = "1s")]
async fn asynchronous() -> Option<()> {
    Some(())
}

#[test]
fn the_linted_functions_are_limited() {
    let _time = limiter::test::freeze();
    let address = core::net::Ipv4Addr::LOCALHOST.into();
    let peer = SocketAddr::new(address, 1);
    assert_eq!((plain(), plain()), (Ok(()), Ok(())));
    assert_eq!(plain().map_err(|refused| refused.name()), Err("named"));
    assert_eq!((constants("a", None), constants("a", None)), (Some(1), None));
    assert_eq!((ip(address), ip(address)), (Some(address), None));
    assert_eq!((probed(String::new(), peer), probed(String::new(), peer)), (Some(String::new()), None));
    nothing();
    nothing();
    assert_ne!(text(), text());
    assert!(std::panic::catch_unwind(|| never()).is_err());
    assert_eq!(value(), 1);
    assert!(std::panic::catch_unwind(value).is_err());
    assert_eq!((returning("a".to_owned()), returning("a".to_owned())), ("a".to_owned(), String::new()));
    assert_eq!(value_by_function(), 1);
    assert!(std::panic::catch_unwind(value_by_function).is_err());
    assert_eq!((branching("ab"), branching(""), exiting_hidden().count()), (2, 0, 0));
    exiting();
    drop((exiting_asynchronously(), future_by_fallback()));
    drop((future(), boxed(), asynchronous()));
}
