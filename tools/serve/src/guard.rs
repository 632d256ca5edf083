//! Who may ask: a page of another site may not read a book that is served on this machine, neither
//! from its own origin nor by giving this server a name of its own.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, HOST, ORIGIN, VARY,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version};
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;

/// What a request must say to be answered.
///
/// Its `Host` is an address that is listened on, `localhost`, or a name of `hosts`: a name that
/// somebody else's DNS leads here is none. A page of another origin may read what `origins` allow;
/// without them a browser's requests for other sites' pages are refused, but for following a link
/// to the page.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// Names of this server besides localhost and its addresses, without ports.
    pub hosts: Vec<String>,
    /// Origins whose pages may ask, such as `https://example.org`; `*` are all.
    pub origins: Vec<String>,
    /// Whether the server may be called by any name, and asked by pages of any origin.
    pub public: bool,
    /// The addresses that are listened on.
    pub addresses: Vec<IpAddr>,
}

/// Why a request isn't answered.
struct Refused(StatusCode, String);

impl Guard {
    /// Whether this is a name of this server, without a port.
    fn is_name(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        let is = |name: &str| host.eq_ignore_ascii_case(name);
        if self.public || is("localhost") || self.hosts.iter().any(|name| is(name)) {
            return true;
        }
        let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let Ok(ip) = inner.unwrap_or(host).parse::<IpAddr>().map(|ip| ip.to_canonical()) else {
            return false;
        };
        // A page that was loaded from an address is of this server: no DNS stands between.
        let is_it = |bound: &IpAddr| match bound.to_canonical() {
            bound if bound.is_unspecified() => true,
            bound if bound.is_loopback() => ip.is_loopback(),
            bound => bound == ip,
        };
        self.addresses.iter().any(is_it)
    }

    /// The name and the port that a request gives the server.
    fn host(&self, request: &Request) -> Result<Option<Authority>, Refused> {
        let bad = |why: &str| Refused(StatusCode::BAD_REQUEST, why.to_owned());
        let mut said = request.headers().get_all(HOST).iter();
        let host = match (said.next(), said.next()) {
            (None, _) if request.version() < Version::HTTP_11 => None,
            (None, _) => return Err(bad("a request of HTTP/1.1 has a Host")),
            (Some(_), Some(_)) => return Err(bad("a request has one Host")),
            (Some(host), None) => {
                let host = Authority::try_from(host.as_bytes()).ok();
                let host = host.filter(|host| !host.as_str().contains('@'));
                Some(host.ok_or_else(|| bad("this is no Host"))?)
            }
        };
        match (request.uri().authority(), &host) {
            (Some(target), Some(host)) if target != host => Err(bad("two names of this server")),
            (target, _) => Ok(target.cloned().or(host)),
        }
    }

    /// What the answer to a page of an origin has in `Access-Control-Allow-Origin`, if it may ask.
    fn allowed(&self, origin: &HeaderValue) -> Option<HeaderValue> {
        let is_any = self.public || self.origins.iter().any(|allowed| allowed == "*");
        let is_it = |allowed: &String| origin.as_bytes().eq_ignore_ascii_case(allowed.as_bytes());
        match is_any {
            true => Some(HeaderValue::from_static("*")),
            false => self.origins.iter().any(is_it).then(|| origin.clone()),
        }
    }

    /// What is allowed to the page that a request comes from: nothing if it is our own, or none.
    fn check(&self, request: &Request) -> Result<Option<HeaderValue>, Refused> {
        let host = self.host(request)?;
        if let Some(host) = host.as_ref().filter(|host| !self.is_name(host.host())) {
            let name = host.host().escape_debug();
            let why = format!("{name} is no name of this server: --host {name} makes it one");
            return Err(Refused(StatusCode::MISDIRECTED_REQUEST, why));
        }
        if let Some(origin) = request.headers().get(ORIGIN) {
            let own = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
            let is_own = |(_, of): (&str, &str)| host.as_ref().is_some_and(|host| host == of);
            return match (own.is_some_and(is_own), self.allowed(origin)) {
                (true, allowed) => Ok(allowed),
                (false, Some(allowed)) => Ok(Some(allowed)),
                (false, None) => Err(other_site()),
            };
        }
        let says = |name: &str, value: &str| {
            request.headers().get(name).is_some_and(|said| said.as_bytes() == value.as_bytes())
        };
        let is_other = says("sec-fetch-site", "cross-site") || says("sec-fetch-site", "same-site");
        let follows_link = request.uri().path() == "/" && says("sec-fetch-dest", "document");
        let any = self.allowed(&HeaderValue::from_static(""));
        if is_other && !follows_link && any.is_none() { Err(other_site()) } else { Ok(any) }
    }
}

fn other_site() -> Refused {
    let why = "pages of other sites may not ask this server: --cors ORIGIN allows it to one";
    Refused(StatusCode::FORBIDDEN, why.to_owned())
}

/// Answers those who may ask, and tells their browsers so.
pub async fn guarded(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let (is_question, by_origin) =
        (request.method() == Method::OPTIONS, request.headers().contains_key(ORIGIN));
    let mut response = match guard.check(&request) {
        Err(Refused(status, why)) => {
            let mut response = Response::new(Body::from(why + "\n"));
            *response.status_mut() = status;
            response.headers_mut().insert("content-type", HeaderValue::from_static("text/plain"));
            response
        }
        Ok(allowed) => {
            let mut response = match is_question {
                true => Response::new(Body::empty()),
                false => next.run(request).await,
            };
            if is_question {
                *response.status_mut() = StatusCode::NO_CONTENT;
                response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
            }
            if let Some(origin) = allowed {
                allow(response.headers_mut(), origin, is_question && by_origin);
            }
            response
        }
    };
    let headers = response.headers_mut();
    if !guard.origins.is_empty() && !guard.public {
        headers.append(VARY, HeaderValue::from_static("Origin"));
    }
    if guard.origins.is_empty() && !guard.public {
        headers.insert(RESOURCES, HeaderValue::from_static("same-origin"));
    }
    response
}

