//! A matrix of scores by playing rules against each other, with an engine that goes on where the
//! book ends.

use crate::console::Console;
use crate::failure::{Done, Failure, failure};
use crate::newfile::NewFile;
use crate::{games, headings, interrupt};
use clap::builder::Resettable;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tabia::Book;
use tabia_engines::{Command, Launch, Protocol};
use tabia_games::{Game, Known, Komi, Side, WithGame};
use tabia_match::{Allowance, Contest, Facts, Openings, Player, Rules, Scoring, Settings};
use tabia_play::choice::RuleSpec;
use tabia_play::mix::Matrix;

/// What is played, if there is no matrix yet.
#[derive(clap::Args)]
#[group(id = "playing")]
#[command(next_help_heading = "Scores from games")]
pub struct Args {
    /// Play rules from this book, without a matrix
    #[arg(
        long,
        value_name = "BOOK",
        requires = "rule",
        requires = "engine",
        conflicts_with = "matrix"
    )]
    pub book: Option<PathBuf>,
    /// A rule to be mixed; given several times
    ///
    /// As `tabia play --rule` takes it.
    #[arg(long, value_name = "RULE", requires = "book")]
    rule: Vec<RuleSpec>,
    /// Games of each rule against each
    #[arg(long, value_name = "N", default_value_t = 100, requires = "book", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games_per_pair: u32,
    /// Nodes for each move of the engine (UCI)
    #[arg(long, value_name = "N", requires = "book", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// What games start from
    ///
    /// A file of openings, none, or random:PLIES.
    #[arg(long, value_name = "FILE", default_value = "none", requires = "book")]
    openings: Openings,
    /// Where chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Games played at a time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "book", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// White's points in Go
    #[arg(
        long,
        help_heading = headings::GO,
        value_name = "POINTS",
        default_value = "7.5",
        requires = "book",
        allow_hyphen_values = true
    )]
    komi: Komi,
    /// A GTP engine that counts games
    ///
    /// Without it they are counted by area, with all stones taken for alive.
    #[arg(long, value_name = "COMMAND", requires = "book", help_heading = headings::GO)]
    referee: Option<Command>,
    /// The file for games won, drawn and lost
    ///
    /// A matrix that `tabia mix` reads. It is written after each match, with NA for what isn't
    /// played yet.
    #[arg(long, value_name = "FILE", requires = "book")]
    scores: Option<PathBuf>,
    /// The engine and its arguments, behind `--`
    #[arg(last = true, value_name = "ENGINE", requires = "book", help_heading = Resettable::Reset)]
    engine: Vec<OsString>,
}

/// Plays all rules against each other.
pub fn play(args: &Args, book: &Path, force: bool, console: &Console) -> Done<Matrix> {
    let game = games::of(Book::open(book)?.header(), book)?;
    if matches!(game, Known::Checkers(_) | Known::ConnectFour(_) | Known::TicTacToe(_)) {
        return Err(failure!(
            "{}: no protocol is known here for engines of {}",
            book.display(),
            game.name()
        ));
    }
    if game.name() == "chess" && args.nodes.is_none() {
        return Err(failure!("UCI engines need a limit: give --nodes"));
    }
    if args.rule.len() < 2 {
        return Err(failure!("there is nothing to mix: give --rule at least twice"));
    }
    let scores = Scores::new(args, force)?;
    game.with(Playing { args, book, scores, console })
}

/// Games won, drawn and lost by each rule of the first player against each of the second.
struct Scores<'a> {
    names: Vec<String>,
    /// A row after the other.
    cells: Vec<[u32; 3]>,
    file: Option<&'a Path>,
    /// Whether the file was written before, or may be replaced.
    replaces: bool,
}

impl<'a> Scores<'a> {
    fn new(args: &'a Args, force: bool) -> Done<Self> {
        let names: Vec<String> = args.rule.iter().map(ToString::to_string).collect();
        if let Some(twice) =
            names.iter().enumerate().find(|&(place, name)| names[..place].contains(name))
        {
            return Err(failure!("--rule {} is given twice", twice.1));
        }
        let scores = Self {
            cells: vec![[0; 3]; names.len() * names.len()],
            names,
            file: args.scores.as_deref(),
            replaces: force,
        };
        scores.file.map_or(Ok(()), |file| crate::place::check_output(file, force))?;
        Ok(scores)
    }

    /// Counts a game of these two rules.
    fn count(&mut self, rules: [usize; 2], facts: &Facts) {
        let [row, column] = if facts.first == Side::First { rules } else { [rules[1], rules[0]] };
        let cell = &mut self.cells[row * self.names.len() + column];
        let game = facts.outcome.counts_for(Side::First);
        *cell = [0, 1, 2].map(|which| cell[which] + game[which]);
    }

