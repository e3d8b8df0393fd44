use limiter::limit;

#[limit(requests = 5, window = "1s", key = ip)]
fn f(ip: f32) -> Option<f32> {
    Some(ip)
}

fn main() {}
