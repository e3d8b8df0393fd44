async fn handler() -> Option<u8> {
    Some(1)
}
compile_error! {
    "unknown key `request`, did you mean `requests`? The keys are `strategy`, `requests`, `window`, `burst`, `key`, `capacity`, `fallback`, `name` and `crate`"
}
compile_error! {
    "`burst` needs a value; write `burst = 200`"
}
compile_error! {
    "a window is numbers and units, with no spaces; write \"1s\""
}
