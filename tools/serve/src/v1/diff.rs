//! What two books say of a position, side by side.

use super::asked;
use crate::query::{self, Request};
use crate::reply::{Answered, Refusal, Reply};
use crate::selection::Selection;
use crate::sources::Sources;
use serde::Serialize;
use tabia_play::explore::{Explorable, Explored, Move, Named};

/// Two books at a position.
#[derive(Debug, Serialize)]
struct Compared<'a> {
    books: [&'a str; 2],
    fen: String,
    /// The games that each has of the position.
    games: [u64; 2],
    evals: [Option<i16>; 2],
    /// Whether the books have another move first.
    flips: bool,
    moves: Vec<ComparedMove>,
}

/// A move that one of the books knows, or both.
#[derive(Debug, Serialize)]
struct ComparedMove {
    code: u16,
    #[serde(flatten)]
    name: Option<Named>,
    /// `same`, `changed`, `added` or `removed`: from the first book to the second.
    change: &'static str,
    books: [Option<Move>; 2],
}

/// Compares the books of the parameters `first` and `second`; what is chosen of shelves has the same
/// words before: `first_speeds`, `second_speeds` and so on.
pub fn diff(sources: &Sources, request: &Request) -> Answered {
    if request.text("first").is_none() || request.text("second").is_none() {
        return Err(Refusal::Bad("first and second name the two books".to_owned()));
    }
    for name in ["speeds", "ratings", "since", "until"] {
        if request.text(name).is_some() {
            let ways = format!("{name}: of which book? say first_{name} or second_{name}");
            return Err(Refusal::Bad(ways));
        }
    }
    let first = asked(sources, request, "first", "first_")?;
    let second = asked(sources, request, "second", "second_")?;
    let kind = |books: &Selection| {
        let header = books.header();
        (header.keys, header.keyed)
    };
    if kind(&first.books) != kind(&second.books) {
        return Err(Refusal::Bad("the books have other keys".to_owned()));
    }
    let history = query::history(request, first.game, first.books.header().keyed)?;
    let node = history.present();
    let explored = [Explored::new(&first.books, node)?, Explored::new(&second.books, node)?];
    let best = |explored: &Explored| explored.moves.first().map(|best| best.code);
    let (fen, flips) = (explored[0].fen.clone(), best(&explored[0]) != best(&explored[1]));
    let games = [explored[0].whole().games, explored[1].whole().games];
    let evals = [explored[0].position.eval, explored[1].position.eval];
    let mut moves: Vec<ComparedMove> = Vec::new();
    for (place, explored) in explored.into_iter().enumerate() {
        for known in explored.moves {
            let code = known.code;
            let at = moves.iter().position(|other| other.code == code).unwrap_or_else(|| {
                let named = |played| Named::of(&node.position, &played);
                let name = node.move_of_code(code).map(named);
                moves.push(ComparedMove { code, name, change: "same", books: [None, None] });
                moves.len() - 1
            });
            moves[at].books[place] = Some(known);
        }
    }
    for compared in &mut moves {
        compared.change = change(&compared.books);
    }
    let books = [first.name, second.name];
    let reply = Reply::json(&Compared { books, fen, games, evals, flips, moves })?;
    Ok(reply.of_books(&first.books).of_books(&second.books))
}

fn change(books: &[Option<Move>; 2]) -> &'static str {
    match books {
        [Some(first), Some(second)] => {
            let is_same = first.counts() == second.counts()
                && first.marks == second.marks
                && first.eval() == second.eval();
            if is_same { "same" } else { "changed" }
        }
        [Some(_), None] => "removed",
        _ => "added",
    }
}
