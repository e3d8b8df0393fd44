fn login(ConnectInfo(ip): ConnectInfo<SocketAddr>) -> Option<()> {
    if let ::limiter::__private::Err(__limit_rejected) = {
        static __LIMIT_TABLE: ::limiter::__private::Table<
            ::limiter::__private::FixedWindow,
            65536,
            256,
        > = ::limiter::__private::Table::UNSEEN;
        ::limiter::__private::check_key(
            &__LIMIT_TABLE,
            const {
                &::limiter::__private::Spec::new(
                    ::limiter::__private::concat!(
                        ::limiter::__private::module_path!(), "::", "login"
                    ),
                    ::limiter::__private::quota(1, 1000000000),
                )
            },
            &::limiter::__private::IpBinding::new(&(ip)).key(),
        )
    } {
        return ::limiter::__private::FromRejected::from_rejected(__limit_rejected);
    }
    Some(())
}
