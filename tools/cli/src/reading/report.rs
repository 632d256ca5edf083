//! What is reported of single games and archives while they are read, a line for all skipped games and
//! a handful for archives; and what came of it, for a person and for a program.

use crate::platform::free_bytes;
use crate::prelude::*;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use tabia_archives::{Filtered, GameCounts, IngestProgress, Reason, Skipped, Warning};
use tabia_build::dedup::Copies;
use tabia_build::{BuildObserver, Foretold, LeftOut};

/// How many archives are listed.
const LISTED: u64 = 5;

/// Archives that were not read like others.
#[derive(Default, Serialize)]
pub struct Oddities {
    /// Those that are cut off or damaged, and were read up to there.
    truncated: Vec<Odd>,
    /// Files without a game, copies of others, and those whose games are in the book already.
    left_out: Vec<Odd>,
}

#[derive(Serialize)]
struct Odd {
    archive: String,
    why: String,
}

impl Odd {
    fn new(archive: &str, why: &str) -> Self {
        Self { archive: archive.to_owned(), why: why.to_owned() }
    }
}

impl Oddities {
    /// Adds archives that were left out before any was read, and says so.
    pub fn leave_out(&mut self, files: &[LeftOut], meter: &Meter) {
        for file in files {
            meter.note(&format!("left out: {}", file.why));
            self.left_out.push(Odd::new(&file.path.to_string_lossy(), &file.why));
        }
    }

    /// The same for programs.
    pub fn facts(&self) -> Facts {
        Facts::default().json("truncated", &self.truncated).json("left_out", &self.left_out)
    }
}

/// Reports how a build goes.
pub struct Report<'a> {
    meter: &'a Meter,
    quiet: bool,
    /// Skipped games, and the first of them.
    skipped: u64,
    first_skipped: Option<String>,
    oddities: Oddities,
    /// Whether archives that are left out are told at the end only.
    is_deferring: bool,
    /// How to get a list of all skipped games.
    hint: &'static str,
    /// How large a book will be, if that is to be told.
    foretold: Option<Foretold>,
}

impl<'a> Report<'a> {
    /// Of a build by this plan, or of a verb that lists no skipped games in a file.
    pub fn new(console: &Console, meter: &'a Meter, plan: Option<&BuildPlan>) -> Self {
        let may_list = plan.is_some_and(|plan| plan.skipped_list.is_none());
        Self {
            meter,
            quiet: console.quiet,
            skipped: 0,
            first_skipped: None,
            oddities: Oddities::default(),
            is_deferring: false,
            hint: if may_list { "; --errors FILE lists all" } else { "" },
            foretold: None,
        }
    }

    /// Tells how large the book will be, once that can be known.
    pub fn foretelling(mut self, foretold: Foretold) -> Self {
        self.foretold = Some(foretold);
        self
    }

    /// Tells of archives that are left out at the end, if it comes to that.
    pub fn deferring(mut self) -> Self {
        self.is_deferring = true;
        self
    }

    /// Says how many archives were not listed, and which games were skipped; what is odd about
    /// archives.
    pub fn finish(mut self) -> Oddities {
        if self.is_deferring {
            let listed = self.oddities.left_out.iter().take(LISTED as usize);
            listed.for_each(|odd| self.note(&format!("left out: {}", odd.why)));
        }
        let left_out = self.oddities.left_out.len() as u64;
        if left_out > LISTED {
            let more = grouped(left_out - LISTED);
            self.note(&format!("left out: {more} more{}", self.hint));
        }
        std::mem::take(&mut self.oddities)
    }

    fn note(&self, line: &str) {
        if !self.quiet {
            self.meter.note(line);
        }
    }
}

/// Skipped games are told in the end, in one line, however the reading ends.
impl Drop for Report<'_> {
    fn drop(&mut self) {
        match (&self.first_skipped, self.skipped) {
            (None, _) => {}
            (Some(game), 1) => self.note(&format!("skipped: {game}")),
            (Some(game), games) => {
                let games = counted(games, "game");
                self.note(&format!("skipped: {games}, first {game}{}", self.hint));
            }
        }
    }
}

impl BuildObserver for Report<'_> {
    fn left_out(&mut self, file: &LeftOut) {
        self.oddities.left_out.push(Odd::new(&file.path.to_string_lossy(), &file.why));
        if !self.is_deferring && self.oddities.left_out.len() as u64 <= LISTED {
            self.note(&format!("left out: {}", file.why));
        }
    }

    fn resumed(&mut self, games: u64) {
        match games {
            0 => self.note("there is nothing to resume: building from the start"),
            games => self.note(&format!("going on after {}", counted(games, "game"))),
        }
    }

    fn skipped(&mut self, game: &Skipped) {
        self.skipped += 1;
        self.first_skipped.get_or_insert_with(|| game.to_string());
    }

    fn warned(&mut self, warning: &Warning) {
        self.oddities.truncated.push(Odd::new(&warning.archive, &warning.to_string()));
        self.meter.note(&format!("warning: {warning}"));
    }

    fn progress(&mut self, progress: &IngestProgress) -> ControlFlow<()> {
        let foretold = self.foretold.as_mut();
        if let Some(needs) = foretold.and_then(|foretold| foretold.tell(progress, free_bytes)) {
            let [book, sorted] = needs.map(|need| (need.most, need.free));
            self.note(&layout::room_said(book, sorted));
        }
        self.meter.reading(progress)
    }
}

