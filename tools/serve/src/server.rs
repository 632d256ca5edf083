//! Connections: how many, how long, and how they end.

use crate::access::{AccessLog, Asked, Hears};
use crate::client::Client;
use crate::connections::{Connection, Connections};
use crate::guard::Guard;
use crate::listen::{Accepting, Bytes, Listener};
use crate::metrics::Metrics;
use crate::routes::routes;
use crate::sources::Catalogue;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::IpAddr;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::task::JoinSet;
use tower::{Service, ServiceExt, service_fn};

/// How long a client may take to send the head of a request, or to keep a connection without one.
const HEAD: Duration = Duration::from_secs(10);
const MOST_HEAD: usize = 16 << 10;
/// The most connections at once, and of one client.
const CONNECTIONS: usize = 4096;
const CONNECTIONS_OF_ONE: usize = 1024;
/// How many files are kept for books, where the system allows few to a process.
const FILES: usize = 256;
/// How long requests may go on after the end was asked for.
const GRACE: Duration = Duration::from_secs(5);
/// How long nobody is let in after the system had no more room for a connection.
const PAUSE: Duration = Duration::from_millis(50);
/// How often it is looked whether books came or went.
const LOOK: Duration = Duration::from_secs(2);

/// Hears of the addresses that can be asked.
pub type Ready = Box<dyn FnOnce(&[String]) + Send>;

/// Where and how books are served.
pub struct Server {
    /// Where requests come from; at least one.
    pub listeners: Vec<Listener>,
    /// The books.
    pub catalogue: Catalogue,
    /// Who may ask; the addresses of the listeners are added.
    pub guard: Guard,
    /// Proxies whose word is taken on who asks.
    pub proxies: Vec<IpAddr>,
    /// Called with the address of each listener when all can be asked.
    pub ready: Ready,
    /// As soon as this can be read from, or is closed, serving ends.
    pub stop: UnixStream,
    /// For each byte of it all books are read anew.
    pub reload: Option<UnixStream>,
    /// Called with each request that was answered.
    pub log: Option<AccessLog>,
}

impl Server {
    /// Serves until it is told to stop; what is being answered then is answered, for some seconds at
    /// most.
    ///
    /// # Errors
    /// The system's: a listener can't be used.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let served = runtime.block_on(self.serve());
        // What still reads a book is not waited for.
        runtime.shutdown_background();
        served
    }

    async fn serve(self) -> io::Result<()> {
        let Self { listeners, catalogue, mut guard, proxies, ready, stop, reload, log } = self;
        let addresses: Vec<_> = listeners.iter().map(Listener::address).collect();
        guard.addresses.extend(listeners.iter().filter_map(Listener::ip));
        let listeners = listeners.into_iter().map(Listener::start);
        let listeners = listeners.collect::<io::Result<Vec<_>>>()?;
        let [mut stop, mut reload] = [Some(stop), reload].map(|stream| {
            stream.map(|stream| {
                stream.set_nonblocking(true)?;
                tokio::net::UnixStream::from_std(stream)
            })
        });
        let most = CONNECTIONS.min(most_files().saturating_sub(FILES).max(FILES));
        let connections = Arc::new(Connections::new(most, CONNECTIONS_OF_ONE.min(most)));
        let metrics = Arc::new(Metrics::new(Arc::clone(&connections)));
        let catalogue = Arc::new(catalogue);
        let graceful = Arc::new(GracefulShutdown::new());
        let mut accepting = JoinSet::new();
        let door = Door {
            router: routes(Arc::clone(&catalogue), Arc::clone(&metrics), guard),
            hears: Hears { log, metrics },
            proxies: proxies.into(),
            connections,
        };
        for listener in listeners {
            let (door, graceful) = (door.clone(), Arc::clone(&graceful));
            accepting.spawn(async move { door.accept(&listener, &graceful).await });
        }
        drop(door);
        ready(&addresses);
        let mut looks = tokio::time::interval(LOOK);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let is_asked = tokio::select! {
                _ = next(&mut stop) => break,
                is_asked = next(&mut reload) => {
                    if !is_asked {
                        reload = None;
                        continue;
                    }
                    true
                }
                _ = looks.tick() => false,
            };
            let catalogue = Arc::clone(&catalogue);
            // What fails there is told there.
            let _ = tokio::task::spawn_blocking(move || catalogue.look(is_asked)).await;
        }
        // Nobody is let in any more; sockets are closed.
        accepting.shutdown().await;
        // Whoever isn't done by then is cut off.
        if let Some(graceful) = Arc::into_inner(graceful) {
            let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
        }
        Ok(())
    }
}

/// How many files this process may have open.
fn most_files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(usize::MAX)
}

/// The next byte of a stream: false at its end. It never comes where there is no stream.
async fn next(stream: &mut Option<io::Result<tokio::net::UnixStream>>) -> bool {
    match stream {
        Some(Ok(stream)) => stream.read_u8().await.is_ok(),
        Some(Err(_)) => false,
        None => std::future::pending().await,
    }
}

/// What connections come in by.
#[derive(Clone)]
struct Door {
    router: Router,
    hears: Hears,
    proxies: Arc<[IpAddr]>,
    connections: Arc<Connections>,
}

impl Door {
    /// Lets connections in, for ever.
    async fn accept(&self, listener: &Accepting, graceful: &GracefulShutdown) {
        loop {
            match listener.accept().await {
                Ok((bytes, peer)) => {
                    let is_proxy = peer.is_none_or(|peer| self.proxies.contains(&peer));
                    let client = peer.filter(|_| !is_proxy).map(Client::Machine);
                    // Where nobody waits for a client there is no room for another one.
                    if let Some(connection) = self.connections.admit(client) {
                        let serving =
                            self.clone().serve(bytes, peer, connection, graceful.watcher());
                        tokio::spawn(serving);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                // No more files can be opened.
                Err(_) => {
                    self.connections.make_room();
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Answers the requests of a connection.
    async fn serve(
        self,
        bytes: Box<dyn Bytes>,
        peer: Option<IpAddr>,
        connection: Connection,
        graceful: Watcher,
    ) {
        let Self { router, hears, proxies, connections: _ } = self;
        let works = connection.works();
        let service = service_fn(move |request: Request<Incoming>| {
            let (mut router, hears, (work, turns)) = (router.clone(), hears.clone(), works());
            let client = Client::of(peer, &proxies, request.headers());
            async move {
                let asked = Asked::new(&request, client, hears, work);
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(client);
                let _turn = turns.acquire().await;
                let router = ServiceExt::<Request<Body>>::ready(&mut router).await?;
                let response = router.call(request).await?;
                Ok::<_, std::convert::Infallible>(asked.answered(response))
            }
        });
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(MOST_HEAD)
            .serve_connection(
                TokioIo::new(connection.watched(bytes)),
                TowerToHyperService::new(service),
            );
        // What breaks a connection is the client's affair.
        connection.until_closed(graceful.watch(served)).await;
    }
}
