use limiter::limit;

macro_rules! limited {
    ($ret:ty) => {
        #[limit(requests = 5, window = "1s")]
        fn tick() -> $ret {}
    };
}

limited!(());

fn main() {}
