fn search(query: &str) -> Result<Hits, Rejected> {
    if let ::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_BUCKET: ::limiter::__private::Bucket<
            ::limiter::__private::FixedWindow,
        > = ::limiter::__private::Bucket::new();
        ::limiter::__private::check(
            &__LIMIT_BUCKET,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "search"
                    ),
                    ::limiter::__private::quota(100, 1000000000),
                )
            },
        )
    } {
        return ::limiter::__private::FromRejected::from_rejected(__limit_rejected);
    }
    find(query)
}
