//! `cargo +nightly fuzz run history`; without the fuzzer, the same on the files named as arguments.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    _ = limiter_fuzz::body::history::run(data);
});

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    limiter_fuzz::reproduce(limiter_fuzz::body::history::run)
}
