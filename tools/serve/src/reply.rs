//! What is answered to a request, and what is said where it isn't.

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde::Serialize;

/// How long an answer is taken for good without being asked for again: after this, its version is
/// compared.
const FRESH: &str = "public, max-age=60";
/// That an answer is never another one.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// An answer.
#[derive(Debug)]
pub struct Reply {
    kind: &'static str,
    body: Vec<u8>,
    caching: &'static str,
    version: Option<String>,
    ignored: Vec<&'static str>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The client has this answer already, of this version.
    #[error("not modified")]
    Known(String),
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
    /// The book can't be read.
    #[error("{0}")]
    Failed(String),
}

impl From<tabia::Error> for Refusal {
    fn from(error: tabia::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<tabia_gamefile::GameFileError> for Refusal {
    fn from(error: tabia_gamefile::GameFileError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<tabia_play::Error> for Refusal {
    fn from(error: tabia_play::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// An answer, or why there is none.
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
        Self { kind, body: body.into(), caching: "no-cache", version: None, ignored: Vec::new() }
    }

    /// JSON.
    pub fn json(value: &impl Serialize) -> Answered {
        let body = serde_json::to_vec(value).map_err(|error| Refusal::Failed(error.to_string()))?;
        Ok(Self::new("application/json", body))
    }

    /// This answer, which is the same as long as the version is.
    pub fn of_version(mut self, version: &str) -> Self {
        (self.version, self.caching) = (Some(version.to_owned()), FRESH);
        self
    }

    /// This answer, of which a client asks each time whether it is still good.
    pub fn checked_each_time(mut self) -> Self {
        self.caching = "no-cache";
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

    /// As HTTP has it.
    pub fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(self.caching));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if self.kind.starts_with("text/html") {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        }
        if let Some(tag) = self.version.as_deref().and_then(tag) {
            headers.insert(ETAG, tag);
        }
        if let Ok(ignored) = HeaderValue::from_str(&self.ignored.join(", "))
            && !self.ignored.is_empty()
        {
            headers.insert("x-tabia-ignored", ignored);
        }
        response
    }
}

/// What a page may do: ask this server alone, and run no script but its own files.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
    object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/// A version as an entity tag. It is weak, for an answer is the same compressed or not.
fn tag(version: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!("W/\"{version}\"")).ok()
}

/// Whether a client that sent this `If-None-Match` has the version.
pub fn has_version(if_none_match: &str, version: &str) -> bool {
    let is_it = |tag: &str| {
        let tag = tag.trim();
        tag == "*" || tag.trim_start_matches("W/").trim_matches('"') == version
    };
    if_none_match.split(',').any(is_it)
}

impl Refusal {
    /// As HTTP has it.
    pub fn into_response(self, manner: Manner) -> Response {
        let status = match &self {
            Self::Known(_) => StatusCode::NOT_MODIFIED,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        if let Self::Known(version) = &self {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = status;
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(FRESH));
            if let Some(tag) = tag(version) {
                response.headers_mut().insert(ETAG, tag);
            }
            return response;
        }
        let reply = match manner {
            Manner::Plain => Reply::new("text/plain; charset=utf-8", self.to_string()),
            Manner::Json => {
                let body = serde_json::json!({ "error": self.to_string() });
                Reply::new("application/json", body.to_string())
            }
        };
        let mut response = reply.into_response();
        *response.status_mut() = status;
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_as_weak_ones() {
        for sent in ["W/\"v1\"", "\"v1\"", "\"v0\", W/\"v1\"", "*"] {
            assert!(has_version(sent, "v1"), "{sent}");
        }
        assert!(!has_version("\"v11\"", "v1") && !has_version("", "v1"));
    }
}