    /// The matrix as text, which `tabia mix` reads.
    fn text(&self) -> String {
        let mut text = format!(
            "# games won-drawn-lost by the first player\nfirst\\second\t{}\n",
            self.names.join("\t")
        );
        for (name, row) in self.names.iter().zip(self.cells.chunks(self.names.len())) {
            let cell = |&[wins, draws, losses]: &[u32; 3]| {
                if wins + draws + losses == 0 {
                    "NA".to_owned()
                } else {
                    format!("{wins}-{draws}-{losses}")
                }
            };
            let cells: Vec<String> = row.iter().map(cell).collect();
            let _ = writeln!(text, "{name}\t{}", cells.join("\t"));
        }
        text
    }

    /// Writes the file, if there is to be one.
    fn keep(&mut self) -> Done<()> {
        let Some(path) = self.file else { return Ok(()) };
        let mut file = NewFile::create(path, self.replaces)?;
        file.write_all(self.text().as_bytes())
            .map_err(|error| Failure::system(path, "write", &error))?;
        file.publish()?;
        self.replaces = true;
        Ok(())
    }
}

/// Rules that play against each other, in any game.
struct Playing<'a> {
    args: &'a Args,
    book: &'a Path,
    scores: Scores<'a>,
    console: &'a Console,
}

impl WithGame for Playing<'_> {
    type Output = Done<Matrix>;

    fn with<G: Game>(mut self, start: &G) -> Self::Output {
        let meter = self.console.meter();
        let count = self.scores.names.len();
        let pairs = (0..count).flat_map(|one| (one..count).map(move |other| [one, other]));
        for (number, rules) in pairs.enumerate() {
            self.contest(start, rules)?;
            if interrupt::wanted() {
                return Err(Failure::Interrupted);
            }
            self.scores.keep()?;
            let [one, other] = rules.map(|rule| &self.scores.names[rule]);
            meter.note(&format!(
                "match {} of {}: {one} and {other} have played",
                number + 1,
                count * (count + 1) / 2
            ));
        }
        self.scores.text().parse().map_err(|error| failure!("{error}"))
    }
}

impl Playing<'_> {
    /// Plays two rules against each other, each as often as the first player; or one against
    /// itself.
    fn contest<G: Game>(&mut self, start: &G, rules: [usize; 2]) -> Done<()> {
        let protocol = Protocol::of(start.name());
        let players = [self.player(rules[0], protocol)?, self.player(rules[1], protocol)?];
        let games = if rules[0] == rules[1] {
            self.args.games_per_pair
        } else {
            2 * self.args.games_per_pair
        };
        let Args { openings, seed, komi, referee, nodes, .. } = self.args;
        let scoring = referee.as_ref().map_or(Scoring::Area, |command| {
            Scoring::Referee(Box::new(Launch {
                komi: Some(*komi),
                ..Launch::new(command.clone(), Protocol::Gtp)
            }))
        });
        let rule_book = Rules {
            allowance: Allowance { nodes: *nodes, ..Allowance::default() },
            scoring,
            komi: *komi,
            ..Rules::default()
        };
        let settings = Settings {
            players,
            rules: rule_book,
            openings: openings.clone(),
            seed: *seed,
            shuffle: false,
            games,
        };
        let failed = |error: tabia_match::Error| failure!("{error}");
        let contest = Contest::new(start, settings).map_err(failed)?;
        let scores = &mut self.scores;
        let played = tabia_match::run(
            &contest,
            &BTreeSet::new(),
            self.args.concurrency.into(),
            interrupt::flag(),
            |game| {
                scores.count(rules, &game.facts);
                Ok(())
            },
        );
        played.map_err(failed)
    }

    /// This command as a proxy before the engine, with one of the rules.
    fn player(&self, rule: usize, protocol: Protocol) -> Done<Player> {
        let tabia = std::env::current_exe()
            .map_err(|error| failure!("the command itself can't be found: {error}"))?;
        let (name, seed) = (&self.scores.names[rule], self.args.seed.to_string());
        let mut words = vec![
            tabia.into_os_string(),
            "play".into(),
            "--quiet".into(),
            "--protocol".into(),
            protocol.to_string().into(),
        ];
        words.extend([
            "--rule".into(),
            name.into(),
            "--seed".into(),
            seed.into(),
            self.book.as_os_str().to_owned(),
            "--".into(),
        ]);
        words.extend(self.args.engine.iter().cloned());
        let words: Option<Vec<String>> =
            words.into_iter().map(|word| word.into_string().ok()).collect();
        let command = words
            .and_then(Command::new)
            .ok_or_else(|| failure!("the book's or the engine's name is no text"))?;
        let komi = (protocol == Protocol::Gtp).then_some(self.args.komi);
        Ok(Player {
            name: Some(name.clone()),
            launch: Launch { komi, ..Launch::new(command, protocol) },
        })
    }
}
