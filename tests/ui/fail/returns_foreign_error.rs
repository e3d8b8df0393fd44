use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn text() -> Result<u8, String> {
    Ok(1)
}

#[limit(requests = 5, window = "1s")]
fn unit() -> Result<u8, ()> {
    Ok(1)
}

#[limit(requests = 5, window = "1s")]
async fn tuple() -> Result<u8, (u16, String)> {
    Ok(1)
}

fn main() {}
