use limiter::limit;

#[limit(requests = 5, window = "1s")]
enum E {
    A,
}

fn main() {}
