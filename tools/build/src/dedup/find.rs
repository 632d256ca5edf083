//! Finding the games that don't count: copies by sorting the logs' indexes, contained games by
//! walking the moves of all games. Both go over a share of all lines at a time, as many as there is
//! memory for.

use super::fingerprints::{Fingerprints, NewLines};
use super::identity::Line;
use super::log::GameLog;
use super::{Dedup, record};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use tabia::{Digest, Env, Error, Result, Stage, parallel};
use tabia_archives::{GameRecord, Origin};

/// Bytes of memory that a game takes while its copies are looked for.
const A_GAME: u64 = 160;
/// Bits for each line in the filter that most lines don't pass.
const FILTER_BITS: u64 = 16;

/// Which games of some logs don't count.
#[derive(Debug)]
pub struct Copies {
    /// For each log, the numbers of its games that don't.
    dropped: Vec<Bits>,
    /// For each archive, how many of its games are copies of others that count.
    pub copies: Vec<u64>,
    /// For each archive, how many of its games are contained in others.
    pub contained: Vec<u64>,
}

/// A game in a log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    log: u32,
    number: u64,
}

/// Finds the games that don't count, of these archives, with about this much memory: copies of each
/// other, and of games that are `known`. Lines that are not known are added to `new`.
pub(crate) fn find_copies(
    env: &Env<'_>,
    logs: &[GameLog],
    dedup: Dedup,
    archives: &[Digest],
    memory: usize,
    known: &Fingerprints<'_>,
    new: &mut NewLines,
) -> Result<Copies> {
    let games: u64 = logs.iter().map(GameLog::len).sum();
    let mut known_lines = known.lines();
    let mut copies = Copies::none(logs, archives);
    let shares = games
        .saturating_add(known.len())
        .saturating_mul(A_GAME)
        .div_ceil((memory as u64).max(1 << 20))
        .max(1);
    for share in 0..shares {
        if !env.progress.step(Stage::Sorting, share * games / shares, games) {
            return Err(Error::Interrupted);
        }
        let is_ours = |line: Line| line.share(shares) == share;
        let known = known_lines.while_ours(is_ours)?;
        let ends = copies.drop_copies(logs, archives, is_ours, &known, new)?;
        if dedup == Dedup::Prefix {
            copies.drop_contained(env, logs, &ends)?;
        }
    }
    new.finish()?;
    Ok(copies)
}

impl Copies {
    /// None: all games of these logs, of these archives, count.
    pub(crate) fn none(logs: &[GameLog], archives: &[Digest]) -> Self {
        Self {
            dropped: logs.iter().map(|log| Bits::new(log.len())).collect(),
            copies: vec![0; archives.len()],
            contained: vec![0; archives.len()],
        }
    }

    /// Hands on the games of a log that count, where each comes from, and how many plies it has,
    /// those that don't count included.
    pub(crate) fn games<E: From<Error>>(
        &self,
        logs: &[GameLog],
        log: usize,
        mut take: impl FnMut(&GameRecord, Origin, u64) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut game = GameRecord::default();
        logs[log].records(|number, head: &record::Head, body| {
            if !self.dropped[log].has(number)
                && let Some(origin) = head.game(body, &mut game)
            {
                take(&game, origin, head.moves.get().into())?;
            }
            Ok(())
        })
    }

    /// Drops all copies but the one that counts of each of our lines, and all of the known lines,
    /// which are sorted; what is left is returned.
    fn drop_copies(
        &mut self,
        logs: &[GameLog],
        archives: &[Digest],
        is_ours: impl Fn(Line) -> bool,
        known: &[Line],
        new: &mut NewLines,
    ) -> Result<Ends> {
        let mut games: Vec<(Line, u64, Origin, Place)> = Vec::new();
        for (number, log) in (0..).zip(logs) {
            log.entries(|game, entry| {
                let line = entry.line();
                if is_ours(line) {
                    let place = Place { log: number, number: game };
                    games.push((line, entry.rank.get(), entry.origin(), place));
                }
            })?;
        }
        // Which of two that say the same counts mustn't be left to the order of the archives.
        let archive = |origin: &Origin| archives.get(origin.source as usize);
        games.sort_unstable_by_key(|(line, rank, origin, place)| {
            (*line, *rank, archive(origin), origin.offset, origin.source, *place)
        });
        let mut ends = Ends::new(games.len());
        let mut last = None;
        for &(line, _, origin, place) in &games {
            if last == Some(line) || known.binary_search(&line).is_ok() {
                self.dropped[place.log as usize].add(place.number);
                self.copies[origin.source as usize] += 1;
            } else {
                ends.add(line, place, origin);
                new.add(line)?;
            }
            last = Some(line);
        }
        Ok(ends)
    }

