//! What is answered to a request, and what is said where it isn't.

use crate::selection::Selection;
use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;

/// How long an answer is taken for good without being asked for again: after this, its version is
/// compared.
const FRESH: &str = "public, max-age=60";
/// That it is to be asked for again each time.
pub const NOT_FRESH: &str = "no-cache";
/// That an answer is never another one.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

#[derive(Debug)]
pub struct Reply {
    kind: &'static str,
    body: Vec<u8>,
    caching: &'static str,
    is_tagged: bool,
    is_stale: bool,
    ignored: Vec<&'static str>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// What is asked can't be understood, or can't be.
    #[error("bad request: {0}")]
    Bad(String),
    /// There is no such thing.
    #[error("{0}")]
    Missing(String),
    /// It may not be done.
    #[error("{0}")]
    Forbidden(String),
    /// It has to wait.
    #[error("{0}")]
    Busy(String),
    /// This client has to wait.
    #[error("{0}")]
    TooMany(String),
    /// The book can't be read.
    #[error("{0}")]
    Failed(String),
}

macro_rules! failed_by {
    ($($error:ty)*) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Self::failed(error)
            }
        }
    )*};
}

failed_by! { tabia::Error tabia_gamefile::GameFileError tabia_play::Error }

pub type Answered = Result<Reply, Refusal>;

/// How refusals are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As plain text, as lichess's explorer does.
    Plain,
    /// As `{"error": "..."}`.
    Json,
}

impl Reply {
    /// An answer of this kind that is made anew each time.
    pub fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            kind,
            body: body.into(),
            caching: NOT_FRESH,
            is_tagged: false,
            is_stale: false,
            ignored: Vec::new(),
        }
    }

    pub fn json(value: &impl Serialize) -> Answered {
        let body = serde_json::to_vec(value).map_err(Refusal::failed)?;
        Ok(Self::new("application/json", body))
    }

    /// This answer from books, which is the same as long as they are. Where one of them isn't what
    /// is on the disk any more, a header says so.
    pub fn of_books(mut self, books: &Selection) -> Self {
        (self.is_tagged, self.caching) = (true, FRESH);
        self.is_stale |= books.is_stale();
        self
    }

    /// This answer, of which a client asks each time whether it is still good.
    pub fn checked_each_time(mut self) -> Self {
        (self.is_tagged, self.caching) = (true, NOT_FRESH);
        self
    }

    /// This answer, which its address never has another one than.
    pub fn for_good(mut self) -> Self {
        self.caching = FOR_GOOD;
        self
    }

    /// This answer, with the names of the parameters that made no difference though they should
    /// have: a header tells them.
    pub fn ignoring(mut self, ignored: Vec<&'static str>) -> Self {
        self.ignored = ignored;
        self
    }

    /// As HTTP has it, for a client that sent this `If-None-Match`: without the body if it has that
    /// already. The tag is a digest of all that is said, so that it is another one whenever the
    /// answer is, be it for another book, other names or another way to answer.
    pub fn into_response(self, if_none_match: Option<&str>) -> Response {
        let ignored = self.ignored.join(", ");
        let tag = self.is_tagged.then(|| {
            let mut digest = xxhash_rust::xxh3::Xxh3::new();
            digest.update(&self.body);
            digest.update(ignored.as_bytes());
            digest.update(&[self.is_stale.into()]);
            format!("{:032x}", digest.digest128())
        });
        let is_known =
            tag.as_ref().zip(if_none_match).is_some_and(|(tag, sent)| has_tag(sent, tag));
        let body = if is_known { Body::empty() } else { Body::from(self.body) };
        let mut response = Response::new(body);
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        if !is_known {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        }
        let caching = if self.is_stale { NOT_FRESH } else { self.caching };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if self.kind.starts_with("text/html") {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        }
        // It is weak, for an answer is the same compressed or not.
        if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&format!("W/\"{tag}\"")).ok()) {
            headers.insert(ETAG, tag);
        }
        if self.is_stale {
            headers.insert("x-tabia-stale", HeaderValue::from_static("true"));
        }
        if let Ok(ignored) = HeaderValue::from_str(&ignored)
            && !ignored.is_empty()
        {
            headers.insert("x-tabia-ignored", ignored);
        }
        response
    }
}

/// An answer in lines, each to be read as it comes.
pub fn as_lines(lines: Body, caching: &'static str) -> Response {
    let mut response = Response::new(lines);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    // A proxy is to hand on each line as it comes.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A line of such an answer.
pub fn json_line(value: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    let mut line = serde_json::to_vec(value).map_err(Refusal::failed)?;
    line.push(b'\n');
    Ok(line)
}

/// What a page may do: ask this server alone, and run no script but its own files.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
    object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Whether a client that sent this `If-None-Match` has the answer with this tag.
fn has_tag(if_none_match: &str, known: &str) -> bool {
    let is_it = |tag: &str| {
        let tag = tag.trim();
        tag == "*" || tag.trim_start_matches("W/").trim_matches('"') == known
    };
    if_none_match.split(',').any(is_it)
}

impl Refusal {
    /// It can't be done, for this reason.
    pub fn failed(why: impl ToString) -> Self {
        Self::Failed(why.to_string())
    }

    /// As HTTP has it.
    pub fn into_response(self, manner: Manner) -> Response {
        let status = match &self {
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let reply = match manner {
            Manner::Plain => Reply::new("text/plain; charset=utf-8", self.to_string()),
            Manner::Json => {
                let body = serde_json::json!({ "error": self.to_string() });
                Reply::new("application/json", body.to_string())
            }
        };
        let mut response = reply.into_response(None);
        *response.status_mut() = status;
        if matches!(self, Self::Busy(_) | Self::TooMany(_)) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_as_weak_ones() {
        for sent in ["W/\"v1\"", "\"v1\"", "\"v0\", W/\"v1\"", "*"] {
            assert!(has_tag(sent, "v1"), "{sent}");
        }
        assert!(!has_tag("\"v11\"", "v1") && !has_tag("", "v1"));
    }
}
