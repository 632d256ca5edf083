//! `tabia tree`: the lines of a book from a position on.

use crate::prelude::*;
use tabia_play::explore::{ShownTree, TreeFacts};
use tabia_play::{Percent, TreePlan, text};

/// Show the lines of a book, as a tree
///
/// From the start of the game, or from any position.
///
/// Each line of text has the moves of which only one is shown, one behind the other, and what the
/// book knows of the last of them: its games; their share of the games at the position where the
/// line begins; the score of the first player (White in chess); and the eval and depth of the
/// position it leads to, as the first player sees it. Marks stand behind their moves.
///
/// Where the book grew there is also the value that `play --rule negamax` plays by, of all that is behind
/// the move, as the first player sees it.
///
/// A `deviation` is a move that no game made and that leads to a position with an eval, or of which it
/// is proven how it ends, from which the book goes no further. It is shown whatever --min-games and
/// --min-share say, but not in a record.
///
/// Moves come by their games. Where none has any, as in a book that grew, the best come first, as
/// `play --rule negamax` judges them, so that the first line is the one that both sides want: three
/// of each position, or as many as --breadth says.
///
/// Every position is followed once, where it is reached in the fewest plies, there by the move with
/// the most games. Wherever else it comes up, `= after ...` says where its lines are, so that a
/// cycle ends. Games are those of the move, however its position was reached; those of a position
/// are its row's, or its moves' together.
///
/// Only the rows that are shown are read, so that the size of the book doesn't matter. In a book of
/// one color (build --white-only) the moves of the other are missing, so that lines end after one.
///
/// --json has the nodes as a list, ply by ply, each behind its `parent` (an `id`; the root, which
/// has none, is the first): `san`, `uci` and `code` of the move; `games`, `wins`, `draws` and
/// `losses` as the side sees it that plays it (of the root, that is to move); `share` from 0 to 1;
/// `marks`; `deviation` if it is one; `value` by negamax where the book grew; `key` and, if the book has its row, `position` after it, as the side sees it that is to
/// move there; `same_as`, the node where the lines of this position are, if that is another one; of
/// a node that was followed, `left_out`: how many of its moves are not shown, their games, and how
/// many aren't legal.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia tree masters.tabia --max-ply 4 --min-share 10%
  tabia tree masters.tabia --moves \"e4 c5\" --breadth 3 --max-ply 8
  tabia tree masters.tabia --moves d4 --record --max-ply 12 > d4.pgn")]
pub struct Args {
    /// The book; or all shares of one, or a folder with them
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    at: CourseChoice,
    /// Follow lines for N plies
    #[arg(long, alias = "plies", value_name = "N", default_value_t = 6)]
    max_ply: u32,
    /// Leave out moves with less of a position's games
    ///
    /// A percentage of the games at the position where the move is played.
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = percent)]
    min_share: Percent,
    /// Leave out moves of fewer games than N
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Show the K first moves of a position
    #[arg(long, alias = "top", value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    breadth: Option<u16>,
    /// Show N moves at most
    ///
    /// Of the ply that exceeds them, those with the most games; lines then end there.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    max_nodes: u32,
    #[command(flatten)]
    journal: ViewChoice,
    /// Print one game with variations, as PGN, SGF or PDN
    ///
    /// SGF of Go, PDN of draughts. Where a position comes up again its line ends. `tabia build --variations --results unknown`
    /// makes a book with the same moves of it.
    #[arg(long, conflicts_with = "json")]
    record: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A percentage, with its sign or without.
fn percent(text: &str) -> Result<Percent, String> {
    text.strip_suffix('%')
        .unwrap_or(text)
        .parse()
        .map_err(|error: tabia_play::BadPercent| error.to_string())
}

/// Shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    let (book, start, history) = args.at.open(&args.books, args.journal.view(), console)?;
    books::check_table(book.first(), TableKind::Moves)?;
    let shown = {
        let meter = console.meter();
        ShownTree::new(&book, &start, &history, &args.plan(), &|step| meter.trimming(step))?
    };
    if shown.is_empty() {
        let (title, fen) = (&shown.title, &shown.fen);
        return Err(failure!("{title}: the position to start from isn't in the book: {fen}"));
    }
    if args.record && !shown.has_record() {
        return Err(failure!(
            "a record of Go starts from the empty board: give the position by --moves, not by --fen"
        ));
    }
    if args.json {
        Output::new().json(&TreeFacts::new(&shown))?;
        return Ok(Verdict::Fine);
    }
    Output::new().show(false, &shown.title, |_, out| {
        if args.record { text::write_record(out, &shown) } else { text::draw_tree(out, &shown) }
    })?;
    let unsaid = if args.record { shown.marks_beside_record() } else { 0 };
    if unsaid > 0 {
        console.note(&format!(
            "{} marked never or always: a record can't say that",
            counted(unsaid as u64, "move")
        ));
    }
    if shown.tree.is_truncated {
        console.note(&format!(
            "there are more than {} moves: only those with the most games are shown; ask for fewer with --min-share, --min-games, --breadth or --max-ply, or for more with --max-nodes",
            args.max_nodes
        ));
    }
    Ok(Verdict::Fine)
}

impl Args {
    fn plan(&self) -> TreePlan {
        TreePlan {
            max_ply: self.max_ply,
            min_games: self.min_games,
            min_share: self.min_share,
            // A record would make games of them.
            deviations: !self.record,
            breadth: self.breadth.map(usize::from),
            max_nodes: self.max_nodes as usize + 1,
        }
    }
}
