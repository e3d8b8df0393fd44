//! The attributes of a function and of its parameters, and its visibility, stay what they are: also where the limit has to
//! write the signature anew, to name a `_`.

use limiter::{limit, test};
use std::net::SocketAddr;
use std::panic::Location;

fn peer() -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 1], 443))
}

#[test]
fn the_caller_is_the_user_in_whatever_order_the_attributes_stand() {
    #[track_caller]
    #[limit(requests = 1, window = "1s")]
    fn below() -> Option<u32> {
        Some(Location::caller().line())
    }

    #[limit(requests = 1, window = "1s")]
    #[track_caller]
    fn above() -> Option<u32> {
        Some(Location::caller().line())
    }

    #[track_caller]
    #[limit(requests = 1, window = "1s", key = ip)]
    fn written_anew(_: SocketAddr) -> Option<u32> {
        Some(Location::caller().line())
    }

    #[track_caller]
    #[limit(requests = 1, window = "1s", fallback = Location::caller().line())]
    fn in_the_fallback() -> u32 {
        0
    }

    let _time = test::freeze();
    assert_eq!(below(), Some(line!()));
    assert_eq!(above(), Some(line!()));
    assert_eq!(written_anew(peer()), Some(line!()));
    assert_eq!((in_the_fallback(), in_the_fallback()), (0, line!()));
}

/// Each `expect` fails the build if its attribute was lost: then there is nothing to expect.
#[test]
#[deny(unfulfilled_lint_expectations)]
fn what_the_compiler_says_about_uses_is_still_said() {
    #[limit(requests = 1, window = "1s", fallback = 0)]
    #[must_use]
    fn must_be_used() -> u8 {
        1
    }

    #[must_use = "written anew"]
    #[limit(requests = 1, window = "1s", key = ip, fallback = 0)]
    fn must_be_used_and_is_written_anew(_: SocketAddr) -> u8 {
        1
    }

    #[deprecated(note = "old")]
    #[limit(requests = 1, window = "1s")]
    fn old() -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    #[deprecated]
    fn old_and_written_anew(_: SocketAddr) -> Option<u8> {
        Some(1)
    }

    let _time = test::freeze();
    #[expect(unused_must_use, reason = "the attribute has its effect")]
    {
        must_be_used();
    }
    #[expect(unused_must_use, reason = "the attribute has its effect")]
    {
        must_be_used_and_is_written_anew(peer());
    }
    #[expect(deprecated, reason = "the attribute has its effect")]
    let first = old();
    assert_eq!(first, Some(1));
    #[expect(deprecated, reason = "the attribute has its effect")]
    let first = old_and_written_anew(peer());
    assert_eq!(first, Some(1));
}

#[test]
#[deny(unfulfilled_lint_expectations)]
fn a_warning_about_the_function_can_be_expected_on_it() {
    #[expect(dead_code, reason = "nobody calls it, and that is still noticed")]
    #[limit(requests = 1, window = "1s")]
    fn below() -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s")]
    #[expect(dead_code, reason = "nobody calls it, and that is still noticed")]
    fn above() -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s")]
    #[expect(unused_variables, unused_mut, reason = "nobody reads it, and that is still noticed")]
    fn unread(mut unread: u8) -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s")]
    fn unread_parameter(#[expect(unused_variables, reason = "the same at the parameter")] unread: u8) -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s")]
    #[expect(unused_assignments, unused_variables, reason = "a mistake of the body's is still noticed")]
    fn overwritten() -> Option<u8> {
        let mut value = 1;
        value = 2;
        Some(1)
    }

    #[limit(requests = 1, window = "1s")]
    #[expect(unreachable_code, reason = "a mistake of the body's is still noticed")]
    fn left_early() -> Option<u8> {
        return Some(1);
        None
    }

    #[limit(requests = 1, window = "1s")]
    #[expect(unused_parens, clippy::needless_return, reason = "mistakes of the body's are still noticed")]
    fn in_parentheses(x: u8) -> Option<u8> {
        return (Some(x));
    }

    let _time = test::freeze();
    assert_eq!((unread(1), unread_parameter(1), overwritten(), left_early()), (Some(1), Some(1), Some(1), Some(1)));
    assert_eq!(in_parentheses(1), Some(1));
}

#[test]
#[expect(unsafe_code, reason = "an exported symbol is one")]
fn how_the_function_is_compiled_and_exported_is_kept() {
    #[limit(requests = 1, window = "1s", fallback = -1)]
    #[unsafe(no_mangle)]
    extern "C" fn limiter_test_exported_by_name(x: i32) -> i32 {
        x
    }

    #[unsafe(export_name = "limiter_test_exported_as")]
    #[limit(requests = 1, window = "1s", fallback = -1)]
    extern "C" fn exported(x: i32) -> i32 {
        x
    }

    #[cold]
    #[inline(never)]
    #[limit(requests = 1, window = "1s")]
    fn cold() -> Option<u8> {
        Some(1)
    }

    #[inline(always)]
    #[limit(requests = 1, window = "1s")]
    #[expect(clippy::inline_always, reason = "an odd shape is the point")]
    fn inlined() -> Option<u8> {
        Some(1)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "sse2")]
    #[limit(requests = 1, window = "1s")]
    unsafe fn with_a_feature() -> Option<u8> {
        Some(1)
    }

    mod linked {
        unsafe extern "C" {
            pub(super) safe fn limiter_test_exported_by_name(x: i32) -> i32;
            pub(super) safe fn limiter_test_exported_as(x: i32) -> i32;
        }
    }

    let _time = test::freeze();
    assert_eq!((linked::limiter_test_exported_by_name(5), limiter_test_exported_by_name(5)), (5, -1));
    assert_eq!((linked::limiter_test_exported_as(5), exported(5)), (5, -1));
    assert_eq!((cold(), cold(), inlined(), inlined()), (Some(1), None, Some(1), None));
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has SSE2.
    let with_a_feature = || unsafe { with_a_feature() };
    #[cfg(target_arch = "x86_64")]
    assert_eq!((with_a_feature(), with_a_feature()), (Some(1), None));
}

