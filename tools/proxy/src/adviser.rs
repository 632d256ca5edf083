//! The player from a book: it is asked for moves, and told when a game begins or the book changes.

use crate::book_stack::{BookFiles, BookStack};
use crate::error::Error;
use crate::options::BookSettings;
use tabia::{Key, Keyed};
use tabia_games::{Game, Node};
use tabia_play::choice::{Decision, GameHistory, Limits, Player, RuleSpec, Seed};

/// Chooses moves from a stack of books.
pub struct Adviser<'a, G: Game> {
    stack: &'a BookStack,
    /// The player for games from the start that was last asked about.
    prepared: Option<Prepared<'a, G>>,
    /// The books that are to take the place of these.
    next: Option<BookStack>,
    /// Where the game left the books.
    departure: Departure,
}

struct Prepared<'a, G: Game> {
    start: Key,
    rule: RuleSpec,
    player: Player<'a, G>,
}

impl<'a, G: Game> Adviser<'a, G> {
    /// An adviser with these books.
    pub fn new(stack: &'a BookStack) -> Self {
        Self { stack, prepared: None, next: None, departure: Departure::default() }
    }

    /// The books to go on with, if they are to be others.
    pub fn other_books(&mut self) -> Option<BookStack> {
        self.next.take()
    }

    /// What users should know of how the rule that was prepared goes by these books, in a line.
    pub fn note(&self) -> Option<String> {
        self.prepared.as_ref().and_then(|prepared| prepared.player.note())
    }

    pub(crate) fn keyed(&self) -> Keyed {
        self.stack.keyed()
    }

    /// Does ahead of time what a rule wants to be done before games from this position are played,
    /// if it isn't done yet.
    pub fn prepare(&mut self, start: &Node<G>, rule: &RuleSpec) -> Result<(), Error> {
        self.player(start, rule).map(drop)
    }

    /// The book's decision by these settings, in the game after so many others.
    pub fn decide(
        &mut self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
        settings: &BookSettings,
        game: u64,
    ) -> Result<Decision<G::Move>, Error> {
        if let Some(why) = self.why_unasked(history, limits, settings.max_out) {
            return Ok(Decision::none(why));
        }
        let player = self.player(&history.nodes()[0], &settings.rule)?;
        player.seed = Seed { seed: settings.seed, game };
        let decision = player.decide(history, limits)?;
        self.departure.note(history, !decision.candidates.is_empty());
        Ok(decision)
    }

    /// From the next line on, these books take the place of the present ones; nothing has changed
    /// if one can't be opened or is of something else.
    pub(crate) fn open(&mut self, files: &BookFiles) -> Result<(), Error> {
        self.next = Some(self.stack.with(files)?);
        Ok(())
    }

    /// A game begins: what was added to the books since they were opened is seen from the next line
    /// on; those that are open stay if they can't be read any more.
    pub(crate) fn new_game(&mut self) -> Result<(), Error> {
        self.next = self.stack.refreshed()?.or_else(|| self.next.take());
        Ok(())
    }

    /// Why the books aren't even asked, if they aren't.
    fn why_unasked(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
        max_out: usize,
    ) -> Option<String> {
        if let Some(plies) = limits.plies.filter(|&plies| history.plies() >= plies) {
            return Some(format!("the book is used for {plies} plies only"));
        }
        let out = self.departure.plies_since(history).filter(|&out| out >= max_out)?;
        Some(format!("the game left the book {out} plies ago, and is looked up for {max_out} only"))
    }

    fn player(&mut self, start: &Node<G>, rule: &RuleSpec) -> Result<&mut Player<'a, G>, Error> {
        let prepared = match self.prepared.take() {
            Some(prepared) if prepared.start == start.key && prepared.rule == *rule => prepared,
            _ => {
                let player = self.stack.player(rule, start, Seed::default())?;
                Prepared { start: start.key, rule: rule.clone(), player }
            }
        };
        Ok(&mut self.prepared.insert(prepared).player)
    }
}

/// Where the game that was last asked about left the books, if it did: the position that it began
/// with, and the ply and key of the first position of which the books knew nothing.
///
/// A GUI may take moves back, go on elsewhere or begin again: a game counts as the same one as long
/// as it still goes through that position.
#[derive(Clone, Copy, Debug, Default)]
struct Departure(Option<(Key, usize, Key)>);

impl Departure {
    /// How many plies ago this game left the books; none if it isn't known to have left them.
    fn plies_since<G: Game>(&self, history: &GameHistory<G>) -> Option<usize> {
        let nodes = history.nodes();
        let (_, ply, key) = self.0.filter(|(start, ..)| nodes[0].key == *start)?;
        let is_same = nodes.get(ply).is_some_and(|node| node.key == key);
        is_same.then(|| history.plies() - ply)
    }

    /// The books were asked about the present position of a game, and know something of it or not.
    fn note<G: Game>(&mut self, history: &GameHistory<G>, is_known: bool) {
        if is_known {
            self.0 = None;
        } else if self.plies_since(history).is_none() {
            self.0 = Some((history.nodes()[0].key, history.plies(), history.present().key));
        }
    }
}
