unsafe extern "C" fn call<const N: u64>(id: u32) -> Option<u8>
where
    [(); { N as usize }]:,
{
    if let ::limiter::__private::Err(__limit_rejected) = {
        const __LIMIT_CAPACITY: ::limiter::__private::usize = ::limiter::__private::capacity(
            SIZE,
        );
        static __LIMIT_TABLE: ::limiter::__private::Table<
            TokenBucket,
            __LIMIT_CAPACITY,
            { ::limiter::__private::chunks(__LIMIT_CAPACITY) },
        > = ::limiter::__private::Table::UNSEEN;
        ::limiter::__private::check_key(
            &__LIMIT_TABLE,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "call"
                    ),
                    ::limiter::__private::quota_of_with_burst::<
                        _,
                        { ::limiter::__private::burst(BURST) },
                    >(
                        ::limiter::__private::quota_of::<
                            _,
                            {
                                ::limiter::__private::rate(
                                    ::limiter::__private::requests(Self::LIMIT * 2),
                                    ::limiter::__private::window(WINDOW),
                                )
                            },
                        >(),
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
