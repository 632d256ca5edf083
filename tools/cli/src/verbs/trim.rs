//! `tabia trim`: a smaller book of a book.

use crate::prelude::*;
use std::collections::BTreeMap;
use tabia::{Column, ReadBook};
use tabia_build::whole;
use tabia_gamefile::GameFileHeader;
use tabia_play::{
    Order, Percent, Solution, TableStats, Thresholds, Trim, TrimPlan, TrimReason, TrimStats,
};

const ORDERS: &[Named<Order>] = &[
    ("bound", Order::Bound, "The lower end of the score's 95 % interval: few games count for less"),
    ("score", Order::Score, "The score"),
    ("games", Order::Games, "The number of games"),
    ("rating", Order::Rating, "The average rating of those who played it, in 20 rated games"),
    ("performance", Order::Performance, "Their performance rating with it"),
    ("gain", Order::Gain, "How much better than their rating they performed with it"),
    ("marks", Order::Marks, "What annotators said of it: !! before ! before !?"),
];

/// Make a smaller book of a book
///
/// By thresholds, by what is reached, or as a solution tree.
///
/// Rows that stay are unchanged, but for positions flagged `expanded` that lose a move, or the
/// position behind one: it may be the best deviation, so they lose the flag too. The book they come from stays as it is. A solution tree is what its
/// side needs to play: its best moves, and all replies to them that the book knows. What is kept
/// for both sides is the union of both trees. A move marked `always` stays wherever its position
/// does; one marked `never` is none of the best.
///
/// Of games beside the book (BOOK-games) those go along that moves name which are kept, or that end
/// at a position which is.
///
/// Thresholds alone work for books of any game and take no memory. What follows moves takes about
/// 14 bytes for each move of the book that passes the thresholds (all that pass those for replies
/// in a solution tree), and the boards of two plies. In a book of one color only (build
/// --white-only) the moves of the other are missing, so that nothing is reached beyond them: it can
/// be trimmed by thresholds.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia trim games.tabia -o often.tabia --min-games 20
  tabia trim games.tabia -o white.tabia --solution white --keep 2 \\
      --min-games 20 --min-score 25 --min-reply-games 5 --min-reply-score 25
  tabia trim games.tabia -o sicilian.tabia \\
      --fen \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"")]
pub struct Args {
    /// The book, or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    new: NewBookArgs,
    /// Drop what was played in fewer games than N
    ///
    /// Positions and moves; in a solution tree, moves of its side.
    #[arg(long, value_name = "N")]
    min_games: Option<u64>,
    /// Drop moves that scored less than PERCENT
    ///
    /// For the side that played them; in a solution tree, moves of its side.
    #[arg(long, value_name = "PERCENT")]
    min_score: Option<Percent>,
    /// Keep the best K moves of a position
    ///
    /// In a solution tree, where its side is to move; without the option one there.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// What makes a move better than another
    #[arg(long, value_parser = one_of(ORDERS), value_name = "MEASURE", default_value = "bound")]
    best_by: Order,
    /// Pack the new book: an eighth to a tenth of the bytes
    ///
    /// A tenth where moves have their games. As `tabia pack` does. A packed book stays packed without it.
    #[arg(long)]
    pack: bool,
    /// Keep what is reached from the start of the game
    ///
    /// By moves that are kept.
    #[arg(long, help_heading = "What is reached")]
    reachable: bool,
    /// Keep what is reached from this position
    ///
    /// In a book keyed by line, from lines that begin there. May be given more than once, and with
    /// --reachable.
    #[arg(long, value_name = "FEN", allow_hyphen_values = true, help_heading = "What is reached")]
    fen: Vec<String>,
    /// Keep positions at most N plies from there
    ///
    /// And the moves between them.
    #[arg(long, value_name = "N", help_heading = "What is reached")]
    max_ply: Option<u32>,
    /// Keep the tree of white, black, or both
    ///
    /// Or what the sides of the game are called: a side's best moves, and all replies to them.
    #[arg(long, value_name = "SIDE", help_heading = "Solution tree")]
    solution: Option<String>,
    /// Drop replies that were played in fewer games than N
    #[arg(long, value_name = "N", requires = "solution", help_heading = "Solution tree")]
    min_reply_games: Option<u64>,
    /// Drop replies that scored less than PERCENT
    ///
    /// For the side that played them: what is likely to be a bad move needs no answer in the book.
    #[arg(long, value_name = "PERCENT", requires = "solution", help_heading = "Solution tree")]
    min_reply_score: Option<Percent>,
}

