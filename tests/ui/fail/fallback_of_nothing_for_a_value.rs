use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = ())]
fn f() -> bool {
    true
}

fn main() {}
