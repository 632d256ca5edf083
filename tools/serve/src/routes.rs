//! Which address is answered by what.

use crate::query::Request;
use crate::reply::{Answered, Manner, Refusal};
use crate::sources::Sources;
use crate::{page, v1};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{RawPathParams, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, AUTHORIZATION, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

/// Lines are read as they come, and a compressor would hold them back.
const NOT_LINES: NotForContentType = NotForContentType::const_new("application/x-ndjson");
/// How many requests are worked on at once: reading a book may wait for the disk.
const AT_WORK: usize = 128;
/// The most bytes of a body.
const MOST_BODY: usize = 1 << 20;
/// How long a client may take to send a body, and to wait for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a client waits for a player's book before it is told that it is being made: those that
/// expect one line alone get it where the archives are small.
#[cfg(feature = "chess")]
const AT_ONCE: Duration = Duration::from_millis(700);

/// What the answers come from.
#[derive(Clone)]
struct Service {
    sources: Arc<Sources>,
    permits: Arc<Semaphore>,
}

/// Answers a request, from books and nothing else.
type Answering = fn(&Sources, &Request) -> Answered;

/// All addresses.
pub fn routes(sources: Arc<Sources>) -> Router {
    let json = |answering| by(answering, Manner::Json);
    let router = Router::new()
        .route("/", by(page::page, Manner::Plain))
        .route("/page/{version}/{file}", by(page::asset, Manner::Plain))
        .route("/v1/openapi.json", json(v1::open_api))
        .route("/v1/books", json(v1::books))
        .route("/v1/{game}/explore", json(v1::explore))
        .route("/v1/{game}/play", json(v1::play))
        .route("/v1/{game}/edit", taking(MethodFilter::POST, v1::edit, Manner::Json))
        .route("/v1/{game}/games", json(v1::games))
        .route("/v1/{game}/games/{id}", json(v1::game))
        .route("/v1/{game}/diff", json(v1::diff))
        .route("/v1/{game}/coverage", json(v1::coverage));
    of_chess(router)
        .fallback(nothing_here)
        .layer(CompressionLayer::new().compress_when(DefaultPredicate::new().and(NOT_LINES)))
        .layer(middleware::from_fn(for_any_origin))
        .with_state(Service { sources, permits: Arc::new(Semaphore::new(AT_WORK)) })
}

#[cfg(feature = "chess")]
fn of_chess(router: Router<Service>) -> Router<Service> {
    use crate::chess::{chessdb, cloud_eval, explorer};
    let plain = |answering| by(answering, Manner::Plain);
    router
        .route("/masters", plain(explorer::masters))
        .route("/master", plain(explorer::masters))
        .route("/masters/pgn/{id}", plain(explorer::pgn))
        .route("/master/pgn/{id}", plain(explorer::pgn))
        .route("/lichess", plain(explorer::lichess))
        .route("/lichess/history", plain(explorer::lichess_history))
        .route("/player", of_player())
        .route("/personal", of_player())
        .route("/api/cloud-eval", by(cloud_eval::answer, Manner::Json))
        .route("/cdb.php", plain(chessdb::answer))
}

#[cfg(not(feature = "chess"))]
fn of_chess(router: Router<Service>) -> Router<Service> {
    router
}

/// An address that is read.
fn by(answering: Answering, manner: Manner) -> MethodRouter<Service> {
    taking(MethodFilter::GET, answering, manner)
}

/// An address that requests of a method are sent to.
fn taking(method: MethodFilter, answering: Answering, manner: Manner) -> MethodRouter<Service> {
    on(
        method,
        move |State(service): State<Service>,
              path: RawPathParams,
              request: axum::extract::Request| async move {
            match taken(&path, request).await {
                Ok(request) => service.answer(answering, request, manner).await,
                Err(refusal) => refusal.into_response(manner),
            }
        },
    )
}

/// The address of a player's games. If the book is there soon it answers as others do.
#[cfg(feature = "chess")]
fn of_player() -> MethodRouter<Service> {
    use crate::{chess::player, streamed};
    on(
        MethodFilter::GET,
        |State(service): State<Service>, path: RawPathParams, request: axum::extract::Request| async move {
            let manner = Manner::Plain;
            let sources = Arc::clone(&service.sources);
            // It looks at the archives.
            let asked = match taken(&path, request).await {
                Ok(request) => tokio::task::spawn_blocking(move || {
                    Ok((player::making(&sources, &request)?, player::unfinished()?, request))
                })
                .await
                .unwrap_or_else(|_| Err(Refusal::Failed("this request failed".to_owned()))),
                Err(refusal) => Err(refusal),
            };
            let (making, unfinished, request) = match asked {
                Ok(asked) => asked,
                Err(refusal) => return refusal.into_response(manner),
            };
            let mut ready = Box::pin(player::made(making));
            let is_ready = tokio::time::timeout(AT_ONCE, &mut ready).await.is_ok();
            let answer = service.answer(player::answer, request, manner);
            if is_ready { answer.await } else { streamed::lines(unfinished, ready, answer) }
        },
    )
}

/// A request, with its body.
async fn taken(path: &RawPathParams, request: axum::extract::Request) -> Result<Request, Refusal> {
    let (parts, body) = request.into_parts();
    let header = |name: HeaderName| parts.headers.get(name)?.to_str().ok();
    let bearer = |value: &str| value.strip_prefix("Bearer ").map(str::to_owned);
    let body = tokio::time::timeout(PATIENCE, to_bytes(body, MOST_BODY)).await;
    let body = body
        .map_err(|_| Refusal::Bad("the body doesn't come".to_owned()))?
        .map_err(|_| Refusal::Bad(format!("the body has more than {MOST_BODY} bytes")))?;
    Ok(Request {
        path: path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        query: Request::pairs(parts.uri.query().unwrap_or_default()),
        if_none_match: header(IF_NONE_MATCH).map(str::to_owned),
        token: header(AUTHORIZATION).and_then(bearer),
        body: body.into(),
    })
}

impl Service {
    /// Answers on a thread that may wait for the disk, when it is the request's turn.
    async fn answer(self, answering: Answering, request: Request, manner: Manner) -> Response {
        let turn = tokio::time::timeout(PATIENCE, self.permits.acquire_owned()).await;
        let Ok(Ok(permit)) = turn else {
            return Refusal::Busy("too many requests at once".to_owned()).into_response(manner);
        };
        let answered = tokio::task::spawn_blocking(move || {
            let answered = answering(&self.sources, &request);
            drop(permit);
            answered
        });
        match answered.await {
            Ok(Ok(reply)) => reply.into_response(),
            Ok(Err(refusal)) => refusal.into_response(manner),
            Err(_) => Refusal::Failed("this request failed".to_owned()).into_response(manner),
        }
    }
}

async fn nothing_here() -> Response {
    Refusal::Missing("not found".to_owned()).into_response(Manner::Plain)
}

/// Pages of any origin may ask, with a token too; what asks first whether it may is told so.
async fn for_any_origin(request: axum::extract::Request, next: Next) -> Response {
    if request.method() == Method::OPTIONS {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        allow(response.headers_mut());
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
        return response;
    }
    let mut response = next.run(request).await;
    allow(response.headers_mut());
    response
}

const METHODS: &str = "GET, HEAD, POST, OPTIONS";

fn allow(headers: &mut HeaderMap) {
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (
            ACCESS_CONTROL_ALLOW_HEADERS,
            "Accept, Authorization, Cache-Control, Content-Type, If-Modified-Since, If-None-Match, X-Requested-With",
        ),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "ETag, X-Tabia-Ignored"),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
