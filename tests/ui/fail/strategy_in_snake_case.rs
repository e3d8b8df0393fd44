use limiter::limit;

#[limit(strategy = token_bucket, requests = 5, window = "1s")]
fn snake() -> Option<u8> {
    Some(1)
}

#[limit(strategy = limiter::fixedwindow, requests = 5, window = "1s")]
fn lower() -> Option<u8> {
    Some(1)
}

#[limit(strategy = TOKEN_BUCKET, requests = 5, window = "1s")]
fn upper() -> Option<u8> {
    Some(1)
}

#[limit(strategy = leaky_bucket, requests = 5, window = "1s")]
fn missing() -> Option<u8> {
    Some(1)
}

fn main() {}
