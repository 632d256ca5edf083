//! Who may ask, and how operators see it.

use crate::served::Served;
use std::os::unix::net::UnixStream;
use tabia_serve::Guard;

const MASTERS: &str = "/masters";

/// A guard that lets pages of one other origin read.
fn one_origin() -> Guard {
    Guard { origins: vec!["https://a.example".to_owned()], ..Guard::default() }
}

#[test]
fn pages_of_other_sites_read_nothing_unless_they_may() {
    let closed = Served::new(1);
    let open = Served::by(1, one_origin(), |sources, _| sources.into());
    let [a, b] = ["a", "b"].map(|name| format!("Origin: https://{name}.example\r\n"));
    for target in [MASTERS, "/v1/books", "/nothing", "/", "/player?player=x&color=white"] {
        for (served, headers) in [(&closed, &a), (&open, &b)] {
            for method in ["GET", "OPTIONS"] {
                let answer = served.ask(method, target, headers);
                assert_eq!(answer.status, 403, "{method} {target}");
                assert_eq!(answer.header("access-control-allow-origin"), None);
            }
        }
        let answer = closed.ask("GET", target, "Sec-Fetch-Site: cross-site\r\n");
        assert_eq!(answer.status, 403, "{target}");
    }
    let answer = open.ask("GET", MASTERS, &a);
    let found = (answer.status, answer.header("access-control-allow-origin"));
    assert_eq!(found, (200, Some("https://a.example")));
    // A cache keeps answers to other origins apart.
    assert!(answer.headers.contains("vary: Origin"), "{answer:?}");
    let asks = format!("{a}Access-Control-Request-Headers: authorization\r\n");
    let answer = open.ask("OPTIONS", MASTERS, &asks);
    assert_eq!((answer.status, answer.body.as_str()), (204, ""));
    assert!(answer.header("access-control-allow-headers").unwrap().contains("Authorization"));
    let own = format!("Origin: http://localhost\r\n{}", "Sec-Fetch-Site: same-origin\r\n");
    let answer = closed.ask("GET", MASTERS, &own);
    let found = (answer.status, answer.header("cross-origin-resource-policy"));
    assert_eq!(found, (200, Some("same-origin")));
}

#[test]
fn a_server_is_called_by_its_names() {
    let served = Served::new(1);
    let public = Served::by(1, Guard { public: true, ..Guard::default() }, |all, _| all.into());
    for (host, status) in [
        ("Host: evil.example\r\n", "421"),
        ("Host: 127.0.0.1:1\r\n", "200"),
        ("Host: localhost\r\nHost: localhost\r\n", "400"),
        ("", "400"),
    ] {
        let request = format!("GET {MASTERS} HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        let answer = served.raw(request.as_bytes());
        assert_eq!(answer.split(' ').nth(1), Some(status), "{answer}");
        let is_bad = status == "400";
        let answer = public.raw(request.as_bytes());
        assert_eq!(answer.split(' ').nth(1), Some(if is_bad { "400" } else { "200" }), "{answer}");
    }
    let old = served.raw(b"GET /masters HTTP/1.0\r\n\r\n");
    assert!(old.starts_with("HTTP/1.0 200"), "{old}");
}

#[test]
fn a_unix_socket_is_asked_as_a_port_is() {
    let served = Served::new(1);
    let socket = served.folder.path().join("socket");
    let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answer = Served::exchanged(UnixStream::connect(&socket).unwrap(), request);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("\r\n\r\nok\n"), "{answer}");
    assert!(socket.exists());
}

#[test]
fn metrics_say_what_is_served_and_asked() {
    let served = Served::with_shelf();
    served.get(MASTERS);
    served.get("/masters?fen=x");
    served.get("/nothing");
    // Written over, not replaced.
    std::fs::write(served.path(), "no book").unwrap();
    assert!(served.get("/healthz").body.starts_with("stale: masters: "));
    let metrics = served.get("/metrics");
    assert!(metrics.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    for line in [
        "tabia_requests_total{route=\"/masters\",status=\"200\"} 1",
        "tabia_requests_total{route=\"/masters\",status=\"400\"} 1",
        "tabia_requests_total{route=\"none\",status=\"404\"} 1",
        "tabia_request_duration_seconds_count{route=\"/masters\"} 2",
        "tabia_book_stale{book=\"masters\"} 1",
        "tabia_book_stale{book=\"other\"} 0",
        "tabia_book_stale{book=\"lichess/slice\"} 0",
        "# EOF",
    ] {
        assert!(metrics.body.lines().any(|known| known == line), "{line}: {}", metrics.body);
    }
    assert_eq!(metrics.body.matches("# EOF").count(), 1);
}
