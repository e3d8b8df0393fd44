//! A fallback that does not come back is no unreachable code, whatever keeps it from that.
#![deny(warnings)]

use limiter::limit;

#[limit(requests = 1, window = "1h", fallback = loop {})]
fn stay() -> u8 {
    1
}

#[limit(requests = 1, window = "1h", fallback = std::process::exit(0))]
fn leave() -> String {
    String::new()
}

#[limit(requests = 1, window = "1h", fallback = std::process::exit(0))]
fn leave_for_nothing() {}

#[limit(requests = 1, window = "1h", fallback = { drop(text); return String::new(); })]
fn early(text: String) -> String {
    text
}

#[limit(requests = 1, window = "1h", fallback = if text.is_empty() { return 0 } else { unreachable!() })]
async fn either_way(text: &str) -> usize {
    text.len()
}

fn main() {
    stay();
    leave_for_nothing();
    drop(either_way(""));
    assert_eq!((early("a".into()), early("a".into())), ("a".to_owned(), String::new()));
    leave();
    leave();
    unreachable!("a refused `leave` exits");
}
