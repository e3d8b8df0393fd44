//! The handlers of `quickstart`, for `curl` and for load generators.
//!
//! `cargo run --release --example server -- 127.0.0.1:3000` says what to ask it. It ends with Ctrl-C.

mod handlers;

use std::{
    env,
    error::Error,
    io::{self, Write},
    net::SocketAddr,
    process::ExitCode,
};
use tokio::{net::TcpListener, signal};

const USAGE: &str = "\
Two handlers with a limit for each client address, for curl and for load generators.

Usage: cargo run --example server -- ADDRESS:PORT

For example 127.0.0.1:3000, or 127.0.0.1:0 for any port that is free. It ends with Ctrl-C.

Exits with 0 when it was stopped, 1 when it could not serve, 2 when the argument is wrong.";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let address = match address(&arguments) {
        Ok(Some(address)) => address,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(wrong) => {
            eprintln!("error: {wrong}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match serve(address).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Where to listen; `None` when the user asks how to say it.
fn address(arguments: &[String]) -> Result<Option<SocketAddr>, String> {
    match arguments {
        [] => Ok(None),
        all if all.iter().any(|argument| argument == "-h" || argument == "--help") => Ok(None),
        [address] => address.parse().map(Some).map_err(|_| format!("`{address}` is not an address and a port")),
        [_, second, ..] => Err(format!("one address is enough, and `{second}` is too much")),
    }
}

async fn serve(address: SocketAddr) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))?;
    let address = listener.local_addr()?;
    println!("listening on http://{address}; Ctrl-C ends");
    println!("  curl -i 'http://{address}/search?q=limits'    # 100 at once, then 100 a minute");
    println!("  curl -i -X POST http://{address}/sign-up      # 5 in each minute");
    // At once, also into a pipe or a file, for whoever waits there to be told the port.
    io::stdout().flush()?;
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

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn the_argument_is_an_address_or_a_question() {
        let address = |arguments: &str| address(&arguments.split_whitespace().map(Into::into).collect::<Vec<_>>());
        assert_eq!(address("127.0.0.1:0"), Ok(Some(([127, 0, 0, 1], 0).into())));
        for question in ["", "--help", "-h", "127.0.0.1:0 --help"] {
            assert_eq!(address(question), Ok(None), "{question}");
        }
        for wrong in ["localhost", "3000", "127.0.0.1", "--port", "127.0.0.1:0 127.0.0.1:1"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
