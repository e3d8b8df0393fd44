use axum_stand_in::IntoResponse;
use limiter::limit;

mod axum_stand_in {
    pub trait IntoResponse {}
    impl IntoResponse for u8 {}
}

#[limit(requests = 5, window = "1s")]
async fn handler() -> impl IntoResponse {
    1
}

fn main() {}
