//! Lifetimes, patterns and qualifiers of a signature.

use crate::ready;
use limiter::{limit, test};
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

#[test]
fn borrows_and_lifetimes() {
    #[limit(requests = 1, window = "1s", fallback = x)]
    fn same(x: &mut Vec<u8>) -> &mut Vec<u8> {
        x.push(1);
        x
    }

    #[limit(requests = 1, window = "1s")]
    fn first<'a>(words: impl IntoIterator<Item = &'a str>, _: &dyn Fn() -> u8) -> Option<&'a str> {
        words.into_iter().next()
    }

    #[limit(requests = 1, window = "1s")]
    fn characters(word: &str) -> Option<impl Iterator<Item = char> + use<'_>> {
        Some(word.chars())
    }

    let _time = test::freeze();
    let mut list = vec![];
    same(&mut list);
    same(&mut list);
    assert_eq!(list, [1]);
    assert_eq!(first(["a", "b"], &|| 1), Some("a"));
    assert_eq!(first(["a", "b"], &|| 1), None);
    assert_eq!(characters("xy").map(Iterator::count), Some(2));
    assert!(characters("xy").is_none());
}

#[test]
fn patterns_of_parameters() {
    struct Pair {
        left: u8,
        right: u8,
    }

    #[expect(clippy::toplevel_ref_arg, reason = "an odd shape is the point")]
    #[limit(requests = 1, window = "1s", key = (left, b, c))]
    fn f(
        Pair { left, right: mut y }: Pair,
        (a, b): (u8, u8),
        &c: &u8,
        [d, ..]: [u8; 2],
        _: u8,
        ref e: u8,
    ) -> Option<u8> {
        y += 1;
        Some(left + y + a + b + c + d + e)
    }

    let _time = test::freeze();
    let call = |left| f(Pair { left, right: 1 }, (1, 1), &1, [1, 1], 1, 1);
    assert_eq!((call(1), call(1), call(2)), (Some(8), None, Some(9)));
}

#[test]
fn lifetimes_that_nobody_wrote() {
    struct Page<'a> {
        text: &'a str,
    }

    impl<'a> Page<'a> {
        #[limit(requests = 1, window = "1s", key = other)]
        fn of_self(&self, other: &str) -> Option<&str> {
            Some(&self.text[other.len()..])
        }

        #[limit(requests = 1, window = "1s")]
        fn of_the_type<'b: 'a>(&'b self, other: &'b str) -> Option<&'a str> {
            Some(if other.is_empty() { self.text } else { other })
        }

        #[limit(requests = 1, window = "1s", key = (self.text, other))]
        async fn asynchronous(&self, other: &str, more: &mut Vec<&'a str>) -> Option<Page<'_>> {
            more.push(self.text);
            Some(Page { text: &self.text[other.len()..] })
        }

        #[limit(requests = 1, window = "1s")]
        fn boxed(&self) -> Option<Box<dyn Debug + '_>> {
            Some(Box::new(self.text))
        }
    }

    #[limit(requests = 1, window = "1s")]
    fn higher_ranked<F>(f: F, by: &dyn for<'x> Fn(&'x str) -> &'x str) -> Option<usize>
    where
        F: for<'x> Fn(&'x str) -> &'x str,
    {
        Some(f(by("abc")).len())
    }

    #[limit(requests = 1, window = "1s")]
    fn fixed<const N: usize>(list: &[u8; N]) -> Option<&[u8; N]> {
        Some(list)
    }

    let _time = test::freeze();
    let page = Page { text: "abc" };
    assert_eq!((page.of_self("x"), page.of_self("x")), (Some("bc"), None));
    assert_eq!((page.of_the_type(""), page.of_the_type("")), (Some("abc"), None));
    let mut more = vec![];
    assert_eq!(ready(page.asynchronous("xy", &mut more)).map(|page| page.text), Some("c"));
    assert!(ready(page.asynchronous("xy", &mut more)).is_none());
    assert_eq!(more, ["abc"]);
    assert_eq!((page.boxed().is_some(), page.boxed().is_some()), (true, false));
    assert_eq!((higher_ranked(|x| &x[1..], &|x| &x[1..]), higher_ranked(|x| x, &|x| x)), (Some(1), None));
    assert_eq!((fixed(&[1]), fixed(&[1])), (Some(&[1]), None));
}

