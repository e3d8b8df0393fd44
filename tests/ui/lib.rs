//! Nothing: the tests are in `ui.rs`.