/// Trims it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    args.check()?;
    args.new.check([&args.book])?;
    let opened = books::open_any(slice::from_ref(&args.book), View::Whole, console)?;
    place::check_distinct(&args.new.output, opened.books().iter().map(Book::path))?;
    let book = opened.read();
    args.check_book(book)?;
    let facts = {
        let meter = console.meter();
        let watch = |step| meter.trimming(step);
        let trim = if args.walks() {
            let advice = "give only --min-games, --min-score or --keep";
            let game = games::of_or(book.header(), book.path(), advice)?;
            walk(&game, args, book, &meter)?
        } else {
            by_rows(args, book, &meter)?
        };
        let stats = trim.stats(&watch)?;
        let (env, output, existing) = (meter.env(), &args.new.output, args.new.existing());
        let (companions, games) =
            whole::of_part(&env, opened.books(), output, existing, &|row| trim.keeps(row))?;
        let header = trim.write(&stats, &env, output, args.new.force, companions)?;
        let before = opened.books().iter().map(|book| book.header().file_length).sum();
        facts((before, &header), games.as_ref(), &trim, &stats).time(start.elapsed())
    };
    Output::of_summary(console).facts(args.new.json, &facts)
}

/// What stayed, what went, and why; none of a table that the book hasn't.
fn facts(
    (before, now): (u64, &Header),
    games: Option<&GameFileHeader>,
    trim: &Trim<'_>,
    stats: &TrimStats,
) -> Facts {
    let table = |name: &str, stats: TableStats| {
        let reasons = TrimReason::ALL.into_iter().filter(|&reason| stats.gone(reason) > 0);
        let gone: BTreeMap<_, _> =
            reasons.clone().map(|reason| (reason.name(), stats.gone(reason))).collect();
        let facts = Facts::default()
            .json("before", stats.before())
            .json("kept", stats.kept)
            .json("gone", gone)
            .number(name, stats.kept, format!("of {}", grouped(stats.before())));
        reasons
            .fold(facts, |facts, reason| facts.number("  gone", stats.gone(reason), reason.text()))
    };
    let positions = stats.positions.map(|stats| table("positions", stats));
    let moves = stats.moves.map(|stats| table("moves", stats));
    let plies = trim.walked.map(|walked| walked.plies);
    let packed = if now.packed { ", packed" } else { "" };
    let sizes = [now.file_length, before].map(bytes).join(" of ");
    Facts::default()
        .json("positions", &positions)
        .json("moves", &moves)
        .json("no_longer_expanded", trim.incomplete())
        .json("bytes_before", before)
        .json("bytes", now.file_length)
        .lines_of(positions.iter().chain(&moves))
        .number_if(
            "  changed",
            trim.incomplete(),
            "no longer expanded: a move of theirs, or what is behind it, is gone",
        )
        .lines(plies.map(|plies| format!("plies       {:>14}", grouped(plies.into()))))
        .number("memory", trim.memory(), bytes(trim.memory()))
        .number("bytes", now.file_length, sizes + packed)
        .games(games)
        .json("layout", layout::name(now))
        .json("plies", plies)
        .json("memory", trim.memory())
        .json("digest", now.digest.to_string())
}

