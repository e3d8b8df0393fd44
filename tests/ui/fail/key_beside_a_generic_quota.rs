use limiter::limit;

#[limit(requests = N, window = "1s", key = user)]
fn f<const N: u64>(user: u32) -> Option<u32> {
    Some(user)
}

fn main() {}
