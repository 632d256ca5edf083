//! Clients that mean no good, or can't do better.

use crate::served::Served;
use std::io::Write;
use std::net::TcpStream;

#[test]
fn every_client_is_answered_and_the_server_goes_on() {
    let served = Served::new(1);
    let long = "a".repeat(100_000);
    for (request, status) in [
        (format!("GET /masters?fen={long} HTTP/1.1\r\nHost: localhost\r\n\r\n"), "431"),
        (format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {long}\r\n\r\n"), "431"),
        (format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(5000)), "431"),
        (format!("GET /masters?play={} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "e4,".repeat(2000)), "400"),
        ("\0\0\0\0".to_owned(), "400"),
        ("DELETE /masters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(), "405"),
        ("GET /page/../Cargo.toml HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(), "404"),
        ("GET /page/x/%2e%2e%2fmain.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(), "404"),
        ("GET /page/x/%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(), "400"),
        ("GET /v1/%00/explore HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(), "404"),
        ("GET /masters?fen=%ff%fe&play=%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned(), "400"),
        ("GET /masters HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\nx".to_owned(), "400"),
    ] {
        let answer = served.raw(request.as_bytes());
        let shown = &request[..request.len().min(80)];
        assert_eq!(answer.split(' ').nth(1), Some(status), "{shown:?}: {answer:?}");
    }
    assert_eq!(served.get("/masters").status, 200);
}

#[test]
fn half_open_connections_keep_nobody_out() {
    let served = Served::new(1);
    let idle: Vec<_> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            stream.write_all(b"GET /masters HTTP/1.1\r\nHost:").unwrap();
            stream
        })
        .collect();
    assert_eq!(served.get("/masters").status, 200);
    drop(idle);
}

/// Connections that are full of answers nobody reads.
#[test]
fn answers_that_nobody_reads_keep_nobody_out() {
    let served = Served::new(1);
    let asks = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
    let unread: Vec<_> = (0..1100)
        .map(|_| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            stream.set_nonblocking(true).unwrap();
            // It takes as much as the system holds.
            let _ = stream.write(asks.as_bytes());
            stream
        })
        .collect();
    // Until they have as much as the system holds they are served, and nobody of theirs makes room.
    let until_answered = |target: &str| {
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut answers = std::iter::repeat_with(|| served.raw(request.as_bytes()));
        answers.find(|answer| !answer.is_empty()).unwrap()
    };
    for _ in 0..10 {
        assert!(until_answered("/masters").starts_with("HTTP/1.1 200 "));
    }
    // It wasn't for their end that others are answered.
    let metrics = until_answered("/metrics");
    let evicted =
        metrics.lines().find_map(|line| line.strip_prefix("tabia_connections_evicted_total "));
    assert!(evicted.unwrap().parse::<u32>().unwrap() > 0, "{metrics}");
    drop(unread);
}

#[test]
fn answers_are_compressed_for_those_who_ask() {
    let served = Served::new(1);
    let answer = served.ask("GET", "/v1/chess/explore", "Accept-Encoding: gzip\r\n");
    assert_eq!((answer.status, answer.header("content-encoding")), (200, Some("gzip")));
    let answer = served.ask("HEAD", "/v1/chess/explore", "");
    assert_eq!((answer.status, answer.body.as_str()), (200, ""));
}
