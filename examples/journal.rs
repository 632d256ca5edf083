//! Adds a game to a book, and takes one of its moves out again:
//! `cargo run --example journal -- book.tabia`.

use tabia::{Batch, Book, Counts, Env, MoveRow, PositionRow, Row, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: journal BOOK")?;

    // There is one writer of a book at a time; readers don't mind it.
    let mut writer = Writer::open(Env::default(), &path)?;
    let won = Counts { wins: 1, draws: 0, losses: 0 };
    let mut batch = Batch::new();
    batch.add_position(PositionRow::new(1, won)).add_move(MoveRow::new(1, 8, won));
    let sequence = writer.append(&batch)?;
    println!("batch {sequence} is durable");

    let mut batch = Batch::new();
    batch.delete_move(1, 8);
    writer.append(&batch)?;

    // A reader lays the journal over the book, until it is compacted into a new one that takes its
    // place.
    let book = Book::open(&path)?;
    println!(
        "{} batches in the journal; {:?}",
        book.journal().frames,
        book.position(1)?.map(|row| row.counts())
    );
    writer.compact()?;
    println!("{} batches in the journal", Book::open(&path)?.journal().frames);
    Ok(())
}
