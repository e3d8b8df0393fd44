use limiter::limit;

#[limit(strategy = "TokenBucket", requests = 5, window = "1s")]
fn exact() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "limiter::FixedWindow", requests = 5, window = "1s")]
fn path() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "token_bucket", requests = 5, window = "1s")]
fn snake() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "token-bucket", requests = 5, window = "1s")]
fn kebab() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "fixed window", requests = 5, window = "1s")]
fn spaced() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "TokenBuckt", requests = 5, window = "1s")]
fn misspelt() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "sliding_window", requests = 5, window = "1s")]
fn missing() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "GCRA", requests = 5, window = "1s")]
fn missing_acronym() -> Option<u8> {
    Some(1)
}

#[limit(strategy = "my::Lifetime", requests = 5, window = "1s")]
fn own() -> Option<u8> {
    Some(1)
}

#[limit(strategy = 1, requests = 5, window = "1s")]
fn number() -> Option<u8> {
    Some(1)
}

fn main() {}
