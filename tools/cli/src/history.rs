//! A game as given by a user: where it began, and what was played.

use crate::prelude::*;
use tabia_play::choice::GameHistory;
use tabia_play::text::castling_note;

/// A position, given by itself or by the moves that lead to it.
#[derive(clap::Args)]
pub struct CourseChoice {
    /// The position, as `explore` prints it
    ///
    /// A FEN in chess and draughts, the board and the side to move in Othello and Go.
    #[arg(long, visible_alias = "position", allow_hyphen_values = true)]
    fen: Option<String>,
    /// Moves that lead to it, such as "1. e4 e5 2. Nf3"
    ///
    /// From the start, or from the position that --fen gives.
    #[arg(long)]
    moves: Option<String>,
}

impl CourseChoice {
    /// Whether anything was said.
    pub fn is_given(&self) -> bool {
        self.fen.is_some() || self.moves.is_some()
    }

    /// What to do about a book that isn't there, if it may be a move of an option without quotes.
    fn check_quotes(&self, books: &[PathBuf]) -> Done<()> {
        let Some(moves) = &self.moves else { return Ok(()) };
        let is_move = |path: &&PathBuf| {
            !path.exists() && path.extension().is_none() && path.components().count() == 1
        };
        match books.iter().find(is_move) {
            Some(path) => Err(failure!(
                "{0}: there is no such book: if it is a move, put the moves in quotes: --moves \"{moves} {0}\"",
                path.display()
            )),
            None => Ok(()),
        }
    }

    /// The game up to the position that is asked for. A note says what a FEN of chess didn't, so that a
    /// position is not taken for another unseen: who may castle.
    pub fn history(
        &self,
        start: &Known,
        keyed: Keyed,
        console: &Console,
    ) -> Done<GameHistory<Known>> {
        let fen = self.fen.as_deref();
        let from = fen.map_or_else(|| Ok(start.clone()), |text| start.set_up(text));
        let from = from.map_err(|error| failure!("--fen: {error}"))?;
        let mut history = GameHistory::start(from, keyed);
        history
            .play_text(self.moves.as_deref().unwrap_or_default())
            .map_err(|(number, error)| failure!("--moves: move {number}: {error}"))?;
        if let Some(note) = fen.and_then(|text| castling_note(start, text)) {
            console.note(&format!("--fen: {note}"));
        }
        Ok(history)
    }

    /// The book that these paths name, its game, and the game up to the position in it that is asked for.
    pub fn open(
        &self,
        paths: &[PathBuf],
        view: View,
        console: &Console,
    ) -> Done<(OpenBook, Known, GameHistory<Known>)> {
        self.check_quotes(paths)?;
        let book = books::open_one(paths, view, console)?;
        let game = games::of(book.header(), book.first().path())?;
        let history = self.history(&game, book.header().keyed, console)?;
        Ok((book, game, history))
    }
}
