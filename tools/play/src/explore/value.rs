//! What a position is worth by all that is behind it, where a book grew.

use super::book::Explorable;
use crate::backed_up::BackedUp;
use crate::negamax::Value;
use serde::Serialize;
use tabia::{Fact, Result};
use tabia_games::{Game, Node};

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
pub(super) fn behind<G: Game>(
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
