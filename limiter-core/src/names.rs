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
    pub(crate) fn between(one: &Spec, other: &Spec) -> Option<Self> {
        let place = |spec: &Spec| (spec.file, spec.line);
        let allowed = |spec: &Spec| (spec.strategy(), spec.quota);
        let is_conflict = one.is_named
            && other.is_named
            && one.name == other.name
            // In one place stand the instances of one generic function.
            && place(one) != place(other)
            && allowed(one) != allowed(other);
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

/// Whether two of these conflict.
pub(crate) fn check<'a>(specs: impl Iterator<Item = &'a Spec> + Clone) -> Result<(), NameConflict> {
    let conflicts = specs.clone().enumerate().flat_map(|(nth, one)| {
        let later = specs.clone().skip(nth + 1);
        later.filter_map(move |other| NameConflict::between(one, other))
    });
    conflicts.into_iter().next().map_or(Ok(()), Err)
}
