//! What the tests share: books of small games, and reading them back.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::path::PathBuf;
use tabia::stream::{RowSet, Rows};
use tabia::{
    Book, Companions, Counts, Env, Existing, Flags, Marks, MoveRow, NewBook, PositionRow, Row,
};
use tabia_games::{Chess, Game, Outcome};
use tabia_play::choice::{Decision, GameHistory, Limits, Player, RowLookup, RuleSpec, Seed};
use tabia_play::{Step, Trim, TrimPlan, TrimStats};
pub use tabia_testing::chess_book as new_book;
use tabia_testing::{Rng, settle};

/// A folder for books, gone when the test is over.
pub struct Shelf(tempfile::TempDir);

/// The rows of a book.
#[derive(Clone, Default)]
pub struct Content {
    pub positions: Vec<PositionRow>,
    pub moves: Vec<MoveRow>,
}

impl Content {
    /// What games count, given as `1 e4 e5 Nf3`: the result (1 for a win of White, 0, = for a
    /// draw), then the moves. Each position and each move counts once a game.
    pub fn of_games(games: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut content = Self::default();
        games.into_iter().for_each(|game| content.add_game(game.as_ref()));
        content.settled()
    }

    /// What [`random_games`] count.
    pub fn random(seed: u64, games: usize, plies: usize) -> Self {
        Self::of_games(random_games(seed, games, plies))
    }

    fn add_game(&mut self, game: &str) {
        let (result, moves) = game.split_once(' ').unwrap_or((game, ""));
        let outcome = match result {
            "1" => Outcome::FirstWins,
            "0" => Outcome::SecondWins,
            _ => Outcome::Draw,
        };
        let (mut board, mut seen) = (Chess::start(), HashSet::new());
        for text in moves.split_whitespace() {
            let played = board.parse_move(text).unwrap_or_else(|error| panic!("{game}: {error}"));
            self.add_visit(&board, None, outcome, &mut seen);
            self.add_visit(&board, Some(board.code(&played)), outcome, &mut seen);
            board.play(&played);
        }
        self.add_visit(&board, None, outcome, &mut seen);
    }

    fn add_visit(
        &mut self,
        board: &Chess,
        code: Option<u16>,
        outcome: Outcome,
        seen: &mut HashSet<(u64, Option<u16>)>,
    ) {
        let [wins, draws, losses] = outcome.counts_for(board.side());
        let counts = Counts { wins, draws, losses };
        if seen.insert((board.key(), code)) {
            match code {
                None => self.positions.push(PositionRow::new(board.key(), counts)),
                Some(code) => self.moves.push(MoveRow::new(board.key(), code, counts)),
            }
        }
    }

    /// With more rows for moves at the position after some moves: code or text, counts, marks.
    pub fn with_move(mut self, after: &str, played: u16, counts: Counts, marks: Marks) -> Self {
        self.moves.push(MoveRow::new(board(after).key(), played, counts).with_marks(marks));
        self.settled()
    }

    /// In order and merged, as a book's rows are.
    pub fn settled(mut self) -> Self {
        settle(&mut self.positions);
        settle(&mut self.moves);
        self
    }

    pub fn of_book(book: &Book) -> Self {
        fn all<R: Row>(book: &dyn RowSet<R>) -> Vec<R> {
            let rows =
                book.rows().and_then(Rows::collect).unwrap_or_else(|error| panic!("{error}"));
            rows.rows().to_vec()
        }
        Self { positions: all(book), moves: all(book) }
    }

    /// The moves by key.
    pub fn by_position(&self) -> BTreeMap<u64, Vec<MoveRow>> {
        let mut map = BTreeMap::<_, Vec<_>>::new();
        self.moves.iter().for_each(|row| map.entry(row.key()).or_default().push(*row));
        map
    }

    /// Key and code of every move.
    pub fn move_set(&self) -> HashSet<(u64, u16)> {
        self.moves.iter().map(|row| (row.key(), row.code())).collect()
    }

    /// The key of every position.
    pub fn position_set(&self) -> HashSet<u64> {
        self.positions.iter().map(Row::key).collect()
    }
}

impl Shelf {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a book and opens it.
    pub fn book(&self, name: &str, content: &Content) -> Book {
        self.made(name, new_book().positions(&content.positions).moves(&content.moves))
    }

    /// Writes this book and opens it.
    pub fn made(&self, name: &str, new: NewBook<'_>) -> Book {
        new.write(&Env::default(), &self.path(name), Existing::Replace).unwrap();
        Book::open(self.path(name)).unwrap()
    }

