pub async fn call(self: &Arc<Self>, route: &str) -> Result<Reply, ApiError> {
    if let ::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_TABLE: ::limiter::__private::Table<
            ::limiter::__private::FixedWindow,
            1000,
            4,
        > = ::limiter::__private::Table::UNSEEN;
        ::limiter::__private::check_key(
            &__LIMIT_TABLE,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "call"
                    ),
                    ::limiter::__private::quota(5, 60000000000),
                )
            },
            &(&(self.tenant), &(route)),
        )
    } {
        return ::limiter::__private::FromRejected::from_rejected(__limit_rejected);
    }
    self.send(route).await
}
