#[instrument]
pub(crate) async fn search(user: User, route: String) -> Reply {
    if let crate::vendored::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_TABLE: crate::vendored::limiter::__private::Table<
            my::TokenBucket,
            1000,
            4,
        > = crate::vendored::limiter::__private::Table::UNSEEN;
        crate::vendored::limiter::__private::check_key(
            &__LIMIT_TABLE,
            const {
                &crate::vendored::limiter::__private::Spec::new(
                        "search",
                        crate::vendored::limiter::__private::quota_with_burst(
                            crate::vendored::limiter::__private::quota(100, 90000000000),
                            20,
                        ),
                    )
                    .named()
            },
            &(&(user), &(&route)),
        )
    } {
        let rejected = &__limit_rejected;
        let _ = rejected;
        return Reply::Busy(rejected.retry_after());
    }
    find(user, route).await
}
