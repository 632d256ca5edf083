//! What books know of each legal move.

use crate::choice::RowLookup;
use tabia::{Counts, Flags, Key, Marks, MoveRow, PositionRow, Ratings, Result, Row};
use tabia_games::{Game, Node};

/// A legal move that books know, or that leads to a position they know.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<M> {
    /// The move. Of several that are images of each other, the one that people play.
    pub played: M,
    /// What the books know it by.
    pub code: u16,
    /// How its games here ended, as its player sees it (Q): none if the books have no row for it.
    pub made: Option<Counts>,
    /// Its marks in the books.
    pub marks: Marks,
    /// What the books know the position behind it by.
    pub key: Key,
    /// What the position behind it is worth (V): none if the books don't know it.
    pub reached: Option<Reached>,
}

/// What is known of the position behind a move, as the player of the move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How the games ended that came to it, however they did.
    pub counts: Counts,
    /// What it is worth in the game's own unit.
    pub eval: Option<i16>,
    /// How much the eval is worth.
    pub depth: u8,
    /// What else is known: a proven win is one of the player of the move.
    pub flags: Flags,
    /// The ratings of those who played the move, where a rule asks for them.
    pub ratings: Option<Ratings>,
    /// The move's marks, where a rule asks for them.
    pub marks: Marks,
}

impl<M> Candidate<M> {
    /// Games in which it was played here.
    pub fn games(&self) -> u64 {
        self.made.map_or(0, |counts| counts.games())
    }

    /// Games in which it was played here, or, if more, that came to the position behind it.
    pub fn games_there(&self) -> u64 {
        self.games().max(self.reached.map_or(0, |reached| reached.counts.games()))
    }

    /// Whether the book maker said: never play this.
    pub fn is_never(&self) -> bool {
        self.marks.contains(Marks::NEVER)
    }

    /// Whether the book maker said: always play this.
    pub fn is_always(&self) -> bool {
        is_always(self.marks)
    }
}

/// Whether the book maker said: always play this. `never` is stronger.
pub(crate) fn is_always(marks: Marks) -> bool {
    marks & (Marks::ALWAYS | Marks::NEVER) == Marks::ALWAYS
}

impl Reached {
    /// What a row says to the side that is to move there, or to the other one.
    pub fn seen(row: &PositionRow, by_other_side: bool) -> Self {
        let (counts, eval, known) = (row.counts(), row.eval(), row.flags());
        let (counts, eval, flags) = match by_other_side {
            // An eval is never i16::MIN, so it can be negated.
            true => (flipped(counts), eval.map(|eval| -eval), with_proofs_turned(known)),
            false => (counts, eval, known),
        };
        Self { counts, eval, depth: row.depth(), flags, ..Self::default() }
    }
}

/// Counts as the other side sees them.
pub(crate) fn flipped(counts: Counts) -> Counts {
    Counts { wins: counts.losses, draws: counts.draws, losses: counts.wins }
}

/// Flags with proven win and proven loss exchanged.
fn with_proofs_turned(known: Flags) -> Flags {
    const BOTH: Flags = Flags::PROVEN_WIN.union(Flags::PROVEN_LOSS);
    let turned = match known & BOTH {
        Flags::PROVEN_WIN => Flags::PROVEN_LOSS,
        Flags::PROVEN_LOSS => Flags::PROVEN_WIN,
        both_or_none => both_or_none,
    };
    (known - BOTH) | turned
}

/// All candidates at a node, in ascending order of their codes.
///
/// # Errors
/// The books'.
pub fn candidates<G: Game>(
    rows: &dyn RowLookup,
    node: &Node<G>,
) -> Result<Vec<Candidate<G::Move>>> {
    let position = &node.position;
    let legal = position.legal().into_iter();
    let mut coded: Vec<_> = legal.map(|played| (node.code(&played), played)).collect();
    // Of images of each other the first is the one that people play.
    coded.sort_by_key(|(code, played)| (*code, position.rank(position.image(played, 0))));
    coded.dedup_by_key(|(code, _)| *code);
    let known = rows.moves(node.key)?;
    let behind: Vec<Node<G>> = coded.iter().map(|(_, played)| node.after(played)).collect();
    let keys: Vec<Key> = behind.iter().map(|next| next.key).collect();
    let reached = rows.positions(&keys)?;
    let mut found = Vec::new();
    for (((code, played), next), reached) in coded.into_iter().zip(behind).zip(reached) {
        let row = known.binary_search_by_key(&code, MoveRow::code).ok().map(|place| known[place]);
        let by_other_side = next.position.side() != position.side();
        let reached = reached.map(|row| Reached::seen(&row, by_other_side));
        if row.is_some() || reached.is_some() {
            let made = row.map(|row| row.counts());
            let marks = row.map_or(Marks::empty(), |row| row.marks());
            found.push(Candidate { played, code, made, marks, key: next.key, reached });
        }
    }
    Ok(found)
}
