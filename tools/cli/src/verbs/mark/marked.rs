//! All marks of a book, with the lines that lead to them.

use super::Args;
use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::games;
use crate::lines::wrapped;
use crate::numbers::{counted, grouped};
use crate::output::Output;
use crate::terminal;
use std::io::{self, Write};
use std::path::Path;
use tabia::Book;
use tabia_play::AllMarked;

/// Lists them.
pub fn list(book: &Book, path: &Path, args: &Args, console: &Console) -> Done {
    let all = {
        let meter = console.meter();
        let game = games::of(book.header(), path).ok();
        AllMarked::of(book, game.as_ref(), args.limit, &|step| meter.trimming(step))?
    };
    let mut out = Output::new();
    if args.json {
        out.json(&all)?;
    } else {
        write(&all, &mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn write(all: &AllMarked, out: &mut impl Write) -> io::Result<()> {
    if all.marked == 0 {
        return writeln!(out, "no move is marked in this book");
    }
    let columns = terminal::columns();
    for listed in &all.moves {
        let games = counted(listed.games, "game");
        let head = format!("{:<12} {games:>14}  ", listed.marks.join(" "));
        let indent = head.chars().count();
        let lines = wrapped(&listed.place(), columns.saturating_sub(indent).max(20));
        for (number, line) in lines.iter().enumerate() {
            let before = if number == 0 { head.clone() } else { " ".repeat(indent) };
            writeln!(out, "{before}{line}")?;
        }
    }
    let more = all.marked - all.moves.len() as u64;
    if more > 0 {
        writeln!(out, "{} more are marked (--limit N lists N)", grouped(more))?;
    }
    Ok(())
}
