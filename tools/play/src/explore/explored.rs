//! What a book knows of a position and of the moves played there.

use super::book::Explorable;
use super::labels;
use crate::backed_up::BackedUp;
use crate::choice::{Criterion, Reached, Surd, flipped};
use crate::negamax::Value;
use serde::Serialize;
use std::cmp::Reverse;
use tabia::{
    BestGame, Cells, Column, Columns, Counts, Fact, Key, MoveRow, PositionRow, Ratings, Result,
    Results, Row, TableKind, WithCells, Years,
};
use tabia_games::{Game, Node};
use tabia_interop::rows::CellFacts;

/// Games that others are a share of.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// How many there are.
    pub games: u64,
    /// Whose they are.
    pub of: Share,
}

/// Whose games these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// The position's own.
    OfPosition,
    /// Those of its moves together, where the position's own aren't known.
    OfMoves,
}

/// A position, and its moves by the number of their games, then by what they lead to.
#[derive(Debug, Serialize)]
pub struct Explored {
    /// The position as `set_up` reads it: a FEN in chess.
    pub fen: String,
    /// The board as text.
    #[serde(skip)]
    pub diagram: String,
    /// The side to move, as people call it.
    #[serde(skip)]
    pub to_move: &'static str,
    /// Its counts, eval and flags.
    #[serde(flatten)]
    pub position: PositionFacts,
    /// Whether the position is in the positions table.
    pub known: bool,
    /// Whether the book knows how games ended, and so wins, draws and losses.
    pub results: bool,
    /// What is known of its moves that not every book knows: `ratings`, `game`, `years`.
    pub columns: Vec<&'static str>,
    /// Which share of the hashes the book holds: `1/1` is all of them.
    pub share: String,
    /// The table the moves come from: `moves`, or `positions` if the book has no other.
    pub moves_from: &'static str,
    /// By their games, then by the evals and proofs that they lead to, then by their codes.
    pub moves: Vec<Move>,
    /// What is known by all that is behind it. Only if it was asked for, where the book grew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<Behind>,
}

/// What is known of a position, seen from the side to move there.
#[derive(Debug, Serialize)]
pub struct PositionFacts {
    /// 16 hexadecimal digits.
    pub key: String,
    /// The games that came to it.
    pub games: u64,
    /// How they ended.
    #[serde(flatten)]
    pub score: Score,
    /// Its eval, in the game's own unit.
    pub eval: Option<i16>,
    /// How deep the search behind the eval was.
    pub depth: u8,
    /// Its flags in words.
    pub flags: Vec<&'static str>,
    /// Whether the best deviation is in the book, as its flag says.
    #[serde(skip)]
    is_expanded: bool,
}

/// How games ended, where the book knows it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Score {
    wins: Option<u32>,
    draws: Option<u32>,
    losses: Option<u32>,
    #[serde(skip)]
    counts: Counts,
}

impl Score {
    pub(super) fn new(counts: Counts, results: bool) -> Self {
        let known = |count| Some(count).filter(|_| results);
        Self {
            wins: known(counts.wins),
            draws: known(counts.draws),
            losses: known(counts.losses),
            counts,
        }
    }
}

/// What a row of the positions says.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "as in the row")]
pub struct PositionRowFacts {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub eval: Option<i16>,
    pub depth: u8,
    pub flags: Vec<&'static str>,
}

impl From<&PositionRow> for PositionRowFacts {
    fn from(row: &PositionRow) -> Self {
        let Counts { wins, draws, losses } = row.counts();
        let (eval, depth) = (row.eval(), row.depth());
        Self { wins, draws, losses, eval, depth, flags: labels::of_flags(row.flags()) }
    }
}

/// How strong the players of a move were, and how they did with it.
#[derive(Debug, Serialize)]
pub struct Strength {
    /// The average rating of those who played it; none, as all that follows, without rated games.
    pub average_rating: Option<f64>,
    /// The rating that their score against the opponents' speaks for; none also without results.
    pub performance: Option<f64>,
    /// Performance less average rating (Fierz 2005).
    pub gain: Option<f64>,
    /// Games in which both ratings are known.
    pub rated_games: u32,
}

impl Strength {
    /// Of these ratings, in a book that knows results or not.
    pub fn of(ratings: &Ratings, results: bool) -> Self {
        Self {
            average_rating: ratings.average(),
            performance: ratings.performance().filter(|_| results),
            gain: ratings.gain().filter(|_| results),
            rated_games: ratings.games,
        }
    }
}

