//! All connections: how many there are, which of them wait for their clients, and which one goes when
//! there is no more room. Those that wait longest for their client make room for new ones, so that
//! clients that ask for nothing, or read nothing, lock nobody out.

use crate::client::Client;
use crate::listen::Bytes;
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Sleep, sleep};

/// How long a client may leave an answer lying that the system has no more room for.
const UNREAD: Duration = Duration::from_secs(20);
/// How many requests of one client are answered at once; the others wait for their turn, so that
/// those of other clients don't wait for all of them.
const AT_ONCE: usize = 16;

#[derive(Debug)]
pub struct Connections {
    most: usize,
    most_of_one: usize,
    all: Mutex<HashMap<u64, Arc<State>>>,
    begun: Instant,
    last: AtomicU64,
    closed: AtomicU64,
}

/// What is known of a connection.
#[derive(Debug)]
struct State {
    number: u64,
    /// None of a proxy, which has many.
    client: Option<Client>,
    /// Milliseconds from the start of the server until bytes went in or out last.
    moved: AtomicU64,
    /// How many requests are being answered.
    at_work: AtomicUsize,
    /// Whether an answer waits for being read.
    is_unread: AtomicBool,
    is_closed: Notify,
    /// Shared by all connections of a client.
    turns: Arc<Semaphore>,
}

impl Connections {
    /// None yet; `most` at once, `most_of_one` of one client.
    pub fn new(most: usize, most_of_one: usize) -> Self {
        let (all, last, closed) = (Mutex::default(), AtomicU64::new(0), AtomicU64::new(0));
        Self { most, most_of_one, all, begun: Instant::now(), last, closed }
    }

    pub fn count(&self) -> usize {
        self.all().len()
    }

    /// How many were closed to make room.
    pub fn closed(&self) -> u64 {
        self.closed.load(Relaxed)
    }

    /// One more, if there is room, or can be made.
    pub fn admit(self: &Arc<Self>, client: Option<Client>) -> Option<Connection> {
        let client = client.map(Client::counted);
        let mut all = self.all();
        let of_client = |state: &State| client.is_some() && state.client == client;
        let theirs = all.values().filter(|state| of_client(state));
        let turns = theirs.clone().next().map(|state| Arc::clone(&state.turns));
        if theirs.count() >= self.most_of_one && !self.close_one(&mut all, of_client) {
            return None;
        }
        if all.len() >= self.most && !self.close_one(&mut all, |_| true) {
            return None;
        }
        let number = self.last.fetch_add(1, Relaxed);
        let state = Arc::new(State {
            number,
            client,
            moved: AtomicU64::new(self.now()),
            at_work: AtomicUsize::new(0),
            is_unread: AtomicBool::new(false),
            is_closed: Notify::new(),
            turns: turns.unwrap_or_else(|| Arc::new(Semaphore::new(AT_ONCE))),
        });
        all.insert(number, Arc::clone(&state));
        drop(all);
        Some(Connection { state, of: Arc::clone(self) })
    }

    /// Closes the connection that waits longest for its client, for want of something that the
    /// system gives.
    pub fn make_room(&self) {
        self.close_one(&mut self.all(), |_| true);
    }

    /// Closes of some connections the one that waits longest for its client; false if none waits.
    fn close_one(
        &self,
        all: &mut HashMap<u64, Arc<State>>,
        among: impl Fn(&State) -> bool,
    ) -> bool {
        let waits = |state: &&Arc<State>| {
            among(state) && (state.at_work.load(Relaxed) == 0 || state.is_unread.load(Relaxed))
        };
        let longest = all.values().filter(waits).min_by_key(|state| state.moved.load(Relaxed));
        let Some(longest) = longest.map(Arc::clone) else { return false };
        all.remove(&longest.number);
        longest.is_closed.notify_one();
        self.closed.fetch_add(1, Relaxed);
        true
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<u64, Arc<State>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection among the others, until it is dropped.
#[derive(Debug)]
pub struct Connection {
    state: Arc<State>,
    of: Arc<Connections>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.of.all().remove(&self.state.number);
    }
}

impl Connection {
    pub fn watched(&self, bytes: Box<dyn Bytes>) -> Watched {
        Watched { bytes, state: Arc::clone(&self.state), of: Arc::clone(&self.of), unread: None }
    }

    /// What begins the work on a request, which lasts until what comes of it is dropped, and the
    /// turns to wait for before it is answered.
    pub fn works(&self) -> impl Fn() -> (AtWork, Arc<Semaphore>) + Clone + use<> {
        let state = Arc::clone(&self.state);
        move || {
            state.at_work.fetch_add(1, Relaxed);
            (AtWork(Arc::clone(&state)), Arc::clone(&state.turns))
        }
    }

