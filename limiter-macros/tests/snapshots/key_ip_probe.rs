fn login(
    &self,
    __limit_arg1: ConnectInfo<SocketAddr>,
    (a, b): (u8, u8),
    #[cfg(unix)]
    peer: UCred,
) -> Option<()> {
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
            &({
                let __limit_ip = ::limiter::__private::NoClientIp;
                let __limit_ip = ::limiter::__private::or(
                    __limit_ip,
                    ::limiter::__private::Probe::new(&self).client_ip(),
                );
                let __limit_ip = ::limiter::__private::or(
                    __limit_ip,
                    ::limiter::__private::Probe::new(&__limit_arg1).client_ip(),
                );
                let __limit_ip = ::limiter::__private::or(
                    __limit_ip,
                    ::limiter::__private::Probe::new(&a).client_ip(),
                );
                let __limit_ip = ::limiter::__private::or(
                    __limit_ip,
                    ::limiter::__private::Probe::new(&b).client_ip(),
                );
                #[cfg(unix)]
                let __limit_ip = ::limiter::__private::or(
                    __limit_ip,
                    ::limiter::__private::Probe::new(&peer).client_ip(),
                );
                ::limiter::__private::the_ip(__limit_ip)
            }),
        )
    } {
        return ::limiter::__private::FromRejected::from_rejected(__limit_rejected);
    }
    Some(())
}
