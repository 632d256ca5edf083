//! `tabia play`: a move from a book, once or as a proxy between a GUI and its engine.

mod decision;
mod learning;
mod proxy;

use crate::prelude::*;
use clap::ArgAction;
use clap::builder::BoolishValueParser;
use std::ffi::OsString;
use tabia_engines::Protocol;
use tabia_play::choice::{BadRuleSpec, Mixture, RuleSpec, Seed};
use tabia_play::mix::Weights;
use tabia_proxy::{BookFiles, BookStack};

/// Choose a move, or play between a GUI and its engine
///
/// With --protocol the command stands where the GUI expects the engine, and starts the engine
/// itself. What both say goes on to the other as it is; where the book has a move the GUI gets it
/// at once, and the engine doesn't see the question. In UCI the book's options stand beside the
/// engine's: BookFile, BookFirst and BookOverlay (paths with colons between, as in PATH), BookRule,
/// BookDepth, BookMaxOut, BookMinGames, BookSeed, BookPonder, BookAvoidRepetition and OwnBook (with
/// `Tabia` before the name if the engine has such an option itself); what is given here are their
/// values at the start. UCI's keywords can't be in them: BookRule has mingames for min-games,
/// minshare, minscore, and least for min; a path with such a word shows as <as given>. In GTP the
/// commands tabia-option (`tabia-option BookRule lcb` sets one of these, alone it tells them all),
/// tabia-book (figures of the game as JSON), tabia-seed (another seed, from this game on) and
/// tabia-why (why the last move was chosen) are added. An engine that owes an answer when the GUI
/// quits or goes has half a minute for it; SIGTERM ends both.
///
/// Without --protocol one move is chosen and printed. Where the book has none that the rule would
/// play, nothing is printed but the reason, on standard error, and the exit code is 1.
///
/// A book of joseki (`build --corners`) is played in each corner of the board as if it were alone:
/// where the last move was first, then in the others, empty ones last.
///
/// `tabia play --rule help` explains all rules, a line each, with the papers they come from. Behind
/// a rule's name, with commas between, stands what else is asked: lcb,min-games=5.
#[derive(clap::Args)]
#[group(id = "play")]
#[command(after_help = "\
Examples:
  tabia play masters.tabia --moves \"e4 e5\" --rule lcb,min-games=10 --why
  tabia play --protocol uci mine.tabia --rule negamax --learn games.pgn \\
      -- stockfish
  tabia play --protocol gtp go9.tabia --max-ply 12 --report figures.json \\
      -- gnugo --mode gtp
  tabia play --protocol nboard wthor.tabia -- edax -nboard")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK", required_unless_present = "rule")]
    book: Option<PathBuf>,
    /// The rule by which a move is chosen
    ///
    /// `help` explains them all.
    #[arg(long, default_value = "games", value_parser = rule_or_help)]
    rule: RuleChoice,
    /// Play moves of at least N games only
    ///
    /// Moves played in so many games, or leading to positions that so many games came to.
    #[arg(long, default_value_t = 0, value_name = "N")]
    min_games: u64,
    /// Play from the book for N plies of a game only
    #[arg(long, value_name = "N")]
    max_ply: Option<usize>,
    /// Look a game up for N plies after it left the book
    ///
    /// Until then it is found again if it comes back by another order of moves. 10 if not given,
    /// 10000 to the end of the game; the GUI may change it by BookMaxOut.
    #[arg(long, value_name = "N", requires = "protocol", help_heading = headings::PROXY)]
    max_out: Option<usize>,
    /// Lay another book over the first; may be repeated
    ///
    /// Its rows take the place of the same rows of the books named before it.
    #[arg(long, value_name = "BOOK")]
    overlay: Vec<PathBuf>,
    /// Ask another book first; may be repeated
    ///
    /// Where it has the position it alone answers, elsewhere the next one. Of several the first
    /// that is named is asked first.
    #[arg(long, value_name = "BOOK")]
    first: Vec<PathBuf>,
    #[command(flatten)]
    decide: decision::DecisionArgs,
    /// Where chance comes from
    ///
    /// The same seed, games and moves give the same choices; without it the clock decides.
    #[arg(long, value_name = "N", help_heading = headings::CHOICE)]
    seed: Option<u64>,
    /// Draw the rule for each game by these weights
    ///
    /// `tabia-match mix` makes the file.
    #[arg(long, value_name = "WEIGHTS", conflicts_with = "rule", help_heading = headings::CHOICE)]
    mix: Option<PathBuf>,
    /// The book that the opponent plays from, if known
    ///
    /// negamax then prefers what wins against it.
    #[arg(long, value_name = "BOOK", help_heading = headings::CHOICE)]
    opponent: Option<PathBuf>,
    /// Play no move to a position that was there before
    #[arg(long, help_heading = headings::CHOICE)]
    avoid_repetition: bool,
    /// What the GUI and the engine speak
    #[arg(long, value_parser = one_of(PROTOCOLS), help_heading = headings::PROXY)]
    protocol: Option<Protocol>,
    /// Whether the book is used at the start
    ///
    /// The GUI may change it by UCI's option OwnBook.
    #[arg(long, default_value = "on", value_name = "on|off", action = ArgAction::Set, value_parser = BoolishValueParser::new(), hide_possible_values = true, help_heading = headings::PROXY)]
    own_book: bool,
    /// Let the engine ponder where the book will answer
    ///
    /// Instead of waiting.
    #[arg(long, requires = "protocol", help_heading = headings::PROXY)]
    ponder_in_book: bool,
    /// Learn the games of this file first; may be repeated
    ///
    /// Such as the one that the GUI saves its games to. Those that the book doesn't have go in, each
    /// once, with the best moves that it lacks, which the engine evaluates: with --rule negamax none
    /// is lost twice in the same way (Buro 1999). Where the file isn't there yet, nothing is learned.
    #[arg(long, value_name = "GAMES", requires = "protocol", help_heading = headings::PROXY)]
    learn: Vec<PathBuf>,
    /// Nodes of each search for --learn (UCI and our own search)
    #[arg(long, value_name = "N", default_value_t = tabia_grow::NODES, requires = "learn", value_parser = clap::value_parser!(u64).range(1..), help_heading = headings::PROXY)]
    learn_nodes: u64,
    /// Write figures of the games to this file at the end
    ///
    /// Games, moves of book and engine and the engine's seconds, as JSON.
    #[arg(long, value_name = "FILE", requires = "protocol", help_heading = headings::PROXY)]
    report: Option<PathBuf>,
    /// Append everything that is said to this file
    ///
    /// With seconds since the start and direction.
    #[arg(long, value_name = "FILE", requires = "protocol", help_heading = headings::PROXY)]
    log: Option<PathBuf>,
    /// The engine and its arguments, behind `--`
    ///
    /// Without one our own search is the engine in GTP: `tabia engine`.
    #[arg(last = true, value_name = "ENGINE", requires = "protocol")]
    engine: Vec<OsString>,
}

