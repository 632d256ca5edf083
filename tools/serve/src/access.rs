//! What is told of each answer when its last byte was given to the connection: to a log, and to the
//! metrics.

use crate::client::Client;
use crate::connections::AtWork;
use crate::metrics::Metrics;
use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant, SystemTime};

/// What is told of a request that was answered, for an access log.
#[derive(Clone, Debug)]
pub struct Access {
    /// When it came.
    pub at: SystemTime,
    /// Who asked.
    pub client: Client,
    /// GET, HEAD, ...
    pub method: String,
    /// The address as it was sent, percent-encoded.
    pub target: String,
    /// `HTTP/1.1` or `HTTP/1.0`.
    pub version: String,
    /// The status of the answer.
    pub status: u16,
    /// Bytes of the answer's body as they were sent.
    pub bytes: u64,
    /// How long it took until they were given to the connection.
    pub took: Duration,
}

/// A line of the Common Log Format, with the seconds at its end.
impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, client, method, target, version, status, bytes, took } = self;
        // "Wed, 25 Nov 2026 19:44:29 GMT"
        let date = httpdate::fmt_http_date(*at);
        let mut parts = date.split(' ').skip(1);
        let mut part = || parts.next().unwrap_or_default();
        let (day, month, year, time) = (part(), part(), part(), part());
        let target = target.escape_debug();
        write!(f, "{client} - - [{day}/{month}/{year}:{time} +0000] ")?;
        write!(f, "\"{method} {target} {version}\" {status} {bytes} {:.6}", took.as_secs_f64())
    }
}

/// Hears of each request that was answered.
pub type AccessLog = Arc<dyn Fn(&Access) + Send + Sync>;

/// Who hears of answers.
#[derive(Clone)]
pub struct Hears {
    pub log: Option<AccessLog>,
    pub metrics: Arc<Metrics>,
}

/// Tells an answer which of the known addresses it is of.
pub async fn routed(request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(path) = path {
        response.extensions_mut().insert(path);
    }
    response
}

/// What is known of a request before it is answered.
pub struct Asked {
    access: Access,
    begun: Instant,
    hears: Hears,
    _work: AtWork,
}

impl Asked {
    pub fn new<B>(
        request: &axum::http::Request<B>,
        client: Client,
        hears: Hears,
        work: AtWork,
    ) -> Self {
        let access = Access {
            at: SystemTime::now(),
            client,
            method: request.method().to_string(),
            target: request.uri().to_string(),
            version: format!("{:?}", request.version()),
            status: 0,
            bytes: 0,
            took: Duration::ZERO,
        };
        Self { access, begun: Instant::now(), hears, _work: work }
    }

    /// This answer, which is told of at its end.
    pub fn answered(mut self, response: Response) -> Response {
        self.access.status = response.status().as_u16();
        let route = response.extensions().get::<MatchedPath>().cloned();
        response.map(|body| Body::new(Counted { body, route, asked: self }))
    }
}

/// The body of an answer whose end is told of.
struct Counted {
    body: Body,
    route: Option<MatchedPath>,
    asked: Asked,
}

impl http_body::Body for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if let Some(Ok(frame)) = &frame {
            self.asked.access.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let Asked { access, begun, hears, .. } = &mut self.asked;
        access.took = begun.elapsed();
        hears.metrics.answered(self.route.as_ref().map(MatchedPath::as_str), access);
        if let Some(log) = &hears.log {
            log(access);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_that_readers_of_logs_know() {
        let access = Access {
            at: SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_635_869),
            client: Client::Local,
            method: "GET".to_owned(),
            target: "/masters?fen=\"x\n".to_owned(),
            version: "HTTP/1.1".to_owned(),
            status: 200,
            bytes: 1234,
            took: Duration::from_micros(150),
        };
        assert_eq!(
            access.to_string(),
            r#"local - - [25/Nov/2026:19:44:29 +0000] "GET /masters?fen=\"x\n HTTP/1.1" 200 1234 0.000150"#
        );
    }
}