#[test]
fn parameters_called_what_the_guard_might_call_its_own() {
    #[limit(requests = 1, window = "1s", key = (key, __limit_rejected), fallback = quota + __limit_rejected)]
    #[expect(non_snake_case, reason = "it is only in the way")]
    fn f(key: u8, quota: u8, spec: u8, __limit_rejected: u8, __LIMIT_TABLE: u8) -> u8 {
        key + quota + spec + __limit_rejected + __LIMIT_TABLE
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn g(__limit_ip: SocketAddr, __limit_arg1: u8, _: u8) -> Option<u8> {
        Some(__limit_arg1)
    }

    #[limit(requests = 1, window = "1s", key = (r#type, r#ip), fallback = r#fn)]
    fn h(r#type: u8, r#ip: &str, r#fn: u8) -> u8 {
        r#type + r#fn
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn i(r#ip: &str) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    assert_eq!((f(1, 1, 1, 1, 1), f(1, 2, 3, 2, 1), f(1, 2, 3, 1, 1)), (5, 9, 3));
    let peer = SocketAddr::from(([192, 0, 2, 1], 443));
    assert_eq!((g(peer, 5, 6), g(peer, 5, 6)), (Some(5), None));
    assert_eq!((h(1, "a", 7), h(1, "b", 7), h(1, "a", 7)), (8, 8, 7));
    assert_eq!((i("a"), i("a"), i("b")), (Some(()), None, Some(())));
}

#[test]
#[expect(unsafe_code, reason = "that is what is tested")]
fn unsafe_and_foreign_functions() {
    #[limit(requests = 1, window = "1s", fallback = -1)]
    unsafe extern "C" fn f(x: *const i32) -> i32 {
        // SAFETY: the callers below pass a reference.
        unsafe { *x }
    }

    #[limit(requests = 1, window = "1s")]
    pub(crate) async unsafe fn g<T>(x: *const T) -> Option<T>
    where
        T: Copy,
    {
        // SAFETY: the callers below pass a reference.
        Some(unsafe { *x })
    }

    #[limit(requests = 1, window = "1s", key = ip, fallback = -1)]
    pub(crate) unsafe extern "C" fn written_anew<'a, T>(_: &'a SocketAddr, x: *const T) -> i32
    where
        T: Copy + Into<i32> + 'a,
    {
        // SAFETY: the callers below pass a reference.
        unsafe { *x }.into()
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    async unsafe fn asynchronous_and_written_anew(_: &SocketAddr) -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s")]
    extern "system" fn without_unsafe() -> Option<&'static u8> {
        Some(&1)
    }

    let _time = test::freeze();
    static PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 443);
    // SAFETY: a reference is a valid pointer.
    let call = || unsafe { f(&5) };
    assert_eq!((call(), call()), (5, -1));
    // SAFETY: the same.
    let call = || ready(unsafe { g(&5) });
    assert_eq!((call(), call()), (Some(5), None));
    let foreign: unsafe extern "C" fn(&'static SocketAddr, *const u8) -> i32 = written_anew::<u8>;
    // SAFETY: the same.
    let call = || unsafe { foreign(&PEER, &5) };
    assert_eq!((call(), call()), (5, -1));
    // SAFETY: it asks for nothing.
    let call = || ready(unsafe { asynchronous_and_written_anew(&PEER) });
    assert_eq!((call(), call()), (Some(1), None));
    assert_eq!((without_unsafe(), without_unsafe()), (Some(&1), None));
}
