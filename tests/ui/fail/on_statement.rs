use limiter::limit;

fn main() {
    #[limit(requests = 5, window = "1s")]
    let x = 5;
    let _ = x;
}