    /// Trims a book by a walk from these positions, and opens what came of it.
    pub fn walked(
        &self,
        book: &Book,
        plan: &TrimPlan,
        from: &[Chess],
        name: &str,
    ) -> (TrimStats, Book) {
        self.write(&Trim::by_walk(book, plan.clone(), from, &quiet).unwrap(), name)
    }

    /// Trims a book by a walk from the start, and opens what came of it.
    pub fn walk(&self, book: &Book, plan: &TrimPlan, name: &str) -> (TrimStats, Book) {
        self.walked(book, plan, &[Chess::start()], name)
    }

    pub fn trimmed(&self, book: &Book, plan: &TrimPlan, name: &str) -> (TrimStats, Book) {
        self.write(&Trim::by_rows(book, plan.clone(), &quiet).unwrap(), name)
    }

    /// Writes what is kept of a book, and opens it.
    pub fn write(&self, trim: &Trim<'_>, name: &str) -> (TrimStats, Book) {
        let stats = trim.stats(&quiet).unwrap();
        trim.write(&stats, &Env::default(), &self.path(name), true, Companions::default()).unwrap();
        assert!(tabia::check(&Env::default(), &self.path(name)).unwrap().ok());
        (stats, Book::open(self.path(name)).unwrap())
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }
}

/// A player from books by a rule, for games that begin as this one did.
pub fn player<'a, G: Game>(
    rows: &'a dyn RowLookup,
    rule: &str,
    history: &GameHistory<G>,
) -> Player<'a, G> {
    let spec: RuleSpec = rule.parse().unwrap();
    Player::new(rows, spec.prepare(rows, None, &history.nodes()[0]).unwrap(), Seed::default())
}

/// What a rule decides by books.
pub fn decided<G: Game>(
    rows: &dyn RowLookup,
    rule: &str,
    history: &GameHistory<G>,
) -> Decision<G::Move> {
    player(rows, rule, history).decide(history, &Limits::default()).unwrap()
}

/// The move that was chosen in the present position, as people write it.
pub fn name<G: Game>(history: &GameHistory<G>, decision: &Decision<G::Move>) -> Option<String> {
    decision.played().map(|played| history.present().position.notation(played))
}

/// The least plies from these positions to all that moves with enough games lead to.
pub fn plies(content: &Content, from: &[Chess], min_games: u64) -> BTreeMap<u64, usize> {
    let by_position = content.by_position();
    let mut plies: BTreeMap<u64, usize> = from.iter().map(|board| (board.key(), 0)).collect();
    let mut next: VecDeque<Chess> = from.iter().cloned().collect();
    while let Some(board) = next.pop_front() {
        let rows = by_position.get(&board.key()).into_iter().flatten();
        for row in rows.filter(|row| row.counts().games() >= min_games) {
            let Some(played) = board.move_of_code(row.code()) else { continue };
            let after = board.after(&played);
            if !plies.contains_key(&after.key()) {
                plies.insert(after.key(), plies[&board.key()] + 1);
                next.push_back(after);
            }
        }
    }
    plies
}

/// Somebody who never stops the work.
pub fn quiet(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

pub fn board(moves: &str) -> Chess {
    moves.split_whitespace().fold(Chess::start(), |mut board, text| {
        let played = board.parse_move(text).unwrap();
        board.play(&played);
        board
    })
}

/// A position after some moves with an eval and flags, and no games.
pub fn known(after: &str, eval: i16, flags: Flags) -> PositionRow {
    let row = PositionRow::new(board(after).key(), Counts::default());
    row.with_eval(eval, 9).with_flags(flags)
}

/// The code of a move after some moves.
pub fn code(after: &str, played: &str) -> u16 {
    let board = board(after);
    board.code(&board.parse_move(played).unwrap())
}

/// Random games with beginnings in common, as [`Content::of_games`] takes them.
pub fn random_games(seed: u64, games: usize, plies: usize) -> Vec<String> {
    let mut random = Rng::new(seed);
    (0..games)
        .map(|_| {
            let (mut board, mut text) = (Chess::start(), random.pick(&["1", "0", "="]).to_string());
            for _ in 0..plies {
                let legal = board.legal();
                if legal.is_empty() {
                    break;
                }
                let played = *random.pick(&legal[..legal.len().min(4)]);
                text = text + " " + &board.coordinates(&played);
                board.play(&played);
            }
            text
        })
        .collect()
}
