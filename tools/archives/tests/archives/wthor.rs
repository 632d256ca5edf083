//! WTHOR's real archives against an independent replay, and against the same games as text.

use crate::shared::{each, files_under, numbers};
use std::path::{Path, PathBuf};
use tabia_archives::{GameRecord, Options};
use tabia_games::{Known, Othello, Outcome};
use tabia_testing::{Sample, data};

/// Keys of positions by discs placed, with whether a side was passed over, and how games ended.
#[derive(Default)]
struct Keys {
    keys: Vec<Vec<(u64, bool)>>,
    ended: [u64; 3],
}

impl Keys {
    fn add(&mut self, game: &GameRecord) {
        let positions: Vec<_> =
            game.plies.iter().map(|ply| (ply.key, ply.side)).chain([game.last]).collect();
        let keys = (0..positions.len())
            .map(|at| (positions[at].0, at > 0 && positions[at].1 == positions[at - 1].1));
        self.keys.resize_with(self.keys.len().max(game.plies.len() + 1), Vec::new);
        self.keys.iter_mut().zip(keys).for_each(|(all, key)| all.push(key));
        self.ended[game.outcome as usize] += 1;
    }
}

fn wthor_files() -> Option<Vec<PathBuf>> {
    let ends = |path: &Path| path.extension().is_some_and(|ending| ending == "wtb");
    data("othello/wthor")
        .map(|folder| files_under(&folder).into_iter().filter(|path| ends(path)).collect())
}

/// After every number of discs: games, distinct positions if a board on which a side must pass is
/// another than the same when it has, and if it isn't. How the games ended.
fn counted(files: &[PathBuf], start: Othello) -> (Vec<[u64; 3]>, [u64; 3]) {
    let mut found = Keys::default();
    let options = Options { game: Known::Othello(start), ..Options::default() };
    let (stats, skipped) = each(files, &options, |_, game| found.add(game));
    assert_eq!(skipped, []);
    assert_eq!((stats.games.games_in, stats.games.plies), (124_106, 7_426_780));
    let counts = |mut keys: Vec<(u64, bool)>| {
        let games = keys.len() as u64;
        keys.sort_unstable();
        keys.dedup();
        let apart = keys.len() as u64;
        keys.dedup_by_key(|key| key.0);
        [games, apart, keys.len() as u64]
    };
    (found.keys.into_iter().map(counts).collect(), found.ended)
}

/// Games, results, and distinct positions after every number of discs, with and without symmetry,
/// are those of an independent replay. It takes the board on which a side must pass, and the same
/// when it has, for two, which is one in a book: 7 positions fewer without symmetry, 33 with it.
#[test]
fn wthor_is_what_an_independent_replay_found() {
    let (Some(files), Some(reference)) = (wthor_files(), data("reference/othello/plies_wthor.tsv"))
    else {
        return;
    };
    let expected = numbers(&reference);
    let starts = [(Othello::without_symmetry(), 5_268_792, 7), (Othello::start(), 5_263_911, 33)];
    let mut sample = Sample::one_in(3);
    for (column, (start, distinct, passes)) in starts.into_iter().enumerate() {
        if !sample.takes() {
            continue;
        }
        let (counts, ended) = counted(&files, start);
        assert_eq!(ended, [56_152, 7_351, 60_603]);
        assert_eq!(counts.len(), expected.len());
        for (placed, ([games, positions, _], expected)) in counts.iter().zip(&expected).enumerate()
        {
            let wanted = [expected[0], expected[1], expected[2 + column]];
            assert_eq!([placed as u64, *games, *positions], wanted);
        }
        // Positions after different numbers of discs are different.
        let sum = |which: usize| counts.iter().map(|counts| counts[which]).sum::<u64>();
        assert_eq!([sum(1), sum(2)], [distinct, distinct - passes]);
    }
}

fn sorted_games(path: PathBuf) -> Vec<(Vec<u16>, Outcome)> {
    let options =
        Options { game: Known::Othello(Othello::without_symmetry()), ..Options::default() };
    let mut games = Vec::new();
    let (_, skipped) = each(&[path], &options, |_, game| {
        games.push((game.plies.iter().map(|ply| ply.code).collect(), game.outcome));
    });
    assert_eq!(skipped, []);
    games.sort_by(|one: &(Vec<u16>, Outcome), other| {
        one.0.cmp(&other.0).then((one.1 as u8).cmp(&(other.1 as u8)))
    });
    games
}

/// The texts of 2019 and 2020 were made later and hold more games; two of 2019 were mended. That is
/// what a script found that knows nothing of the rules.
#[test]
fn text_with_tags_holds_the_games_of_wthor() {
    for (year, games, more, others) in
        [(2018, 2_429, 0, 0), (2019, 1_127, 822, 2), (2020, 268, 612, 0)]
    {
        let (Some(wthor), Some(text)) = (
            data(&format!("othello/wthor/WTH_{year}.wtb")),
            data(&format!("othello/WTH_{year}.pgn")),
        ) else {
            return;
        };
        let [wthor, mut text] = [wthor, text].map(sorted_games);
        assert_eq!((wthor.len(), text.len()), (games, games + more));
        let mut missing = 0;
        for game in &wthor {
            match text.iter().position(|other| other == game) {
                Some(found) => drop(text.remove(found)),
                None => missing += 1,
            }
        }
        assert_eq!(missing, others, "{year}");
    }
}
