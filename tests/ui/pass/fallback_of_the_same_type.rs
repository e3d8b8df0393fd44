//! Without the feature the trait may be another's, and a fallback of the body's own type needs no wrapper.

use limiter::limit;

mod stand_in {
    pub trait IntoResponse {}
    impl IntoResponse for u8 {}
}

#[limit(requests = 1, window = "1h", fallback = 2)]
fn handler() -> impl stand_in::IntoResponse {
    1u8
}

fn main() {
    handler();
    handler();
}