#[test]
fn parameters_under_a_cfg() {
    #[limit(requests = 1, window = "1s", key = (a, b))]
    fn absent(a: u8, #[cfg(any())] nowhere: NoSuchType, #[cfg(not(doc))] b: u8) -> Option<u8> {
        Some(a + b)
    }

    #[limit(requests = 1, window = "1s")]
    fn either(#[cfg_attr(all(), cfg(any()))] a: NoSuchType, #[cfg_attr(any(), cfg(any()))] b: u8) -> Option<u8> {
        Some(b)
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn unnamed(#[cfg(any())] _: SocketAddr, #[cfg(not(doc))] _: SocketAddr) -> Option<u8> {
        Some(1)
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn called_ip(#[cfg(any())] ip: NoSuchType, #[cfg(not(doc))] ip: SocketAddr) -> Option<u16> {
        Some(ip.port())
    }

    let _time = test::freeze();
    assert_eq!((absent(1, 2), absent(1, 2), absent(2, 2)), (Some(3), None, Some(4)));
    assert_eq!((either(1), either(1)), (Some(1), None));
    assert_eq!((unnamed(peer()), unnamed(peer())), (Some(1), None));
    assert_eq!((called_ip(peer()), called_ip(peer())), (Some(443), None));
}

#[test]
fn visibility_reaches_as_far_as_it_says() {
    mod outer {
        pub(super) mod inner {
            use limiter::limit;
            use std::net::SocketAddr;

            #[limit(requests = 1, window = "1s")]
            pub(crate) fn in_the_crate() -> Option<u8> {
                private()
            }

            #[limit(requests = 1, window = "1s", key = ip)]
            pub(in super::super) fn in_a_path(_: SocketAddr) -> Option<u8> {
                Some(1)
            }

            #[limit(requests = 1, window = "1s")]
            pub(super) fn in_the_module_around() -> Option<u8> {
                Some(1)
            }

            #[limit(requests = 1, window = "1s")]
            fn private() -> Option<u8> {
                Some(1)
            }
        }

        pub(super) fn through() -> Option<u8> {
            inner::in_the_module_around()
        }
    }

    let _time = test::freeze();
    assert_eq!((outer::inner::in_the_crate(), outer::inner::in_the_crate()), (Some(1), None));
    assert_eq!((outer::inner::in_a_path(peer()), outer::inner::in_a_path(peer())), (Some(1), None));
    assert_eq!((outer::through(), outer::through()), (Some(1), None));
}

#[test]
fn under_a_cfg_attr_a_limit_is_there_or_is_not() {
    #[cfg_attr(all(), limit(requests = 1, window = "1s"), inline)]
    fn on() -> Option<()> {
        Some(())
    }

    #[cfg_attr(any(), limit(nonsense))]
    fn off() -> Option<()> {
        Some(())
    }

    #[cfg(any())]
    #[limit(nonsense)]
    fn gone() -> NoSuchType {}

    let _time = test::freeze();
    assert_eq!((on(), on()), (Some(()), None));
    assert_eq!((off(), off()), (Some(()), Some(())));
}
