//! async-graphql's `#[Object]` stands on an impl block and copies what is on its methods.

use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
use limiter::{Rejected, limit, test};
use std::fmt;

/// An error type of the user's, which async-graphql takes because it can be displayed.
#[derive(Clone)]
struct Problem(Rejected);

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Self {
        Problem(rejected)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

struct Query {
    tenant: u32,
}

#[Object]
impl Query {
    #[limit(requests = 1, window = "1m", key = (self.tenant, id))]
    async fn by_key(&self, id: u32) -> Result<u32, Problem> {
        Ok(id)
    }

    /// async-graphql's own error takes a `Rejected`, as it does everything that can be displayed.
    #[graphql(name = "renamed")]
    #[limit(requests = 1, window = "1m")]
    async fn limit_below(&self) -> async_graphql::Result<&'static str> {
        Ok("below")
    }

    #[limit(requests = 1, window = "1m")]
    #[graphql(name = "above")]
    async fn limit_above(&self) -> Result<&'static str, Problem> {
        Ok("above")
    }

    /// `#[Object]` has made this an `async_graphql::Result` when the limit sees it: a refused call is an error.
    #[limit(requests = 1, window = "1m")]
    async fn plain(&self, #[graphql(default = 1)] id: u32) -> u32 {
        id
    }

    /// Also of `Option`, which says `None` elsewhere.
    #[limit(requests = 1, window = "1m")]
    async fn option(&self) -> Option<u32> {
        Some(2)
    }

    /// And a fallback is a `Result`.
    #[limit(requests = 1, window = "1m", fallback = Ok(4))]
    async fn fallback(&self) -> u32 {
        3
    }
}

#[tokio::test]
async fn a_refused_field_is_an_error() {
    let _time = test::freeze();
    let schema = Schema::new(Query { tenant: 1 }, EmptyMutation, EmptySubscription);
    for (query, answer) in [
        ("{ byKey(id: 1) }", "{byKey: 1}"),
        ("{ byKey(id: 2) }", "{byKey: 2}"),
        ("{ renamed }", "{renamed: \"below\"}"),
        ("{ above }", "{above: \"above\"}"),
        ("{ plain }", "{plain: 1}"),
        ("{ option }", "{option: 2}"),
    ] {
        let admitted = schema.execute(query).await;
        assert_eq!((admitted.data.to_string().as_str(), admitted.errors.len()), (answer, 0), "{query}");
        let refused = schema.execute(query).await;
        let errors: Vec<_> = refused.errors.iter().map(|error| error.message.as_str()).collect();
        assert!(matches!(errors[..], [error] if error.contains("retry in 60s")), "{query}: {errors:?}");
    }
    assert_eq!(schema.execute("{ fallback }").await.data.to_string(), "{fallback: 3}");
    assert_eq!(schema.execute("{ fallback }").await.data.to_string(), "{fallback: 4}");
}

#[tokio::test]
async fn each_field_of_one_request_is_a_call() {
    let _time = test::freeze();
    let schema = Schema::new(Query { tenant: 1 }, EmptyMutation, EmptySubscription);
    assert_eq!(schema.execute("{ a: byKey(id: 3) b: byKey(id: 3) }").await.errors.len(), 1);
}
