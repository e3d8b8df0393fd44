//! `key = ip`, alone and as a part of a key.

use limiter::{Client, ClientIp, limit, test};
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;

fn address(text: &str) -> IpAddr {
    text.parse().expect("a literal address")
}

fn peer(text: &str) -> SocketAddr {
    SocketAddr::new(address(text), 443)
}

#[test]
fn a_parameter_called_ip_wins_and_is_a_client() {
    #[limit(requests = 1, window = "1s", key = ip)]
    fn f(ip: IpAddr, _other: SocketAddr) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    let f = |ip| f(address(ip), peer("198.51.100.1"));
    assert_eq!((f("192.0.2.1"), f("192.0.2.1")), (Some(()), None));
    assert_eq!(f("::ffff:192.0.2.1"), None, "the same address in its mapped form");
    assert_eq!(f("2001:db8:0:1::1"), Some(()));
    assert_eq!(f("2001:db8:0:1:ffff::9"), None, "the same /64");
    assert_eq!(f("2001:db8:0:2::1"), Some(()));
}

#[test]
fn a_parameter_called_ip_of_any_other_type_is_a_key() {
    #[limit(requests = 1, window = "1s", key = ip)]
    fn text(ip: String) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn generic<T: std::hash::Hash>(ip: &T) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn maybe(ip: Option<IpAddr>) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn destructured((ip, _port): (IpAddr, u16)) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    assert_eq!((text("a".into()), text("a".into()), text("b".into())), (Some(()), None, Some(())));
    assert_eq!((generic(&1), generic(&1), generic(&2)), (Some(()), None, Some(())));
    let (one, mapped) = (Some(address("192.0.2.1")), Some(address("::ffff:192.0.2.1")));
    assert_eq!((maybe(one), maybe(mapped), maybe(None), maybe(None)), (Some(()), None, Some(()), None));
    let call = |ip| destructured((address(ip), 80));
    assert_eq!((call("192.0.2.1"), call("::ffff:192.0.2.1")), (Some(()), None));
}

/// As axum's: a header map, an address and a body.
struct Connected<T>(T);

impl ClientIp for Connected<SocketAddr> {
    fn client_ip(&self) -> Option<IpAddr> {
        self.0.client_ip()
    }
}

/// Named like the trait's method, to be mistaken for it.
struct Decoy;

impl Decoy {
    fn client_ip(&self) -> u8 {
        0
    }
}

/// Dereferences to an address, without being one.
struct Wrapper(SocketAddr);

impl std::ops::Deref for Wrapper {
    type Target = SocketAddr;

    fn deref(&self) -> &SocketAddr {
        &self.0
    }
}

struct Session {
    peer: SocketAddr,
}

impl ClientIp for Session {
    fn client_ip(&self) -> Option<IpAddr> {
        self.peer.client_ip()
    }
}

impl Session {
    #[limit(requests = 1, window = "1s", key = ip)]
    fn request(&self, _: u8) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn shared(self: Arc<Self>) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn pinned(self: Pin<&mut Self>) -> Option<()> {
        Some(())
    }
}

