use limiter::limit;

macro_rules! function {
    () => {
        fn f() -> Option<u8> {
            Some(1)
        }
    };
}

#[limit(requests = 5, window = "1s")]
function!();

fn main() {
    let _ = f();
}
