//! `tabia undo`: batches of the journal are taken back.

use crate::prelude::*;
use tabia::Writer;
use tabia_build::set;

/// Take back what was added to a book last
///
/// Takes the last batch, a frame, out of the book's journal: what one `add`, `merge --into`, `mark`, `set`
/// or `drop` brought, or one expansion of `grow`, archives included. What `compact` has put into the book can't be taken back.
/// A folder is the set of the shares in it: what came last into all of them, with archives, is taken back; interrupted, the
/// same command does the rest.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia add masters.tabia this-week.pgn && tabia undo masters.tabia
  tabia mark masters.tabia --move e4 never && \\
      tabia undo masters.tabia --batches 1 --json
  tabia add shares/ this-week.pgn && tabia undo shares/")]
pub struct Args {
    /// The book, or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Take back the last N batches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Takes them back.
pub fn run(args: &Args, console: &Console) -> Done {
    let meter = console.meter();
    let facts = if args.book.is_dir() {
        of_set(args, &meter, console)?
    } else {
        take_back(&mut stray::open_writer(&meter, &args.book)?, args.batches)?
    };
    Output::of_summary(console).facts(args.json, &facts)
}

/// Of each share that has it, what came last into all; a share that hasn't lost it yet has it.
fn of_set(args: &Args, meter: &Meter, console: &Console) -> Done<Facts> {
    if args.batches > 1 {
        return Err(failure!(
            "{}: of a set one batch is taken back at a time: leave --batches out",
            args.book.display()
        ));
    }
    let paths = books::named(slice::from_ref(&args.book))?;
    let writers = paths.iter().map(|path| stray::open_writer(meter, path));
    let mut writers = writers.collect::<Done<Vec<_>>>()?;
    let added = set::added_last(&writers)?;
    let archives = added.first().map(|&share| writers[share].last_sources()).transpose()?;
    let new = set::books_of_new(&args.book, &archives.unwrap_or_default())?;
    let shares: Vec<_> = added.iter().map(|&share| paths[share].clone()).collect();
    let mut added = added.into_iter();
    let facts = books::each(&shares, console, "taken back", |_| {
        let share = added.next().expect("a place of each share");
        take_back(&mut writers[share], 1)
    })?;
    new.iter().try_for_each(|book| set::remove(book, &Disk)).map_err(|error| {
        Failure::AfterAll(format!(
            "taken back from all shares, but the book it came by is left: {error}"
        ))
    })?;
    Ok(facts)
}

fn take_back(writer: &mut Writer<'_>, batches: u32) -> Done<Facts> {
    let there = writer.journal().frames;
    if there < batches.into() {
        return Err(failure!(
            "{}: its journal has {}: no more can be taken back, and what was compacted stays",
            writer.path().display(),
            counted(there, "frame")
        ));
    }
    // The last batch first.
    let mut sequences: Vec<u64> = Vec::new();
    for _ in 0..batches {
        match writer.undo() {
            Ok(taken) => sequences.extend(taken),
            Err(error) if sequences.is_empty() => return Err(error.into()),
            Err(error) => {
                let taken = counted(sequences.len() as u64, "frame");
                let why = Failure::from(error);
                return Err(Failure::AfterAll(format!("{taken} taken back, but no more: {why}")));
            }
        }
    }
    let frames = writer.journal().frames;
    let taken = sequences.iter().map(|sequence| format!("frame {sequence} was taken back"));
    Ok(Facts::default()
        .json("sequences", &sequences)
        .json("frames", frames)
        .lines(taken)
        .line(format!("the journal has {} now", counted(frames, "frame"))))
}
