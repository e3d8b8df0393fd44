unsafe extern "C" fn call<const N: u64>(id: u32) -> Option<u8>
where
    [(); { N as usize }]:,
{
    if let ::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_TABLE: ::limiter::__private::Table<
            TokenBucket,
            { ::limiter::__private::capacity(SIZE) },
            { ::limiter::__private::chunks(SIZE) },
        > = ::limiter::__private::Table::UNSEEN;
        ::limiter::__private::check_key_by_quota(
            &__LIMIT_TABLE,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "call"
                    ),
                    ::limiter::__private::quota_with_burst(
                        ::limiter::__private::quota(
                            ::limiter::__private::requests(Self::LIMIT * 2),
                            ::limiter::__private::window(WINDOW),
                        ),
                        ::limiter::__private::burst(N),
                    ),
                )
            },
            &(id),
        )
    } {
        return ::limiter::__private::FromRejected::from_rejected(__limit_rejected);
    }
    None
}
