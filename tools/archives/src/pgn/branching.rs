//! Where a game that is replayed branches off into variations, and goes on behind them: `1. e4 e5
//! (1... c5 2. Nf3) 2. Nf3` has one, which takes the place of the move before it.

use super::notation::Notation;
use super::replay::Replay;
use crate::game_record::{EvalComment, Ply};
use crate::reading::{Fault, Replayed};
use crate::variations::{DEEPEST, Variation};

pub(super) struct Branches<'a, G> {
    /// Takes each one when it ends, those inside others first.
    pub take: &'a mut dyn FnMut(Variation<'_>),
    /// The line that is being read, before its last move; none before its first one.
    pub before: Option<Replayed<G>>,
    /// The variations that are open, the innermost last.
    pub open: Vec<Branch<G>>,
}

/// What a variation branched off from, to be gone on with when it ends.
pub(super) struct Branch<G> {
    /// Where the variation begins in the text.
    pub at: usize,
    pub game: Replayed<G>,
    pub before: Replayed<G>,
    pub replaced: Ply,
    /// The evals of positions behind the branching.
    pub evals: Vec<EvalComment>,
    /// How many plies and evals lead to it.
    pub plies: usize,
    pub kept_evals: usize,
}

impl<G: Notation> Replay<'_, G> {
    /// Takes note of where the game is, if variations may branch off there.
    #[inline(always)]
    pub fn about_to_move(&mut self) {
        if let Some(branches) = &mut self.branches {
            branches.before = Some(self.game.clone());
        }
    }

    /// Whether a variation is being read.
    #[inline]
    pub fn in_variation(&self) -> bool {
        self.branches.as_ref().is_some_and(|branches| !branches.open.is_empty())
    }

    /// Whether a result ends the game here.
    #[inline]
    pub fn can_end(&self) -> bool {
        self.in_game && !self.in_variation()
    }

    /// Whether a variation that is being read has no move yet.
    pub fn is_before_its_moves(&self) -> bool {
        let innermost = self.branches.as_ref().and_then(|branches| branches.open.last());
        innermost.is_some_and(|branch| self.plies.len() <= branch.plies)
    }

    /// Begins a variation at this place of the text, if it is to be read; else it is to be skipped.
    pub fn open(&mut self, at: usize) -> bool {
        let Some(branches) = self.branches.as_mut().filter(|_| self.out.is_none()) else {
            return false;
        };
        if branches.open.len() >= DEEPEST {
            let what = format!("variations are nested more than {DEEPEST} deep");
            self.out = Some(Fault::broken(what).into());
            return false;
        }
        let Some(before) = branches.before.take() else { return false };
        let Some(replaced) = self.plies.pop() else { return false };
        let plies = self.plies.len();
        let mut branch = Branch {
            at,
            game: std::mem::replace(&mut self.game, before.clone()),
            before,
            replaced,
            evals: Vec::new(),
            plies,
            kept_evals: 0,
        };
        if let Some(evals) = &mut self.evals {
            let is_behind = |eval: &EvalComment| eval.plies as usize > plies;
            branch.kept_evals =
                evals.iter().rposition(|eval| !is_behind(eval)).map_or(0, |last| last + 1);
            branch.evals = evals.split_off(branch.kept_evals);
        }
        branches.open.push(branch);
        true
    }

    /// Ends the innermost variation, if there is one: it is handed on, and the line before goes on.
    pub fn close(&mut self) {
        let Some(branches) = &mut self.branches else { return };
        let Some(branch) = branches.open.pop() else { return };
        let out = self.out.take();
        if out.is_some() || self.plies.len() > branch.plies {
            (branches.take)(Variation {
                at: branch.at,
                plies: self.plies,
                evals: self.evals.as_deref().map_or(&[], Vec::as_slice),
                last: self.game.last(),
                out,
            });
        }
        self.plies.truncate(branch.plies);
        self.plies.push(branch.replaced);
        if let Some(evals) = &mut self.evals {
            evals.truncate(branch.kept_evals);
            evals.extend(branch.evals);
        }
        self.game = branch.game;
        branches.before = Some(branch.before);
    }
}
