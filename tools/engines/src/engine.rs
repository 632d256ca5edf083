//! An engine as seen by a caller that wants moves, independent of its protocol.

use crate::answer::{BookUse, Ranking, Thought};
use crate::error::{Error, Fault};
use crate::limit::Limit;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tabia_games::{Game, Komi, Side};

/// How long an engine thinks of a position where nothing was said.
const ANALYZED: Duration = Duration::from_secs(5);
/// How long it thinks before it is heard first.
const FIRST_SLICE: Duration = Duration::from_millis(100);

/// A game so far.
#[derive(Clone, Debug)]
pub struct MoveHistory<G: Game> {
    start: G,
    plies: Vec<(Side, G::Move)>,
    position: G,
}

/// Whose turn it was, and the move made with the position before it; none where that side couldn't
/// move, so that the other moved again or is to move.
pub(crate) type Turn<'a, G> = (Side, Option<(G, &'a <G as Game>::Move)>);

impl<G: Game> MoveHistory<G> {
    /// A game without moves.
    pub fn new(start: G) -> Self {
        Self { position: start.clone(), plies: Vec::new(), start }
    }

    /// Where it started.
    pub fn start(&self) -> &G {
        &self.start
    }

    /// Where it has come to.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The moves, each with who made it.
    pub fn plies(&self) -> &[(Side, G::Move)] {
        &self.plies
    }

    /// Makes a move, which must be legal here.
    pub fn play(&mut self, played: &G::Move) {
        self.plies.push((self.position.side(), played.clone()));
        self.position.play(played);
    }

    /// Takes the last move back; whether there was one.
    pub fn take_back(&mut self) -> bool {
        let is_taken = self.plies.pop().is_some();
        self.position = self.start.clone();
        self.plies.iter().for_each(|(_, played)| self.position.play(played));
        is_taken
    }

    /// The positions that moves were made from, each with its move.
    pub fn replay(&self) -> impl Iterator<Item = (G, &G::Move)> {
        let mut position = self.start.clone();
        self.plies.iter().map(move |(_, played)| {
            let before = position.clone();
            position.play(played);
            (before, played)
        })
    }

    /// All turns from the start on, those of sides that couldn't move among them.
    pub(crate) fn turns(&self) -> Vec<Turn<'_, G>> {
        let (mut turns, mut due) = (Vec::with_capacity(self.plies.len()), self.start.side());
        for (before, played) in self.replay() {
            let side = before.side();
            turns.extend((side != due).then_some((due, None)));
            turns.push((side, Some((before, played))));
            due = side.other();
        }
        let is_passed = self.position.side() != due && !self.position.legal().is_empty();
        turns.extend(is_passed.then_some((due, None)));
        turns
    }
}

/// The set-up text of a position, if games don't usually start from it.
pub fn unusual_setup<G: Game>(start: &G) -> Option<String> {
    let (setup, usual) = (start.setup(), start.set_up("startpos").map(|usual| usual.setup()));
    (usual.as_deref() != Ok(&setup)).then_some(setup)
}

/// A question about the last position of a game.
#[derive(Debug)]
pub struct Query<'a, G: Game> {
    /// The game.
    pub history: &'a MoveHistory<G>,
    /// What each search may use.
    pub limit: &'a Limit,
    /// How long each search is waited for.
    pub patience: Duration,
}

/// A question which of some moves are the best.
#[derive(Debug)]
pub struct Choice<'a, G: Game> {
    /// The position, and what a search may use.
    pub query: Query<'a, G>,
    /// Legal moves there.
    pub among: &'a [G::Move],
    /// How many are wanted.
    pub count: usize,
}

/// Hears what an engine finds while it thinks, and nothing now and then, and says whether it is to go on.
pub type Hears<'a, M> = dyn FnMut(Option<&Thought<M>>) -> ControlFlow<()> + 'a;

