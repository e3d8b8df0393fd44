//! `key = ip`: which parameter carries the client's address.
//!
//! The attribute sees the names of parameters, not their types, so the compiler is made to decide. [`Probe`] has a method
//! for types that carry an address, and falls through `Deref` to a method of the same name for those that do not; the
//! answers differ in type. [`Or`] folds them, and [`the_ip`] demands that exactly one was found. Nothing is imported into the
//! user's function, nothing is moved, no bound is added to it, and all of it is gone after inlining.

use std::net::IpAddr;
use std::ops::Deref;

use crate::{Client, ClientIp};

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
        Client::at(self.0)
    }
}
#[diagnostic::do_not_recommend]
impl AtMostOneClientIp for NoClientIp {
    // Never called: without an address the other bound does not hold.
    #[inline]
    fn client(self) -> Client {
        Client::at(None)
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
    use super::IpBinding;
    use crate::Client;
    use std::net::IpAddr;

    #[test]
    fn a_binding_that_carries_no_address_is_its_own_key() {
        assert_eq!(IpBinding::new("10.0.0.1").key(), "10.0.0.1");
        assert_eq!(IpBinding::new(&7u8).key(), &7);
        let v6: IpAddr = "2001:db8::1".parse().expect("a literal address");
        assert_eq!(IpBinding::new(&v6).key(), Client::of(&v6));
        assert_eq!(IpBinding::new(&None::<IpAddr>).key(), Client::at(None));
        assert_eq!(IpBinding::new(&None::<u8>).key(), &None);
    }
}