/// A move, seen from the side that plays it.
#[derive(Debug, Serialize)]
pub struct Move {
    /// The code in the book.
    pub code: u16,
    /// None, like `san`, if the code is no legal move here.
    pub uci: Option<String>,
    /// As people write it.
    pub san: Option<String>,
    /// The games in which it was played.
    pub games: u64,
    /// How they ended.
    #[serde(flatten)]
    pub score: Score,
    /// Its marks in words.
    pub marks: Vec<&'static str>,
    /// How strong its players were. Only in a book that has ratings.
    #[serde(flatten)]
    pub strength: Option<Strength>,
    /// When it was played. Only in a book that has years.
    #[serde(flatten)]
    pub years: Option<CellFacts>,
    /// The best game with it. Only in a book that has best games.
    #[serde(flatten)]
    pub game: Option<CellFacts>,
    /// The cells as values.
    #[serde(skip)]
    pub cells: Cells,
    /// What negamax makes of all that is behind it. Only if it was asked for, where the book grew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The position it leads to, if the book knows it.
    pub position: Option<PositionFacts>,
    /// Whether the other side is to move there.
    #[serde(skip)]
    pub passes_turn: bool,
    /// What is known of that position by an eval or a proof, as [`Criterion::Eval`] compares it.
    #[serde(skip)]
    worth: Option<Surd>,
}

impl Explored {
    /// Looks a position up.
    ///
    /// # Errors
    /// Those of reading the book.
    pub fn new<G: Game>(book: &dyn Explorable, node: &Node<G>) -> Result<Self> {
        let row = book.rows().position(node.key)?;
        let results = knows_results(book);
        let position = PositionFacts::new(
            &row.unwrap_or_else(|| PositionRow::new(node.key, Counts::default())),
            results,
        );
        let has_moves = book.rows().has(TableKind::Moves);
        let mut moves = if has_moves { played(book, node)? } else { leading_to_known(book, node)? };
        moves.sort_by_key(|played| (Reverse((played.games, played.worth.clone())), played.code));
        let moves_from = if has_moves { "moves" } else { "positions" };
        let columns = book.header().columns(TableKind::Moves);
        Ok(Self {
            fen: node.position.setup(),
            diagram: node.position.diagram(),
            to_move: node.position.sides()[node.position.side().index()],
            position,
            known: row.is_some(),
            results,
            columns: columns.iter().map(|column| column.name).collect(),
            share: book.share().to_string(),
            moves_from,
            moves,
            behind: None,
        })
    }

    /// Likewise, with what the position and its moves are worth by all that is behind them, where it or
    /// one behind a move is flagged `EXPANDED`. Of moves with as many games the best then come first.
    ///
    /// # Errors
    /// Those of reading the book.
    pub fn with_values<G: Game>(book: &dyn Explorable, node: &Node<G>) -> Result<Self> {
        let mut explored = Self::new(book, node)?;
        let moves = &mut explored.moves;
        let mut known = moves.iter().filter_map(|played| played.position.as_ref());
        if explored.position.is_expanded || known.any(|position| position.is_expanded) {
            let codes: Vec<u16> = moves.iter().map(|played| played.code).collect();
            let (behind, values) = behind(book, node, &codes)?;
            moves.iter_mut().zip(values).for_each(|(played, value)| played.value = value);
            moves.sort_by_key(|played| Reverse((played.games, played.value)));
            explored.behind = Some(behind);
        }
        Ok(explored)
    }

    /// Whether the book knows anything of the position.
    pub fn is_in_book(&self) -> bool {
        self.known || !self.moves.is_empty()
    }

    /// What the moves' games are shares of: the games at the position, if the book has them. A game
    /// that comes back to the position counts once there, and for each of the moves that it goes on
    /// by, so that shares may be more than all together.
    pub fn whole(&self) -> Whole {
        let own = self.position.games;
        let is_own = self.known && self.moves_from == "moves";
        if is_own && self.moves.iter().all(|played| played.games <= own) {
            return Whole { games: own, of: Share::OfPosition };
        }
        Whole { games: self.moves.iter().map(|played| played.games).sum(), of: Share::OfMoves }
    }
}

impl PositionFacts {
    fn new(row: &PositionRow, results: bool) -> Self {
        Self {
            key: format!("{:016x}", row.key()),
            games: row.counts().games(),
            score: Score::new(row.counts(), results),
            eval: row.eval(),
            depth: row.depth(),
            flags: labels::of_flags(row.flags()),
            is_expanded: row.is_expanded(),
        }
    }

    /// Its counts.
    pub fn counts(&self) -> Counts {
        self.score.counts
    }
}

