use limiter::limit;

#[limit(requests = 1, window = "1h")]
fn once() -> Option<u8> {
    Some(1)
}

fn main() {
    assert_eq!(once(), Some(1));
    assert_eq!(once(), None);
}
