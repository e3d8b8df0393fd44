use limiter::limit;

macro_rules! limited {
    ($ret:ty) => {
        #[limit(requests = 5, window = "1s")]
        fn f() -> $ret {
            std::iter::empty()
        }
    };
}

limited!(impl Iterator<Item = u8>);

fn main() {}
