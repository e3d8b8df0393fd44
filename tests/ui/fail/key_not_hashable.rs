use limiter::limit;

#[limit(requests = 5, window = "1s", key = price)]
fn f(price: f64) -> Option<f64> {
    Some(price)
}

fn main() {}
