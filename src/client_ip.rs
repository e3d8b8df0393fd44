//! `key = ip`: which parameter carries the client's address, and which addresses count as one client.
//!
//! The attribute sees the names of parameters, not their types, so the compiler is made to decide. [`Probe`] has a method
//! for types that carry an address, and falls through `Deref` to a method of the same name for those that do not; the
//! answers differ in type. [`Or`] folds them, and [`the_ip`] demands that exactly one was found. Nothing is imported into the
//! user's function, nothing is moved, no bound is added to it, and all of it is gone after inlining.

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
        Client(Identity::from(carrier.client_ip()))
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

/// A parameter, asked whether it carries an address.
pub struct Probe<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Probe<'a, T> {
    /// Borrows the parameter for the question.
    #[inline]
    pub fn new(parameter: &'a T) -> Self {
        Probe(parameter)
    }
}

impl<T: ClientIp + ?Sized> Probe<'_, T> {
    /// Found first when the bound holds.
    #[inline]
    #[must_use]
    pub fn client_ip(&self) -> Carries {
        Carries(self.0.client_ip())
    }
}

impl<T: ?Sized> Deref for Probe<'_, T> {
    type Target = Other;

    #[inline]
    fn deref(&self) -> &Other {
        &Other
    }
}

/// What a [`Probe`] of any other type dereferences to.
pub struct Other;

impl Other {
    /// Found, one dereference further on, when the bound does not hold.
    #[inline]
    #[must_use]
    pub fn client_ip(&self) -> NoClientIp {
        NoClientIp
    }
}

/// So far no parameter carried an address.
pub struct NoClientIp;
/// So far one parameter did.
pub struct Carries(Option<IpAddr>);
/// More than one did.
pub struct SeveralClientIps;

/// Adds the answer of one more parameter.
pub trait Or<B> {
    /// What is known after it.
    type Out;
    /// Keeps the address that was found.
    fn or(self, other: B) -> Self::Out;
}

impl<B> Or<B> for NoClientIp {
    type Out = B;

    #[inline]
    fn or(self, other: B) -> B {
        other
    }
}

impl Or<NoClientIp> for Carries {
    type Out = Carries;

    #[inline]
    fn or(self, _: NoClientIp) -> Carries {
        self
    }
}

impl Or<Carries> for Carries {
    type Out = SeveralClientIps;

    #[inline]
    fn or(self, _: Carries) -> SeveralClientIps {
        SeveralClientIps
    }
}

impl<B> Or<B> for SeveralClientIps {
    type Out = SeveralClientIps;

    #[inline]
    fn or(self, _: B) -> SeveralClientIps {
        self
    }
}

/// `Or::or` as a function, because the user's scope does not have the trait.
#[inline]
pub fn or<A: Or<B>, B>(answer: A, next: B) -> A::Out {
    answer.or(next)
}

/// Fails when no parameter carries an address. Holds when several do: that is the other trait's error.
#[diagnostic::on_unimplemented(
    message = "`key = ip`: no parameter of this function carries a client address",
    label = "no parameter here implements `limiter::ClientIp`",
    note = "take `ip: IpAddr`, `peer: SocketAddr`, axum's `ConnectInfo<SocketAddr>` (with the feature `axum` of `limiter-rs`) or the like, or write `key = <expression>`"
)]
pub trait AtLeastOneClientIp {}

/// Fails when several parameters carry an address.
#[diagnostic::on_unimplemented(
    message = "`key = ip`: several parameters of this function carry a client address",
    label = "more than one parameter here implements `limiter::ClientIp`",
    note = "call the one you mean `ip`, or write `key = <expression>`"
)]
pub trait AtMostOneClientIp {
    /// The client that was found.
    fn client(self) -> Client;
}

#[diagnostic::do_not_recommend]
impl AtLeastOneClientIp for Carries {}
#[diagnostic::do_not_recommend]
impl AtLeastOneClientIp for SeveralClientIps {}

#[diagnostic::do_not_recommend]
impl AtMostOneClientIp for Carries {
    #[inline]
    fn client(self) -> Client {
        Client(Identity::from(self.0))
    }
}
#[diagnostic::do_not_recommend]
impl AtMostOneClientIp for NoClientIp {
    // Never called: without an address the other bound does not hold.
    #[inline]
    fn client(self) -> Client {
        Client(Identity::Unknown)
    }
}

/// The client of a call, once exactly one parameter was found to carry an address.
#[inline]
pub fn the_ip<P: AtLeastOneClientIp + AtMostOneClientIp>(found: P) -> Client {
    found.client()
}

/// A parameter called `ip`: a client if its type carries an address, else a key like any other.
pub struct IpBinding<'a, T: ?Sized>(Plain<'a, T>);

impl<'a, T: ?Sized> IpBinding<'a, T> {
    /// Borrows the parameter for the question.
    #[inline]
    pub fn new(parameter: &'a T) -> Self {
        IpBinding(Plain(parameter))
    }
}

impl<T: ClientIp + ?Sized> IpBinding<'_, T> {
    /// Found first when the bound holds.
    #[inline]
    #[must_use]
    pub fn key(&self) -> Client {
        Client::of(self.0.0)
    }
}

impl<'a, T: ?Sized> Deref for IpBinding<'a, T> {
    type Target = Plain<'a, T>;

    #[inline]
    fn deref(&self) -> &Plain<'a, T> {
        &self.0
    }
}

/// A parameter that is only a key.
pub struct Plain<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Plain<'a, T> {
    /// Found, one dereference further on, when the bound does not hold.
    #[inline]
    #[must_use]
    pub fn key(&self) -> &'a T {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Client, Identity, IpBinding};
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

    #[test]
    fn a_binding_that_carries_no_address_is_its_own_key() {
        assert_eq!(IpBinding::new("10.0.0.1").key(), "10.0.0.1");
        assert_eq!(IpBinding::new(&7u8).key(), &7);
        let v6: IpAddr = "2001:db8::1".parse().expect("a literal address");
        assert_eq!(IpBinding::new(&v6).key(), Client(Identity::V6(0x2001_0db8_0000_0000)));
        assert_eq!(IpBinding::new(&None::<IpAddr>).key(), Client(Identity::Unknown));
        assert_eq!(IpBinding::new(&None::<u8>).key(), &None);
    }
}
