use limiter::limit;

#[limit(requests = 18_446_744_073_709_551_616, window = "1d")]
fn f() -> Option<u8> {
    Some(1)
}

fn main() {}
