//! Laws of learning from lost games: figures by hand, the same bytes, no game twice.

use std::path::{Path, PathBuf};
use tabia::{Book, Counts, Digest, Env, Fact, Key, Row};
use tabia_archives::Options;
use tabia_build::{ArchiveList, BuildPlan};
use tabia_games::{Chess, Game, Known, Node, Side};
use tabia_grow::learning::{
    LearnError, Learned, Lesson, Lessons, LostGames, Overlay, Scaling, Whose,
};
use tabia_play::choice::{Books, GameHistory, Limits, Player, RuleSpec, Seed};

/// A folder with a book of games one a line, and archives.
struct Shelf {
    folder: tempfile::TempDir,
}

impl Shelf {
    fn new(games: &str) -> Self {
        let shelf = Self { folder: tempfile::tempdir().unwrap() };
        let archive = shelf.file("book.lines", games);
        let list = ArchiveList::of(&[archive]).unwrap();
        let plan = BuildPlan::new(Known::Chess(Chess::start()));
        plan.build(&Env::default(), &list, &shelf.path("book"), &mut ()).unwrap();
        shelf
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn book(&self) -> Book {
        Book::open(self.path("book")).unwrap()
    }

    /// Learns the games of an archive that White lost, but for the last `left` of them.
    fn learn(&self, overlay: &str, archive: &Path, left: usize) -> Vec<Lesson> {
        let (book, path) = (self.book(), self.path(overlay));
        let whose = Whose { player: None, side: Some(Side::First) };
        let options = Options::new(Known::Chess(Chess::start()));
        let lost =
            LostGames::read(&[archive.to_owned()], &options, &whose, &book, &mut ()).unwrap();
        if !path.exists() {
            Overlay::create(&Env::default(), &path, &book).unwrap();
        }
        let mut lessons = Lessons::open(Env::default(), &path, &book, Scaling::default()).unwrap();
        let games = lost.games[..lost.games.len() - left].iter();
        games.map(|game| lessons.learn(&Chess::start(), game).unwrap()).collect()
    }

    /// All bytes of an overlay, its journal and its list.
    fn bytes(&self, overlay: &str) -> Vec<Vec<u8>> {
        ["", "-journal", "-learned"]
            .map(|ending| std::fs::read(self.path(&format!("{overlay}{ending}"))).unwrap())
            .to_vec()
    }

    /// What a rule plays after some moves, with the overlay.
    fn plays(&self, overlay: &str, rule: &str, moves: &str) -> String {
        let rows: Vec<Box<dyn tabia_play::choice::RowLookup>> =
            vec![Box::new(Book::open(self.path(overlay)).unwrap()), Box::new(self.book())];
        let books = Books::new(rows);
        let mut history = GameHistory::start(Chess::start(), tabia::Keyed::Position);
        for text in moves.split_whitespace() {
            let played = history.present().position.parse_move(text).unwrap();
            history.play(&played);
        }
        let rule =
            rule.parse::<RuleSpec>().unwrap().prepare(&books, None, history.present()).unwrap();
        let player = Player::new(&books, rule, Seed::default());
        let decision = player.decide(&history, &Limits::default()).unwrap();
        decision.played().map_or_else(
            || "nothing".to_owned(),
            |played| history.present().position.notation(played),
        )
    }
}

/// The node after some moves.
fn node(moves: &str) -> Node<Chess> {
    moves.split_whitespace().fold(Node::start(Chess::start(), false), |node, text| {
        node.after(&node.position.parse_move(text).unwrap())
    })
}

/// What a book has of the move behind others, and of the position behind it.
fn known(book: &Book, moves: &str, played: &str) -> (Option<Counts>, Option<Counts>) {
    let before = node(moves);
    let legal = before.position.parse_move(played).unwrap();
    let (code, behind): (u16, Key) = (before.code(&legal), before.after(&legal).key);
    let rows = book.moves(before.key).unwrap();
    let row = rows.iter().find(|row| row.code() == code).map(|row| row.counts());
    (row, book.position(behind).unwrap().map(|row| row.counts()))
}

/// e4 has won 3, drawn 1 and lost 2 of 6; d4 has won 1 of 1. After e4 e5 Nf3 was played 4 times.
const GAMES: &str = "e4 e5 Nf3 1-0\ne4 e5 Nf3 1-0\ne4 e5 Nf3 0-1\ne4 e5 Nf3 1/2-1/2\ne4 e5 f4 1-0\n\
                     e4 c5 0-1\nd4 1-0\n";

#[test]
fn counts_are_scaled_as_by_hand() {
    let shelf = Shelf::new(GAMES);
    let lost = shelf.file("lost.lines", "e4 e5 Nf3 Nc6 Bb5 0-1\n");
    let learned = Learned { moves: 2, positions: 2, rows: 4 };
    assert_eq!(shelf.learn("o", &lost, 0), [Lesson::Learned(learned)]);
    let overlay = Book::open(shelf.path("o")).unwrap();
    // The first of two moves by a tenth: 300 and 200 become 270 and 220; a half of 10 % each.
    let e4 = known(&overlay, "", "e4");
    assert_eq!(e4, (Some(Counts::new(270, 100, 220)), Some(Counts::new(220, 100, 270))));
    // The second by a fifth; behind it Black is to move.
    let nf3 = known(&overlay, "e4 e5", "Nf3");
    assert_eq!(nf3, (Some(Counts::new(160, 100, 120)), Some(Counts::new(120, 100, 160))));
    // The other moves of both positions are there, and as they were.
    let found = known(&overlay, "", "d4");
    assert_eq!(found, (Some(Counts::new(100, 0, 0)), Some(Counts::new(0, 0, 100))));
    let found = known(&overlay, "e4 e5", "f4");
    assert_eq!(found, (Some(Counts::new(100, 0, 0)), Some(Counts::new(0, 0, 100))));
    // Black's moves are none of the player's.
    assert_eq!(known(&overlay, "e4", "e5"), (None, None));
}

#[test]
fn games_won_and_drawn_and_those_out_of_book_change_nothing() {
    let shelf = Shelf::new(GAMES);
    let games = shelf.file("games.lines", "e4 e5 Nf3 1-0\ne4 e5 1/2-1/2\na3 0-1\n");
    assert_eq!(shelf.learn("o", &games, 0), [Lesson::OutOfBook]);
    assert_eq!(Book::open(shelf.path("o")).unwrap().journal().frames, 0);
    let start = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let set_up = format!("[FEN \"{start}\"]\n[Result \"0-1\"]\n\n2. Nf3 Nc6 0-1\n");
    let set_up = shelf.file("set-up.pgn", &set_up);
    assert_eq!(shelf.learn("o", &set_up, 0), [Lesson::SetUp]);
}

/// The same game three times in a file is three games, but the file read again has the same ones.
#[test]
fn the_same_games_make_the_same_bytes_however_often_it_is_interrupted() {
    let shelf = Shelf::new(GAMES);
    let text = "e4 e5 Nf3 0-1\nd4 d5 0-1\ne4 e5 Nf3 0-1\ne4 e5 f4 1-0\ne4 c5 0-1\ne4 e5 Nf3 0-1\n";
    let archive = shelf.file("lost.lines", text);
    let at_once = shelf.learn("one", &archive, 0);
    assert!(at_once.iter().all(|lesson| matches!(lesson, Lesson::Learned(_))), "{at_once:?}");
    for left in (0..5).rev() {
        shelf.learn("other", &archive, left);
    }
    assert_eq!(shelf.bytes("one"), shelf.bytes("other"));
    assert_eq!(shelf.learn("one", &archive, 0), [Lesson::Known; 5]);
    assert_eq!(shelf.bytes("one"), shelf.bytes("other"));
}

/// A crash after the list was written and before the batch was.
#[test]
fn a_game_whose_batch_never_came_is_learned() {
    let shelf = Shelf::new(GAMES);
    let archive = shelf.file("lost.lines", "e4 e5 Nf3 0-1\nd4 d5 0-1\n");
    shelf.learn("whole", &archive, 0);
    shelf.learn("cut", &archive, 1);
    let list = std::fs::read(shelf.path("whole-learned")).unwrap();
    for end in shelf.bytes("cut")[2].len()..=list.len() {
        shelf.file("cut-learned", std::str::from_utf8(&list[..end]).unwrap());
        let one = tempfile::tempdir().unwrap();
        for ending in ["", "-journal", "-learned"] {
            let name = format!("cut{ending}");
            std::fs::copy(shelf.path(&name), one.path().join(&name)).unwrap();
        }
        shelf.learn("cut", &archive, 0);
        assert_eq!(shelf.bytes("cut"), shelf.bytes("whole"), "{end}");
        for ending in ["", "-journal"] {
            let name = format!("cut{ending}");
            std::fs::copy(one.path().join(&name), shelf.path(&name)).unwrap();
        }
    }
}

#[test]
fn a_lost_line_is_left() {
    let shelf = Shelf::new(
        &[("e4 1-0\n", 6), ("e4 0-1\n", 3), ("d4 1-0\n", 5), ("d4 0-1\n", 3)]
            .map(|(game, times)| game.repeat(times))
            .concat(),
    );
    let lost = |times: usize| shelf.file(&format!("{times}"), &"e4 0-1\n".repeat(times));
    let empty = shelf.file("won.lines", "e4 1-0\n");
    shelf.learn("none", &empty, 0);
    let rules = ["q", "v", "best", "lcb,min=none"];
    for (times, overlay, expected) in [(0, "none", "e4"), (3, "some", "d4")] {
        if times > 0 {
            std::fs::rename(lost(times), shelf.path("lost.lines")).unwrap();
            shelf.learn(overlay, &shelf.path("lost.lines"), 0);
        }
        for rule in rules {
            assert_eq!(shelf.plays(overlay, rule, ""), expected, "{rule} after {times} losses");
        }
    }
}

#[test]
fn games_prefer_another_move_too() {
    let shelf = Shelf::new(&["e4 1-0\n".repeat(6), "d4 1-0\n".repeat(5)].concat());
    let lost = shelf.file("lost.lines", "e4 0-1\n");
    let wins = |times: usize| {
        shelf.file("lost.lines", &"e4 0-1\n".repeat(times));
        shelf.learn("o", &lost, 0);
        shelf.plays("o", "games", "")
    };
    // 600, then 480 + 100 = 580, 384 + 120 = 504, 307 + 144 = 451, against 500.
    assert_eq!([1, 2, 3].map(wins), ["e4", "e4", "d4"]);
}

#[test]
fn overlays_are_kept_apart_from_games() {
    let shelf = Shelf::new(GAMES);
    let lost = shelf.file("lost.lines", "e4 e5 0-1\n");
    shelf.learn("o", &lost, 0);
    let paths = [shelf.path("book"), shelf.path("o")];
    let books: Vec<Book> = paths.iter().map(|path| Book::open(path).unwrap()).collect();
    let merged = tabia::merge(
        &Env::default(),
        &shelf.path("merged"),
        &books,
        tabia::MergeOptions::default(),
    );
    assert!(matches!(merged.unwrap_err(), tabia::Error::Incompatible { .. }));
    let into =
        tabia::merge_into(&Env::default(), &paths[0], &books[1..], tabia::Duplicates::Refuse);
    assert!(matches!(into.unwrap_err(), tabia::Error::Incompatible { .. }));
    let refused = Overlay::check(&books[0], &books[0]).unwrap_err();
    assert!(matches!(refused, LearnError::Games(_)), "{refused}");
    let refused = Overlay::check_book(&books[1]).unwrap_err();
    assert!(matches!(refused, LearnError::Overlay(_)), "{refused}");
    let facts = books[1].facts().unwrap();
    assert_eq!(facts, [Fact::new(Digest::NONE, Fact::COUNTS, "learned").unwrap()]);
}
