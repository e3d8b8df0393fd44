use limiter::limit;

#[limit(requests = 5, window = "1s", key = user, capacity = N)]
fn f<const N: usize>(user: u32) -> Option<u32> {
    Some(user)
}

fn main() {
    f::<1>(1);
}