/// How many archives are named that games were left out of.
const NAMED: usize = 10;

/// Games by the name of a reason, with its words.
type ByName = BTreeMap<&'static str, (u64, &'static str)>;

/// What these counters say, after so many seconds, of which there is no line.
pub fn summary(
    games: &GameCounts,
    copies: Option<&Copies>,
    archives: &[PathBuf],
    seconds: f64,
) -> Facts {
    let skipped = Reason::ALL.map(|why| (why.name(), (games.skipped(why), words(why))));
    let filtered =
        Filtered::ALL.map(|why| (why.name(), (games.filtered(why), words_of_filter(why))));
    let (skipped, filtered) = (ByName::from(skipped), ByName::from(filtered));
    let json = |all: &ByName| {
        all.iter().fold(Facts::default(), |facts, (name, (count, _))| facts.json(name, count))
    };
    let lines = |facts: Facts, label: &str, all: &ByName| {
        all.values().fold(facts, |facts, &(count, words)| facts.number_if(label, count, words))
    };
    let facts = Facts::default()
        .json("games_read", games.games_read)
        .json("games", games.games_in)
        .json("joined", games.joined)
        .json("variations", games.variations)
        .json("variations_left_out", games.variations_left_out)
        .json("skipped", json(&skipped))
        .json("filtered", json(&filtered))
        .number("games read", games.games_read, "")
        .number("games in", games.games_in, "");
    let facts = lines(lines(facts, "  skipped", &skipped), "  filtered", &filtered);
    let facts = facts
        .number_if("  joined", games.joined, "tags and moves parted by blank lines")
        .number_if(
            "  variations",
            games.variations,
            "of the games read: with the moves that lead to them",
        )
        .number_if(
            "  variations",
            games.variations_left_out,
            "left out (--variations counts them)",
        );
    copies
        .into_iter()
        .fold(facts, |facts, copies| facts.and(duplicates(copies, archives)))
        .json("plies", games.plies)
        .json("seconds", seconds)
        .number("plies", games.plies, "")
}

/// Whether there were games, and all that count are copies of others.
pub fn is_all_copies(games: &GameCounts, copies: Option<&Copies>) -> bool {
    games.games_in == 0 && copies.is_some_and(|found| found.copies.iter().any(|&some| some > 0))
}

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::NoResult => "no decided result",
        Reason::NoMoves => "no moves",
        Reason::IllegalMove => "an illegal move",
        Reason::NullMove => "a null move",
        Reason::BadPosition => "a bad starting position",
        Reason::NotChess => "a variant of chess",
        Reason::Broken => "can't be read",
        Reason::SetUp => "starts from set-up stones",
        Reason::OtherGame => "another game, or a board of another size (--game names it)",
    }
}

fn words_of_filter(reason: Filtered) -> &'static str {
    match reason {
        Filtered::Rating => "rating unknown, or not within --min-rating and --max-rating",
        Filtered::Date => "date unknown, or not within --since and --until",
        Filtered::TimeControl => "time control unknown, or not of --time-control",
        Filtered::Player => "not of --player",
        Filtered::Color => "not of --color",
        Filtered::Result => "not of --result",
        Filtered::Variant => "not of --variant",
        Filtered::Plies => "fewer than --min-plies",
    }
}

/// Games that were left out as copies of others, and as the beginnings of others, in which archives.
fn duplicates(found: &Copies, archives: &[PathBuf]) -> Facts {
    let all = archives.iter().zip(found.copies.iter().zip(&found.contained));
    let mut some: Vec<_> = all
        .map(|(archive, (&copies, &contained))| (archive.display().to_string(), copies, contained))
        .filter(|(_, copies, contained)| copies + contained > 0)
        .collect();
    let within = some.iter().map(|(archive, copies, contained)| {
        Facts::default()
            .json("archive", archive)
            .json("copies", copies)
            .json("contained", contained)
    });
    let (copies, contained) = (found.copies.iter().sum(), found.contained.iter().sum());
    let facts = Facts::default()
        .json("copies", copies)
        .json("contained", contained)
        .json("duplicates_in", within.collect::<Vec<_>>())
        .number("  left out", copies, "copies of others")
        .number_if("  left out", contained, "beginnings of others");
    some.sort_by_key(|&(_, copies, contained)| Reverse(copies + contained));
    let named = if some.len() > 1 { some.len().min(NAMED) } else { 0 };
    let facts = some[..named].iter().fold(facts, |facts, (archive, copies, contained)| {
        facts.line(format!("    {:>12}  in {archive}", grouped(copies + contained)))
    });
    match some.len().saturating_sub(NAMED) as u64 {
        0 => facts,
        more => facts
            .line(format!("                  and in {} more (--json lists all)", grouped(more))),
    }
}
