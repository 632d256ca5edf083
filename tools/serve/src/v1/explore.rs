//! What a book knows of a position.

use super::{Asked, asked};
use crate::place;
use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use serde::Serialize;
use tabia_games::{Game, Known, KnownMove, Node, Outcome};
use tabia_play::choice::GameHistory;
use tabia_play::explore::{Answer, Explorable, Named, Share};

/// What is answered: what `tabia explore --json` prints, and what a board needs besides.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    book: &'a str,
    game: &'static str,
    /// The side to move: 0 or 1.
    side: usize,
    sides: [&'static str; 2],
    /// The moves played from the first position on.
    line: Vec<Named>,
    /// The position that the line starts from.
    from: String,
    legal: Vec<Legal>,
    /// How the game ended, if the rules say that it is over here: `first`, `second` or `draw`.
    outcome: Option<&'static str>,
    /// What the moves' games are shares of.
    whole: u64,
    /// Whose games these are: `position` or `moves`.
    whole_of: &'static str,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Debug, Serialize)]
struct Legal {
    #[serde(flatten)]
    name: Named,
    /// Its code in the book: moves that are images of each other have one.
    code: u16,
    /// Whether the same side moves again behind it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    again: bool,
}

pub fn explore(sources: &Sources, request: &Request) -> Answered {
    let asked = asked(sources, request, "book", "")?;
    let history = place::asked(request, asked.game, asked.books.header().keyed)?;
    Ok(Reply::json(&Shown::new(&asked, &history)?)?.of_books(&asked.books))
}

impl<'a> Shown<'a> {
    fn new(asked: &Asked<'a>, history: &GameHistory<Known>) -> Result<Self, Refusal> {
        let answer = Answer::new(&asked.books, history, asked.names)?;
        let (node, position) = (history.present(), &history.present().position);
        let whole = answer.explored.whole();
        Ok(Self {
            book: asked.name,
            game: asked.game.name(),
            side: position.side().index(),
            sides: position.sides(),
            line: history
                .moves()
                .iter()
                .zip(history.nodes())
                .map(|(played, before)| Named::of(&before.position, played))
                .collect(),
            from: history.nodes()[0].position.setup(),
            legal: position.legal().iter().map(|played| Legal::new(node, played)).collect(),
            outcome: position.outcome().map(|outcome| match outcome {
                Outcome::FirstWins => "first",
                Outcome::SecondWins => "second",
                Outcome::Draw => "draw",
            }),
            whole: whole.games,
            whole_of: if whole.of == Share::OfPosition { "position" } else { "moves" },
            answer,
        })
    }
}

impl Legal {
    fn new(node: &Node<Known>, played: &KnownMove) -> Self {
        let position = &node.position;
        let again = position.after(played).side() == position.side();
        Self { name: Named::of(position, played), code: node.code(played), again }
    }
}
