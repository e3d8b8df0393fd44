//! The expansion, as files a reviewer can read: `limiter-macros/tests/snapshots`.
//!
//! They show the shape; that it compiles and limits is shown by the facade's tests. `UPDATE_EXPECT=1` writes them anew.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;
use quote::quote;

use crate::attribute::attribute;

#[expect(clippy::needless_pass_by_value, reason = "reads better at the call")]
fn check(args: TokenStream, item: TokenStream, expected: ExpectFile) {
    let expansion = attribute(args, item);
    let file = syn::parse2(expansion).expect("the expansion is items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

/// With the paths left out, which the text says.
#[test]
fn the_readme_shows_what_comes_out() {
    let expansion = attribute(
        quote!(strategy = TokenBucket, requests = 100, window = "1s", key = customer),
        quote! {
            fn search(customer: u64, query: &str) -> Result<String, Rejected> {
                Ok(format!("{customer} asked for {query}"))
            }
        },
    );
    let without_paths = expansion.to_string().replace(":: limiter :: __private ::", "");
    let file = syn::parse_file(&without_paths).expect("the expansion is items");
    let shown = prettyplease::unparse(&file);
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&shown), "the README does not show this:\n{shown}");
}

macro_rules! snapshot {
    ($name:ident, ($($args:tt)*), { $($item:tt)* }) => {
        #[test]
        fn $name() {
            let file = expect_file![concat!("../tests/snapshots/", stringify!($name), ".rs")];
            check(quote!($($args)*), quote!($($item)*), file);
        }
    };
}

snapshot!(plain, (requests = 100, window = "1s"), {
    fn search(query: &str) -> Result<Hits, Rejected> {
        find(query)
    }
});

snapshot!(
    every_key,
    (
        strategy = my::TokenBucket,
        requests = 100u32,
        window = "1m30s",
        burst = 20,
        key = (user, &route),
        capacity = 1_000,
        fallback = Reply::Busy(rejected.retry_after()),
        name = "search",
        crate = crate::vendored::limiter,
    ),
    {
        #[instrument]
        pub(crate) async fn search(user: User, route: String) -> Reply {
            find(user, route).await
        }
    }
);

snapshot!(
    constants,
    (strategy = TokenBucket, requests = Self::LIMIT * 2, window = WINDOW, burst = BURST, capacity = SIZE, key = id),
    {
        unsafe extern "C" fn call<const N: u64>(id: u32) -> Option<u8>
        where
            [(); { N as usize }]:,
        {
            None
        }
    }
);

snapshot!(constant_quota, (requests = N, window = "1s"), {
    fn take<const N: u64>(&self) -> Option<Permit> {
        self.permit()
    }
});

snapshot!(method, (requests = 5, window = "1m", key = (self.tenant, route), capacity = 1_000), {
    pub async fn call(self: &Arc<Self>, route: &str) -> Result<Reply, ApiError> {
        self.send(route).await
    }
});

snapshot!(nothing, (requests = 1, window = "1s", fallback = ()), {
    fn r#log(line: &str) {
        println!("{line}");
    }
});

snapshot!(key_ip_binding, (requests = 1, window = "1s", key = ip), {
    fn login(ConnectInfo(ip): ConnectInfo<SocketAddr>) -> Option<()> {
        Some(())
    }
});

snapshot!(key_ip_probe, (requests = 1, window = "1s", key = ip), {
    fn login(&self, _: ConnectInfo<SocketAddr>, (a, b): (u8, u8), #[cfg(unix)] peer: UCred) -> Option<()> {
        Some(())
    }
});

snapshot!(never, (requests = 1, window = "1s", fallback = panic!("{rejected}")), {
    fn serve() -> ! {
        loop {}
    }
});

snapshot!(impl_future, (requests = 1, window = "1s"), {
    fn fetch(url: String) -> impl Future<Output = Option<u8>> + Send {
        async move { get(url).await }
    }
});

snapshot!(boxed_future, (requests = 1, window = "1s", fallback = Err(rejected.to_string())), {
    fn fetch<'a>(
        &'a self,
    ) -> ::core::pin::Pin<Box<dyn ::core::future::Future<Output = Result<u8, String>> + Send + 'a>> {
        Box::pin(async move { get(self).await })
    }
});

snapshot!(impl_into_response, (requests = 1, window = "1s"), {
    async fn handler() -> impl IntoResponse {
        #![allow(unused)]
        "hello"
    }
});

snapshot!(errors_leave_the_item_alone, (request = 1, window = "1 s", burst), {
    async fn handler() -> Option<u8> {
        Some(1)
    }
});
