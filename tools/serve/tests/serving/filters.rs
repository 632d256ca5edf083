//! Filters are obeyed or refused, and the games that are told are those that were asked for.

use crate::served::{Served, counts, shelf};
use serde_json::json;
use std::fs;
use std::path::Path;
use tabia::{Book, Column, Env, View};
use tabia_archives::filter::Filter;
use tabia_build::{ArchiveList, BuildPlan};
use tabia_gamefile::KeptGames;
use tabia_games::{Chess, Known};
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::OpenBook;
use tabia_serve::{Source, Sources};

/// Dates, ratings, events and moves of games; nothing where nothing is known.
const GAMES: [(&str, [&str; 2], &str, &str); 8] = [
    ("1850.01.02", ["", ""], "", "1. e4 e5 1-0"),
    ("1851.03.??", ["", ""], "", "1. e4 e5 2. Nf3 0-1"),
    ("1900.??.??", ["", ""], "", "1. e4 c5 1/2-1/2"),
    ("1990.05.01", ["2700", "2600"], "Candidates", "1. d4 d5 1-0"),
    ("1995.06.01", ["2501", ""], "Open", "1. d4 Nf6 0-1"),
    ("????.??.??", ["", ""], "", "1. c4 e5 1-0"),
    ("2000.07.08", ["1500", "1700"], "Rated Blitz game", "1. e4 e6 1-0"),
    ("2000.07.09", ["1500", "1600"], "Casual UltraBullet game", "1. e4 e6 2. d4 1/2-1/2"),
];

fn archive(folder: &Path) -> std::path::PathBuf {
    let game =
        |(number, (date, ratings, event, moves)): (usize, &(&str, [&str; 2], &str, &str))| {
            let result = moves.rsplit(' ').next().unwrap();
            let mut text = format!("[Event \"{event}\"]\n[White \"Ann\"]\n[Black \"B{number}\"]\n");
            text += &format!("[Date \"{date}\"]\n[Result \"{result}\"]\n");
            for (name, rating) in ["White", "Black"].iter().zip(ratings) {
                text += &format!("[{name}Elo \"{rating}\"]\n");
            }
            text + &format!("\n{moves}\n\n")
        };
    let path = folder.join("games.pgn");
    fs::write(&path, GAMES.iter().enumerate().map(game).collect::<String>()).unwrap();
    path
}

/// What a book is to know of its games beside their counts.
#[derive(Clone, Copy)]
struct Knows {
    years: bool,
    games: bool,
}

/// A book of these games that a filter wants, called so.
fn book(folder: &Path, name: &str, knows: Knows, filter: Filter) -> Source {
    let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
    let columns =
        [(Column::RATINGS, true), (Column::YEARS, knows.years), (Column::GAME, knows.games)];
    plan.read.wanted.columns =
        columns.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(column, _)| column).collect();
    plan.read.wanted.filter = filter;
    plan.games = knows.games.then_some(KeptGames::All);
    let (path, archives) = (folder.join(format!("{name}-book.tabia")), [archive(folder)]);
    plan.build(&Env::default(), &ArchiveList::of(&archives).unwrap(), &path, &mut ()).unwrap();
    let open = OpenBook::of(vec![Book::open(&path).unwrap()]).unwrap();
    let game = Known::Chess(Chess::start());
    Source::new(name.to_owned(), open, View::Whole, game, OpeningNames::default())
}

/// Serves books with these names, ratings beside what their columns say, leniently if that is said.
pub fn serving(columns: &str) -> Served {
    Served::with(1, move |_, folder| {
        let words = || columns.split(' ');
        let says = |word: &str| words().any(|said| said == word);
        let knows = Knows { years: says("years"), games: says("games") };
        let names = words().filter(|word| !["years", "games", "lenient"].contains(word));
        let books = names.map(|name| book(folder, name, knows, Filter::default()));
        let mut sources = Sources::new(books.collect::<Vec<_>>()).unwrap();
        sources.is_lenient = says("lenient");
        sources
    })
}

/// Makes sure that these moves are told, `e4 1/0/2, d4 0/1/0`, and their sums.
fn is_told(served: &Served, target: &str, moves: &str) {
    let answer = served.get(target);
    assert_eq!(answer.status, 200, "{answer:?}");
    let (told, sums) = counts(&answer.json(), "san");
    let of = |(san, [white, draws, black]): &(String, [u64; 3])| {
        format!("{san} {white}/{draws}/{black}")
    };
    let shown = told.iter().map(of).collect::<Vec<_>>().join(", ");
    assert_eq!(shown, if moves == "nothing" { "" } else { moves }, "{target}");
    let summed = [0, 1, 2].map(|place| told.iter().map(|(_, counts)| counts[place]).sum::<u64>());
    assert_eq!(sums, summed, "{target}");
    assert_eq!(answer.header("x-tabia-ignored"), None, "{target}");
}

