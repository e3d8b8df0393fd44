//! What carries a client's address, and which addresses count as one client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::ops::Deref;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

/// A type that knows the address of the client it came from; `key = ip` finds the one parameter whose type is such.
///
/// It is implemented for the address types of `std`, for references to, `Option`s of and smart pointers to such types, and
/// with the feature `axum` for `ConnectInfo<SocketAddr>`. Header maps do not implement it: what a client wrote into `X-Forwarded-For` is no
/// address until somebody has said which proxies to trust. Whoever knows his proxy says it with a type of his own; the
/// documentation of [`limit`](macro@crate::limit) has an example.
///
/// Implement it for a request type of your own:
///
/// ```
/// use std::net::IpAddr;
///
/// use limiter::ClientIp;
///
/// struct Request {
///     peer: IpAddr,
/// }
///
/// impl ClientIp for Request {
///     fn client_ip(&self) -> Option<IpAddr> {
///         Some(self.peer)
///     }
/// }
/// ```
pub trait ClientIp {
    /// The address, if there is one: a Unix socket has none. All calls without one are counted together.
    fn client_ip(&self) -> Option<IpAddr>;
}

impl ClientIp for IpAddr {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        Some(*self)
    }
}

impl ClientIp for Ipv4Addr {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        Some(IpAddr::V4(*self))
    }
}

impl ClientIp for Ipv6Addr {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        Some(IpAddr::V6(*self))
    }
}

impl ClientIp for SocketAddr {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        Some(self.ip())
    }
}

impl ClientIp for SocketAddrV4 {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        Some(IpAddr::V4(*self.ip()))
    }
}

impl ClientIp for SocketAddrV6 {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        Some(IpAddr::V6(*self.ip()))
    }
}

impl<T: ClientIp + ?Sized> ClientIp for &T {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        (**self).client_ip()
    }
}

impl<T: ClientIp + ?Sized> ClientIp for &mut T {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        (**self).client_ip()
    }
}

impl<T: ClientIp> ClientIp for Option<T> {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        self.as_ref().and_then(ClientIp::client_ip)
    }
}

impl<T: ClientIp + ?Sized> ClientIp for Box<T> {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        (**self).client_ip()
    }
}

impl<T: ClientIp + ?Sized> ClientIp for Rc<T> {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        (**self).client_ip()
    }
}

impl<T: ClientIp + ?Sized> ClientIp for Arc<T> {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        (**self).client_ip()
    }
}

impl<P: Deref<Target: ClientIp>> ClientIp for Pin<P> {
    #[inline]
    fn client_ip(&self) -> Option<IpAddr> {
        (**self).client_ip()
    }
}

/// The client an address stands for: what `key = ip` counts by, for keys of which it is a part.
///
/// An IPv4-mapped IPv6 address is the IPv4 address, an IPv6 address stands for its /64, ports do not matter, and all
/// unknown addresses are one client.
///
/// ```
/// use std::net::SocketAddr;
///
/// use limiter::{Client, limit};
///
/// #[limit(requests = 1, window = "1h", key = format!("{:?} {}", Client::of(peer), name.to_lowercase()))]
/// fn log_in(peer: &SocketAddr, name: &str) -> Option<()> {
///     Some(())
/// }
///
/// # fn main() {
/// assert!(log_in(&"[2001:db8::1]:1000".parse().unwrap(), "Ann").is_some());
/// assert!(log_in(&"[2001:db8::2]:2000".parse().unwrap(), "ann").is_none());
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client(Identity);

impl Client {
    /// The client that `carrier` knows the address of.
    #[inline]
    #[must_use]
    pub fn of(carrier: &(impl ClientIp + ?Sized)) -> Self {
        Client::at(carrier.client_ip())
    }

    /// The client at this address, if there is one.
    #[inline]
    pub(crate) fn at(address: Option<IpAddr>) -> Self {
        Client(Identity::from(address))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Identity {
    /// There was no address.
    Unknown,
    /// An IPv4 address, also when it came in its IPv6-mapped form.
    V4(u32),
    /// The upper 64 bits of an IPv6 address. One subscriber is given at least a /64 and may use all of it, so that
    /// counting whole addresses would count nobody twice.
    V6(u64),
}

impl From<Option<IpAddr>> for Identity {
    #[inline]
    fn from(address: Option<IpAddr>) -> Self {
        match address {
            None => Identity::Unknown,
            Some(IpAddr::V4(v4)) => Identity::V4(v4.to_bits()),
            Some(IpAddr::V6(v6)) => {
                let bits = v6.to_bits();
                // ::ffff:a.b.c.d
                if bits >> 32 == 0xffff { Identity::V4(bits as u32) } else { Identity::V6((bits >> 64) as u64) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Client, Identity};
    use std::net::IpAddr;

    fn client(text: &str) -> Client {
        let address: IpAddr = text.parse().expect("a literal address");
        Client::of(&address)
    }

    #[test]
    fn mapped_addresses_are_the_ipv4_address() {
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("::ffff:192.0.2.1"), client("192.0.2.2"));
        assert_ne!(client("::192.0.2.1"), client("192.0.2.1"), "the deprecated compatible form is not the mapped one");
        assert_ne!(client("64:ff9b::192.0.2.1"), client("192.0.2.1"));
    }

    #[test]
    fn ipv6_counts_per_64() {
        assert_eq!(client("2001:db8:1:2:3:4:5:6"), client("2001:db8:1:2:ffff::1"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_ne!(client("::1"), Client(Identity::Unknown));
    }
}
