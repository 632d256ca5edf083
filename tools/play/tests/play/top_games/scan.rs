//! Reading archives for all games that pass a position: slow, and without book and file of games.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use tabia::Column;
use tabia_archives::{GameRecord, GameSink, Observer, Options, Origin, ingest};

/// Rank and digest of a game.
pub type Order = (u16, u64);

/// For each key the games that pass it.
#[derive(Default)]
pub struct Scan {
    /// How many plies of a game count.
    pub max_ply: Option<u32>,
    /// The keys that are asked for; all if none.
    pub only: Option<HashMap<u64, Vec<Order>>>,
    pub games: BTreeMap<u64, Vec<Order>>,
}

impl Scan {
    /// The best games of a key.
    pub fn top(&self, key: u64, count: usize) -> Vec<Order> {
        let all = match &self.only {
            Some(only) => only.get(&key),
            None => self.games.get(&key),
        };
        let mut all = all.cloned().unwrap_or_default();
        // Of copies of a game, some with ratings, the better one counts.
        all.sort_unstable_by(|one, other| other.cmp(one));
        let mut seen = std::collections::HashSet::new();
        all.retain(|&(_, digest)| seen.insert(digest));
        all.truncate(count);
        all
    }
}

impl GameSink for Scan {
    type Error = std::convert::Infallible;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Self::Error> {
        let rank = game.ratings.map_or(0, |[first, second]| first.saturating_add(second));
        let most = self.max_ply.map_or(usize::MAX, |plies| plies as usize);
        let keys = game.plies.iter().map(|ply| ply.key).chain([game.last.0]);
        let mut keys: Vec<u64> = keys.take(most.saturating_add(1)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            match &mut self.only {
                Some(only) => {
                    if let Some(games) = only.get_mut(&key) {
                        games.push((rank, game.digest));
                    }
                }
                None => self.games.entry(key).or_default().push((rank, game.digest)),
            }
        }
        Ok(())
    }
}

struct Nobody;

impl Observer for Nobody {}

pub fn scan(archives: &[PathBuf], read: &Options, scan: Scan) -> Scan {
    let mut read = read.clone();
    read.wanted.columns = read.wanted.columns.with(Column::GAME);
    let mut sinks = [scan];
    ingest(archives, &read, &mut sinks, &mut Nobody).unwrap();
    let [scan] = sinks;
    scan
}
