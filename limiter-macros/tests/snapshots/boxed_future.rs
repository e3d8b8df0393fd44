fn fetch<'a>(
    &'a self,
) -> ::core::pin::Pin<
    Box<dyn ::core::future::Future<Output = Result<u8, String>> + Send + 'a>,
> {
    if let ::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_BUCKET: ::limiter::__private::Bucket<
            ::limiter::__private::FixedWindow,
        > = ::limiter::__private::Bucket::new();
        ::limiter::__private::check(
            &__LIMIT_BUCKET,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "fetch"
                    ),
                    ::limiter::__private::quota(1, 1000000000),
                )
            },
        )
    } {
        let rejected = &__limit_rejected;
        let _ = rejected;
        return ::limiter::__private::boxed(Err(rejected.to_string()));
    }
    Box::pin(async move { get(self).await })
}
