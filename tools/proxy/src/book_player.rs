//! The player from a book: it is asked for moves, and notified when a game begins or the book
//! changes.

use crate::book_stack::{BookFiles, BookStack};
use crate::departure::Departure;
use crate::error::Error;
use tabia::Key;
use tabia::format::Keyed;
use tabia_games::{Game, Node};
use tabia_play::choice::{Decision, GameHistory, Limits, Player, RuleSpec, Seed};

/// A query for a move.
pub struct Query<'a, G: Game> {
    /// The game so far.
    pub history: &'a GameHistory<G>,
    /// What holds whatever the rule.
    pub limits: &'a Limits<G::Move>,
    /// The rule.
    pub rule: &'a RuleSpec,
    /// Where chance comes from.
    pub seed: Seed,
    /// A game that left the book so many plies ago isn't looked up.
    pub max_out: usize,
}

/// A source of moves from a book.
pub trait BookPlayer<G: Game> {
    /// Whether the book is keyed by position or by line.
    fn keyed(&self) -> Keyed;

    /// Does ahead of time what a rule wants to be done before games from this position are played,
    /// if it isn't done yet.
    ///
    /// # Errors
    /// The books'.
    fn prepare(&mut self, start: &Node<G>, rule: &RuleSpec) -> Result<(), Error>;

    /// The book's decision.
    ///
    /// # Errors
    /// The books'.
    fn decide(&mut self, question: &Query<'_, G>) -> Result<Decision<G::Move>, Error>;

    /// From the next line on, these books take the place of the present ones.
    ///
    /// # Errors
    /// If one can't be opened or is of something else; nothing has changed then.
    fn open(&mut self, files: &BookFiles) -> Result<(), Error>;

    /// A game begins: what was added to the books since they were opened is seen from the next line
    /// on.
    ///
    /// # Errors
    /// If they can't be read any more; those that are open stay.
    fn new_game(&mut self) -> Result<(), Error>;
}

/// The [`BookPlayer`] that chooses moves from a stack of books.
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
    #[must_use]
    pub fn new(stack: &'a BookStack) -> Self {
        Self { stack, prepared: None, next: None, departure: Departure::default() }
    }

    /// The books to go on with, if they are to be others.
    pub fn other_books(&mut self) -> Option<BookStack> {
        self.next.take()
    }

    /// What users should know of how the rule that was prepared goes by these books, in a line.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        self.prepared.as_ref().and_then(|prepared| prepared.player.note())
    }

    /// Why the books aren't even asked, if they aren't.
    fn why_unasked(&self, question: &Query<'_, G>) -> Option<String> {
        let history = question.history;
        if let Some(plies) = question.limits.plies.filter(|&plies| history.plies() >= plies) {
            return Some(format!("the book is used for {plies} plies only"));
        }
        let out = self.departure.plies_since(history)?;
        (out >= question.max_out).then(|| {
            format!(
                "the game left the book {out} plies ago, and is looked up for {} only",
                question.max_out
            )
        })
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

impl<G: Game> BookPlayer<G> for Adviser<'_, G> {
    fn keyed(&self) -> Keyed {
        self.stack.keyed()
    }

    fn prepare(&mut self, start: &Node<G>, rule: &RuleSpec) -> Result<(), Error> {
        self.player(start, rule).map(drop)
    }

    fn decide(&mut self, question: &Query<'_, G>) -> Result<Decision<G::Move>, Error> {
        if let Some(why) = self.why_unasked(question) {
            return Ok(Decision::none(why));
        }
        let player = self.player(&question.history.nodes()[0], question.rule)?;
        player.seed = question.seed;
        let decision = player.decide(question.history, question.limits)?;
        self.departure.note(question.history, !decision.candidates.is_empty());
        Ok(decision)
    }

    fn open(&mut self, files: &BookFiles) -> Result<(), Error> {
        self.next = Some(self.stack.with(files)?);
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Error> {
        self.next = self.stack.refreshed()?.or_else(|| self.next.take());
        Ok(())
    }
}
