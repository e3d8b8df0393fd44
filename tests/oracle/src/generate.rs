//! Histories by chance, with the edges more often than chance has them.
//!
//! The seed is fixed, so that a run of the tests is the same everywhere. `PROPTEST_RNG_SEED` sets another and
//! `PROPTEST_CASES` how many histories each test tries. A history that fails is shortened and its seed appended to
//! `proptest-regressions.txt` in the package's folder, which belongs into the repository; every test tries the seeds
//! there first.

use crate::{
    bytes,
    history::{Algorithm, History, Operation, Permits, Span},
};
use limiter_core::{MAX_WINDOW, Nanos, Quota, test};
use proptest::{
    collection::vec,
    prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof},
    test_runner::{Config, FailurePersistence, FileFailurePersistence, RngAlgorithm, RngSeed, TestRunner},
};
use std::fmt::Debug;

/// Checks values of `strategy`: as many as `PROPTEST_CASES` says, else `cases`.
///
/// # Panics
///
/// When the check does, with the simplest value on which it does.
pub fn for_all<T: Debug>(cases: u32, strategy: impl Strategy<Value = T>, check: impl Fn(T)) {
    let from_environment = Config::default();
    let config = Config {
        cases: if std::env::var_os("PROPTEST_CASES").is_some() { from_environment.cases } else { cases },
        rng_seed: match from_environment.rng_seed {
            RngSeed::Random => RngSeed::Fixed(1),
            seed @ RngSeed::Fixed(_) => seed,
        },
        // Nobody guesses these histories, and without optimisation the default costs more than the replay.
        rng_algorithm: RngAlgorithm::XorShift,
        // Cargo runs tests in the package's folder. `PROPTEST_DISABLE_FAILURE_PERSISTENCE` leaves nothing there.
        failure_persistence: from_environment.failure_persistence.as_ref().map(|_| -> Box<dyn FailurePersistence> {
            Box::new(FileFailurePersistence::Direct("proptest-regressions.txt"))
        }),
        ..from_environment
    };
    let mut runner = TestRunner::new(config);
    if let Err(error) = runner.run(&strategy, |value| {
        check(value);
        Ok(())
    }) {
        panic!("{error}");
    }
}

/// Which way clocks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Only forward.
    Forward,
    /// Forward, back and anywhere.
    Anywhere,
}

/// Histories of a strategy.
pub fn histories(algorithm: Algorithm, direction: Direction) -> impl Strategy<Value = History> {
    (quotas(algorithm), instants(), vec(operations(direction), 1..40))
        .prop_map(move |(quota, start, operations)| History { algorithm, quota, start, operations })
}

/// Quotas: primes, powers of ten, the ceilings, and anything.
pub fn quotas(algorithm: Algorithm) -> impl Strategy<Value = Quota> {
    (numbers(), windows(), numbers(), 0..4_u8).prop_map(move |(requests, window, burst, kind)| {
        let requests = if kind == 3 { requests } else { requests.min(window) };
        let burst = if kind == 0 { requests } else { burst };
        bytes::quota(algorithm, requests, window, burst)
    })
}

/// Quotas that a test can drain permit by permit.
pub fn small_quotas(algorithm: Algorithm) -> impl Strategy<Value = Quota> {
    (1..=12_u64, windows(), 1..=12_u64)
        .prop_map(move |(requests, window, burst)| bytes::quota(algorithm, requests, window, burst))
}

fn windows() -> BoxedStrategy<Nanos> {
    const SECOND: Nanos = 1_000_000_000;
    let longest = MAX_WINDOW.as_nanos() as u64;
    prop_oneof![
        1..=100_u64,
        primes(),
        powers_of_ten(),
        (0..5_usize).prop_map(|i| [1, 60, 3_600, 86_400, 365 * 86_400].map(|seconds| seconds * SECOND)[i]),
        1..=longest,
        longest - 10..=longest,
        1..=SECOND,
    ]
    .boxed()
}

fn numbers() -> BoxedStrategy<u64> {
    prop_oneof![
        3 => 1..=12_u64,
        1 => primes(),
        1 => powers_of_ten(),
        1 => 1..=1_000_000_000_u64,
        1 => any::<u64>(),
        1 => Just(u64::MAX),
        1 => Just(1),
    ]
    .boxed()
}

fn primes() -> BoxedStrategy<u64> {
    const PRIMES: [u64; 12] = [2, 3, 5, 7, 11, 13, 97, 7_919, 104_729, 999_999_937, 1_000_000_007, 10_000_000_000_037];
    (0..PRIMES.len()).prop_map(|i| PRIMES[i]).boxed()
}

fn powers_of_ten() -> BoxedStrategy<u64> {
    (0..=16_u32).prop_map(|exponent| 10_u64.pow(exponent)).boxed()
}

/// Where clocks stand: mostly today, and at every end of time.
fn instants() -> BoxedStrategy<Nanos> {
    prop_oneof![
        4 => Just(test::START),
        2 => (0..=1_000_000_000_000_u64).prop_map(|after| test::START + after),
        1 => 0..=100_u64,
        1 => any::<u64>(),
        1 => (1_u64 << 63) - 100..(1_u64 << 63) + 100,
        1 => (0..=200_u64).prop_map(|around| u64::MAX - (1 << 62) - 100 + around),
        1 => (0..=100_u64).prop_map(|before| u64::MAX - before),
    ]
    .boxed()
}

fn permits() -> BoxedStrategy<Permits> {
    prop_oneof![
        6 => Just(Permits::Exactly(1)),
        4 => Just(Permits::Again),
        2 => Just(Permits::Exactly(0)),
        2 => (2..=9_u64).prop_map(Permits::Exactly),
        1 => any::<u64>().prop_map(Permits::Exactly),
        3 => Just(Permits::Limit),
        2 => Just(Permits::Remaining),
        2 => Just(Permits::OneTooMany),
        1 => (0..3_u64).prop_map(Permits::Above),
        1 => Just(Permits::Above(u64::MAX)),
    ]
    .boxed()
}

fn spans() -> BoxedStrategy<Span> {
    prop_oneof![
        2 => Just(Span::Nanos(1)),
        2 => (0..=10_u64).prop_map(Span::Nanos),
        1 => (0..=10_000_000_000_u64).prop_map(Span::Nanos),
        2 => (0..=3_u64).prop_map(Span::Windows),
        3 => (0..=9_u64).prop_map(Span::Periods),
        6 => Just(Span::Retry),
        3 => Just(Span::AlmostRetry),
        2 => Just(Span::Reset),
        2 => Just(Span::AlmostReset),
        1 => (1..=200_u64).prop_map(Span::Years),
    ]
    .boxed()
}

/// Calls and moves of the clock.
pub fn operations(direction: Direction) -> BoxedStrategy<Operation> {
    let calls = permits().prop_map(Operation::Take);
    let forward = spans().prop_map(Operation::Forward);
    match direction {
        Direction::Forward => prop_oneof![3 => calls, 2 => forward].boxed(),
        Direction::Anywhere => prop_oneof![
            12 => calls,
            6 => forward,
            3 => spans().prop_map(Operation::Back),
            1 => instants().prop_map(Operation::Set),
        ]
        .boxed(),
    }
}
