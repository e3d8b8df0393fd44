//! `#[tokio::test]`, `#[tokio::main]` and actix's equals turn an `async fn` into one that is not, above the limit or below it.

use limiter::{Rejected, limit};

#[limit(requests = 1, window = "1h")]
#[tokio::test]
async fn limit_above() -> Result<(), Rejected> {
    Ok(())
}

#[tokio::test]
#[limit(requests = 1, window = "1h")]
async fn limit_below() -> Result<(), Rejected> {
    Ok(())
}

#[limit(requests = 1, window = "1h")]
#[actix_web::test]
async fn actix_limit_above() -> Result<(), Rejected> {
    Ok(())
}

#[actix_web::test]
#[limit(requests = 1, window = "1h")]
async fn actix_limit_below() -> Result<(), Rejected> {
    Ok(())
}

#[test]
fn a_test_is_limited() {
    let _time = limiter::test::freeze();
    assert_eq!((limit_above(), limit_below()), (Ok(()), Ok(())));
    assert!(limit_above().is_err() && limit_below().is_err());
    assert_eq!((actix_limit_above(), actix_limit_below()), (Ok(()), Ok(())));
    assert!(actix_limit_above().is_err() && actix_limit_below().is_err());
}

#[tokio::main(flavor = "current_thread")]
#[limit(requests = 1, window = "1h")]
async fn entry() -> Result<u8, Rejected> {
    tokio::task::yield_now().await;
    Ok(1)
}

#[limit(requests = 1, window = "1h", fallback = Ok(2))]
#[tokio::main(flavor = "current_thread")]
async fn entry_below() -> Result<u8, Rejected> {
    tokio::task::yield_now().await;
    Ok(1)
}

#[test]
fn an_entry_is_limited() {
    let _time = limiter::test::freeze();
    assert_eq!(entry(), Ok(1));
    assert!(entry().is_err());
    assert_eq!((entry_below(), entry_below()), (Ok(1), Ok(2)));
}

#[test]
fn a_limited_future_may_be_spawned() {
    #[limit(requests = 1, window = "1h", key = name)]
    async fn work(name: String) -> Option<usize> {
        tokio::task::yield_now().await;
        Some(name.len())
    }

    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let handle = runtime.spawn(work("abc".into()));
    assert_eq!(runtime.block_on(handle).expect("the task ends"), Some(3));
}
