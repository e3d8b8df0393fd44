//! utoipa's `#[path]` reads the signature and writes a struct beside the function.

use axum::extract::Path;
use limiter::{Rejected, limit, test};
use utoipa::OpenApi;

/// Documented above.
#[limit(requests = 1, window = "1m", key = id)]
#[utoipa::path(get, path = "/above/{id}", params(("id" = u32, Path)), responses((status = 429)))]
async fn limit_above(Path(id): Path<u32>) -> Result<String, Rejected> {
    Ok(id.to_string())
}

/// Documented below.
#[utoipa::path(get, path = "/below/{id}", params(("id" = u32, Path)), responses((status = 429)))]
#[limit(requests = 1, window = "1m", key = id)]
async fn limit_below(Path(id): Path<u32>) -> Result<String, Rejected> {
    Ok(id.to_string())
}

#[derive(OpenApi)]
#[openapi(paths(limit_above, limit_below))]
struct Api;

#[test]
fn documented_handlers_are_documented() {
    let paths = Api::openapi().paths;
    let summary = |path: &str| paths.paths[path].get.as_ref().and_then(|get| get.summary.clone());
    assert_eq!(summary("/above/{id}").as_deref(), Some("Documented above."));
    assert_eq!(summary("/below/{id}").as_deref(), Some("Documented below."));
}

#[tokio::test]
async fn documented_handlers_are_limited() {
    let _time = test::freeze();
    assert!(limit_above(Path(1)).await.is_ok() && limit_above(Path(2)).await.is_ok());
    assert!(limit_above(Path(1)).await.is_err());
    assert!(limit_below(Path(1)).await.is_ok() && limit_below(Path(2)).await.is_ok());
    assert!(limit_below(Path(1)).await.is_err());
}