/// Makes sure that a request is refused, with all these words.
fn is_refused(served: &Served, target: &str, words: &[&str]) {
    let answer = served.get(target);
    let kind = answer.header("content-type").unwrap_or_default();
    assert!(answer.status == 400 && kind.starts_with("text/plain"), "{target}: {answer:?}");
    assert!(answer.body.starts_with("bad request: ") && !answer.body.contains('\n'), "{answer:?}");
    for word in words {
        assert!(answer.body.contains(word), "{target}: {answer:?}");
    }
}

/// Also what programs ask whose users chose nothing, of a book that knows nothing of its games' years,
/// ratings and speeds.
#[test]
fn filters_are_obeyed_refused_or_known_to_be_ignored() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let mut asked = 0;
    for block in include_str!("filters.txt").split("\n@ ").skip(1) {
        let mut lines = block.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let served = serving(lines.next().unwrap());
        for line in lines {
            let (target, expected) = line.split_once(" | ").unwrap();
            let target = target
                .replace("{black}", &format!("{start}+w+KQkq+-+0+1"))
                .replace("{white}", &format!("{start}%20w%20KQkq%20-%200%201"))
                .replace("{player}", "player=Ann&color=white&variant=standard")
                .replace("{speeds}", "bullet,blitz,rapid,classical,correspondence")
                .replace("{ratings}", "1000,1200,1400,1600,1800,2000,2200,2500");
            let ignored = expected.strip_prefix("ignored: ");
            if let Some(words) = expected.strip_prefix("refused: ") {
                is_refused(&served, &target, &words.split(", ").collect::<Vec<_>>());
            } else if expected == "answered" || ignored.is_some() {
                let answer = served.get(&target);
                let is_told = answer.body.contains("\"e2e4\"") || target.contains("history?");
                assert!(answer.status == 200 && is_told, "{target}: {answer:?}");
                let header = answer.header("x-tabia-ignored");
                assert!(ignored.is_none() || ignored == header, "{target}: {answer:?}");
            } else {
                is_told(&served, &target, expected);
            }
            asked += 1;
        }
    }
    assert!(asked > 60, "{asked}");
}

#[test]
fn a_shelf_answers_where_there_is_no_book() {
    let served = Served::with(1, |_, folder| {
        Sources::default().with_shelves(vec![shelf("games", folder)]).unwrap()
    });
    for (target, games) in [
        ("/masters", 15),
        ("/masters?since=2024", 15),
        ("/masters?since=2024&until=2024", 15),
        ("/masters?until=2023", 0),
        ("/masters?since=2025", 0),
        ("/lichess?since=2024-2", 10),
        ("/lichess?since=2024/01&until=2024/1&speeds=rapid", 4),
    ] {
        let answer = served.get(target);
        assert_eq!((answer.status, &answer.json()["white"]), (200, &json!(9 * games)), "{target}");
        assert_eq!(answer.header("x-tabia-ignored"), None, "{target}");
    }
    assert_eq!(served.get("/api/cloud-eval").json()["pvs"][0]["moves"], "e2e4 c7c5");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1";
    let best = served.get(&format!("/cdb.php?action=querybest&json=1&board={fen}")).json();
    assert_eq!(best["move"], "e2e4");
    // Months: none is left out between the first and the last, which is told if it is asked for.
    let month = |month: &str, factor: u64| json!({"month": month, "white": 9 * factor, "draws": 6 * factor, "black": 3 * factor});
    for (query, months) in [
        ("", vec![month("2024-01", 5), month("2024-02", 0)]),
        ("until=2024-3", vec![month("2024-01", 5), month("2024-02", 0), month("2024-03", 10)]),
        ("since=2023-12&until=2024-02", vec![month("2023-12", 0), month("2024-01", 5)]),
        // Other games make the months.
        (
            "ratings=1800&until=2024-3",
            vec![month("2024-01", 0), month("2024-02", 0), month("2024-03", 10)],
        ),
        ("speeds=bullet", vec![month("2024-01", 0), month("2024-02", 0)]),
        ("since=2024-04", vec![]),
        ("play=e2e4,e7e5,g1f3", vec![]),
    ] {
        let node = served.get(&format!("/lichess/history?{query}")).json();
        assert_eq!(node["history"], json!(months), "{query}");
        let empty = json!([]);
        assert_eq!([&node["moves"], &node["topGames"], &node["recentGames"]], [&empty; 3]);
    }
}