    /// Does this until the connection is closed to make room.
    pub async fn until_closed(self, serving: impl Future) {
        tokio::select! {
            _ = serving => {}
            () = self.state.is_closed.notified() => {}
        }
    }
}

/// The work on a request: meanwhile its connection doesn't wait for the client.
#[derive(Debug)]
pub struct AtWork(Arc<State>);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.at_work.fetch_sub(1, Relaxed);
    }
}

/// The bytes of a connection. Writing fails when what was written isn't read for a while: also
/// when it is read a little at a time.
pub struct Watched {
    bytes: Box<dyn Bytes>,
    state: Arc<State>,
    of: Arc<Connections>,
    unread: Option<Pin<Box<Sleep>>>,
}

impl Watched {
    fn moved(&self) {
        self.state.moved.store(self.of.now(), Relaxed);
    }

    /// What writing so many bytes came to.
    fn written(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
        length: usize,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(taken)) => {
                self.moved();
                if taken == length {
                    self.unread = None;
                    self.state.is_unread.store(false, Relaxed);
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                self.state.is_unread.store(true, Relaxed);
                let unread = self.unread.get_or_insert_with(|| Box::pin(sleep(UNREAD)));
                ready!(unread.as_mut().poll(context));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        written
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let read = pin!(&mut this.bytes).poll_read(context, buffer);
        if read.is_ready() {
            this.moved();
        }
        read
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = pin!(&mut this.bytes).poll_write(context, bytes);
        this.written(context, written, bytes.len())
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = pin!(&mut this.bytes).poll_write_vectored(context, parts);
        this.written(context, written, parts.iter().map(|part| part.len()).sum())
    }

    fn is_write_vectored(&self) -> bool {
        self.bytes.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        pin!(&mut self.get_mut().bytes).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        pin!(&mut self.get_mut().bytes).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn client(last: u8) -> Option<Client> {
        Some(Client::Machine(IpAddr::from([192, 0, 2, last])))
    }

    #[test]
    fn who_waits_longest_makes_room_but_nobody_who_is_served() {
        let all = Arc::new(Connections::new(4, 2));
        let admit = |last| all.admit(client(last)).unwrap();
        let moved = |connection: &Connection, at| connection.state.moved.store(at, Relaxed);
        let is_there = |connection: &Connection| all.all().contains_key(&connection.state.number);
        let [a, b, c, d] = [admit(1), admit(1), admit(2), admit(3)];
        for (connection, at) in [(&a, 3), (&b, 4), (&c, 1), (&d, 2)] {
            moved(connection, at);
        }
        // A third one of the first client takes the place of that client's oldest.
        let e = admit(1);
        moved(&e, 5);
        assert!(!is_there(&a) && all.count() == 4);
        // Connections of one client have their turns together.
        assert!(Arc::ptr_eq(&b.state.turns, &e.state.turns));
        assert!(!Arc::ptr_eq(&b.state.turns, &d.state.turns));
        // One more takes the place of the oldest of all.
        let f = admit(4);
        assert!(!is_there(&c) && is_there(&b) && is_there(&d));
        let work: Vec<_> = [&b, &d, &e, &f].map(|connection| (connection.works())()).into();
        assert!(all.admit(client(5)).is_none() && all.admit(None).is_none());
        // Who doesn't read isn't served.
        d.state.is_unread.store(true, Relaxed);
        assert!(all.admit(None).is_some() && !is_there(&d));
        drop(work);
        drop((a, b, c, d, e, f));
        assert_eq!((all.count(), all.closed()), (0, 3));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_read_a_little_at_a_time_is_not_written_for_ever() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (ours, mut theirs) = tokio::io::duplex(16);
        let connection = Arc::new(Connections::new(1, 1)).admit(None).unwrap();
        let mut watched = connection.watched(Box::new(ours));
        let reader = tokio::spawn(async move {
            // A byte a second.
            for _ in 0..1000 {
                sleep(Duration::from_secs(1)).await;
                if theirs.read_u8().await.is_err() {
                    break;
                }
            }
        });
        let begun = tokio::time::Instant::now();
        let error = watched.write_all(&[0; 4096]).await.unwrap_err();
        assert_eq!((error.kind(), begun.elapsed()), (io::ErrorKind::TimedOut, UNREAD));
        reader.abort();
    }
}
