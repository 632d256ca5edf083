//! What a book knows of a line: the position it leads to, its name, and where it leaves the book.

use super::book::Explorable;
use super::explored::Explored;
use super::lines::Played;
use crate::choice::GameHistory;
use serde::Serialize;
use tabia::{Result, TableKind};
use tabia_games::Game;
use tabia_interop::opening_names::OpeningNames;

/// What a book knows of a position, and of the line that leads there.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The position.
    #[serde(flatten)]
    pub explored: Explored,
    /// Its name. Only where names are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// Of a line that leaves the book, the last position in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_in_book: Option<LastInBook>,
}

/// The last position of a line that has a name.
#[derive(Debug, Serialize)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings, such as `C60`; empty if it has none.
    pub eco: String,
    /// Its name.
    pub name: String,
    /// Plies from where the line starts.
    pub ply: usize,
    /// The move that led there, with its number; none where it is the position that is shown.
    #[serde(skip)]
    after: Option<String>,
}

/// The last position of a line that a book knows.
#[derive(Debug, Serialize)]
pub struct LastInBook {
    /// Plies from where the line starts.
    pub ply: usize,
    /// The position there.
    #[serde(flatten)]
    pub explored: Explored,
    /// The line as far as it is in the book, with numbers: its last move may be in it, without the
    /// position behind it.
    #[serde(skip)]
    line: String,
    /// The number of its last move; 0 if no move is in the book.
    #[serde(skip)]
    number: usize,
    /// The move that leaves the book; none if the line has no more.
    #[serde(skip)]
    leaving: Option<String>,
}

impl Answer {
    /// What is known of the present position of a game.
    ///
    /// # Errors
    /// Those of reading the book.
    pub fn new<G: Game>(
        book: &dyn Explorable,
        history: &GameHistory<G>,
        names: &OpeningNames,
    ) -> Result<Self> {
        let explored = Explored::with_values(book, history.present())?;
        let last_in_book =
            if explored.is_in_book() { None } else { LastInBook::of(book, history)? };
        Ok(Self { explored, opening: Opening::of(history, names), last_in_book })
    }
}

impl Opening {
    /// The last name on this line, if there is one.
    pub fn of<G: Game>(history: &GameHistory<G>, names: &OpeningNames) -> Option<Self> {
        let nodes = history.nodes().iter().enumerate().rev();
        let (ply, found) =
            nodes.filter_map(|(ply, node)| Some((ply, names.of(&node.position)?))).next()?;
        let after = match ply {
            _ if ply == history.plies() => None,
            0 => Some("no move".to_owned()),
            _ => Some(Played::of(history).line(ply - 1..ply)),
        };
        Some(Self { eco: found.eco.clone(), name: found.name.clone(), ply, after })
    }
}

impl std::fmt::Display for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { eco, name, after, .. } = self;
        let space = if eco.is_empty() { "" } else { " " };
        write!(f, "{eco}{space}{name}")?;
        after.as_ref().map_or(Ok(()), |after| write!(f, ", after {after}"))
    }
}

impl LastInBook {
    fn of<G: Game>(book: &dyn Explorable, history: &GameHistory<G>) -> Result<Option<Self>> {
        let has_moves = book.rows().has(TableKind::Moves);
        for (ply, node) in history.nodes().iter().enumerate().rev().skip(1) {
            let is_known = book.rows().position(node.key)?.is_some()
                || (has_moves && !book.rows().moves(node.key)?.is_empty());
            if is_known {
                let explored = Explored::with_values(book, node)?;
                let code = node.code(&history.moves()[ply]);
                let is_played = explored.moves.iter().any(|played| played.code == code);
                let (played, plies) = (Played::of(history), ply + usize::from(is_played));
                return Ok(Some(Self {
                    ply,
                    explored,
                    line: played.line(0..plies),
                    number: plies.checked_sub(1).map_or(0, |last| played.numbers.of(last)),
                    leaving: (plies < played.moves.len()).then(|| played.line(plies..plies + 1)),
                }));
            }
        }
        Ok(None)
    }

    /// How far the line is in the book, and which line that is, for a person.
    pub fn said(&self) -> String {
        let Self { line, number, leaving, .. } = self;
        let said = match (number, leaving) {
            (0, Some(leaving)) => format!("{leaving} leaves the book"),
            (_, Some(leaving)) => {
                format!("in the book until move {number}: {line}; {leaving} leaves it")
            }
            (_, None) => format!("in the book until move {number}: {line}, where it ends"),
        };
        said + ". It knows before that:"
    }

    /// Likewise, without the line.
    pub fn left(&self) -> String {
        let Self { number, leaving, .. } = self;
        match (number, leaving) {
            (0, Some(leaving)) => format!("{leaving} leaves the book"),
            (_, Some(leaving)) => format!("in the book until move {number}; {leaving} leaves it"),
            (_, None) => format!("the book ends with move {number}"),
        }
    }
}
