//! The least that axum can answer, for `benches/serve.sh` to measure beside: a word, to everybody.
//!
//! `cargo run --release -p tabia-serve --example hello -- 127.0.0.1:9003`

use axum::Router;
use axum::routing::get;

fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9003".to_owned());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        axum::serve(listener, Router::new().route("/", get(async || "hello"))).await
    })
}
