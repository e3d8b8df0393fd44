use limiter::limit;

#[limit(requests = 5, window = "1s")]
union U {
    a: u8,
}

fn main() {}
