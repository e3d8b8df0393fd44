use limiter::limit;

#[limit(requests = 5, window = "1s")]
fn serve() -> ! {
    loop {}
}

fn main() {}
