//! A book in the memory of WebAssembly, for `tests/systems.sh`: no file, no system.

use std::sync::Mutex;
use tabia::{Book, Row};

static BYTES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for a book, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut bytes = BYTES.lock().unwrap();
    *bytes = vec![0; length];
    bytes.as_mut_ptr()
}

/// The games of a position in the book that was put there, and its moves in hundredths; -1 if it has
/// none, -2 if those bytes are no book.
#[unsafe(no_mangle)]
pub extern "C" fn games(key: u64) -> f64 {
    let bytes = BYTES.lock().unwrap();
    let Ok(book) = Book::from_bytes(&bytes[..]) else { return -2.0 };
    match (book.position(key), book.moves(key)) {
        (Ok(Some(row)), Ok(moves)) => row.counts().games() as f64 + moves.len() as f64 / 100.0,
        _ => -1.0,
    }
}
