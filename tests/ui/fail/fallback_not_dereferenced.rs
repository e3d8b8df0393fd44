use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = Err(rejected))]
fn f() -> Result<u8, limiter::Rejected> {
    Ok(1)
}

fn main() {}
