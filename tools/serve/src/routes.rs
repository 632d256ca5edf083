//! Which address is answered by what.

use crate::access::routed;
use crate::catalogue::Catalogue;
use crate::client::Client;
use crate::guard::{Guard, guarded};
use crate::limits::Costly;
use crate::metrics::{Metrics, health};
use crate::query::Request;
use crate::reply::{Answered, Manner, Refusal};
use crate::sources::Sources;
use crate::{engine, page, v1};
use axum::Router;
use axum::body::to_bytes;
use axum::extract::{RawPathParams, State};
use axum::http::HeaderName;
use axum::http::header::{AUTHORIZATION, IF_NONE_MATCH};
use axum::middleware;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, get, on};
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
pub struct Service {
    catalogue: Arc<Catalogue>,
    metrics: Arc<Metrics>,
    permits: Arc<Semaphore>,
    costly: Costly,
}

/// Answers a request, from books and nothing else.
type Answering = fn(&Sources, &Request) -> Answered;

/// Which requests an address takes, and how they are answered.
#[derive(Clone, Copy)]
struct Way {
    method: MethodFilter,
    manner: Manner,
    /// Whether one may walk through a whole book.
    is_costly: bool,
}

/// All addresses, for those who may ask.
pub fn routes(catalogue: Arc<Catalogue>, metrics: Arc<Metrics>, guard: Guard) -> Router {
    let way = Way { method: MethodFilter::GET, manner: Manner::Json, is_costly: false };
    let plain = Way { manner: Manner::Plain, ..way };
    let json = |answering| by(answering, way);
    let costly = |answering| by(answering, Way { is_costly: true, ..way });
    let router = Router::new()
        .route("/", by(page::page, plain))
        .route("/page/{version}/{file}", by(page::asset, plain))
        .route("/healthz", by(health, plain))
        .route("/metrics", get(told_metrics))
        .route("/v1/openapi.json", json(v1::open_api))
        .route("/v1/books", json(v1::books))
        .route("/v1/{game}/explore", json(v1::explore))
        .route("/v1/{game}/play", json(v1::play))
        .route("/v1/{game}/edit", by(v1::edit, Way { method: MethodFilter::POST, ..way }))
        .route("/v1/{game}/engine", of_engine())
        .route("/v1/{game}/games", json(v1::games))
        .route("/v1/{game}/games/{id}", json(v1::game))
        .route("/v1/{game}/diff", costly(v1::diff))
        .route("/v1/{game}/coverage", costly(v1::coverage));
    let permits = Arc::new(Semaphore::new(AT_WORK));
    of_chess(router, way, plain)
        .route_layer(middleware::from_fn(routed))
        .fallback(nothing_here)
        .layer(CompressionLayer::new().compress_when(DefaultPredicate::new().and(NOT_LINES)))
        .layer(middleware::from_fn_with_state(Arc::new(guard), guarded))
        .with_state(Service { catalogue, metrics, permits, costly: Costly::default() })
}

#[cfg(feature = "chess")]
fn of_chess(router: Router<Service>, json: Way, plain: Way) -> Router<Service> {
    use crate::chess::{chessdb, cloud_eval, explorer};
    let plain = |answering| by(answering, plain);
    router
        .route("/masters", plain(explorer::masters))
        .route("/master", plain(explorer::masters))
        .route("/masters/pgn/{id}", plain(explorer::pgn))
        .route("/master/pgn/{id}", plain(explorer::pgn))
        .route("/lichess", plain(explorer::lichess))
        .route("/lichess/history", plain(explorer::lichess_history))
        .route("/player", of_player())
        .route("/personal", of_player())
        .route("/api/cloud-eval", by(cloud_eval::answer, json))
        .route("/cdb.php", plain(chessdb::answer))
}

#[cfg(not(feature = "chess"))]
fn of_chess(router: Router<Service>, _: Way, _: Way) -> Router<Service> {
    router
}

/// An address that is answered from books.
fn by(answering: Answering, way: Way) -> MethodRouter<Service> {
    on(
        way.method,
        move |State(service): State<Service>,
              path: RawPathParams,
              request: axum::extract::Request| async move {
            let client = client(&request);
            let asked = match taken(&path, request).await {
                Err(refusal) => Err(refusal),
                Ok(request) if way.is_costly => match service.costly.enter(client) {
                    Ok(place) => place.turn().await.map(|turn| (request, Some((place, turn)))),
                    Err(refusal) => Err(refusal),
                },
                Ok(request) => Ok((request, None)),
            };
            match asked {
                Ok((request, held)) => service.answer(answering, request, way.manner, held).await,
                Err(refusal) => refusal.into_response(way.manner),
            }
        },
    )
}

/// Who asks.
fn client(request: &axum::extract::Request) -> Client {
    request.extensions().get().copied().unwrap_or(Client::Local)
}

/// The address of an engine, whose answer comes in lines.
fn of_engine() -> MethodRouter<Service> {
    get(
        |State(service): State<Service>, path: RawPathParams, request: axum::extract::Request| async move {
            let client = client(&request);
            let answered = match taken(&path, request).await {
                Ok(request) => engine::answer(service.catalogue.now(), request, client).await,
                Err(refusal) => Err(refusal),
            };
            answered.unwrap_or_else(|refusal| refusal.into_response(Manner::Json))
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
            let place = match service.costly.enter(client(&request)) {
                Ok(place) => place,
                Err(refusal) => return refusal.into_response(manner),
            };
            let sources = service.catalogue.now();
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
            let answer = service.answer(player::answer, request, manner, place);
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
    /// Answers on a thread that may wait for the disk, when it is the request's turn; something is
    /// held until it is done.
    async fn answer(
        self,
        answering: Answering,
        request: Request,
        manner: Manner,
        held: impl Send + 'static,
    ) -> Response {
        let turn = tokio::time::timeout(PATIENCE, self.permits.acquire_owned()).await;
        let Ok(Ok(permit)) = turn else {
            return Refusal::Busy("too many requests at once".to_owned()).into_response(manner);
        };
        let answered = tokio::task::spawn_blocking(move || {
            let answered = answering(&self.catalogue.now(), &request);
            drop((permit, held));
            answered.map(|reply| reply.into_response(request.if_none_match.as_deref()))
        });
        match answered.await {
            Ok(Ok(response)) => response,
            Ok(Err(refusal)) => refusal.into_response(manner),
            Err(_) => Refusal::Failed("this request failed".to_owned()).into_response(manner),
        }
    }
}

/// What operators count.
async fn told_metrics(State(service): State<Service>) -> Response {
    let told = tokio::task::spawn_blocking(move || service.metrics.told(&service.catalogue.now()));
    match told.await {
        Ok(Ok(reply)) => reply.into_response(None),
        Ok(Err(refusal)) => refusal.into_response(Manner::Plain),
        Err(_) => Refusal::Failed("this request failed".to_owned()).into_response(Manner::Plain),
    }
}

async fn nothing_here() -> Response {
    Refusal::Missing("not found".to_owned()).into_response(Manner::Plain)
}