impl Move {
    /// A move of a position, with what is known of where it leads. A code that is no legal move there
    /// (two positions of one key, a foreign book) stays without a name.
    fn new<G: Game>(
        book: &dyn Explorable,
        node: &Node<G>,
        WithCells { row, cells }: &WithCells<MoveRow>,
        position: impl FnOnce(Key) -> Result<Option<PositionRow>>,
    ) -> Result<Self> {
        let results = knows_results(book);
        let of = |column: &'static Column| {
            let only = Columns::NONE.with(column);
            cells.columns().has(column).then(|| CellFacts::of(&cells.to(only)))
        };
        let played = node.move_of_code(row.code());
        let (mut passes_turn, mut reached) = (true, None);
        if let Some(played) = &played {
            let next = node.after(played);
            passes_turn = next.position.side() != node.position.side();
            reached = position(next.key)?;
        }
        let worth = reached.map(|row| Criterion::Eval.of(&Reached::seen(&row, passes_turn)));
        Ok(Self {
            code: row.code(),
            uci: played.as_ref().map(|played| node.position.coordinates(played)),
            san: played.as_ref().map(|played| node.position.notation(played)),
            games: row.counts().games(),
            score: Score::new(row.counts(), results),
            marks: labels::of_marks(row.marks()),
            strength: cells.get().map(|ratings: Ratings| Strength::of(&ratings, results)),
            years: of(Column::YEARS),
            game: of(Column::GAME),
            cells: *cells,
            value: None,
            position: reached.map(|row| PositionFacts::new(&row, results)),
            passes_turn,
            worth: worth.flatten(),
        })
    }

    /// Its counts.
    pub fn counts(&self) -> Counts {
        self.score.counts
    }

    /// The years in which it was played, if the book has them: `1990-2024`, `1990`, or a dash.
    pub fn years(&self) -> Option<String> {
        let Years { first, last } = self.cells.get()?;
        let year = |year: Option<u16>| year.map_or_else(|| "?".to_owned(), |year| year.to_string());
        Some(match (first, last) {
            (None, None) => "-".to_owned(),
            (Some(first), Some(last)) if first == last => first.to_string(),
            (first, last) => format!("{}-{}", year(first), year(last)),
        })
    }

    /// The best game in which it was played, if the book has them and one is known.
    pub fn best_game(&self) -> Option<BestGame> {
        self.cells.get().filter(|game: &BestGame| !game.is_none())
    }

    /// The eval of the position it leads to, as the side that plays it sees it.
    pub fn eval(&self) -> Option<i16> {
        let eval = self.position.as_ref()?.eval?;
        Some(if self.passes_turn { eval.saturating_neg() } else { eval })
    }

    /// The counts of the position it leads to, as the side that plays it sees them.
    pub fn leads_to(&self) -> Option<Counts> {
        self.position.as_ref().map(|position| {
            if self.passes_turn { flipped(position.counts()) } else { position.counts() }
        })
    }
}

/// The moves of the moves table.
fn played<G: Game>(book: &dyn Explorable, node: &Node<G>) -> Result<Vec<Move>> {
    let rows = book.rows().moves_with_cells(node.key)?;
    rows.iter().map(|row| Move::new(book, node, row, |key| book.rows().position(key))).collect()
}

/// The legal moves whose position is known, with its counts: of moves that are images of each other
/// the one that a book with moves would show.
fn leading_to_known<G: Game>(book: &dyn Explorable, node: &Node<G>) -> Result<Vec<Move>> {
    let mut moves: Vec<Move> = Vec::new();
    for played in node.position.legal() {
        let (code, next) = (node.code(&played), node.after(&played));
        if moves.iter().any(|other| other.code == code) {
            continue;
        }
        if let Some(there) = book.rows().position(next.key)? {
            let by_other_side = next.position.side() != node.position.side();
            let counts = Reached::seen(&there, by_other_side).counts;
            let row = MoveRow::new(node.key, code, counts).into();
            moves.push(Move::new(book, node, &row, |_| Ok(Some(there)))?);
        }
    }
    Ok(moves)
}

/// Whether a book knows how games ended.
fn knows_results(book: &dyn Explorable) -> bool {
    book.header().results == Results::Known
}

/// How many legal moves are looked at to find it: what is further behind takes longer than anybody
/// who walks through a book waits.
const MOST_LOOKED: u64 = 100_000;

/// What is known of a position by all that is behind it.
#[derive(Debug, Serialize)]
pub struct Behind {
    /// What negamax makes of it for the side to move: a number in the unit of evals, `win` or `loss`.
    pub value: Option<Value>,
    /// How many positions that was made of, this one among them; none if there are too many to look at,
    /// and then nothing has a value.
    pub positions: Option<u32>,
    /// How evals of the book were made, as its facts say.
    pub evals: Vec<String>,
}

/// What is behind a position, and what each move is worth to the side that makes it.
fn behind<G: Game>(
    book: &dyn Explorable,
    node: &Node<G>,
    codes: &[u16],
) -> Result<(Behind, Vec<Option<Value>>)> {
    let mut known = BackedUp::within(MOST_LOOKED);
    let is_read = known.read(book.rows(), node)?;
    let mut of_move = |code: &u16| {
        let next = node.after(&node.move_of_code(*code)?);
        known.value_of_move(&next, node.position.side())
    };
    let moves = codes.iter().map(&mut of_move).collect();
    let positions = is_read.then(|| known.positions());
    Ok((Behind { value: known.value(node), positions, evals: evals_made(book)? }, moves))
}

/// How evals of a book were made.
pub(super) fn evals_made(book: &dyn Explorable) -> Result<Vec<String>> {
    let mut facts = book.facts()?;
    facts.retain(|fact| fact.name() == Fact::EVALS);
    Ok(facts.iter().map(|fact| fact.value().to_owned()).collect())
}
