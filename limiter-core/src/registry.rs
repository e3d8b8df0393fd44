//! Which limits this process has used so far.
//!
//! Each limit carries its own list node, so registering needs no memory and no lock. A node is appended once, at the first
//! use of its limit, and never removed: the list only grows, by one pointer at its end.

// Orderings: `OnceRef` publishes with release and reads with acquire, so a walker that sees a node sees its spec
// (`scenarios/once.rs: a_limit_is_listed_once`). The counters are statistics about no other data: `Relaxed`.

use crate::{
    names,
    quota::Quota,
    spec::Spec,
    sync::{AtomicU64, OnceRef, Ordering::Relaxed},
};
use core::{fmt, iter, ptr};

pub use crate::names::NameConflict;

/// The first limit used in this process.
static FIRST: OnceRef<'static, Node> = OnceRef::new();

/// A limit's place in the list, and what it counts beside permits. All zeros until the first use.
pub(crate) struct Node {
    /// Set when the limit is first used: this is also how a limit knows that it is in the list.
    pub(crate) spec: OnceRef<'static, Spec>,
    pub(crate) next: OnceRef<'static, Node>,
    /// Keys held, for a keyed limit.
    pub(crate) held: AtomicU64,
    /// Keys replaced before they were full again.
    pub(crate) evictions: AtomicU64,
    /// Offers made to new keys, which number them.
    pub(crate) offers: AtomicU64,
}

impl Node {
    pub(crate) const fn unseen() -> Self {
        Self {
            spec: OnceRef::new(),
            next: OnceRef::new(),
            held: AtomicU64::new(0),
            evictions: AtomicU64::new(0),
            offers: AtomicU64::new(0),
        }
    }

    /// Puts the limit on the list if it is not.
    #[inline]
    pub(crate) fn register(&'static self, spec: &'static Spec) {
        if self.spec.get().is_none() {
            self.append(spec, &FIRST);
        }
    }

    /// Whether `spec` allows what the first one allowed that this limit was used with; it is the first if there was none.
    ///
    /// The instances of a generic function each have a spec, of which those of one quota are alike. So are the copies that
    /// the compiler makes of one for several crates, which is why the address alone does not tell.
    #[inline(always)]
    pub(crate) fn is_first(&'static self, spec: &'static Spec) -> bool {
        self.spec.get().is_some_and(|first| ptr::eq(first, spec)) || self.is_like_first(spec)
    }

    #[inline(never)]
    fn is_like_first(&'static self, spec: &'static Spec) -> bool {
        self.register(spec);
        self.spec.get().is_some_and(|first| first.quota == spec.quota)
    }

    #[cold]
    pub(crate) fn append(&'static self, spec: &'static Spec, first: &'static OnceRef<'static, Self>) {
        // Of the threads that use a limit for the first time together, one goes on.
        if self.spec.set(spec).is_err() {
            return;
        }
        let mut end = first;
        let mut conflict = None;
        while end.set(self).is_err() {
            let Some(node) = end.get() else { return };
            conflict = conflict.or_else(|| NameConflict::between(node.spec.get()?, spec));
            end = &node.next;
        }
        names::raise_in_debug(conflict);
    }

    #[cfg(limiter_loom)]
    pub(crate) fn touch(&self) {
        self.spec.touch();
        self.next.touch();
        self.held.touch();
        self.evictions.touch();
        self.offers.touch();
    }

    pub(crate) fn describe(&self, spec: &Spec) -> Limit {
        Limit {
            name: spec.name,
            file: spec.file,
            line: spec.line,
            strategy: spec.strategy(),
            quota: spec.quota,
            keys: self.held.load(Relaxed) as usize,
            evictions: self.evictions.load(Relaxed),
        }
    }
}

/// A limit as it stood when the registry was asked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limit {
    /// `module::path::function`, or the name it was given.
    pub name: &'static str,
    /// The source file of the attribute or of the `static`.
    pub file: &'static str,
    /// The line in that file.
    pub line: u32,
    /// The strategy's type, without its path.
    pub strategy: &'static str,
    /// What it allows.
    pub quota: Quota,
    /// Keys held by a keyed limit; 0 for one that is not.
    pub keys: usize,
    /// How often a keyed limit replaced a key that was not full again. Above 0, its `capacity` is too small.
    pub evictions: u64,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}:{}): {} {:?}", self.name, self.file, self.line, self.strategy, self.quota)
    }
}

/// Whether every name that was given to a limit is its own, as far as limits were used: two may share a name if they have one
/// strategy and one quota.
///
/// With debug assertions, as in tests, the second limit of a name panics with this error when it is first used. Without them
/// it works, and a program that wants to know asks here once it has run.
///
/// # Errors
///
/// Names both places.
///
/// ```
/// # extern crate limiter_core as limiter;
/// limiter::registry::check_names()?;
/// # Ok::<(), limiter::registry::NameConflict>(())
/// ```
pub fn check_names() -> Result<(), NameConflict> {
    #[cfg(feature = "test-util")]
    if let Some(specs) = crate::test::specs() {
        return names::check(specs.iter().map(|(id, spec)| (*id, spec)));
    }
    names::check(walk(FIRST.get()).map(|(node, spec)| (ptr::from_ref(node), spec)))
}

/// The nodes on the list now, from one on, each with its spec, which was set before the node was linked.
fn walk(first: Option<&'static Node>) -> impl Iterator<Item = (&'static Node, &'static Spec)> + Clone {
    iter::successors(first, |node| node.next.get()).filter_map(|node| Some((node, node.spec.get()?)))
}

/// Every limit used so far, in the order of first use.
///
/// A limit made by the attribute is listed from its first call on; a `static` [`Limiter`](crate::Limiter) or
/// [`Keyed`](crate::Keyed) from the call of its `register`, which a program makes when it starts. Under a manual clock the
/// same holds, for that clock's time.
///
/// ```
/// # extern crate limiter_core as limiter;
/// use limiter::{Limiter, Quota, registry};
///
/// static MAIL: Limiter = Limiter::named("mail", Quota::per_minute(30));
/// MAIL.register();
/// let limit = registry::limits().find(|limit| limit.name == "mail").unwrap();
/// assert_eq!((limit.strategy, limit.quota.requests()), ("FixedWindow", 30));
/// ```
pub fn limits() -> impl Iterator<Item = Limit> {
    #[cfg(feature = "test-util")]
    let in_scope = crate::test::limits();
    #[cfg(not(feature = "test-util"))]
    let in_scope: Option<core::array::IntoIter<Limit, 0>> = None;
    let first = if in_scope.is_some() { None } else { FIRST.get() };
    in_scope.into_iter().flatten().chain(walk(first).map(|(node, spec)| node.describe(spec)))
}
