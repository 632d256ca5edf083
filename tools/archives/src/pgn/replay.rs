//! One game while it is replayed.

use super::branching::Branches;
use super::evals::{self, Of};
use super::notation::Notation;
use crate::game_record::{EvalComment, Ply};
use crate::reading::{Fault, Out, Replayed, shown};
use crate::stats::Reason;
use tabia::Marks;
use tabia_games::{Side, Trouble};

pub(super) struct Replay<'a, G> {
    pub game: Replayed<G>,
    pub plies: &'a mut Vec<Ply>,
    /// What engines said, if that is wanted.
    pub evals: Option<&'a mut Vec<EvalComment>>,
    /// Once there is a reason why it isn't counted, nothing is replayed any more.
    pub out: Option<Out>,
    /// It has tags or a move: it is a game.
    pub in_game: bool,
    /// There was text before it that belongs to nothing.
    pub stray: bool,
    /// What its Result tag says; empty without one.
    pub result: &'a [u8],
    /// Its variations, if they are replayed too; skipped else.
    pub branches: Option<Branches<'a, G>>,
}

impl<G: Notation> Replay<'_, G> {
    /// Plays the move a text means. `may_be_cut` says that the archive ends with it.
    #[inline]
    pub fn play(&mut self, text: &[u8], may_be_cut: bool) {
        if self.out.is_some() {
            if G::NUMBERED_SQUARES {
                self.reconsiders(text);
            }
            return;
        }
        match self.game.position.read_move(text) {
            Ok(played) if self.in_game => {
                self.about_to_move();
                self.game.play(&played, self.plies);
            }
            Ok(_) => {
                self.begin();
                self.play(text, may_be_cut);
            }
            Err(_) if may_be_cut => {}
            Err(trouble) => self.fails(trouble, text),
        }
    }

    /// Whether a text is a legal move where the game is.
    #[cold]
    pub fn is_move(&self, text: &[u8]) -> bool {
        self.out.is_none() && self.game.position.read_move(text).is_ok()
    }

    /// A game without tags begins with its first move.
    #[cold]
    fn begin(&mut self) {
        self.in_game = true;
        if self.stray {
            self.out =
                Some(Fault::broken("text that belongs to no tag stands before its moves").into());
        }
    }

    #[cold]
    fn fails(&mut self, trouble: Trouble, text: &[u8]) {
        if trouble == Trouble::Null && self.in_game && self.game.position.takes_null() {
            return;
        }
        if !self.in_game {
            if matches!(trouble, Trouble::Unreadable | Trouble::Null) {
                self.stray = true;
                return;
            }
            self.begin();
        }
        let ply = self.plies.len() + 1;
        let fault = if G::is_of_another_game(&self.game.position, text) {
            Fault::at_ply(Reason::OtherGame, text, "is a move of another game", ply)
        } else {
            Fault::of_move(trouble, text, ply)
        };
        self.out.get_or_insert_with(|| fault.into());
    }

    /// A game with a move that isn't legal shows by a later one that it is another game.
    #[cold]
    fn reconsiders(&mut self, text: &[u8]) {
        if let Some(Out::Skipped(fault)) = &mut self.out
            && fault.reason == Reason::IllegalMove
            && self.game.position.is_of_another_game(text)
        {
            *fault = Fault::other_game(format!(
                "{}, and `{}` is a move of another game",
                fault.detail,
                shown(text)
            ));
        }
    }

    /// The game can't be read, unless that is known already.
    #[cold]
    pub fn breaks(&mut self, detail: &str) {
        if self.out.is_none() {
            self.out =
                Some(Fault::broken(format!("{detail}, after ply {}", self.plies.len())).into());
        }
    }

    /// Adds marks to the last move.
    pub fn mark(&mut self, marks: Marks) {
        if self.is_before_its_moves() {
            return;
        }
        if let Some(ply) = self.plies.last_mut().filter(|_| self.out.is_none()) {
            ply.marks |= marks;
        }
    }

    /// Takes what an engine says in a comment after the last move, if that is wanted.
    #[inline]
    pub fn comment(&mut self, comment: &[u8]) {
        if self.evals.is_some() && self.in_game && self.out.is_none() && !self.is_before_its_moves()
        {
            self.eval(comment);
        }
    }

    #[inline(never)]
    fn eval(&mut self, comment: &[u8]) {
        let (Some(evals), Some(said)) = (&mut self.evals, evals::read(comment)) else { return };
        let position = match said.of {
            Of::AfterForWhite => Some((self.plies.len(), self.game.position.side())),
            Of::BeforeForMover | Of::BeforeForWhite => {
                self.plies.last().map(|ply| (self.plies.len() - 1, ply.side))
            }
        };
        if let Some((plies, side)) = position {
            let (plies, value) =
                (u32::try_from(plies).unwrap_or(u32::MAX), said.value(side == Side::First));
            evals.push(EvalComment { plies, value, depth: said.depth });
        }
    }
}
