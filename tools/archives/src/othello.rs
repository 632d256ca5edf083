//! Othello's archives: WTHOR, GGF, transcripts of a game a line, and text with tags.
//!
//! - Passes aren't written in most of them. Where one is, it has to be due; it is no ply.
//! - Disc counts are Black's and White's; where the game is over empty squares are the winner's.
//! - A game that breaks off before it is over counts if its archive says how it ended: records were
//!   lost, clocks ran out, players resigned.

mod ggf;
mod transcript;
mod wthor;

use crate::filter::GameFacts;
use crate::game_record::GameRecord;
use crate::pgn::notation::{Notation, in_ascii};
use crate::pgn::tags::{Tags, decoded};
use crate::reading::{Fault, Out, Replayed, judge};
use crate::wanted::Wanted;
pub use ggf::GgfReader;
use tabia_games::{Game, Othello, Outcome, Trouble, letters_of};
pub use transcript::TranscriptReader;
pub use wthor::WthorReader;

/// Replays games that a reader takes apart, in buffers it keeps.
#[derive(Debug)]
struct Replayer {
    start: Othello,
    wanted: Wanted,
    game: GameRecord,
}

impl Replayer {
    fn new(start: Othello, wanted: Wanted) -> Self {
        Self { start, wanted, game: GameRecord::default() }
    }

    /// Makes sure that a game is wanted of which this is known.
    fn judge(&self, facts: &GameFacts<'_>) -> Result<(), Out> {
        judge(&self.wanted.filter, || facts.clone())
    }

    fn begin(&mut self, start: Option<Othello>) -> Replayed<Othello> {
        Replayed::start(start.unwrap_or_else(|| self.start.clone()), &self.wanted, &mut self.game)
    }

    /// Plays what a text means: a square, or a pass that is due.
    fn play(&mut self, replayed: &mut Replayed<Othello>, text: &[u8]) -> Result<(), Fault> {
        match replayed.position.read_move(text) {
            Ok(played) => replayed.play(&played, &mut self.game.plies),
            Err(Trouble::Null) if replayed.position.has_passed() => {}
            Err(trouble) => return Err(Fault::of_move(trouble, text, self.game.plies.len() + 1)),
        }
        Ok(())
    }

    /// Writes down how a game ended, and what is known of it.
    fn end(
        &mut self,
        replayed: &Replayed<Othello>,
        facts: &GameFacts<'_>,
        outcome: impl FnOnce() -> Result<Outcome, Fault>,
    ) -> Result<(), Out> {
        self.game.ends(replayed, outcome, facts.ratings, &self.wanted, || facts.clone())
    }
}

/// Text with tags and moves as PGN has them; its results are the discs of both sides, `26-38`.
impl Notation for Othello {
    fn outcome_of(&self, result: &[u8]) -> Option<Outcome> {
        outcome_of(result)
    }

    fn check_kind(&self, tags: &Tags<'_>) -> Result<(), Fault> {
        let Some(variant) = tags.variant else { return Ok(()) };
        match letters_of(variant).as_slice() {
            b"" | b"othello" | b"reversi" | b"standard" | b"normal" | b"8" | b"8x8" => Ok(()),
            _ => Err(Fault::other_game(format!("its Variant tag is `{}`", decoded(variant)))),
        }
    }

    fn takes_null(&self) -> bool {
        self.has_passed()
    }
}

/// The outcome that a result says: `38-26` is what Black and White have; `1/2` is a draw.
fn outcome_of(result: &[u8]) -> Option<Outcome> {
    let text = in_ascii(result.get(..20).unwrap_or(result));
    if matches!(text.as_str(), "1/2" | "1/2-1/2") {
        return Some(Outcome::Draw);
    }
    let (black, white) = text.split_once('-')?;
    let [black, white] = [black, white]
        .map(|count| count.parse::<u8>().ok().filter(|&count| count <= 64 && !text.contains('+')));
    let (black, white) = (i32::from(black?), i32::from(white?));
    (1..=64).contains(&(black + white)).then(|| Outcome::of_lead(black - white))
}
