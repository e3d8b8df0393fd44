//! The expansion captures no name of the user's, loses none, and is reached by whatever path leads to the crate.
#![allow(
    dead_code,
    unused,
    non_camel_case_types,
    non_upper_case_globals,
    reason = "names are put in the way on purpose"
)]
#![allow(clippy::single_component_path_imports, reason = "a framework does that with a dependency")]

/// Nothing that the expansion names comes from the scope it is in.
mod without_prelude {
    #![no_implicit_prelude]

    #[::limiter::limit(requests = 1, window = "1s", key = (a, 1))]
    pub(super) fn f(a: u8) -> ::core::option::Option<u8> {
        ::core::option::Option::Some(a)
    }

    #[::limiter::limit(requests = 1, window = "1s", key = ip)]
    pub(super) fn g(ip: ::core::net::IpAddr) -> ::core::option::Option<()> {
        let _ = ip;
        ::core::option::Option::Some(())
    }
}

/// Items with the names that an expansion might use.
mod in_the_way {
    mod core {}
    mod std {}
    mod limiter {}
    struct Result;
    enum Option {
        Some,
        None,
        Err,
    }
    use self::Option::*;
    const rejected: u8 = 0;
    const key: u8 = 0;
    const quota: u8 = 0;
    const decision: u8 = 0;
    static BUCKET: u8 = 0;
    const spec: u8 = 0;
    const permit: u8 = 0;
    const limit: u8 = 0;
    const __limit: u8 = 0;
    static TABLE: u8 = 0;
    static SPEC: u8 = 0;
    struct found;
    struct ip;
    struct Bucket;
    struct Table;
    struct Spec;
    struct Rejected;
    trait FromRejected {}
    trait Hash {}
    type u64 = ();
    type u128 = ();
    fn check() {}
    fn rate() {}
    fn f_limited() {}
    mod f_limit {}
    macro_rules! concat {
        () => {};
    }
    macro_rules! module_path {
        () => {};
    }
    macro_rules! file {
        () => {};
    }
    macro_rules! line {
        () => {};
    }

    #[::limiter::limit(requests = 1, window = "1s", key = user)]
    pub(super) fn f(user: u8) -> ::core::option::Option<u8> {
        ::core::option::Option::Some(user)
    }

    /// The word is the client, whatever else has the name.
    #[::limiter::limit(strategy = ::limiter::TokenBucket, requests = 1, window = "1s", burst = 1, key = ip)]
    pub(super) fn g(peer: ::core::net::IpAddr) -> ::core::option::Option<bool> {
        ::core::option::Option::Some(peer.is_ipv4())
    }

    #[::limiter::limit(requests = 1, window = "1s", fallback = 2)]
    pub(super) fn h() -> u8 {
        1
    }

    #[::limiter::limit(requests = 1, window = "1s")]
    pub(super) fn i() -> impl ::core::future::Future<Output = ::core::result::Result<u8, ::limiter::Rejected>> {
        async { ::core::result::Result::Ok(1) }
    }

    #[::limiter::limit(requests = 1, window = "1s", fallback = async { 2 })]
    pub(super) fn j() -> impl ::core::future::Future<Output = u8> {
        async { 1 }
    }
}

/// A framework that re-exports the attribute, and a macro of its own that writes it.
mod re_exported {
    pub(super) mod framework {
        pub(in super::super) mod deep {
            pub(in super::super::super) use limiter;
        }

        macro_rules! endpoint {
            ($name:ident) => {
                #[$crate::re_exported::framework::deep::limiter::limit(
                                                    requests = 1,
                                                    window = "1s",
                                                    crate = $crate::re_exported::framework::deep::limiter,
                                                )]
                fn $name() -> Option<()> {
                    Some(())
                }
            };
        }
        pub(super) use endpoint;
    }

    use framework::deep::limiter::limit;

    #[limit(requests = 1, window = "1s", crate = crate::re_exported::framework::deep::limiter, key = ip)]
    pub(super) fn f(from: core::net::SocketAddr) -> Option<()> {
        let _: u16 = from.port();
        Some(())
    }

    framework::endpoint!(g);

    pub(super) fn call_g() -> Option<()> {
        g()
    }
}

#[test]
fn nothing_is_captured() {
    let _time = limiter::test::freeze();
    let address = core::net::Ipv4Addr::LOCALHOST.into();
    let peer = core::net::SocketAddr::new(address, 1);
    assert_eq!((without_prelude::g(address), without_prelude::g(address)), (Some(()), None));
    assert_eq!((re_exported::f(peer), re_exported::f(peer)), (Some(()), None));
    assert_eq!((without_prelude::f(1), without_prelude::f(1)), (Some(1), None));
    assert_eq!((in_the_way::f(1), in_the_way::f(1)), (Some(1), None));
    assert_eq!((in_the_way::g(address), in_the_way::g(address)), (Some(true), None));
    assert_eq!((in_the_way::h(), in_the_way::h()), (1, 2));
    drop((in_the_way::i(), in_the_way::j()));
    assert_eq!((re_exported::call_g(), re_exported::call_g()), (Some(()), None));
}
