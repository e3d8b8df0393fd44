use limiter::limit;

#[limit(requests = 5, window = "1s")]
async fn tick() {
    println!("tick");
}

fn main() {}
