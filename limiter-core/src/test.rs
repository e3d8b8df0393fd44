//! Time and buckets for one test: the clock stands still until the test moves it, and every limit is as if never used.
//!
//! [`freeze`] begins a *scope* for the current thread. While it lasts, every limit that this thread meets, be it in an
//! attribute or in a `static`, reads the scope's clock, keeps its state in the scope and is listed in the scope's own
//! registry. Tests that run beside it, in other threads, notice nothing, and nothing is left when it ends.
//!
//! ```
//! # extern crate limiter_core as limiter;
//! use limiter::{Limiter, Quota, test};
//! use std::time::Duration;
//!
//! static IMPORTS: Limiter = Limiter::new(Quota::per_day(1));
//!
//! let time = test::freeze();
//! assert!(IMPORTS.try_acquire().is_ok());
//! assert!(IMPORTS.try_acquire().is_err());
//! time.advance(Duration::from_secs(86_400));
//! assert!(IMPORTS.try_acquire().is_ok());
//! ```
//!
//! Threads that a test starts see the real clock and the real buckets, unless they [`enter`](Handle::enter) the scope
//! through its [`handle`](Scope::handle):
//!
//! ```
//! # extern crate limiter_core as limiter;
//! use limiter::{Limiter, Quota, test};
//!
//! static IMPORTS: Limiter = Limiter::new(Quota::per_day(1));
//!
//! let time = test::freeze();
//! let handle = time.handle();
//! std::thread::spawn(move || {
//!     let _time = handle.enter();
//!     assert!(IMPORTS.try_acquire().is_ok());
//! })
//! .join()
//! .unwrap();
//! assert!(IMPORTS.try_acquire().is_err());
//! ```
//!
//! An async test sees its scope as long as its code runs on its own thread: under `#[tokio::test]` that is everything but
//! `spawn_blocking`, and with `flavor = "multi_thread"` everything that is not spawned. Tokio's paused time is another clock:
//! `tokio::time::advance` does not move this one.
//!
//! This module exists with the feature `test-util`. It makes every limit look for a scope, so enable it in
//! `[dev-dependencies]` only.

use crate::{
    clock::Nanos,
    names::{self, NameConflict},
    registry::{Limit, Node},
    spec::Spec,
    storage::Slot,
    strategy::Strategy,
    sync::{
        AtomicU64,
        Ordering::{Relaxed, SeqCst},
    },
};
use core::{any::Any, fmt, marker::PhantomData, time::Duration};
use std::{
    cell::RefCell,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// Where a scope's clock stands at first: 2026-01-01 00:00:00 UTC, the boundary of every window that divides a day.
pub const START: Nanos = 1_767_225_600_000_000_000;

thread_local! {
    /// The stays of this thread that have not ended, the latest last. They may end in any order.
    static STAYS: RefCell<Vec<(u64, Handle)>> = const { RefCell::new(Vec::new()) };
}

/// Begins a scope on this thread, with the clock at [`START`]. A scope begun inside another hides it until it ends;
/// they may end in any order.
#[must_use = "bind it, as in `let time = test::freeze();`: dropped, also by `let _ = …`, it ends the scope at once"]
pub fn freeze() -> Scope {
    freeze_at(START)
}

/// Begins a scope on this thread, with the clock at `now` nanoseconds since the Unix epoch.
#[must_use = "bind it, as in `let time = test::freeze();`: dropped, also by `let _ = …`, it ends the scope at once"]
pub fn freeze_at(now: Nanos) -> Scope {
    Handle { world: Arc::new(World { now: AtomicU64::new(now), limits: Mutex::default() }) }.enter()
}

/// A thread's stay in a scope. It ends when this is dropped, on the thread that entered.
#[must_use = "bind it, as in `let time = test::freeze();`: dropped, also by `let _ = …`, it ends the scope at once"]
pub struct Scope {
    handle: Handle,
    /// Tells this stay from the thread's others.
    stay: u64,
    /// Tied to its thread.
    _not_send: PhantomData<*const ()>,
}

impl Scope {
    /// Moves the clock on by `by`.
    pub fn advance(&self, by: Duration) {
        self.handle.advance(by);
    }

    /// Puts the clock at `now` nanoseconds since the Unix epoch, be it later or earlier.
    pub fn set(&self, now: Nanos) {
        self.handle.set(now);
    }

    /// Where the clock stands.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.handle.now()
    }

    /// The scope, for other threads.
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        // Fails only while the thread itself ends, when nobody asks any more.
        let _ = STAYS.try_with(|stays| stays.borrow_mut().retain(|(stay, _)| *stay != self.stay));
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("now", &self.now()).finish_non_exhaustive()
    }
}

/// A scope that other threads can enter.
#[derive(Clone)]
pub struct Handle {
    world: Arc<World>,
}

impl Handle {
    /// Enters the scope on this thread, until the returned value is dropped.
    pub fn enter(&self) -> Scope {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let stay = NEXT.fetch_add(1, Relaxed);
        STAYS.with(|stays| stays.borrow_mut().push((stay, self.clone())));
        Scope { handle: self.clone(), stay, _not_send: PhantomData }
    }

