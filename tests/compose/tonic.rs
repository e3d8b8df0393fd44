//! A generated gRPC service: its trait is an `#[async_trait]`, its error type is tonic's.

use limiter::{Client, Rejected, limit, test};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tonic::codegen::tokio_stream::Stream;
use tonic::{Code, Response, Status};

mod generated {
    #![expect(unreachable_pub, unused_qualifications, clippy::doc_markdown, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/greeter.Greeter.rs"));
}
use generated::greeter_client::GreeterClient;
use generated::greeter_server::{Greeter, GreeterServer};

/// The service's one request message.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Request {
    /// Whom to greet.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// The service's one reply message.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Reply {
    /// The greeting.
    #[prost(string, tag = "1")]
    pub text: String,
}

fn reply(text: &str) -> Response<Reply> {
    Response::new(Reply { text: text.to_owned() })
}

fn exhausted(rejected: &Rejected) -> Status {
    Status::resource_exhausted(rejected.to_string())
}

fn refuse(rejected: &Rejected) -> Result<Response<Reply>, Status> {
    Err(exhausted(rejected))
}

/// The client, from where a transport of the user's put the address: tonic's own has `Request::remote_addr`.
fn peer<T>(request: &tonic::Request<T>) -> Client {
    Client::of(&request.extensions().get::<SocketAddr>().copied())
}

/// Three replies.
struct Replies(u8);

impl Stream for Replies {
    type Item = Result<Reply, Status>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0 += 1;
        Poll::Ready((self.0 <= 3).then(|| Ok(reply(&self.0.to_string()).into_inner())))
    }
}

struct Server {
    id: u32,
}

#[tonic::async_trait]
impl Greeter for Server {
    /// What tonic's users write for a refused call, as they would in a function that is not rewritten.
    #[limit(requests = 1, window = "1m", key = (self.id, &request.get_ref().name), fallback = Err(exhausted(rejected)))]
    async fn greet(&self, request: tonic::Request<Request>) -> Result<Response<Reply>, Status> {
        tokio::task::yield_now().await;
        Ok(reply(&request.into_inner().name))
    }

    /// What the rewritten function returns will do as well.
    #[limit(requests = 1, window = "1m", fallback = Box::pin(std::future::ready(Err(exhausted(rejected)))))]
    async fn dismiss(&self, _: tonic::Request<Request>) -> Result<Response<Reply>, Status> {
        Ok(reply("dismissed"))
    }

    /// Another function's value, which is a `Result` as well.
    #[limit(requests = 1, window = "1m", key = peer(&request), fallback = refuse(rejected))]
    async fn meet(&self, request: tonic::Request<Request>) -> Result<Response<Reply>, Status> {
        Ok(reply(&request.into_inner().name))
    }

    type WatchStream = Replies;

    #[limit(requests = 1, window = "1m", fallback = Err(exhausted(rejected)))]
    async fn watch(&self, _: tonic::Request<Request>) -> Result<Response<Replies>, Status> {
        Ok(Response::new(Replies(0)))
    }
}

fn request(name: &str) -> Request {
    Request { name: name.to_owned() }
}

fn refused<T: std::fmt::Debug>(answer: Result<T, Status>) {
    let status = answer.expect_err("one call too many");
    assert_eq!(status.code(), Code::ResourceExhausted);
    assert!(status.message().contains("retry in 60s"), "{status}");
}

#[tokio::test]
async fn a_generated_server_answers_resource_exhausted() {
    let _time = test::freeze();
    let mut one = GreeterClient::new(GreeterServer::new(Server { id: 1 }));
    let mut two = GreeterClient::new(GreeterServer::new(Server { id: 2 }));
    assert_eq!(one.greet(request("ann")).await.expect("the first call").into_inner().text, "ann");
    refused(one.greet(request("ann")).await);
    assert!(one.greet(request("bob")).await.is_ok());
    assert!(two.greet(request("ann")).await.is_ok());

    assert_eq!(one.dismiss(request("")).await.expect("the first call").into_inner().text, "dismissed");
    refused(two.dismiss(request("")).await);

    let mut replies = one.watch(request("")).await.expect("the first call").into_inner();
    let mut texts = Vec::new();
    while let Some(reply) = replies.message().await.expect("no error within the stream") {
        texts.push(reply.text);
    }
    assert_eq!(texts, ["1", "2", "3"]);
    refused(one.watch(request("")).await);
}

#[tokio::test]
async fn a_key_may_look_into_the_request() {
    let _time = test::freeze();
    let mut client = GreeterClient::new(GreeterServer::new(Server { id: 1 }));
    let from = |peer: &str| {
        let mut request = tonic::Request::new(request("ann"));
        request.extensions_mut().insert(peer.parse::<SocketAddr>().expect("a literal address"));
        request
    };
    assert_eq!(client.meet(from("192.0.2.1:1")).await.expect("the first call").into_inner().text, "ann");
    refused(client.meet(from("192.0.2.1:2")).await);
    assert!(client.meet(from("192.0.2.2:1")).await.is_ok());
}
