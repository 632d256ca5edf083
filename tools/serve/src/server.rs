//! Connections: how many, how long, and how they end.

use crate::routes::routes;
use crate::sources::Sources;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::{Service, ServiceExt, service_fn};

/// How long a client may take to send the head of a request, or to keep a connection without one.
const HEAD: Duration = Duration::from_secs(10);
/// The most bytes of the head of a request.
const MOST_HEAD: usize = 16 << 10;
/// The most connections at once; more wait until one ends.
const CONNECTIONS: usize = 4096;
/// How long requests may go on after the end was asked for.
const GRACE: Duration = Duration::from_secs(5);
/// How long nobody is let in after the system had no more room for a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// What is told of a request that was answered, for an access log.
#[derive(Clone, Debug)]
pub struct Access {
    /// Who asked.
    pub from: SocketAddr,
    /// GET, HEAD, ...
    pub method: String,
    /// The address as it was sent, percent-encoded.
    pub target: String,
    /// The status of the answer.
    pub status: u16,
    /// How long it took.
    pub took: Duration,
}

/// Hears of each request that was answered.
pub type AccessLog = Arc<dyn Fn(&Access) + Send + Sync>;

/// Where and how books are served.
pub struct Server {
    /// The address and the port; port 0 is any that is free.
    pub bind: SocketAddr,
    /// The books.
    pub sources: Sources,
    /// Called with the address when it can be asked.
    pub ready: Box<dyn FnOnce(SocketAddr) + Send>,
    /// As soon as this can be read from, or is closed, serving ends.
    pub stop: UnixStream,
    /// Called with each request that was answered.
    pub log: Option<AccessLog>,
}

impl Server {
    /// Serves until it is told to stop; what is being answered then is answered, for some seconds at
    /// most.
    ///
    /// # Errors
    /// The system's: the address can't be had.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let served = runtime.block_on(self.serve());
        // What still reads a book is not waited for.
        runtime.shutdown_background();
        served
    }

    async fn serve(self) -> io::Result<()> {
        let listener = TcpListener::bind(self.bind).await?;
        self.stop.set_nonblocking(true)?;
        let mut stop = tokio::net::UnixStream::from_std(self.stop)?;
        (self.ready)(listener.local_addr()?);
        let router = routes(Arc::new(self.sources));
        let (graceful, room) = (GracefulShutdown::new(), Arc::new(Semaphore::new(CONNECTIONS)));
        loop {
            let accepted = async {
                let permit = Arc::clone(&room).acquire_owned().await;
                (permit, listener.accept().await)
            };
            tokio::select! {
                (permit, accepted) = accepted => match (permit, accepted) {
                    (Ok(permit), Ok((stream, from))) => {
                        let client = Client { from, log: self.log.clone(), router: router.clone() };
                        client.serve(stream, permit, &graceful);
                    }
                    // No more files can be opened, or the client is gone already.
                    _ => tokio::time::sleep(PAUSE).await,
                },
                _ = stop.read_u8() => break,
            }
        }
        drop(listener);
        // Whoever isn't done by then is cut off.
        let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
        Ok(())
    }
}

/// Who is connected.
struct Client {
    from: SocketAddr,
    log: Option<AccessLog>,
    router: Router,
}

impl Client {
    /// Answers the requests of a connection, on a task of its own.
    fn serve(self, stream: TcpStream, permit: OwnedSemaphorePermit, graceful: &GracefulShutdown) {
        // Answers are small, and each is written at once.
        let _ = stream.set_nodelay(true);
        let Self { from, log, router } = self;
        let service = service_fn(move |request: Request<Incoming>| {
            let (mut router, log) = (router.clone(), log.clone());
            async move {
                let begun = Instant::now();
                let (method, target) = (request.method().to_string(), request.uri().to_string());
                let response = ServiceExt::<Request<Body>>::ready(&mut router)
                    .await?
                    .call(request.map(Body::new))
                    .await?;
                if let Some(log) = log {
                    let status = response.status().as_u16();
                    log(&Access { from, method, target, status, took: begun.elapsed() });
                }
                Ok::<_, std::convert::Infallible>(response)
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(MOST_HEAD)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // What breaks a connection is the client's affair.
            let _ = connection.await;
            drop(permit);
        });
    }
}
