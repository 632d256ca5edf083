//! Moves of a book to Polyglot's entries.

use super::{Common, Out, Source, Written};
use crate::newfile::{check_no_terminal, refused};
use crate::prelude::*;
use clap::ArgAction;
use tabia::Row;
use tabia_interop::polyglot::{
    self, EntrySorter, GatherOptions, Gathered, Header, LegalMoves, WeightBasis,
};
use tabia_play::choice::{BadRuleSpec, By, Policy, RuleSpec};

const WEIGHTS: &[Named<WeightBasis>] = &[
    ("points", WeightBasis::Points, "Two for a win, one for a draw"),
    ("games", WeightBasis::Games, "Games"),
    ("wins", WeightBasis::Wins, "Wins"),
    ("score", WeightBasis::Score, "The score, in hundredths of a percent"),
];

/// Write a Polyglot book (.bin), for most chess programs
///
/// It is made of the moves of a book of chess that is keyed by position. Each has a weight: two for
/// a win and one for a draw, if nothing else is said; where the greatest of a position doesn't fit
/// in 16 bits, all of that position are scaled down. Moves that weigh nothing and those marked
/// `never` are left out. A move marked `always` has the greatest weight, and the others of its
/// position have none. Moves are checked by walking the book from the start of the game, by its
/// moves and by any that lead back into it: those that are not legal are left out.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia export polyglot masters.tabia -o masters.bin --min-games 5
  tabia export polyglot masters.tabia -o sharp.bin --rule \"softmax(t=0.05)\" \\
      --unchecked")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// Leave out moves of fewer games
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_games: u64,
    /// By what moves are weighed
    #[arg(long, value_parser = one_of(WEIGHTS), value_name = "MEASURE", default_value = "points")]
    weight: WeightBasis,
    /// Weigh moves by how likely a rule is to choose each
    ///
    /// A rule of `tabia play`, such as softmax(t=0.05) or lcb,by=moves; of a rule that draws nothing
    /// only the move it plays is written.
    #[arg(long, value_name = "RULE", conflicts_with = "weight", value_parser = rule_of_moves)]
    rule: Option<Policy>,
    /// Leave out moves that weigh less than N
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_weight: u16,
    /// What becomes of moves that can't be checked
    ///
    /// Those of positions to which no legal moves lead from the start.
    #[arg(long, action = ArgAction::Set, value_parser = one_of(UNREACHED), value_name = "WHAT", default_value = "keep")]
    unreached: bool,
    /// Write moves as they stand, without checking them
    ///
    /// Faster, and with less memory.
    #[arg(long, conflicts_with = "unreached")]
    unchecked: bool,
    /// Begin the book with a header that says this
    ///
    /// As the Polyglot extension of 2012 has it; older programs pass over it.
    #[arg(long, value_name = "COMMENT", value_parser = |text: &str| Header::of_chess(text))]
    header: Option<Header>,
    #[command(flatten)]
    sort: SortArgs,
}

/// Whether moves are written that can't be checked.
const UNREACHED: &[Named<bool>] =
    &[("keep", true, "They are written"), ("drop", false, "They are left out")];

/// A rule that a reader of the book can follow.
fn rule_of_moves(text: &str) -> Result<Policy, String> {
    match text.parse().map_err(|error: BadRuleSpec| error.to_string())? {
        RuleSpec::Policy(policy) if policy.is_of_moves() => Ok(policy),
        RuleSpec::Policy(policy) if (Policy { by: By::Moves, ..policy }).is_of_moves() => Err(format!(
            "a Polyglot book knows of the moves played at a position and not of the positions behind them: give `{text},by=moves`"
        )),
        _ => Err(
            "a Polyglot book knows of a position's moves and nothing else: give a rule by moves, such as q, best, random or softmax(t=0.1)"
                .to_owned(),
        ),
    }
}

/// Writes the book.
pub(super) fn write(args: &Args, source: &Source<'_>, out: &mut Out) -> Done<Written> {
    check(source)?;
    let (entries, gathered, legal) = gather(args, source)?;
    let watch = source.watch(gathered.entries, 1);
    let written = entries.write(&source.meter.env(), args.header.as_ref(), out, watch);
    written.map_err(refused(source.output))?;
    let positions = source.rows(TableKind::Positions);
    Ok((facts(&gathered, &legal), gathered.losses(positions)))
}

/// Makes sure that the book's moves can be entries, and that the target is a sensible one.
fn check(source: &Source<'_>) -> Done<()> {
    let Source { path, book, game, .. } = source;
    let path = path.display();
    if game.name() != "chess" {
        return Err(failure!("{path}: a Polyglot book is of chess, not of {}", game.name()));
    }
    if book.read().header().keyed == Keyed::Line {
        return Err(failure!(
            "{path}: it is keyed by line, and a Polyglot book by position: build a book with --keyed position"
        ));
    }
    books::check_table(book.read(), TableKind::Moves)?;
    check_no_terminal(source.output, "a Polyglot book")
}

/// The entries, to be sorted.
fn gather(args: &Args, source: &Source<'_>) -> Done<(EntrySorter<'static>, Gathered, LegalMoves)> {
    args.sort.begin()?;
    let Source { book, game, meter, .. } = source;
    let reached =
        if args.unchecked { None } else { Some(foreign::reached(book.read(), game, meter)?) };
    let legal = LegalMoves::new(reached, args.unreached);
    let weights = args.weight;
    let options = GatherOptions {
        weigh: &|moves, into| match &args.rule {
            Some(rule) => *into = rule.odds(&moves.iter().map(Row::counts).collect::<Vec<_>>()),
            None => weights.weigh(moves, into),
        },
        min_games: args.min_games,
        min_weight: args.min_weight,
        keep: &|row| legal.keep(row),
    };
    let folder = source.output.map_or(Path::new("."), folder_of);
    let mut sorter = EntrySorter::new(&Disk, folder, args.sort.share(1));
    let gathered = polyglot::gather(
        book.read(),
        &options,
        |entry| sorter.push(entry),
        source.watch(source.rows(TableKind::Moves), 1),
    )?;
    Ok((sorter, gathered, legal))
}

fn facts(gathered: &Gathered, legal: &LegalMoves) -> Facts {
    Facts::default()
        .with("entries", gathered.entries)
        .with("positions", gathered.positions)
        .with_any("learned", gathered.learned, "entries with a learn field")
        .with_any("scaled", gathered.scaled, "positions whose weights were scaled down to 16 bits")
        .with_any("unreached", legal.unreached(), foreign::UNREACHED)
        .with_any("illegal", legal.illegal(), "moves that are not legal: left out")
        .with_any(
            "unwritable",
            gathered.unwritable,
            "null moves, and moves of a position whose key is 0: left out",
        )
        .with_any("never", gathered.never, "moves marked never: left out")
        .with_any("few_games", gathered.few_games, "moves of too few games: left out")
        .with_any("light", gathered.light, "moves that weigh too little: left out")
}
