//! Books at addresses (`https://`, `s3://`, `gs://`, `az://`) for the crate `tabia`, by the crate
//! object_store, which brings credentials (from the environment), signatures and retries. What is read is
//! kept, 256 MiB for all books; where reading goes on in order, requests are ahead of it. Checksums are
//! verified as in a file, and another file that comes in a book's place is found by its size and ETag (or
//! date). Calls wait for the network: in a task of tokio they panic, and belong into `spawn_blocking`.
//!
//! ```no_run
//! tabia_remote::register(|| false);
//! let book = tabia::Book::open("https://books.example/masters.tabia")?;
//! println!("{:?} by {:?}", book.position(42)?, tabia_remote::traffic());
//! # Ok::<(), tabia::Error>(())
//! ```

mod room;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path as Place;
use object_store::{
    BackoffConfig, ClientOptions, GetOptions, ObjectMeta, ObjectStore, ObjectStoreScheme,
    RetryConfig,
};
use room::{AHEAD, KEPT, Piece, Room, Stream};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tabia::bytes::Bytes;
use tabia::remote::Store;
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// Bytes of a piece: what it costs to ask for fewer is about the same.
const PIECE: u64 = 1 << 16;
/// Pieces of a request at most.
const REQUEST: u64 = 64;
/// How often it is asked whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(100);
/// How often a range is asked for whose answers are cut.
const TRIES: u32 = 4;

/// Whether the user wants to stop, if it was said how that is asked.
static IS_INTERRUPTED: OnceLock<fn() -> bool> = OnceLock::new();

/// Has `tabia` open paths that are addresses by this crate, in the whole process; nothing is connected
/// before one is opened, and only the first call counts. While bytes are waited for it is asked ten times
/// a second whether to stop: then reading fails as [`ErrorKind::Interrupted`].
pub fn register(is_interrupted: fn() -> bool) {
    let _ = IS_INTERRUPTED.set(is_interrupted);
    // An earlier one is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    tabia::remote::open_by(Box::new(Stores));
}

/// What was read from addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// How many ranges were asked for; what a store tries again by itself, and lists, don't count.
    pub requests: u64,
    /// Bytes that came.
    pub bytes: u64,
}

/// What was read by this process so far.
pub fn traffic() -> Traffic {
    Traffic { requests: REQUESTS.load(Relaxed), bytes: BYTES.load(Relaxed) }
}

/// The addresses of the files in a folder that has an address, which ends in `/`: of those whose names
/// end so, in the order of their names.
///
/// # Errors
/// Those of the store: that it can't be reached, that nothing is there, or that it has no lists.
pub fn files_in(address: &str, ending: &str) -> io::Result<Vec<PathBuf>> {
    let (store, folder) = store_of(address)?;
    let listed = SHARED.runtime.block_on(store.list_with_delimiter(Some(&folder)));
    let listed = listed.map_err(|error| error_of(&error))?;
    let names = listed.objects.iter().filter_map(|object| object.location.filename());
    let mut names: Vec<&str> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort_unstable();
    Ok(names.into_iter().map(|name| format!("{address}{name}").into()).collect())
}

struct Stores;

impl Store for Stores {
    fn open(&self, address: &str) -> io::Result<Box<dyn Bytes>> {
        let (store, place) = store_of(address)?;
        let number = SHARED.opened.fetch_add(1, Relaxed);
        let (first, replaced) = (OnceLock::new(), AtomicBool::new(false));
        let source = Arc::new(Source { store, place, first, replaced });
        let start = SHARED.runtime.block_on(source.get(0..PIECE))?;
        let len = source.first.get().map_or(0, |first| first.size);
        let mut room = SHARED.room();
        let now = room.taken;
        room.put((number, 0), Piece::There(start, now));
        Ok(Box::new(Remote { source, number, len }))
    }
}

