//! `tabia undo`: batches of the journal are taken back.

use crate::prelude::*;

/// Take back what was added to a book last
///
/// Takes the last batch, a frame, out of the book's journal: what one `add`, `merge --into`, `mark`, `set`
/// or `drop` brought, or one expansion of `grow`, archives included. What `compact` has put into the book can't be taken back.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia add masters.tabia this-week.pgn && tabia undo masters.tabia
  tabia mark masters.tabia --move e4 never && \\
      tabia undo masters.tabia --batches 1 --json")]
pub struct Args {
    /// The book
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
    let mut writer = stray::open_writer(&meter, &args.book)?;
    let there = writer.journal().frames;
    if there < args.batches.into() {
        return Err(failure!(
            "{}: its journal has {}: no more can be taken back, and what was compacted stays",
            args.book.display(),
            counted(there, "frame")
        ));
    }
    // The last batch first.
    let mut sequences: Vec<u64> = Vec::new();
    for _ in 0..args.batches {
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
    let facts = Facts::default()
        .json("sequences", &sequences)
        .json("frames", frames)
        .lines(taken)
        .line(format!("the journal has {} now", counted(frames, "frame")));
    Output::of_summary(console).facts(args.json, &facts)
}
