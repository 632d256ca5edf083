//! Which address is answered by what.

use crate::access::routed;
use crate::client::Client;
use crate::guard::{Guard, guarded};
use crate::limits::{Costly, turn};
use crate::metrics::{Metrics, health};
use crate::query::Request;
use crate::reply::{Answered, Manner, Refusal};
use crate::sources::{Catalogue, Sources};
use crate::{engine, page, v1};
use axum::Router;
use axum::body::to_bytes;
use axum::extract::{RawPathParams, State};
use axum::http::HeaderName;
use axum::http::header::{AUTHORIZATION, IF_NONE_MATCH};
use axum::middleware;
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
        .route("/metrics", of_metrics(plain))
        .route("/v1/openapi.json", json(v1::open_api))
        .route("/v1/books", json(v1::books))
        .route("/v1/{game}/explore", json(v1::explore))
        .route("/v1/{game}/play", json(v1::play))
        .route("/v1/{game}/edit", by(v1::edit, Way { method: MethodFilter::POST, ..way }))
        .route("/v1/{game}/engine", of_engine(way))
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
fn of_chess(router: Router<Service>, json: Way, way: Way) -> Router<Service> {
    use crate::chess::{chessdb, eval, explorer};
    let plain = |answering| by(answering, way);
    router
        .route("/masters", plain(explorer::masters))
        .route("/master", plain(explorer::masters))
        .route("/masters/pgn/{id}", plain(explorer::pgn))
        .route("/master/pgn/{id}", plain(explorer::pgn))
        .route("/lichess", plain(explorer::lichess))
        .route("/lichess/history", plain(explorer::lichess_history))
        .route("/player", of_player(way))
        .route("/personal", of_player(way))
        .route("/api/cloud-eval", by(eval::cloud_eval, json))
        .route("/cdb.php", plain(chessdb::answer))
}

#[cfg(not(feature = "chess"))]
fn of_chess(router: Router<Service>, _: Way, _: Way) -> Router<Service> {
    router
}

/// An address, and what is said there where there is no answer.
fn handled<A>(
    way: Way,
    answer: impl Fn(Service, RawPathParams, axum::extract::Request) -> A + Clone + Send + Sync + 'static,
) -> MethodRouter<Service>
where
    A: Future<Output = Result<Response, Refusal>> + Send + 'static,
{
    on(way.method, move |State(service), path, request| {
        let answered = answer(service, path, request);
        async move { answered.await.unwrap_or_else(|refusal| refusal.into_response(way.manner)) }
    })
}

/// An address that is answered from books.
fn by(answering: Answering, way: Way) -> MethodRouter<Service> {
    handled(way, move |service, path, request| async move {
        let client = client(&request);
        let request = taken(&path, request).await?;
        let held = match way.is_costly {
            true => {
                let place = service.costly.enter(client)?;
                let turn = place.turn().await?;
                Some((place, turn))
            }
            false => None,
        };
        service.answer(answering, request, held).await
    })
}

fn client(request: &axum::extract::Request) -> Client {
    request.extensions().get().copied().unwrap_or(Client::Local)
}

/// The address of an engine, whose answer comes in lines.
fn of_engine(way: Way) -> MethodRouter<Service> {
    handled(way, |service, path, request| async move {
        let client = client(&request);
        engine::answer(service.catalogue.now(), taken(&path, request).await?, client).await
    })
}

/// The address of a player's games. If the book is there soon it answers as others do.
#[cfg(feature = "chess")]
fn of_player(way: Way) -> MethodRouter<Service> {
    use crate::{chess::player, streamed};
    handled(way, |service, path, request| async move {
        let place = service.costly.enter(client(&request))?;
        let sources = service.catalogue.now();
        let request = taken(&path, request).await?;
        // It looks at the archives.
        let (making, unfinished, request) = blocking(move || {
            Ok((player::making(&sources, &request)?, player::unfinished()?, request))
        })
        .await?;
        let mut ready = Box::pin(player::made(making));
        let is_ready = tokio::time::timeout(AT_ONCE, &mut ready).await.is_ok();
        let answer = service.answer(player::answer, request, place);
        if is_ready { answer.await } else { Ok(streamed::lines(unfinished, ready, answer)) }
    })
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
        held: impl Send + 'static,
    ) -> Result<Response, Refusal> {
        let permit = turn(&self.permits, "too many requests at once").await?;
        blocking(move || {
            let answered = answering(&self.catalogue.now(), &request);
            drop((permit, held));
            Ok(answered?.into_response(request.if_none_match.as_deref()))
        })
        .await
    }
}

/// Works on a thread that may wait for the disk.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::failed("this request failed")))
}

fn of_metrics(way: Way) -> MethodRouter<Service> {
    handled(way, |service, _, _| {
        blocking(move || Ok(service.metrics.told(&service.catalogue.now())?.into_response(None)))
    })
}

async fn nothing_here() -> Response {
    Refusal::Missing("not found".to_owned()).into_response(Manner::Plain)
}
