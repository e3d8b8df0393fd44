use limiter::limit;

#[limit(requests = 5, window = "1s")]
unsafe extern "C" {
    fn f() -> u8;
}

fn main() {}
