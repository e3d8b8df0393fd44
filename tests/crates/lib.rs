//! Nothing: the crates of the older editions are their tests.
