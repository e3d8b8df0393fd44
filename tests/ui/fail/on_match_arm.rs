use limiter::limit;

fn main() {
    match 5 {
        #[limit(requests = 5, window = "1s")]
        5 => {}
        _ => {}
    }
}
