use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn f() -> impl Iterator<Item = u8> {
    std::iter::empty()
}

fn main() {}
