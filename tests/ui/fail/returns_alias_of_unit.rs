use limiter::limit;

type Nothing = ();

#[limit(requests = 5, window = "1s")]
fn tick() -> Nothing {
    println!("tick");
}

fn main() {}
