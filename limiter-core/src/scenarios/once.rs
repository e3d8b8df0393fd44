//! Races for what is set once: the hash's secret, the clock's offset, a limit's place in the registry.

use super::explore::{act, explore, together};
use crate::{
    clock, hash,
    quota::Quota,
    registry::Node,
    spec::Spec,
    sync::{AtomicU64, OnceRef},
    token_bucket::TokenBucket,
};
use std::sync::Arc;

/// Whoever sees the secret drawn sees all of it, and all see the same.
#[test]
fn the_secret_is_one_for_all_threads() {
    explore(3, || {
        let secret: Arc<[AtomicU64; 4]> = Arc::new([const { AtomicU64::new(0) }; 4]);
        #[cfg(limiter_loom)]
        secret.iter().for_each(|word| {
            word.touch();
        });
        let [one, other] = [&secret, &secret].map(|secret| {
            let secret = secret.clone();
            act(move || hash::drawn(&secret))
        });
        let [one, other] = together([one, other]);
        assert!(one.iter().all(|word| *word != 0), "a word was used before it was drawn");
        assert_eq!(one, other);
    });
}

#[test]
fn the_clocks_offset_is_one_for_all_threads() {
    explore(3, || {
        let offset = Arc::new(AtomicU64::new(0));
        #[cfg(limiter_loom)]
        offset.touch();
        let set = [7, 8].map(|mine| {
            let offset = offset.clone();
            act(move || clock::set_once(&offset, mine))
        });
        let [one, other] = together(set);
        assert_eq!(one, other);
    });
}

/// Two limits are used for the first time, by two threads in different order.
#[test]
fn a_limit_is_listed_once() {
    /// How many limits somebody sees who walks the list now. A node on the list has its spec.
    fn listed(first: &OnceRef<'static, Node>) -> usize {
        let nodes = std::iter::successors(first.get(), |node| node.next.get());
        nodes.inspect(|node| assert!(node.spec.get().is_some(), "listed before it was complete")).count()
    }

    static SPEC: Spec = Spec::new::<TokenBucket>("", "", 0, Quota::per_day(1));
    explore(3, || {
        let first: &'static OnceRef<'static, Node> = Box::leak(Box::new(OnceRef::new()));
        let nodes: &'static [Node; 2] = Box::leak(Box::new([Node::unseen(), Node::unseen()]));
        #[cfg(limiter_loom)]
        {
            first.touch();
            nodes.iter().for_each(Node::touch);
        }
        let register = |nodes: [&'static Node; 2]| {
            act(move || {
                nodes.into_iter().for_each(|node| node.append(&SPEC, first));
                0
            })
        };
        let [one, other] = [&nodes[0], &nodes[1]];
        let [.., seen] = together([register([one, other]), register([other, one]), act(move || listed(first))]);
        assert!(seen <= 2);
        assert_eq!(listed(first), 2);
    });
}
