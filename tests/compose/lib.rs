//! Nothing: each test file is about one foreign crate.