/// Whose pages may show an answer as part of themselves, which needs no reading.
const RESOURCES: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const METHODS: &str = "GET, HEAD, POST, OPTIONS";

/// Tells a browser that pages of this origin may read an answer, or ask.
fn allow(headers: &mut HeaderMap, origin: HeaderValue, asks_first: bool) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("ETag, X-Tabia-Ignored, X-Tabia-Stale"),
    );
    if asks_first {
        for (name, value) in [
            (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
            (
                ACCESS_CONTROL_ALLOW_HEADERS,
                "Accept, Authorization, Cache-Control, Content-Type, If-Modified-Since, If-None-Match, X-Requested-With",
            ),
            (ACCESS_CONTROL_MAX_AGE, "86400"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(addresses: &[&str]) -> Guard {
        let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
        Guard { hosts: vec!["book.example".to_owned()], addresses, ..Guard::default() }
    }

    #[test]
    fn a_server_has_its_addresses_and_names_and_no_others() {
        for (bound, names, others) in [
            (
                "127.0.0.1",
                "localhost LocalHost. 127.0.0.1 [::1] book.example",
                "192.168.1.5 127.0.0.1.evil.example localhost.evil.example evil.example",
            ),
            ("192.168.1.5", "192.168.1.5", "192.168.1.6"),
            ("0.0.0.0", "192.168.1.6", ""),
            ("::", "[2001:db8::1]", "evil.example"),
            ("", "localhost", "127.0.0.1"),
        ] {
            let bound: Vec<&str> = bound.split(' ').filter(|address| !address.is_empty()).collect();
            for (names, is_name) in [(names, true), (others, false)] {
                for name in names.split_ascii_whitespace() {
                    assert_eq!(guard(&bound).is_name(name), is_name, "{name} at {bound:?}");
                }
            }
        }
        assert!(Guard { public: true, ..Guard::default() }.is_name("evil.example"));
    }

    #[test]
    fn pages_ask_from_where_they_may() {
        let asked = |guard: &Guard, headers: &[(&str, &str)], target: &str| {
            let mut request = Request::builder().uri(target);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            match guard.check(&request.body(Body::empty()).unwrap()) {
                Ok(allowed) => allowed.map_or("answered".to_owned(), |origin| {
                    String::from_utf8_lossy(origin.as_bytes()).into_owned()
                }),
                Err(Refused(status, _)) => status.as_str().to_owned(),
            }
        };
        let with = |origins: &[&str], public| Guard {
            origins: origins.iter().map(|&origin| origin.to_owned()).collect(),
            public,
            ..guard(&["127.0.0.1"])
        };
        let (closed, one, any, public) = (
            with(&[], false),
            with(&["https://a.example"], false),
            with(&["*"], false),
            with(&[], true),
        );
        let local = ("host", "127.0.0.1:9002");
        let (a, b) = (("origin", "https://a.example"), ("origin", "https://b.example"));
        let cross = ("sec-fetch-site", "cross-site");
        let document = ("sec-fetch-dest", "document");
        for (headers, target, answers) in [
            (&[local][..], "/x", ["answered", "answered", "*", "*"]),
            (&[local, a], "/x", ["403", "https://a.example", "*", "*"]),
            (&[local, b], "/x", ["403", "403", "*", "*"]),
            (&[local, ("origin", "null")], "/x", ["403", "403", "*", "*"]),
            (
                &[local, ("origin", "http://127.0.0.1:9002")],
                "/x",
                ["answered", "answered", "*", "*"],
            ),
            (&[local, ("origin", "http://127.0.0.1:80")], "/x", ["403", "403", "*", "*"]),
            (&[local, cross], "/x", ["403", "403", "*", "*"]),
            (&[local, ("sec-fetch-site", "same-site")], "/x", ["403", "403", "*", "*"]),
            (&[local, ("sec-fetch-site", "same-origin")], "/x", ["answered", "answered", "*", "*"]),
            (&[local, cross, document], "/", ["answered", "answered", "*", "*"]),
            (&[local, cross, document], "/player", ["403", "403", "*", "*"]),
            (&[local, cross, ("sec-fetch-dest", "iframe")], "/", ["403", "403", "*", "*"]),
            (&[("host", "evil.example")], "/x", ["421", "421", "421", "*"]),
            (
                &[("host", "evil.example:9002"), ("origin", "http://evil.example:9002")],
                "/x",
                ["421", "421", "421", "*"],
            ),
            (&[local, local], "/x", ["400"; 4]),
            (&[("host", "a b")], "/x", ["400"; 4]),
            (&[("host", "x@127.0.0.1")], "/x", ["400"; 4]),
            (&[], "/x", ["400"; 4]),
            (&[local], "http://evil.example/x", ["400"; 4]),
            (&[local], "http://127.0.0.1:9002/x", ["answered", "answered", "*", "*"]),
        ] {
            let seen = [&closed, &one, &any, &public].map(|guard| asked(guard, headers, target));
            assert_eq!(seen, answers, "{headers:?} {target}");
        }
    }
}
