fn r#log(line: &str) {
    if let ::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_BUCKET: ::limiter::__private::Bucket<
            ::limiter::__private::FixedWindow,
        > = ::limiter::__private::Bucket::new();
        ::limiter::__private::check(
            &__LIMIT_BUCKET,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "log"
                    ),
                    ::limiter::__private::quota(1, 1000000000),
                )
            },
        )
    } {
        return;
    }
    println!("{line}");
}
