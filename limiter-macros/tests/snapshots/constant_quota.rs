fn take<const N: u64>(&self) -> Option<Permit> {
    if let ::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_BUCKET: ::limiter::__private::Buckets<
            ::limiter::__private::FixedWindow,
        > = ::limiter::__private::Buckets::new();
        ::limiter::__private::check_by_quota(
            &__LIMIT_BUCKET,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "take"
                    ),
                    ::limiter::__private::quota(
                        ::limiter::__private::requests(N),
                        1000000000,
                    ),
                )
            },
        )
    } {
        return ::limiter::__private::FromRejected::from_rejected(__limit_rejected);
    }
    self.permit()
}
