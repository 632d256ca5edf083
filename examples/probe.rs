//! Looks up a position: `cargo run --example probe -- book.tabia 1` (the key in hexadecimal).

use tabia::{Book, Row};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (path, key) = arguments.next().zip(arguments.next()).ok_or("usage: probe BOOK KEY")?;
    let key = u64::from_str_radix(&key, 16)?;

    // Reads what it needs, and verifies it. An engine maps its book instead:
    // `unsafe { Book::map(path) }`, whose contract is that nobody changes the file, which Tabia
    // itself never does; a probe then takes little more than one read of memory.
    let book = Book::open(path)?;
    match book.position(key)? {
        None => println!("not in the book"),
        Some(row) => println!("{:?}, eval {:?}", row.counts(), row.eval()),
    }
    for row in book.moves(key)?.iter() {
        println!("move {}: {:?}", row.code(), row.counts());
    }
    Ok(())
}
