//! Generates the gRPC service of `tonic.rs`, as `tonic-prost-build` would from a `.proto` file with these lines in it.

use tonic_build::manual::{Builder, Method, Service};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let method = |name: &str, route: &str| {
        Method::builder()
            .name(name)
            .route_name(route)
            .input_type("crate::Request")
            .output_type("crate::Reply")
            .codec_path("tonic_prost::ProstCodec")
    };
    let greeter = Service::builder()
        .package("greeter")
        .name("Greeter")
        .method(method("greet", "Greet").build())
        .method(method("dismiss", "Dismiss").build())
        .method(method("meet", "Meet").build())
        .method(method("watch", "Watch").server_streaming().build())
        .build();
    // The client calls the server in the process, so nothing is connected.
    Builder::new().build_transport(false).compile(&[greeter]);
}
