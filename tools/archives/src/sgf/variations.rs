//! The variations of a game's tree: all ways from its root to a leaf but the main line.

use super::Replay;
use super::text::{Text, Token};
use crate::reading::{Fault, Out, Replayed};
use crate::variations::{DEEPEST, Variation};
use tabia_games::go::Go;

/// Where a variation branched off from, to be gone back to when it ends.
struct Branch {
    /// Where it begins in the text.
    at: usize,
    game: Replayed<Go>,
    plies: usize,
    has_begun: bool,
    is_edited: bool,
    /// How many properties set up stones before it.
    set_up: usize,
    /// Why nothing in it counts.
    out: Option<Out>,
    /// Whether the line that leads to it has such a reason.
    is_dead: bool,
    /// Whether variations branched off in it.
    has_branches: bool,
}

impl<'a> Replay<'a, '_> {
    /// Reads the whole tree of a game whose main line was read, and hands each other line on.
    pub fn variations(&mut self, text: &mut Text<'a>, take: &mut dyn FnMut(Variation<'_>)) {
        let (mut open, mut is_main) = (Vec::<Branch>::new(), true);
        loop {
            let (at, depth, token) = (text.at(), open.len(), text.next());
            let Some(branch) = open.last_mut() else {
                match token {
                    Token::Open => open.push(self.branch(at, false)),
                    _ => return,
                }
                continue;
            };
            if !matches!(token, Token::Property(_)) {
                branch.out = branch.out.take().or(self.end_node().err());
            }
            let is_dead = branch.is_dead || branch.out.is_some();
            match token {
                Token::Property(property) if !is_dead => self.property(&property),
                Token::Property(_) | Token::Node => {}
                Token::Open => {
                    branch.has_branches = true;
                    if depth < DEEPEST {
                        open.push(self.branch(at, is_dead));
                        continue;
                    }
                    let what = format!("variations are nested more than {DEEPEST} deep");
                    branch.out.get_or_insert(Fault::broken(what).into());
                    if !text.skip_variation() {
                        return;
                    }
                }
                Token::Close | Token::End | Token::Broken(_) => {
                    let Some(branch) = open.pop() else { return };
                    self.end(branch, &mut is_main, take);
                    if !matches!(token, Token::Close) {
                        return;
                    }
                }
            }
            if open.is_empty() {
                return;
            }
        }
    }

    fn branch(&self, at: usize, is_dead: bool) -> Branch {
        Branch {
            at,
            game: self.game.clone(),
            plies: self.played.plies.len(),
            has_begun: self.has_begun,
            is_edited: self.is_edited,
            set_up: self.set_up.len(),
            out: None,
            is_dead,
            has_branches: false,
        }
    }

    /// Hands a line on that ends, if it is one, and goes back to where it branched off.
    fn end(&mut self, branch: Branch, is_main: &mut bool, take: &mut dyn FnMut(Variation<'_>)) {
        let is_leaf = !branch.has_branches || branch.out.is_some();
        if is_leaf && !std::mem::take(is_main) && !branch.is_dead {
            let has_moves = self.played.plies.len() > branch.plies;
            if has_moves || branch.out.is_some() {
                take(Variation {
                    at: branch.at,
                    plies: &self.played.plies,
                    evals: &[],
                    last: self.game.last(),
                    out: branch.out,
                });
            }
        }
        self.played.plies.truncate(branch.plies);
        self.game = branch.game;
        (self.has_begun, self.is_edited) = (branch.has_begun, branch.is_edited);
        self.set_up.truncate(branch.set_up);
    }
}
