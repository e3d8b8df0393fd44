//! Limits that many threads use for the first time together are listed once each.

use limiter_core::{Keyed, Limiter, Quota, TokenBucket, registry};
use std::{collections::HashMap, sync::Barrier, thread};

const QUOTA: Quota = Quota::per_day(1_000);
const ROW: usize = 16;

static ROWS: [[Limiter; ROW]; 4] = [const { [const { Limiter::named("row", QUOTA) }; ROW] }; 4];
static KEYED: [Keyed<TokenBucket, 8>; ROW] = [const { Keyed::named("keyed", QUOTA) }; ROW];

#[test]
fn each_is_listed_once_whoever_registers_it_first() {
    const THREADS: usize = 8;
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                for i in 0..ROW {
                    let nth = (i + thread) % ROW;
                    ROWS.iter().for_each(|row| row[nth].register());
                    KEYED[nth].register();
                    KEYED[nth].try_acquire(&thread).unwrap();
                }
            });
        }
    });

    let mut listed = HashMap::new();
    for limit in registry::limits() {
        assert!(limit.file.ends_with("registry.rs") && limit.line > 0);
        *listed.entry((limit.name, limit.strategy, limit.keys)).or_insert(0) += 1;
    }
    assert_eq!(listed, HashMap::from([(("row", "FixedWindow", 0), 4 * ROW), (("keyed", "TokenBucket", THREADS), ROW)]));
}
