//! One bucket for all callers: what `#[limit]` without a `key` puts into a `static`. Or one for each quota, where the quota
//! is an expression: a generic function has one `static` for all its instances, and each may have another quota.

use crate::{
    outcome::Rejected,
    registry::Node,
    spec::Spec,
    storage::{Chunks, chunks},
    strategy::Strategy,
    table::Table,
    take::{Answer, take},
};

/// The state of a limit without keys, and its place in the registry. All zeros until the first call.
#[repr(C)]
pub struct Bucket<S: Strategy> {
    state: Apart<S::State>,
    node: Node,
    #[cfg(feature = "test-util")]
    id: crate::test::Id,
}

/// Something that threads write, in a pair of cache lines of its own: so that two limits do not slow each other down, and
/// that finding a limit registered does not wait for the line that another thread is writing.
#[repr(align(128))]
struct Apart<T>(T);

impl<S: Strategy> Bucket<S> {
    /// A bucket nobody has used.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "statics are made in constants, where `Default` cannot be called")]
    pub const fn new() -> Self {
        Self {
            state: Apart(S::UNSEEN),
            node: Node::unseen(),
            #[cfg(feature = "test-util")]
            id: crate::test::Id::new(),
        }
    }

    /// The attribute's guard: takes a permit.
    ///
    /// # Errors
    ///
    /// When there is none.
    #[inline(always)]
    pub fn check(&'static self, spec: &'static Spec) -> Result<(), Rejected> {
        self.register(spec);
        self.take(spec, 1)
    }

    #[inline(always)]
    pub(crate) fn register(&'static self, spec: &'static Spec) {
        #[cfg(feature = "test-util")]
        if crate::test::register_bucket::<S>(&self.id, spec) {
            return;
        }
        self.node.register(spec);
    }

    /// Whether this is the bucket of `spec`'s quota; registers it if nobody has used it.
    #[inline(always)]
    fn is_first(&'static self, spec: &'static Spec) -> bool {
        // A scope keeps the quotas of a limit apart by itself.
        #[cfg(feature = "test-util")]
        if crate::test::register_bucket::<S>(&self.id, spec) {
            return true;
        }
        self.node.is_first(spec)
    }

    #[inline(always)]
    pub(crate) fn take<A: Answer>(&self, spec: &Spec, permits: u64) -> Result<A, Rejected> {
        #[cfg(feature = "test-util")]
        if let Some(answer) = crate::test::bucket::<S, _>(&self.id, spec, |state| take::<S, A>(state, spec, permits)) {
            return answer;
        }
        take::<S, A>(&self.state.0, spec, permits)
    }
}

/// How many quotas a function may have beside the first that was used. More push each other out.
const OTHERS: usize = 1_024;

type Others<S> = Chunks<S, OTHERS, { chunks(OTHERS) }>;

/// A bucket for each quota. All zeros until the first call.
#[repr(C)]
pub struct Buckets<S: Strategy> {
    /// The one of the quota that was used first: nearly always there is no other.
    first: Bucket<S>,
    others: Table<S, Others<S>>,
}

impl<S: Strategy> Buckets<S> {
    /// Buckets nobody has used.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "statics are made in constants, where `Default` cannot be called")]
    pub const fn new() -> Self {
        Self { first: Bucket::new(), others: Table::new() }
    }

    /// The attribute's guard: takes a permit of the bucket of `spec`'s quota.
    ///
    /// # Errors
    ///
    /// When there is none.
    #[inline(always)]
    pub fn check(&'static self, spec: &'static Spec) -> Result<(), Rejected> {
        if self.first.is_first(spec) { self.first.take(spec, 1) } else { self.others.take(spec, &spec.quota, 1) }
    }
}
