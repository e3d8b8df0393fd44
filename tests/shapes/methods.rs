//! Methods with any receiver, and those of traits.

use crate::ready;
use limiter::{limit, test};
use std::future::Future;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;

struct Service {
    id: u32,
}

impl Service {
    const LIMIT: u64 = 2;

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn by_reference(&self) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn by_mutable_reference(&mut self) -> Option<u32> {
        self.id += 10;
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn by_value(mut self) -> Option<u32> {
        self.id += 1;
        Some(self.id)
    }

    #[expect(clippy::boxed_local, reason = "an odd shape is the point")]
    #[limit(requests = 1, window = "1s", key = self.id)]
    fn boxed(self: Box<Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn counted(self: Rc<Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    async fn shared(self: Arc<Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn pinned(self: Pin<&mut Self>) -> Option<u32> {
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn behind_two(self: &Arc<Self>) -> Option<u32> {
        Some(self.id)
    }

    #[expect(clippy::needless_lifetimes, clippy::needless_arbitrary_self_type, reason = "an odd shape is the point")]
    #[limit(requests = 1, window = "1s", key = self.id)]
    fn spelt_out<'a>(self: &'a mut Self) -> Option<&'a mut u32> {
        self.id += 10;
        Some(&mut self.id)
    }

    #[limit(requests = 1, window = "1s", key = self.id)]
    fn pinned_and_counted(mut self: Pin<Box<Self>>) -> Option<u32> {
        self.id += 10;
        Some(self.id)
    }

    #[limit(requests = 1, window = "1s", key = ip)]
    fn mutable_and_probed(&mut self, _: SocketAddr, other: u32) -> Option<u32> {
        self.id += other;
        Some(self.id)
    }

    #[limit(requests = Self::LIMIT, window = "1s")]
    fn associated() -> Option<u64> {
        Some(Self::LIMIT)
    }
}

#[test]
fn methods_with_any_receiver() {
    let _time = test::freeze();
    let new = || Service { id: 7 };
    let mut service = new();
    assert_eq!((service.by_reference(), service.by_reference()), (Some(7), None));
    assert_eq!(Service { id: 8 }.by_reference(), Some(8));
    assert_eq!(service.by_mutable_reference(), Some(17));
    service.id = 7;
    assert_eq!((service.by_mutable_reference(), service.id), (None, 7));
    assert_eq!((new().by_value(), new().by_value()), (Some(8), None));
    assert_eq!((Box::new(new()).boxed(), Box::new(new()).boxed()), (Some(7), None));
    assert_eq!((Rc::new(new()).counted(), Rc::new(new()).counted()), (Some(7), None));
    assert_eq!((ready(Arc::new(new()).shared()), ready(Arc::new(new()).shared())), (Some(7), None));
    assert_eq!((pin!(new()).pinned(), pin!(new()).pinned()), (Some(7), None));
    let shared = Arc::new(new());
    assert_eq!((shared.behind_two(), shared.behind_two()), (Some(7), None));
    service.id = 7;
    assert_eq!(service.spelt_out(), Some(&mut 17));
    service.id = 7;
    assert_eq!(service.spelt_out(), None);
    assert_eq!(service.id, 7);
    assert_eq!((Box::pin(new()).pinned_and_counted(), Box::pin(new()).pinned_and_counted()), (Some(17), None));
    let peer = SocketAddr::from(([192, 0, 2, 1], 443));
    assert_eq!((service.mutable_and_probed(peer, 1), service.mutable_and_probed(peer, 1)), (Some(8), None));
    assert_eq!((Service::associated(), Service::associated(), Service::associated()), (Some(2), Some(2), None));
}

trait Greet {
    fn greet(&self) -> Option<&'static str>;

    #[limit(requests = 1, window = "1s")]
    fn by_default(&self) -> Option<&'static str> {
        self.greet()
    }

    #[limit(requests = 1, window = "1s")]
    fn by_default_async(&self) -> impl Future<Output = Option<u8>> {
        async { Some(1) }
    }
}

impl Greet for u8 {
    #[limit(requests = 1, window = "1s")]
    fn greet(&self) -> Option<&'static str> {
        Some("u8")
    }
}

impl Greet for u16 {
    #[limit(requests = 1, window = "1s")]
    fn greet(&self) -> Option<&'static str> {
        Some("u16")
    }
}

#[test]
fn trait_methods_have_a_limit_per_body() {
    let _time = test::freeze();
    assert_eq!((0u8.greet(), 0u16.greet()), (Some("u8"), Some("u16")));
    assert_eq!((0u8.greet(), 0u16.greet()), (None, None));
}

#[test]
fn a_default_body_is_one_limit_for_all_implementors() {
    let _time = test::freeze();
    assert_eq!(0u8.by_default(), Some("u8"));
    assert_eq!(0u16.by_default(), None);
    assert_eq!(ready(0u8.by_default_async()), Some(1));
    assert_eq!(ready(0u16.by_default_async()), None);
}
