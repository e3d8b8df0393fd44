use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn tick() -> () {
    println!("tick");
}

fn main() {}