/// The store that has an address, and its place there.
fn store_of(address: &str) -> io::Result<(Arc<dyn ObjectStore>, Place)> {
    let wrong = |what: String| io::Error::new(ErrorKind::InvalidInput, what);
    let url: Url =
        address.parse().map_err(|error| wrong(format!("this is no address: {error}")))?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(
            "addresses with ? or # can't be read in parts of other names".to_owned(),
        ));
    }
    let (scheme, place) =
        ObjectStoreScheme::parse(&url).map_err(|error| wrong(one_line(&error)))?;
    // Connections and credentials are those of all that is there.
    let root = address.strip_suffix(place.as_ref()).unwrap_or(address);
    let mut known = SHARED.stores.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(store) = known.get(root) {
        return Ok((Arc::clone(store), place));
    }
    let retry = RetryConfig {
        backoff: BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() },
        max_retries: 10,
        retry_timeout: Duration::from_secs(60),
    };
    let store = match scheme {
        ObjectStoreScheme::Http => {
            let client = ClientOptions::new().with_allow_http(url.scheme() == "http");
            let host = HttpBuilder::new().with_url(&url[..url::Position::BeforePath]);
            host.with_client_options(client).with_retry(retry).build().map(arc)
        }
        ObjectStoreScheme::AmazonS3 => {
            AmazonS3Builder::from_env().with_url(address).with_retry(retry).build().map(arc)
        }
        ObjectStoreScheme::GoogleCloudStorage => {
            let builder = GoogleCloudStorageBuilder::from_env().with_url(address);
            builder.with_retry(retry).build().map(arc)
        }
        ObjectStoreScheme::MicrosoftAzure => {
            MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retry).build().map(arc)
        }
        _ => return Err(wrong(format!("addresses with {}: aren't read", url.scheme()))),
    };
    let store = store.map_err(|error| wrong(one_line(&error)))?;
    known.insert(root.to_owned(), Arc::clone(&store));
    Ok((store, place))
}

fn arc(store: impl ObjectStore) -> Arc<dyn ObjectStore> {
    Arc::new(store)
}

/// The first line of what went wrong.
fn one_line(error: &dyn std::error::Error) -> String {
    const MOST: usize = 300;
    error.to_string().lines().next().unwrap_or_default().chars().take(MOST).collect()
}

/// How many requests were made, and bytes that came.
static REQUESTS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// What all books share, once one is opened.
struct Shared {
    runtime: Runtime,
    room: Mutex<Room>,
    /// A piece has come.
    came: Condvar,
    opened: AtomicU64,
    /// By the addresses under which all is that they have.
    stores: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
}

static SHARED: LazyLock<Shared> = LazyLock::new(|| Shared {
    runtime: Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime needs two threads"),
    room: Mutex::default(),
    came: Condvar::new(),
    opened: AtomicU64::new(0),
    stores: Mutex::default(),
});

impl Shared {
    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Source {
    store: Arc<dyn ObjectStore>,
    place: Place,
    /// What was found there at first.
    first: OnceLock<ObjectMeta>,
    replaced: AtomicBool,
}

impl Source {
    /// The bytes in a range, as far as there are any. That a server is busy or out of reach, its store
    /// tries again; that an answer is cut, or of another length than asked for, is tried again here.
    async fn get(&self, range: Range<u64>) -> io::Result<bytes::Bytes> {
        let (mut pause, mut tries) = (Duration::from_millis(100), 0);
        loop {
            tries += 1;
            let options = GetOptions { range: Some(range.clone().into()), ..GetOptions::default() };
            REQUESTS.fetch_add(1, Relaxed);
            let answer =
                self.store.get_opts(&self.place, options).await.map_err(|e| error_of(&e))?;
            self.check(&answer.meta)?;
            let wanted = range.end.min(answer.meta.size).saturating_sub(range.start);
            let error = match answer.bytes().await {
                Ok(bytes) if bytes.len() as u64 == wanted => {
                    BYTES.fetch_add(wanted, Relaxed);
                    return Ok(bytes);
                }
                Ok(bytes) => io::Error::other(format!("{} of {wanted} bytes came", bytes.len())),
                Err(error) => error_of(&error),
            };
            if tries == TRIES {
                return Err(error);
            }
            tokio::time::sleep(pause).await;
            pause *= 4;
        }
    }

    /// Makes sure that it is what was found at first.
    fn check(&self, now: &ObjectMeta) -> io::Result<()> {
        // Servers that share the work may have the same file at other times.
        let date = |meta: &ObjectMeta| meta.e_tag.is_none().then_some(meta.last_modified);
        let of = |meta: &ObjectMeta| (meta.size, meta.e_tag.clone(), date(meta));
        if of(self.first.get_or_init(|| now.clone())) == of(now) {
            return Ok(());
        }
        self.replaced.store(true, Relaxed);
        Err(io::Error::new(ErrorKind::InvalidData, "another file has come in its place meanwhile"))
    }
}

fn error_of(error: &object_store::Error) -> io::Error {
    let kind = match error {
        object_store::Error::NotFound { .. } => {
            return io::Error::new(ErrorKind::NotFound, "nothing is there");
        }
        object_store::Error::PermissionDenied { .. }
        | object_store::Error::Unauthenticated { .. } => ErrorKind::PermissionDenied,
        object_store::Error::NotSupported { .. } => ErrorKind::Unsupported,
        _ => ErrorKind::Other,
    };
    io::Error::new(kind, one_line(error))
}

/// A book that has an address.
struct Remote {
    source: Arc<Source>,
    number: u64,
    len: u64,
}

impl Remote {
    /// Asks for those of these pieces that aren't there.
    fn ask(&self, room: &mut Room, pieces: Range<u64>) {
        let end = pieces.end.min(self.len.div_ceil(PIECE));
        let mut at = pieces.start;
        while at < end {
            let first = at;
            while at < end && at - first < REQUEST {
                let Entry::Vacant(place) = room.pieces.entry((self.number, at)) else { break };
                place.insert(Piece::Coming);
                at += 1;
            }
            if at > first {
                SHARED.runtime.spawn(fetch(Arc::clone(&self.source), self.number, first..at));
            } else {
                at += 1;
            }
        }
    }