/// An engine that plays a game.
///
/// After an error it is best dropped and started anew: it may still send late answers.
pub trait Engine<G: Game>: Send {
    /// The engine's name for itself.
    fn name(&self) -> &str;

    /// A new game begins: what it remembers of the last one doesn't count. An engine that remembers
    /// nothing has nothing to do.
    ///
    /// # Errors
    /// If it doesn't follow.
    fn new_game(&mut self, _start: &G) -> Result<(), Error> {
        Ok(())
    }

    /// Seeds the engine's random choices in the new game with this number below 2^31, if the engine
    /// has a command for it. Without it the engine's own randomness applies.
    ///
    /// # Errors
    /// If it has such a command and refuses it.
    fn seed(&mut self, _seed: u32) -> Result<(), Error> {
        Ok(())
    }

    /// White's points in Go, from now on. Who plays for points, and not for who wins, need not know.
    fn set_komi(&mut self, _komi: Komi) {}

    /// Its move in the last position of a game.
    ///
    /// # Errors
    /// If it gives no answer, or can't be asked for this.
    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error>;

    /// The best of some legal moves in the last position of a game, with what it thinks of each;
    /// fewer than are wanted only if there are fewer. Each search it takes has the whole limit: one
    /// of UCI by MultiPV, as many as moves are wanted where an engine can't say several at once, in
    /// GTP what the engine has commands for, and in NBoard's protocol one for all moves that it says
    /// something of and one for each of the others.
    ///
    /// # Errors
    /// If it gives no answer, names other moves, or has no way to be asked for this.
    fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error>;

    /// Thinks about the last position of a game for the time of the limit, 5 s where it has none, and
    /// tells what it has found meanwhile as often as that changes, and nothing now and then, until
    /// whoever hears it wants no more. An engine that can't be asked while it thinks is asked again and again, for twice as
    /// long each time, and heard in between.
    ///
    /// # Errors
    /// If it gives no answer.
    fn analyze(
        &mut self,
        query: &Query<'_, G>,
        tell: &mut Hears<'_, G::Move>,
    ) -> Result<(), Error> {
        let Query { history, limit, patience } = *query;
        let (begun, whole) = (Instant::now(), limit.movetime.unwrap_or(ANALYZED));
        let mut slice = FIRST_SLICE;
        let among = history.position().legal();
        while let Some(left) = whole.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) {
            slice = slice.min(left);
            let limit = Limit { movetime: Some(slice), ..*limit };
            let query = || Query { history, limit: &limit, patience };
            // An engine that says nothing of moves has a move.
            let ranked = self.best_moves(&Choice { query: query(), among: &among, count: 1 });
            let thought = match ranked {
                Ok(ranking) => ranking.thought(),
                Err(Error { fault: Fault::Unsupported(_), .. }) => Some(self.best_move(&query())?),
                Err(error) => return Err(error),
            };
            let Some(thought) = thought else { return Ok(()) };
            // What needs less time than it has needs no more.
            if tell(Some(&thought)).is_break() || thought.took < slice / 2 {
                return Ok(());
            }
            slice *= 2;
        }
        Ok(())
    }

    /// [`Engine::best_move`] within a limit, waited for `patience`.
    fn think(
        &mut self,
        history: &MoveHistory<G>,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Thought<G::Move>, Error> {
        self.best_move(&Query { history, limit, patience })
    }

    /// [`Engine::best_moves`]: the best `count` of these, each search waited for `patience`.
    fn rank(
        &mut self,
        history: &MoveHistory<G>,
        among: &[G::Move],
        count: usize,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Ranking<G::Move>, Error> {
        self.best_moves(&Choice { query: Query { history, limit, patience }, among, count })
    }

    /// How much of the current game came from a book, if it is one that says so only when asked.
    ///
    /// # Errors
    /// If it can say it and doesn't.
    fn book_use(&mut self) -> Result<Option<BookUse>, Error> {
        Ok(None)
    }
}
