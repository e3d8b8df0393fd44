use limiter::limit;

fn main() {
    let f = #[limit(requests = 5, window = "1s")] || Some(1);
    f();
}
