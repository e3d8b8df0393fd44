//! Nothing: this package is its benchmark, `cargo bench --bench peers`.
