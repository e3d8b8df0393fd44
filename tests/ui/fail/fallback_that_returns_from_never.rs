use limiter::limit;

#[limit(requests = 5, window = "1s", fallback = println!("refused"))]
fn f() -> ! {
    loop {}
}

fn main() {}