    /// A piece, waited for if need be.
    fn piece(&self, number: u64, until: u64) -> io::Result<bytes::Bytes> {
        let id = (self.number, number);
        let mut room = SHARED.room();
        let mut has_waited = false;
        loop {
            if let Some(bytes) = room.take(id) {
                return Ok(bytes);
            }
            match room.pieces.get(&id) {
                Some(Piece::Coming) => {
                    has_waited = true;
                    let waited = SHARED.came.wait_timeout(room, PATIENCE);
                    room = waited.unwrap_or_else(PoisonError::into_inner).0;
                    if IS_INTERRUPTED.get().is_some_and(|is_interrupted| is_interrupted()) {
                        return Err(ErrorKind::Interrupted.into());
                    }
                    continue;
                }
                Some(Piece::Failed(_)) => {
                    let failed = room.pieces.remove(&id);
                    // One that was asked for earlier may be had by now.
                    if let Some(Piece::Failed(error)) = failed.filter(|_| has_waited) {
                        return Err(error);
                    }
                }
                _ => {}
            }
            self.ask(&mut room, number..until);
        }
    }
}

/// Has pieces of a book come.
async fn fetch(source: Arc<Source>, book: u64, pieces: Range<u64>) {
    let got = source.get(pieces.start * PIECE..pieces.end * PIECE).await;
    let mut room = SHARED.room();
    for piece in pieces.clone() {
        let new = match &got {
            Ok(bytes) => {
                let start = ((piece - pieces.start) * PIECE) as usize;
                let end = (start + PIECE as usize).min(bytes.len());
                Piece::There(bytes.slice(start.min(end)..end), room.taken)
            }
            Err(error) => Piece::Failed(io::Error::new(error.kind(), error.to_string())),
        };
        room.put((book, piece), new);
    }
    SHARED.came.notify_all();
}

impl Bytes for Remote {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.checked_add(bytes.len() as u64).filter(|&end| end <= self.len);
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let pieces = offset / PIECE..end.div_ceil(PIECE);
        let mut room = SHARED.room();
        let ahead = room.ahead(self.number, &pieces);
        self.ask(&mut room, pieces.start..pieces.end.min(pieces.start + KEPT / 4));
        self.ask(&mut room, ahead);
        drop(room);
        for piece in pieces.clone() {
            let got = self.piece(piece, pieces.end.min(piece + REQUEST))?;
            let [from, to] = [offset, end].map(|at| at.clamp(piece * PIECE, (piece + 1) * PIECE));
            let [start, stop] = [from, to].map(|at| (at - piece * PIECE) as usize);
            let part = got.get(start..stop).ok_or(ErrorKind::UnexpectedEof)?;
            bytes[(from - offset) as usize..(to - offset) as usize].copy_from_slice(part);
        }
        Ok(())
    }

    fn will_need(&self, part: Range<usize>) {
        let pieces = part.start as u64 / PIECE..(part.end as u64).div_ceil(PIECE);
        self.ask(&mut SHARED.room(), pieces.start..pieces.end.min(pieces.start + REQUEST));
    }

    fn will_scan(&self, part: Range<u64>) {
        let (next, end) = (part.start / PIECE, part.end.div_ceil(PIECE));
        let mut room = SHARED.room();
        let (book, used) = (self.number, room.reads);
        room.begin(Stream { book, next, read: AHEAD, asked: next, end, used });
    }

    fn is_replaced(&self) -> bool {
        self.source.replaced.load(Relaxed)
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        let mut room = SHARED.room();
        room.pieces.retain(|(book, _), _| *book != self.number);
        room.streams.retain(|stream| stream.book != self.number);
    }
}
