//! The big archive of master games, against what an independent replay counted. Only where
//! long proofs are wanted whole.

use crate::shared::each;
use std::collections::BTreeMap;
use std::path::Path;
use tabia_archives::{Options, Reason, Stats};
use tabia_games::{Chess, Game, Side};
use tabia_testing::{data, whole};

/// W/D/L of moves in the first three plies, by position and code.
type Lines<N> = BTreeMap<(u64, u16), [N; 3]>;

/// Where two blank lines stand between tags and moves: 275 times. The independent replay took each
/// for two games, one without moves, and one without tags and so without a result; so do we, unless
/// asked to join them.
const TWO_BLANK_LINES: &[u8] = b"]\r\n\r\n\r\n";

/// See [`take`].
type Taken = (Stats, Vec<(&'static str, u64)>, Lines<u32>, Vec<u64>);

/// What came of the archive: reasons and counts of skipped games, the lines, and where the illegal
/// games are.
fn take(path: &Path, join_split: bool) -> Taken {
    let options = Options { join_split, ..Options::default() };
    // No position comes back in three plies.
    let mut lines = Lines::<u32>::new();
    let (stats, skipped) = each(&[path.to_owned()], &options, |_, game| {
        for ply in game.plies.iter().take(3) {
            let outcome =
                game.outcome.winner().map_or(1, |winner| if winner == ply.side { 0 } else { 2 });
            lines.entry((ply.key, ply.code)).or_default()[outcome] += 1;
        }
    });
    let counts = Reason::ALL.map(|reason| (reason.name(), stats.games.skipped(reason)));
    let illegal = skipped.iter().filter(|skipped| skipped.reason == Reason::IllegalMove);
    let illegal = illegal.map(|skipped| skipped.offset).collect();
    (stats, counts.into_iter().filter(|pair| pair.1 > 0).collect(), lines, illegal)
}

#[test]
fn games_lines_and_reasons_are_those_of_the_independent_replay() {
    if !whole() {
        return;
    }
    let (Some(path), Some(oracle)) =
        (data("chess/masters.pgn.zst"), data("reference/chess_counts/oracle_pgnm2024.tsv"))
    else {
        return;
    };
    let text = zstd::decode_all(std::fs::File::open(&path).expect("a file")).expect("zstd");
    let mut expected = oracle_lines(&std::fs::read_to_string(oracle).expect("a text"));

    let (stats, mut skipped, lines, illegal) = take(&path, false);
    skipped.sort_unstable();
    assert_eq!(stats.games.games_read, 415_536);
    assert_eq!(skipped, [("illegal_move", 2), ("no_moves", 275), ("no_result", 362)]);
    assert_eq!(stats.games.games_in, 415_536 - 275 - 362 - 2);
    for at in &illegal {
        // The replay counted them up to their illegal move.
        add_lines(&mut expected, &text[*at as usize..], -1);
    }
    compare(&lines, &mut expected);

    let (stats, mut skipped, lines, _) = take(&path, true);
    skipped.sort_unstable();
    let blank: Vec<usize> = memchr::memmem::find_iter(&text, TWO_BLANK_LINES).collect();
    assert_eq!(blank.len(), 275);
    assert_eq!(stats.games.games_read, 415_536 - 275);
    assert_eq!(skipped, [("illegal_move", 2), ("no_result", 87)]);
    assert_eq!((stats.games.games_in, stats.games.plies), (415_172, 34_132_858));
    for at in blank {
        let game = memchr::memmem::rfind(&text[..at], b"[Event ").expect("the game's first tag");
        add_lines(&mut expected, &text[game..], 1);
    }
    compare(&lines, &mut expected);
}

fn compare(ours: &Lines<u32>, expected: &mut Lines<i64>) {
    expected.retain(|_, counts| *counts != [0; 3]);
    assert_eq!(ours.len(), expected.len());
    for (line, counts) in ours {
        assert_eq!(expected.get(line), Some(&counts.map(i64::from)), "{line:?}");
    }
}

/// The lines of the reference: moves before, `>`, the move, then games won by White, drawn, won by
/// Black.
fn oracle_lines(text: &str) -> Lines<i64> {
    let mut lines = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (before, played) =
            columns.next().and_then(|moves| moves.split_once('>')).expect("moves");
        let counts: Vec<i64> = columns.map(|count| count.parse().expect("a count")).collect();
        let game = before.split_whitespace().fold(Chess::start(), after);
        add(&mut lines, &game, played, [counts[0], counts[1], counts[2]]);
    }
    lines
}

fn after(mut game: Chess, text: &str) -> Chess {
    let played = game.parse_move(text).expect("a legal move");
    game.play(&played);
    game
}

fn add(lines: &mut Lines<i64>, game: &Chess, played: &str, [white, draws, black]: [i64; 3]) {
    let code = game.code(&game.parse_move(played).expect("a legal move"));
    let more =
        if game.side() == Side::First { [white, draws, black] } else { [black, draws, white] };
    let counts = lines.entry((game.key(), code)).or_default();
    *counts = [counts[0] + more[0], counts[1] + more[1], counts[2] + more[2]];
}

/// Adds the first three plies of the game that starts the text, so many times.
fn add_lines(lines: &mut Lines<i64>, text: &[u8], times: i64) {
    let text = String::from_utf8_lossy(&text[..2_000.min(text.len())]);
    let result = text
        .split_once("[Result \"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .expect("a result")
        .0;
    let counts = match result {
        "1-0" => [times, 0, 0],
        "0-1" => [0, 0, times],
        _ => [0, times, 0],
    };
    let body = text.lines().skip_while(|line| line.is_empty() || line.starts_with('['));
    let moves: String =
        body.take_while(|line| !line.is_empty()).map(|line| line.replace('.', " ") + " ").collect();
    let mut game = Chess::start();
    for played in moves
        .split_whitespace()
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
        .take(3)
    {
        add(lines, &game, played, counts);
        game = after(game, played);
    }
}