/// Trims by thresholds alone; where the rules are known, positions that are expanded are looked at.
fn by_rows<'a>(args: &Args, book: &'a dyn ReadBook, meter: &Meter) -> Done<Trim<'a>> {
    let trim = Trim::by_rows(book, args.plan(Vec::new()), &|step| meter.trimming(step))?;
    match Known::of(book.header().game.as_str(), book.header().keys.as_str()) {
        Some(known) if book.share().is_whole() => {
            let watch = |step| meter.trimming(step);
            Ok(trim.with_rules(std::slice::from_ref(&known), &watch)?)
        }
        _ => Ok(trim),
    }
}

fn walk<'a>(start: &Known, args: &Args, book: &'a dyn ReadBook, meter: &Meter) -> Done<Trim<'a>> {
    let from = args.fen.iter().map(|text| start.set_up(text)).collect::<Result<Vec<_>, _>>();
    let mut from = from.map_err(|error| failure!("--fen: {error}"))?;
    if from.is_empty() || args.reachable {
        from.push(start.clone());
    }
    let sides = args.solution.as_deref().map_or(Ok(Vec::new()), |name| sides(name, start))?;
    Ok(Trim::by_walk(book, args.plan(sides), &from, &|step| meter.trimming(step))?)
}

/// The sides a user names, as this game calls them.
fn sides(name: &str, start: &Known) -> Done<Vec<Side>> {
    let all = [Side::First, Side::Second];
    if name.eq_ignore_ascii_case("both") {
        return Ok(all.to_vec());
    }
    let named = all.into_iter().find(|side| name.eq_ignore_ascii_case(start.sides()[side.index()]));
    let [first, second] = start.sides().map(str::to_ascii_lowercase);
    named.map(|side| vec![side]).ok_or_else(|| {
        failure!(
            "--solution: `{name}` is no side of {}: give {first}, {second} or both",
            start.name()
        )
    })
}

impl Args {
    /// Makes sure that something is asked for.
    fn check(&self) -> Done<()> {
        let by_rows = self.min_games.is_some() || self.min_score.is_some() || self.keep.is_some();
        if by_rows || self.walks() {
            return Ok(());
        }
        Err(failure!(
            "nothing to trim by: give --min-games, --min-score, --keep, --reachable, --fen, --max-ply or --solution"
        ))
    }

    /// Makes sure that the book can answer it.
    fn check_book(&self, book: &dyn ReadBook) -> Done<()> {
        let path = book.path().display();
        let by_score = [
            ("--min-score", self.min_score.is_some()),
            ("--min-reply-score", self.min_reply_score.is_some()),
        ];
        let asked = by_score.into_iter().find(|&(_, is_given)| is_given);
        if let Some((flag, _)) = asked.filter(|_| book.header().results == Results::Unknown) {
            return Err(failure!(
                "{path}: it counts games without their results: {flag} has no meaning there"
            ));
        }
        if self.best_by.is_of_ratings()
            && !book.header().columns(TableKind::Moves).has(Column::RATINGS)
        {
            return Err(failure!(
                "{path}: its moves have no ratings: build it with --ratings, or give another --best-by"
            ));
        }
        Ok(())
    }

    /// Whether what is kept hangs on what leads to it.
    fn walks(&self) -> bool {
        self.reachable || !self.fen.is_empty() || self.max_ply.is_some() || self.solution.is_some()
    }

    fn plan(&self, sides: Vec<Side>) -> TrimPlan {
        let in_tree =
            |keep: Option<u32>| if self.solution.is_some() { keep.or(Some(1)) } else { keep };
        let own = Thresholds {
            min_games: self.min_games.unwrap_or(0),
            min_score: self.min_score.unwrap_or_default(),
            keep: in_tree(self.keep),
            order: self.best_by,
        };
        let reply = Thresholds {
            min_games: self.min_reply_games.unwrap_or(0),
            min_score: self.min_reply_score.unwrap_or_default(),
            ..Thresholds::default()
        };
        TrimPlan {
            own,
            solution: self.solution.is_some().then_some(Solution { sides, reply }),
            max_ply: self.max_ply,
            packed: self.pack,
        }
    }
}
