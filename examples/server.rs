//! The handlers of `quickstart`, for `curl` and for load generators.
//!
//! ```text
//! cargo run --release --example server -- 127.0.0.1:3000
//! curl -i 'http://127.0.0.1:3000/search?q=limits'
//! curl -i -X POST http://127.0.0.1:3000/sign-up
//! ```
//!
//! It ends with Ctrl-C.

mod handlers;

use std::{env, error::Error, net::SocketAddr};
use tokio::{net::TcpListener, signal};

const USAGE: &str = "usage: server ADDRESS:PORT, for example 127.0.0.1:3000";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args().nth(1).ok_or(USAGE)?;
    let address: SocketAddr = address.parse().map_err(|_| format!("`{address}` is not an address. {USAGE}"))?;
    let listener = TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))?;
    println!("listening on http://{}; Ctrl-C ends", listener.local_addr()?);
    handlers::serve(listener, async {
        if signal::ctrl_c().await.is_err() {
            // Without signals there is only killing the process, and that needs no help.
            std::future::pending::<()>().await;
        }
    })
    .await?;
    println!("stopped");
    Ok(())
}