    /// Moves the clock on by `by`.
    pub fn advance(&self, by: Duration) {
        let by = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        // `SeqCst`, as for any clock that a test uses to order its threads.
        let _ = self.world.now.fetch_update(SeqCst, SeqCst, |now| Some(now.saturating_add(by)));
    }

    /// Puts the clock at `now` nanoseconds since the Unix epoch, be it later or earlier.
    pub fn set(&self, now: Nanos) {
        self.world.now.store(now, SeqCst);
    }

    /// Where the clock stands.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.world.now.load(SeqCst)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").field("now", &self.now()).finish_non_exhaustive()
    }
}

/// What a scope holds.
struct World {
    now: AtomicU64,
    limits: Mutex<Vec<Arc<Held>>>,
}

/// A limit that was used in a scope: its state there, of a type that only the limit knows.
struct Held {
    id: u64,
    spec: Spec,
    node: Node,
    /// Set when the registry is to list it.
    registered: OnceLock<()>,
    state: Box<dyn Any + Send + Sync>,
}

impl World {
    /// A test that failed while it held the lock left nothing half done.
    fn limits(&self) -> MutexGuard<'_, Vec<Arc<Held>>> {
        self.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limit's state in this scope, made at its first use. The instances of a generic function are one limit; where they
    /// differ in their quota, each quota has a state.
    fn held<T: Send + Sync + 'static>(&self, id: &Id, spec: &Spec, make: impl FnOnce() -> T) -> Arc<Held> {
        let id = id.get();
        let mut limits = self.limits();
        if let Some(held) = limits.iter().find(|held| held.id == id && held.spec.quota == spec.quota) {
            return held.clone();
        }
        let held = Arc::new(Held {
            id,
            spec: *spec,
            node: Node::unseen(),
            registered: OnceLock::new(),
            state: Box::new(make()),
        });
        limits.push(held.clone());
        held
    }
}

/// Which limit this is, wherever it is moved; given at its first use in any scope. 0 until then.
pub(crate) struct Id(AtomicU64);

impl Id {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    fn get(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        match self.0.load(Relaxed) {
            0 => {
                let new = NEXT.fetch_add(1, Relaxed);
                self.0.compare_exchange(0, new, Relaxed, Relaxed).map_or_else(|first| first, |_| new)
            }
            id => id,
        }
    }
}

fn current() -> Option<Handle> {
    STAYS.try_with(|stays| stays.borrow().last().map(|(_, handle)| handle.clone())).ok().flatten()
}

/// The scope's time, if this thread is in one.
pub(crate) fn now() -> Option<Nanos> {
    current().map(|handle| handle.now())
}

/// Lists a limit in the scope's registry, if this thread is in one.
pub(crate) fn register_bucket<S: Strategy>(id: &Id, spec: &Spec) -> bool {
    register(id, spec, || S::UNSEEN)
}

/// Lists a keyed limit in the scope's registry, if this thread is in one.
pub(crate) fn register_table<S: Strategy>(id: &Id, spec: &Spec, capacity: usize) -> bool {
    register(id, spec, || slots::<S>(capacity))
}

fn register<T: Send + Sync + 'static>(id: &Id, spec: &Spec, make: impl FnOnce() -> T) -> bool {
    let Some(handle) = current() else { return false };
    if handle.world.held(id, spec, make).registered.set(()).is_ok() {
        let id = id.get();
        let others = specs().into_iter().flatten().filter(|(other, _)| *other != id);
        names::raise_in_debug(others.filter_map(|(_, listed)| NameConflict::between(&listed, spec)).next());
    }
    true
}

/// The limits registered in the scope with their specs, if this thread is in one.
pub(crate) fn specs() -> Option<Vec<(u64, Spec)>> {
    let handle = current()?;
    let limits = handle.world.limits();
    Some(limits.iter().filter(|held| held.registered.get().is_some()).map(|held| (held.id, held.spec)).collect())
}

/// The slots of a keyed limit in a scope: on the heap, where any capacity fits.
fn slots<S: Strategy>(capacity: usize) -> Box<[Slot<S>]> {
    (0..capacity).map(|_| Slot::unseen()).collect()
}

/// Lets `visit` see a limit's state in the scope, if this thread is in one.
pub(crate) fn bucket<S: Strategy, R>(id: &Id, spec: &Spec, visit: impl FnOnce(&S::State) -> R) -> Option<R> {
    let held = current()?.world.held(id, spec, || S::UNSEEN);
    held.state.downcast_ref().map(visit)
}

/// Lets `visit` see a keyed limit's slots in the scope, if this thread is in one.
pub(crate) fn table<S: Strategy, R>(
    id: &Id,
    spec: &Spec,
    capacity: usize,
    visit: impl FnOnce(&[Slot<S>], &Node) -> R,
) -> Option<R> {
    let held = current()?.world.held(id, spec, || slots::<S>(capacity));
    held.state.downcast_ref::<Box<[Slot<S>]>>().map(|slots| visit(slots, &held.node))
}

/// The limits registered in the scope, if this thread is in one.
pub(crate) fn limits() -> Option<Vec<Limit>> {
    let handle = current()?;
    let limits = handle.world.limits();
    let registered = limits.iter().filter(|held| held.registered.get().is_some());
    Some(registered.map(|held| held.node.describe(&held.spec)).collect())
}