#[test]
fn the_parameter_that_carries_an_address_is_found() {
    #[limit(requests = 1, window = "1s", key = ip)]
    fn among_others(name: &str, from: Connected<SocketAddr>, body: String) -> Option<String> {
        let _: Connected<SocketAddr> = from;
        Some(body + name)
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn destructured(Connected(from): Connected<SocketAddr>) -> Option<u16> {
        Some(from.port())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn ignored(_: Connected<SocketAddr>, _: u8) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn beside_decoys<T>(
        decoy: Decoy,
        wrapper: Wrapper,
        any: &T,
        it: impl Iterator<Item = u8>,
        from: &SocketAddr,
    ) -> Option<()> {
        let _ = decoy.client_ip();
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn generic<T: ClientIp>(from: &T) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn under_cfg(#[cfg(doc)] a: SocketAddr, #[cfg(not(doc))] b: SocketAddr) -> Option<()> {
        let _ = b;
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn mutable(mut from: SocketAddr) -> Option<u16> {
        from.set_port(1);
        Some(from.port())
    }

    let _time = test::freeze();
    let (one, two) = (peer("192.0.2.1"), peer("192.0.2.2"));
    let call = |from| among_others("!", Connected(from), "body".into());
    assert_eq!((call(one).as_deref(), call(one), call(two).as_deref()), (Some("body!"), None, Some("body!")));
    assert_eq!((destructured(Connected(one)), destructured(Connected(one))), (Some(443), None));
    assert_eq!((ignored(Connected(one), 1), ignored(Connected(one), 2)), (Some(()), None));
    let call = |from: &SocketAddr| beside_decoys(Decoy, Wrapper(two), &1, [].into_iter(), from);
    assert_eq!((call(&one), call(&one), call(&two)), (Some(()), None, Some(())));
    assert_eq!((generic(&one), generic(&one), generic(&Some(two))), (Some(()), None, Some(())));
    assert_eq!((under_cfg(one), under_cfg(one)), (Some(()), None));
    assert_eq!((mutable(one), mutable(one)), (Some(1), None));
    let session = Session { peer: one };
    assert_eq!((session.request(1), session.request(2)), (Some(()), None));
}

#[test]
fn an_ip_among_other_keys_is_a_client_too() {
    #[limit(requests = 1, window = "1s", key = (ip, route))]
    fn bound(ip: IpAddr, route: &str) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = (route, (1, ip)))]
    fn nested(ip: Option<SocketAddr>, route: String) -> Option<String> {
        let _ = ip;
        Some(route)
    }

    #[limit(requests = 1, window = "1s", key = (route, ip))]
    fn probed(peer: SocketAddr, route: String) -> Option<String> {
        let _ = peer;
        Some(route)
    }

    #[limit(requests = 1, window = "1s", key = (ip, 1))]
    fn ignored(_: Connected<SocketAddr>) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = [ip, other])]
    fn in_an_array(ip: IpAddr, other: IpAddr) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = &ip)]
    fn referenced(ip: IpAddr) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = (&ip, 1))]
    fn text(ip: String) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    let (one, same, two) = ("2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:2::1");
    let all = |f: &dyn Fn(&str) -> bool| (f(one), f(same), f(two));
    let counted = (true, false, true);
    assert_eq!(all(&|ip| bound(address(ip), "/").is_some()), counted);
    assert_eq!(bound(address(one), "/other"), Some(()));
    assert_eq!(all(&|ip| nested(Some(peer(ip)), "/".into()).is_some()), counted);
    assert_eq!(all(&|ip| probed(peer(ip), "/".into()).is_some()), counted);
    assert_eq!(all(&|ip| ignored(Connected(peer(ip))).is_some()), counted);
    assert_eq!(all(&|ip| in_an_array(address(ip), address("::1")).is_some()), counted);
    assert_eq!(all(&|ip| referenced(address(ip)).is_some()), counted);
    assert_eq!((text("a".into()), text("a".into()), text("b".into())), (Some(()), None, Some(())));
}

#[test]
fn any_other_expression_names_the_client_itself() {
    #[limit(requests = 1, window = "1s", key = Client::of(&peers[0]))]
    fn f(peers: &[SocketAddr]) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    let f = |ip| f(&[peer(ip)]);
    assert_eq!((f("2001:db8::1"), f("2001:db8::2"), f("2001:db9::1")), (Some(()), None, Some(())));
}

#[test]
fn the_word_is_the_parameter_whatever_macro_it_came_through() {
    macro_rules! by_ip {
        ($name:ident, $parameter:ident) => {
            #[limit(requests = 1, window = "1s", key = ip)]
            fn $name($parameter: SocketAddr) -> Option<u16> {
                Some($parameter.port())
            }
        };
    }
    by_ip!(called_ip, ip);
    by_ip!(called_otherwise, from);

    let _time = test::freeze();
    let one = peer("192.0.2.1");
    assert_eq!((called_ip(one), called_ip(one)), (Some(443), None));
    assert_eq!((called_otherwise(one), called_otherwise(one)), (Some(443), None));
}

#[test]
fn a_pointer_carries_what_it_points_to() {
    #[limit(requests = 1, window = "1s", key = ip)]
    fn boxed(from: Box<dyn ClientIp>, _: Rc<u8>) -> Option<()> {
        Some(())
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn counted(from: Rc<SocketAddr>, _: Box<str>) -> Option<()> {
        Some(())
    }

    let _time = test::freeze();
    let one = peer("192.0.2.1");
    let session = || Session { peer: one };
    assert_eq!((Arc::new(session()).shared(), Arc::new(session()).shared()), (Some(()), None));
    assert_eq!((pin!(session()).pinned(), pin!(session()).pinned()), (Some(()), None));
    assert_eq!((boxed(Box::new(one), Rc::new(1)), boxed(Box::new(one), Rc::new(1))), (Some(()), None));
    assert_eq!((counted(Rc::new(one), "a".into()), counted(Rc::new(one), "b".into())), (Some(()), None));
}
