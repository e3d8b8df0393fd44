//! `#[tokio::test]` and `#[tokio::main]` turn an `async fn` into one that is not, above the limit or below it.

use limiter::{Rejected, limit};

#[limit(requests = 1, window = "1h", fallback = Ok(()))]
#[tokio::test]
async fn limit_above() -> Result<(), Rejected> {
    Ok(())
}

#[tokio::test]
#[limit(requests = 1, window = "1h")]
async fn limit_below() -> Result<(), Rejected> {
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
#[limit(requests = 1, window = "1h")]
async fn entry() -> Result<u8, Rejected> {
    tokio::task::yield_now().await;
    Ok(1)
}

#[test]
fn an_entry_is_limited() {
    let _time = limiter::test::freeze();
    assert_eq!(entry(), Ok(1));
    assert!(entry().is_err());
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
