use limiter::limit;

#[limit(requests = 5, window = "1s", key = (user, price))]
fn f(user: u32, price: f64) -> Option<f64> {
    Some(price + f64::from(user))
}

fn main() {}
