//! Books that are no files but have an address, such as `https://example.org/club.tabia`: this crate
//! knows no network, and has them opened by a [`Store`] that the program brings, such as that of the
//! crate `tabia-remote`. Everything that reads a file of a book with pread then takes addresses
//! where it takes paths; what writes or maps doesn't.

use crate::bytes::Bytes;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// Opens what has an address.
pub trait Store: Send + Sync {
    /// Opens it for reading. As long as it is read it is one version: when another has come in its
    /// place, reading is an error, and [`Bytes::is_replaced`] says so.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if nothing has this address; the store's.
    fn open(&self, address: &str) -> io::Result<Box<dyn Bytes>>;
}

static STORE: OnceLock<Box<dyn Store>> = OnceLock::new();

/// Has this process open addresses by a store, from now on; only the first store counts.
///
/// ```
/// use std::io;
/// use tabia::Book;
/// use tabia::bytes::{Bytes, Memory};
/// use tabia::remote::{self, Store};
///
/// /// Keeps one book.
/// struct Shelf(Vec<u8>);
///
/// impl Store for Shelf {
///     fn open(&self, address: &str) -> io::Result<Box<dyn Bytes>> {
///         match address {
///             "shelf://tiny.tabia" => Ok(Box::new(Memory(self.0.clone()))),
///             _ => Err(io::ErrorKind::NotFound.into()),
///         }
///     }
/// }
///
/// # let (_folder, path) = tabia_testing::tiny_book();
/// remote::open_by(Box::new(Shelf(std::fs::read(&path)?)));
/// assert!(Book::open("shelf://tiny.tabia")?.position(42)?.is_some());
/// assert!(Book::open("shelf://other.tabia").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_by(store: Box<dyn Store>) {
    // A second one would leave the books of the first without theirs.
    let _ = STORE.set(store);
}

/// The address that a path is, if it is one: a scheme of letters and digits, and `://`.
///
/// ```
/// use std::path::Path;
/// use tabia::remote::address;
///
/// assert!(address(Path::new("s3://books/club.tabia")).is_some());
/// assert!(address(Path::new("books/club.tabia")).is_none());
/// ```
#[must_use]
pub fn address(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) && scheme.len() > 1;
    is_scheme.then_some(text)
}

/// Whether a file has this path, or anything has this address. What can't be opened there is there, as
/// far as anybody knows.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    match open(path) {
        None => path.exists(),
        Some(opened) => !matches!(opened, Err(error) if error.kind() == io::ErrorKind::NotFound),
    }
}

/// Opens what has this path, if it is an address.
pub(crate) fn open(path: &Path) -> Option<io::Result<Box<dyn Bytes>>> {
    let unread = || io::Error::new(io::ErrorKind::Unsupported, "this program reads no addresses");
    address(path).map(|address| STORE.get().ok_or_else(unread)?.open(address))
}
