//! Functions with a limit, called more often than it allows: a service method, one limit for each customer, an async
//! function with a fallback, and a web server's handler.
//!
//! `cargo run --example quickstart`

mod handlers;

use limiter::{Rejected, TokenBucket, limit, registry};
use std::{error::Error, future::Future, net::SocketAddr};

/// A service with a method that costs money.
struct Translator {
    language: &'static str,
}

impl Translator {
    /// The provider allows 5 calls at once and 5 a minute.
    #[limit(strategy = TokenBucket, requests = 5, window = "1m")]
    fn translate(&self, word: &str) -> Result<String, Rejected> {
        Ok(format!("{word} in {}", self.language))
    }
}

/// Each customer can order 2 exports a day.
#[limit(requests = 2, window = "1d", key = customer)]
fn export(customer: &str) -> Result<String, Rejected> {
    Ok(format!("{customer}.csv"))
}

/// Asks a slow service 3 times an hour, and remembers its last answer for everybody else.
#[limit(strategy = TokenBucket, requests = 3, window = "1h", fallback = "18 °C (remembered)".to_owned())]
async fn temperature() -> String {
    "18 °C".to_owned()
}

fn service_method() {
    println!("A method, 5 per minute:");
    let french = Translator { language: "French" };
    for word in ["one", "two", "three", "four", "five", "six", "seven"] {
        match french.translate(word) {
            Ok(answer) => println!("  allowed: {answer}"),
            Err(rejected) => println!("  refused: {rejected}"),
        }
    }
}

fn one_limit_each() {
    println!("\nA function with a key, 2 per day for each:");
    for customer in ["ada", "grace", "ada", "ada", "grace"] {
        match export(customer) {
            Ok(file) => println!("  allowed: {file}"),
            Err(_) => println!("  refused: {customer} has had two today"),
        }
    }
}

async fn fallback() {
    println!("\nAn async function with a fallback, 3 per hour:");
    for _ in 0..5 {
        println!("  {}", temperature().await);
    }
}

/// Calls `/search` 150 times, as one client.
fn call(address: SocketAddr) -> Result<(), Box<dyn Error + Send + Sync>> {
    let client = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let (mut allowed, mut refused, mut last) = (0, 0, None);
    for _ in 0..150 {
        let response = client.get(format!("http://{address}/search?q=limits")).call()?;
        match response.status().as_u16() {
            200 => allowed += 1,
            429 => {
                refused += 1;
                last = Some(response);
            }
            other => return Err(format!("the server answered {other}").into()),
        }
    }
    println!("  150 calls: {allowed} allowed, {refused} refused");
    if let Some(mut response) = last {
        println!("  the last refusal:\n    {}", response.status());
        for (name, value) in response.headers() {
            println!("    {name}: {}", value.to_str()?);
        }
        println!("    {}", response.body_mut().read_to_string()?);
    }
    Ok(())
}

async fn web_server() -> Result<(), Box<dyn Error + Send + Sync>> {
    println!("\nA handler, 100 per minute for each client address:");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = handlers::serve(listener, std::future::pending());
    let client = tokio::task::spawn_blocking(move || call(address));
    first(server, async { client.await? }).await
}

/// Whichever of two ends first: the server only by an error, the client when it is done.
async fn first<T>(
    server: impl Future<Output = std::io::Result<()>>,
    client: impl Future<Output = Result<T, Box<dyn Error + Send + Sync>>>,
) -> Result<T, Box<dyn Error + Send + Sync>> {
    tokio::select! {
        stopped = server => Err(stopped.err().map_or("the server stopped".into(), Into::into)),
        done = client => done,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    service_method();
    one_limit_each();
    fallback().await;
    web_server().await?;

    println!("\nThe limits that were used:");
    for limit in registry::limits() {
        println!("  {limit}");
    }
    Ok(())
}
