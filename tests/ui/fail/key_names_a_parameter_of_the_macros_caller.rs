use limiter::limit;

macro_rules! limited {
    ($parameter:ident) => {
        #[limit(requests = 5, window = "1s", key = id)]
        fn f($parameter: u32) -> Option<u32> {
            Some($parameter)
        }
    };
}

limited!(id);

fn main() {}
