//! What people change in a book: marks of moves and evals of positions, where edits are allowed.

use crate::query::{self, Request};
use crate::reply::{Answered, Refusal, Reply};
use crate::source::Source;
use crate::sources::Sources;
use serde::Deserialize;
use serde_json::json;
use tabia::{Batch, Book, Counts, Env, Marks, PositionRow, TableKind, Writer, stray_journals};
use tabia_build::edits::{mark_moves, put_evaluated};
use tabia_games::{Game, Known};
use tabia_play::explore::OpenBook;

/// An edit: of a move its mark, or of a position its eval.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// The book's name; the first one of the game without it.
    book: Option<String>,
    /// The position that the line starts from; the start of the game without it.
    fen: Option<String>,
    /// Moves from there on, with commas between.
    play: Option<String>,
    /// The move that is marked.
    #[serde(rename = "move")]
    played: Option<String>,
    /// `never`, `always` or `none`.
    mark: Option<String>,
    /// The position's eval, for the side to move.
    eval: Option<i16>,
    /// How much the eval is worth.
    depth: Option<u8>,
}

/// What is to be changed.
enum Change {
    Mark(String, Marks),
    Eval(i16, u8),
}

impl Edit {
    fn change(&self) -> Result<Change, Refusal> {
        match (&self.played, self.mark.as_deref(), self.eval) {
            (Some(played), Some(mark), None) => {
                let word = match mark {
                    "never" => Marks::NEVER,
                    "always" => Marks::ALWAYS,
                    "none" => Marks::empty(),
                    _ => return Err(Refusal::Bad("mark is never, always or none".to_owned())),
                };
                Ok(Change::Mark(played.clone(), word))
            }
            (None, None, Some(eval)) => Ok(Change::Eval(eval, self.depth.unwrap_or_default())),
            _ => Err(Refusal::Bad("give move and mark, or eval and depth".to_owned())),
        }
    }
}

/// Changes a book by one batch of its journal. It needs the token that the server was started with.
pub fn edit(sources: &Sources, request: &Request) -> Answered {
    if sources.token.is_none() {
        return Err(Refusal::Forbidden("books aren't edited here: --edit allows it".to_owned()));
    }
    if !request.token.as_deref().is_some_and(|token| sources.is_token(token)) {
        return Err(Refusal::Forbidden("an edit needs the token of this server".to_owned()));
    }
    let edit: Edit = serde_json::from_slice(&request.body)
        .map_err(|error| Refusal::Bad(format!("this is no edit: {error}")))?;
    let change = edit.change()?;
    let game = request.part("game")?;
    let Some(source) = super::named(sources, game, edit.book.as_deref())?.book() else {
        return Err(Refusal::Bad("a shelf isn't edited: serve the book of a slice".to_owned()));
    };
    let snapshot = source.now();
    let OpenBook::One(book) = &snapshot.book else {
        return Err(Refusal::Bad("the shares of a book aren't edited".to_owned()));
    };
    let place = [("fen", &edit.fen), ("play", &edit.play)];
    let query =
        place.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
    let asked = Request { query: query.collect(), ..Request::default() };
    let sequence = edited(&source.game, &asked, change, book)?;
    Reply::json(&json!({ "sequence": sequence, "version": Source::now(source).version }))
}

/// The sequence number of the batch, if there is anything to change.
fn edited(
    start: &Known,
    asked: &Request,
    change: Change,
    book: &Book,
) -> Result<Option<u64>, Refusal> {
    let history = query::history(asked, start, book.header().keyed)?;
    let node = history.present();
    let needed = match change {
        Change::Mark(..) => TableKind::Moves,
        Change::Eval(..) => TableKind::Positions,
    };
    if !book.has(needed) {
        return Err(Refusal::Bad("this book has no table for it".to_owned()));
    }
    let path = book.path();
    let mut writer = Writer::open(Env::default(), path)?;
    if let Some(stray) = stray_journals(path, writer.header().digest)?.first() {
        let stray = stray.display();
        return Err(Refusal::Failed(format!(
            "{stray} holds additions to this book under another name: rename it first"
        )));
    }
    // As it is now that nobody else can change it.
    let (book, mut batch) = (Book::open(path)?, Batch::new());
    match change {
        Change::Mark(text, word) => {
            let played = node.position.parse_move(&text);
            let played = played.map_err(|error| Refusal::Bad(format!("move: {error}")))?;
            mark_moves(&book, &mut batch, node.key, [node.code(&played)], word)?;
        }
        Change::Eval(eval, depth) => {
            let old = book.position(node.key)?;
            let row = old.unwrap_or_else(|| PositionRow::new(node.key, Counts::default()));
            put_evaluated(&book, &mut batch, row.with_eval(eval, depth))?;
        }
    }
    if batch.is_empty() { Ok(None) } else { Ok(Some(writer.append(&batch)?)) }
}
