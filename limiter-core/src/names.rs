//! One name, one limit: what a limit was called by hand is how metrics and configuration know it, and of two limits of one name
//! that allow different things they would tell nonsense.
//!
//! Names made of a function's path are nobody's choice, and the methods of two types may have the same.

use crate::spec::Spec;
use core::{error::Error, fmt};

/// Two limits that were given one name, and allow different things. Its text names both places.
#[derive(Clone, PartialEq, Eq)]
pub struct NameConflict {
    text: Box<str>,
}

impl NameConflict {
    /// Between two limits: the instances of a generic function are one.
    pub(crate) fn between(one: &Spec, other: &Spec) -> Option<Self> {
        let allowed = |spec: &Spec| (spec.strategy(), spec.quota);
        let is_conflict = one.is_named && other.is_named && one.name == other.name && allowed(one) != allowed(other);
        let limit = |spec: &Spec| format!("{} {:?} at {}:{}", spec.strategy(), spec.quota, spec.file, spec.line);
        is_conflict.then(|| Self {
            text: format!(
                "two limits have the name `{}` and allow different things: {}; {}; give one of them another name",
                one.name,
                limit(one),
                limit(other)
            )
            .into(),
        })
    }
}

impl fmt::Display for NameConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for NameConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for NameConflict {}

/// Stops a program that is built for debugging; one in production goes on, with a budget for each of the two.
///
/// # Panics
///
/// With debug assertions, if there is a conflict.
pub(crate) fn raise_in_debug(conflict: Option<NameConflict>) {
    if let Some(conflict) = conflict.filter(|_| cfg!(debug_assertions)) {
        panic!("{conflict}");
    }
}

/// Whether two of these limits conflict, each of which is told from the others by its `Id`.
pub(crate) fn check<'a, Id: PartialEq>(
    limits: impl Iterator<Item = (Id, &'a Spec)> + Clone,
) -> Result<(), NameConflict> {
    for (nth, (id, one)) in limits.clone().enumerate() {
        let others = limits.clone().skip(nth + 1).filter(|(other, _)| *other != id);
        if let Some(conflict) = others.filter_map(|(_, other)| NameConflict::between(one, other)).next() {
            return Err(conflict);
        }
    }
    Ok(())
}