    /// Drops the games that end where another one goes on.
    fn drop_contained(&mut self, env: &Env<'_>, logs: &[GameLog], ends: &Ends) -> Result<()> {
        let dropped = &self.dropped;
        let walk = |found: &mut Vec<Origin>, _: usize, log: &GameLog| {
            log.records(|number, head, body| {
                if number % 65_536 == 0 && !env.progress.step(Stage::Sorting, number, log.len()) {
                    return Err(Error::Interrupted);
                }
                let mut line = log.start_of(head);
                for code in head.codes(body) {
                    if let Some((place, origin)) = ends.at(line)
                        && dropped[place.log as usize].add(place.number)
                    {
                        found.push(origin);
                    }
                    line = line.then(code.get());
                }
                Ok::<_, Error>(())
            })
        };
        let (_, found) = parallel::map(logs.len(), logs.iter().collect(), Vec::new, walk)?;
        for origin in found.into_iter().flatten() {
            self.contained[origin.source as usize] += 1;
        }
        Ok(())
    }
}

/// A set of numbers below a limit, a bit each, to which several threads can add.
#[derive(Debug)]
struct Bits(Vec<AtomicU64>);

impl Bits {
    fn new(limit: u64) -> Self {
        Self((0..limit.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline(always)]
    fn has(&self, number: u64) -> bool {
        self.0[(number / 64) as usize].load(Ordering::Relaxed) >> (number % 64) & 1 != 0
    }

    /// Adds a number; whether it is new is returned.
    #[inline(always)]
    fn add(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        self.0[(number / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }
}

/// The lines at whose ends games end, and those games.
struct Ends {
    filter: Bits,
    /// By how much to shift a line's bits to get its place in the filter.
    shift: u32,
    games: HashMap<Line, (Place, Origin), BuildHasherDefault<AsItIs>>,
}

impl Ends {
    fn new(games: usize) -> Self {
        let bits = (games as u64 * FILTER_BITS).next_power_of_two().max(64);
        let games = HashMap::with_capacity_and_hasher(games, BuildHasherDefault::default());
        Self { filter: Bits::new(bits), shift: 64 - bits.trailing_zeros(), games }
    }

    /// The place of a line in the filter. Lines of one share have their first bits in common, and
    /// so the middle ones count.
    #[inline(always)]
    fn bit(&self, line: Line) -> u64 {
        line.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift
    }

    fn add(&mut self, line: Line, place: Place, origin: Origin) {
        self.filter.add(self.bit(line));
        self.games.insert(line, (place, origin));
    }

    /// The game that ends here, if one does.
    #[inline(always)]
    fn at(&self, line: Line) -> Option<(Place, Origin)> {
        if self.filter.has(self.bit(line)) { self.games.get(&line).copied() } else { None }
    }
}

/// Lines are mixed well: one half of their bits is hash enough.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("lines are made of two numbers");
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedup::SameBy;
    use std::collections::{BTreeMap, BTreeSet};
    use std::hash::BuildHasher;
    use std::path::Path;
    use tabia::storage::System;
    use tabia::{Marks, mix};
    use tabia_archives::{GameSink, Ply};
    use tabia_games::{Outcome, Side};

    /// Short games of few moves, so that most are there often and many are contained in others;
    /// some have ratings, players, other results.
    fn games(count: u64) -> impl Iterator<Item = (GameRecord, Origin)> {
        (0..count).map(move |number| {
            let random = mix(number);
            let codes = (0..random % 7 + 1).map(|ply| (mix(random ^ (ply + 1)) % 5) as u16);
            let ply = |code| Ply {
                key: 1 + random % 3 / 2,
                code,
                side: Side::First,
                marks: Marks::empty(),
            };
            let game = GameRecord {
                plies: codes.map(ply).collect(),
                outcome: [Outcome::FirstWins, Outcome::Draw][(random >> 20 & 1) as usize],
                ratings: (random >> 21 & 3 == 0)
                    .then_some([2000, 2000 + (random >> 30 & 1) as u16]),
                players: random >> 40 & 1,
                ..GameRecord::default()
            };
            (game, Origin { source: (random >> 50) as u32 % 4, offset: number })
        })
    }

    fn logs(same_by: SameBy, count: u64, logs: usize, folder: &std::path::Path) -> Vec<GameLog> {
        let new = || GameLog::new(None, same_by, &System, folder, None).unwrap();
        let mut logs: Vec<_> = (0..logs).map(|_| new()).collect();
        for (game, origin) in games(count) {
            let which = (mix(origin.offset ^ 5) % logs.len() as u64) as usize;
            logs[which].game(&game, origin).unwrap();
        }
        logs.iter_mut().for_each(|log| log.finish().unwrap());
        logs
    }

    /// What is found in books of which nothing is known.
    fn found_in(logs: &[GameLog], dedup: Dedup, memory: usize, folder: &Path) -> Copies {
        let book = folder.join("a.tabia");
        let known = Fingerprints::none(&System, book, SameBy::Moves);
        let mut new = NewLines::new(&System, folder).unwrap();
        let archives = [0, 1, 2, 3].map(|number| Digest([number; 16]));
        find_copies(&Env::default(), logs, dedup, &archives, memory, &known, &mut new).unwrap()
    }

    type Moves = (u64, u64, Vec<u16>);

    /// Starting position, players if they matter, moves.
    fn moves_of(game: &GameRecord, same_by: SameBy) -> Moves {
        let players = if same_by == SameBy::Moves { 0 } else { game.players };
        (players, game.plies[0].key, game.plies.iter().map(|ply| ply.code).collect())
    }

    #[test]
    fn lines_are_spread_by_their_bits() {
        let (start, hasher) = (Line::start(1, 0), BuildHasherDefault::<AsItIs>::default());
        let hashes: BTreeSet<u64> = (0..9).map(|code| hasher.hash_one(start.then(code))).collect();
        assert_eq!(hashes.len(), 9);
    }

    /// However the games are shared out to logs, and with however little memory.
    #[test]
    fn what_is_left_is_what_a_set_leaves() {
        const COUNT: u64 = 20_000;
        let folder = tempfile::tempdir().unwrap();
        for (same_by, dedup) in [
            (SameBy::Moves, Dedup::Exact),
            (SameBy::Moves, Dedup::Prefix),
            (SameBy::MovesAndPlayers, Dedup::Exact),
            (SameBy::MovesAndPlayers, Dedup::Prefix),
        ] {
            let mut all: BTreeMap<Moves, u64> = BTreeMap::new();
            games(COUNT)
                .for_each(|(game, _)| *all.entry(moves_of(&game, same_by)).or_default() += 1);
            let is_contained = |moves: &Moves| {
                let next = all
                    .range((std::ops::Bound::Excluded(moves.clone()), std::ops::Bound::Unbounded))
                    .next();
                next.is_some_and(|(next, _)| {
                    (next.0, next.1) == (moves.0, moves.1) && next.2.starts_with(&moves.2)
                })
            };
            let expected: BTreeSet<&Moves> =
                all.keys().filter(|moves| dedup == Dedup::Exact || !is_contained(moves)).collect();

            let left = |parts, memory| {
                let logs = logs(same_by, COUNT, parts, folder.path());
                let found = found_in(&logs, dedup, memory, folder.path());
                let mut left: BTreeMap<Moves, (bool, Origin)> = BTreeMap::new();
                for log in 0..parts {
                    let take = |game: &GameRecord, origin: Origin, plies: u64| {
                        assert_eq!(plies, game.plies.len() as u64);
                        let twice =
                            left.insert(moves_of(game, same_by), (game.ratings.is_some(), origin));
                        assert_eq!(twice, None);
                        Result::Ok(())
                    };
                    found.games(&logs, log, take).unwrap();
                }
                (left, found.copies, found.contained)
            };
            let found = left(1, 1 << 30);
            for (parts, memory) in [(3, 0), (2, 1 << 21)] {
                assert!(left(parts, memory) == found, "{same_by:?} {dedup:?} {parts} logs");
            }
            let (left, copies, contained) = found;
            assert_eq!(left.keys().collect::<BTreeSet<_>>(), expected, "{same_by:?} {dedup:?}");
            assert_eq!(copies.iter().sum::<u64>(), COUNT - all.len() as u64);
            assert_eq!(contained.iter().sum::<u64>(), (all.len() - expected.len()) as u64);
            // A game with ratings stands for one without.
            let rated: BTreeSet<Moves> = games(COUNT)
                .filter(|(game, _)| game.ratings.is_some())
                .map(|(game, _)| moves_of(&game, same_by))
                .collect();
            assert!(left.iter().all(|(moves, (is_rated, _))| *is_rated == rated.contains(moves)));
        }
    }
}
