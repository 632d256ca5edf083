//! Any bytes as an archive: no panic, no hang, no greed, and the same rows, tally and reports
//! whatever the number of threads and the size of chunks. Filters only leave games out: they change
//! neither which games there are nor the rows of those that go in. Evals are in range and at a
//! position.
//!
//! The input is the archive, plain or compressed; what is wanted of its games and the sizes of
//! chunks follow from its hash, so that a small input stays one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::convert::Infallible;
use std::path::PathBuf;
use tabia::{Keyed, MoveRow, PositionRow, Row};
use tabia_archives::filter::{Dates, Filter, RatingOf, RatingRange, TimeClass, Variant};
use tabia_archives::pgn::PgnReader;
use tabia_archives::reading::{Fault, Games, Reads, Stopped};
use tabia_archives::{
    Filtered, GameRecord, GameSink, Options, Origin, Reason, Stats, UnknownResults, Wanted,
};
use tabia_build::{BuildPlan, FromOccurrence, OccurrenceMaker};
use tabia_fuzz::{Reports, folder, read_all};
use tabia_games::{Chess, Known, Outcome as Ending, Side};

/// The rows of all games, and how many games there were.
struct Rows {
    maker: OccurrenceMaker,
    /// Positions of one color only are wanted.
    may_be_empty: bool,
    games: u64,
    positions: Vec<PositionRow>,
    moves: Vec<MoveRow>,
}

impl GameSink for Rows {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Infallible> {
        let occurrences = self.maker.occurrences(game);
        let positions: Vec<_> =
            occurrences.iter().filter_map(|&one| PositionRow::from_occurrence(one)).collect();
        let moves: Vec<_> =
            occurrences.iter().filter_map(|&one| MoveRow::from_occurrence(one)).collect();
        assert!(self.may_be_empty || !positions.is_empty(), "a game without a position");
        assert!(positions.iter().all(|row| row.counts().games() == 1));
        assert!(moves.iter().all(|row| row.counts().games() == 1));
        assert!(unique(&positions) && unique(&moves), "a game counts twice for a row");
        self.games += 1;
        self.positions.extend(positions);
        self.moves.extend(moves);
        Ok(())
    }
}

fn unique<R: Row>(rows: &[R]) -> bool {
    let mut ranks: Vec<_> = rows.iter().map(Row::rank).collect();
    ranks.sort_unstable();
    ranks.is_sorted_by(|one, other| one < other)
}

/// What came of an archive: all that must not depend on threads and chunks.
#[derive(PartialEq, Debug)]
struct Outcome {
    tally: Result<Stats, String>,
    reports: Reports,
    positions: Vec<PositionRow>,
    moves: Vec<MoveRow>,
}

fuzz_target!(|bytes: &[u8]| {
    let folder = folder();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, bytes).expect("room for an archive");
    let archives = [path];
    let hash = xxhash_rust::xxh3::xxh3_64(bytes);
    let plan = plan(hash);
    let one = run(&archives, plan.clone(), 1);
    let mut cut = plan.clone();
    cut.read.chunk_bytes = 1 + (hash >> 16) as usize % 300;
    let two = run(&archives, cut, 2);
    match (&one.tally, &two.tally) {
        // An archive that ends in an error: how much of it was read before is left to chance.
        (Err(one), Err(two)) => assert_eq!(one, two),
        _ => assert_eq!(one, two),
    }
    if let Ok(tally) = &one.tally {
        let games = &tally.games;
        let by_reason: u64 = Reason::ALL.iter().map(|&reason| games.skipped(reason)).sum();
        assert_eq!(by_reason, games.skipped_games());
        let filtered: u64 = Filtered::ALL.iter().map(|&reason| games.filtered(reason)).sum();
        assert_eq!(filtered, games.filtered_games());
        assert_eq!(games.games_read, games.games_in + games.skipped_games() + filtered);
        assert_eq!(one.reports.skipped.len() as u64, games.skipped_games());
        let length = tally.sources[0].bytes;
        let skipped = &one.reports.skipped;
        let is_within = skipped.iter().all(|skipped| skipped.offset < length);
        assert!(is_within, "a game is reported behind the archive's end");
        let is_sorted = skipped.is_sorted_by(|one, other| one.offset < other.offset);
        assert!(is_sorted, "two games are reported at one place");
        only_leaves_out(&archives, &plan, &one, games.games_read);
    }
    read_alone(bytes, &plan.read);
});

