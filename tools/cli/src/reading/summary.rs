//! What came of reading archives, for a person and for a program.

use crate::numbers::grouped;
use crate::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tabia_archives::{Filtered, GameCounts, Reason};
use tabia_build::dedup::Copies;

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
