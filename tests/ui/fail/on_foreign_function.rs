use limiter::limit;

unsafe extern "C" {
    #[limit(requests = 5, window = "1s")]
    fn f() -> u8;
}

fn main() {}