/// What is wanted, by the bits of a number.
fn plan(hash: u64) -> BuildPlan {
    let bit = |at: u32| hash >> at & 1 == 1;
    let some = |at: u32, of: u64| (hash >> at).is_multiple_of(of);
    let mut filter = Filter::default();
    if some(3, 3) {
        let of = [RatingOf::Both, RatingOf::Either, RatingOf::Average][(hash >> 20) as usize % 3];
        filter.ratings = RatingRange {
            min: bit(21).then_some(1000 + (hash >> 22) as u16 % 2000),
            max: bit(23).then_some(2400),
            of,
        };
    }
    if some(5, 3) {
        filter.dates = Dates {
            since: bit(24).then(|| "1990.02".parse().expect("a date")),
            until: bit(25).then(|| "2020".parse().expect("a date")),
        };
    }
    if some(7, 5) {
        filter.time_controls = vec![TimeClass::Blitz, TimeClass::Classical];
    }
    if some(9, 4) {
        filter.players = vec![if bit(26) { "a" } else { "Carlsen, M" }.parse().expect("a name")];
        filter.color = bit(27).then_some(if bit(28) { Side::First } else { Side::Second });
    }
    if some(11, 4) {
        filter.results = vec![if bit(29) { Ending::Draw } else { Ending::FirstWins }];
    }
    if some(13, 5) {
        filter.variant = Some(if bit(30) { Variant::Standard } else { Variant::Chess960 });
    }
    if some(15, 5) {
        filter.min_plies = (hash >> 31) as usize % 6;
    }
    let keyed = if some(17, 4) { Keyed::Line } else { Keyed::Position };
    let unknown_results = if some(19, 4) { UnknownResults::Count } else { UnknownResults::Skip };
    let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
    plan.max_ply = hash.is_multiple_of(5).then_some((hash >> 8) as u32 % 8);
    plan.side = some(33, 4).then_some(if bit(34) { Side::First } else { Side::Second });
    plan.read.wanted = Wanted {
        filter,
        evals: bit(41),
        players: bit(42),
        keyed,
        unknown_results,
        ..Wanted::default()
    };
    plan.read.join_split = bit(40);
    plan
}

/// Makes sure that without its filter the same archive has as many games, and all the rows that it
/// has with it.
fn only_leaves_out(archives: &[PathBuf], plan: &BuildPlan, filtered: &Outcome, games_read: u64) {
    if plan.read.wanted.filter == Filter::default() {
        return;
    }
    let mut unfiltered = plan.clone();
    unfiltered.read.wanted.filter = Filter::default();
    let all = run(archives, unfiltered, 1);
    assert_eq!(all.tally.as_ref().map(|tally| tally.games.games_read), Ok(games_read));
    let positions = is_part(&filtered.positions, &all.positions);
    assert!(positions && is_part(&filtered.moves, &all.moves), "a filter adds rows");
}

/// Whether all of these rows are among the others; both are sorted.
fn is_part<R: PartialEq>(some: &[R], all: &[R]) -> bool {
    let mut all = all.iter();
    some.iter().all(|row| all.any(|other| other == row))
}

/// What the reader hands out of any bytes as they are.
struct Checked(Wanted);

impl Games for Checked {
    fn played(&mut self, _: usize, game: &GameRecord) -> Result<(), Stopped> {
        assert!(!game.plies.is_empty() && game.plies.len() >= self.0.filter.min_plies);
        assert!(self.0.evals || game.evals.is_empty());
        assert!(game.evals.iter().all(|eval| eval.plies as usize <= game.plies.len()
            && (-32_000..=32_000).contains(&eval.value)));
        assert!(self.0.unknown_results == UnknownResults::Skip || game.outcome == Ending::Draw);
        let are_ratings =
            |ratings: [u16; 2]| ratings.iter().all(|rating| (100..=9999).contains(rating));
        assert!(game.ratings.is_none_or(are_ratings));
        Ok(())
    }

    fn skipped(&mut self, _: usize, _: Fault, _: String) {}
}

fn read_alone(bytes: &[u8], options: &Options) {
    let wanted = Wanted { evals: true, ..options.wanted.clone() };
    let mut reader =
        PgnReader::new(tabia_games::Chess::start(), options.join_split, wanted.clone());
    reader.read(bytes, true, &mut Checked(wanted)).expect("nobody stops it");
}

fn run(archives: &[PathBuf], plan: BuildPlan, threads: usize) -> Outcome {
    let rows = || Rows {
        maker: OccurrenceMaker::of(&plan),
        may_be_empty: plan.side.is_some(),
        games: 0,
        positions: Vec::new(),
        moves: Vec::new(),
    };
    let mut sinks: Vec<_> = (0..threads).map(|_| rows()).collect();
    let (tally, reports) = read_all(archives, &plan.read, &mut sinks);
    if let Ok(tally) = &tally {
        assert_eq!(sinks.iter().map(|sink| sink.games).sum::<u64>(), tally.games.games_in);
    }
    let mut positions: Vec<PositionRow> =
        sinks.iter().flat_map(|sink| sink.positions.iter().copied()).collect();
    let mut moves: Vec<MoveRow> =
        sinks.iter().flat_map(|sink| sink.moves.iter().copied()).collect();
    positions.sort_by_key(|row| (row.rank(), row.counts().wins, row.counts().draws));
    moves.sort_by_key(|row| (row.rank(), row.counts().wins, row.counts().draws, row.marks()));
    Outcome { tally, reports, positions, moves }
}
