use limiter::limit;

macro_rules! limited {
    ($ret:ty) => {
        #[limit(requests = 5, window = "1s")]
        fn serve() -> $ret {
            loop {}
        }
    };
}

limited!(!);

fn main() {}