const PROTOCOLS: &[Named<Protocol>] = &[
    ("uci", Protocol::Uci, "Chess: the Universal Chess Interface"),
    ("gtp", Protocol::Gtp, "All games but chess: the Go Text Protocol, version 2"),
    ("nboard", Protocol::NBoard, "Othello: NBoard's protocol, version 2"),
];

/// A rule; none is the wish to see them all. `clap` takes an option of the plain name for one that may
/// be missing.
type RuleChoice = Option<RuleSpec>;

fn rule_or_help(text: &str) -> Result<RuleChoice, BadRuleSpec> {
    if text == "help" { Ok(None) } else { text.parse().map(Some) }
}

/// Chooses a move, or plays.
pub fn run(args: &Args, console: &Console) -> Done {
    if args.rule.is_none() {
        let mut out = Output::new();
        write!(out, "{}", RuleSpec::help())?;
        out.finish()?;
        return Ok(Verdict::Fine);
    }
    match args.protocol {
        Some(protocol) => {
            args.decide.check_unused()?;
            learning::learn(args, console)?;
            proxy::run(args, protocol, console)
        }
        None => decision::run(args, console),
    }
}

/// The game of these books.
fn known(stack: &BookStack) -> Done<Known> {
    stack.known().ok_or_else(|| {
        let missing = games::missing(stack.game());
        failure!("{}: the rules of its game {missing}", stack.lowest().display())
    })
}

impl Args {
    /// Whether our own search plays where the book ends, as no engine was named.
    fn uses_own_search(&self) -> bool {
        self.engine.is_empty() && self.protocol == Some(Protocol::Gtp)
    }

    /// The lowest book.
    fn book(&self) -> Done<&Path> {
        self.book.as_deref().ok_or_else(|| failure!("no book is given: see `tabia play --help`"))
    }

    /// Where chance comes from.
    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| Seed::of_clock().seed)
    }

    /// The books' files but the opponent's.
    fn files(&self) -> Done<BookFiles> {
        let (overlay, first) = (self.overlay.clone(), self.first.clone());
        Ok(BookFiles { book: self.book()?.to_owned(), overlay, first })
    }

    /// The books, each laid over those before it, those that are asked first, and the opponent's.
    fn stack(&self) -> Done<BookStack> {
        let stack = BookStack::of(&self.files()?)?;
        match &self.opponent {
            Some(theirs) => Ok(stack.against(theirs)?),
            None => Ok(stack),
        }
    }

    /// The rule that was given, or else the weights.
    fn rule(&self) -> Done<RuleSpec> {
        let Some(path) = &self.mix else {
            return self.rule.clone().ok_or_else(|| failure!("`help` is no rule to play by"));
        };
        let failed = |error: String| failure!("{}: {error}", path.display());
        let weights =
            Weights::of_text(&textfile::read(path)?).map_err(|error| failed(error.to_string()))?;
        Ok(RuleSpec::Mixture(Mixture::new(&weights).map_err(|error| failed(error.to_string()))?))
    }
}
