//! `/metrics`, in the text format of OpenMetrics, and `/healthz`.

use crate::access::Access;
use crate::connections::Connections;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{SystemTime, UNIX_EPOCH};
use tabia_games::Game;

const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What is counted while the server runs.
#[derive(Debug)]
pub struct Metrics {
    requests: Family<Labels<2>, Counter>,
    bytes: Counter,
    seconds: Family<Labels<1>, Histogram>,
    connections: Arc<Connections>,
    begun: SystemTime,
}

/// Labels by their names.
type Labels<const COUNT: usize> = [(&'static str, String); COUNT];

impl Metrics {
    pub fn new(connections: Arc<Connections>) -> Self {
        Self {
            requests: Family::default(),
            bytes: Counter::default(),
            // From 100 microseconds to 100 seconds.
            seconds: Family::new_with_constructor(|| {
                Histogram::new(exponential_buckets(1e-4, 10_f64.sqrt(), 13))
            }),
            connections,
            begun: SystemTime::now(),
        }
    }

    /// Counts an answer; of no known address what has no route.
    pub fn answered(&self, route: Option<&str>, access: &Access) {
        let route = ("route", route.unwrap_or("none").to_owned());
        let answers = [route.clone(), ("status", access.status.to_string())];
        self.requests.get_or_create(&answers).inc();
        self.bytes.inc_by(access.bytes);
        self.seconds.get_or_create(&[route]).observe(access.took.as_secs_f64());
    }

    /// All that is known now.
    pub fn told(&self, sources: &Sources) -> Answered {
        let mut all = Registry::with_prefix("tabia");
        all.register("requests", "Requests that were answered", self.requests.clone());
        let (bytes, took) = (self.bytes.clone(), self.seconds.clone());
        all.register_with_unit("answers", "Bytes of their bodies as sent", Unit::Bytes, bytes);
        let help = "How long they took until the last byte was given to the connection";
        all.register_with_unit("request_duration", help, Unit::Seconds, took);
        let gauge = |value: usize| {
            let gauge = Gauge::<i64>::default();
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
            gauge
        };
        let count = self.connections.count();
        all.register("connections", "Connections that are open", gauge(count));
        let closed = ConstCounter::new(self.connections.closed());
        all.register("connections_evicted", "Connections closed to make room", closed);
        let info = Family::<Labels<3>, Gauge>::default();
        let loaded = Family::<Labels<1>, Gauge<f64, AtomicU64>>::default();
        let failed = Family::<Labels<1>, Gauge<f64, AtomicU64>>::default();
        let stale = Family::<Labels<1>, Gauge>::default();
        for (book, source) in sources.every() {
            let (now, status) = (source.now(), source.status());
            let game = ("game", source.game.name().to_owned());
            let version = ("version", now.version.clone());
            let book = [("book", book)];
            info.get_or_create(&[book[0].clone(), game, version]).set(1);
            loaded.get_or_create(&book).set(seconds(status.loaded));
            stale.get_or_create(&book).set(status.problem.is_some().into());
            if let Some(at) = status.failed {
                failed.get_or_create(&book).set(seconds(at));
            }
        }
        all.register("book", "Books that are served, by their versions", info);
        let unit = || Unit::Seconds;
        all.register_with_unit("book_loaded_timestamp", "When it was read", unit(), loaded);
        all.register("book_stale", "Whether what is on the disk now can't be served", stale);
        let help = "When reading what took its place failed last";
        all.register_with_unit("book_failed_timestamp", help, unit(), failed);
        let mut process = Registry::with_prefix("process");
        let begun = Gauge::<f64, AtomicU64>::default();
        begun.set(seconds(self.begun));
        process.register_with_unit("start_time", "When the server started", unit(), begun);
        if let Some(bytes) = resident() {
            let memory = "Memory that the process has, with what is mapped of books";
            process.register_with_unit("resident_memory", memory, Unit::Bytes, gauge(bytes));
        }
        let (mut body, mut more) = (String::new(), String::new());
        text::encode_registry(&mut body, &all)
            .and_then(|()| text::encode(&mut more, &process))
            .map_err(Refusal::failed)?;
        Ok(Reply::new(KIND, body + &more))
    }
}

/// Whether all books are those on the disk; what isn't is told, and served on.
pub fn health(sources: &Sources, _: &Request) -> Answered {
    let stale = sources.every().filter_map(|(book, source)| {
        // As a request for it would.
        let _ = source.now();
        source.status().problem.map(|problem| format!("stale: {book}: {problem}\n"))
    });
    let stale: String = stale.collect();
    let body = if stale.is_empty() { "ok\n".to_owned() } else { stale };
    Ok(Reply::new("text/plain; charset=utf-8", body))
}

fn seconds(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// Bytes of memory of this process, if the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? * 1024)
}
