//! Our own search of whichever known game it is asked about. It searches by that game's own types, so
//! it is as fast as a search of that game alone.

use crate::games::engine_with;
use crate::search::{NAME, Options};
use std::mem::{Discriminant, discriminant};
use tabia_engines::{Choice, Engine, Error, MoveHistory, Query, Ranking, Thought};
use tabia_games::{Game, Known, KnownMove, OwnType, with_game};

/// A search of any known game.
pub struct KnownSearch {
    options: Options,
    /// That of the game it was asked about last.
    own: Option<(Discriminant<Known>, Box<dyn Engine<Known>>)>,
}

impl KnownSearch {
    pub fn new(options: Options) -> Self {
        Self { options, own: None }
    }

    fn of(&mut self, start: &Known) -> &mut dyn Engine<Known> {
        let kind = discriminant(start);
        let own = self.own.take().filter(|(of, _)| *of == kind).unwrap_or_else(|| {
            with_game!(start, _start, own => {
                (kind, Box::new(Own { engine: engine_with(self.options), own }))
            })
        });
        &mut *self.own.insert(own).1
    }
}

impl Engine<Known> for KnownSearch {
    fn name(&self) -> &str {
        NAME
    }

    fn best_move(&mut self, query: &Query<'_, Known>) -> Result<Thought<KnownMove>, Error> {
        self.of(query.history.start()).best_move(query)
    }

    fn best_moves(&mut self, choice: &Choice<'_, Known>) -> Result<Ranking<KnownMove>, Error> {
        self.of(choice.query.history.start()).best_moves(choice)
    }
}

/// The engine of one game, asked in the types of any game.
struct Own<G: Game> {
    engine: Box<dyn Engine<G>>,
    own: OwnType<G>,
}

impl<G: Game> Own<G> {
    fn history(&self, history: &MoveHistory<Known>) -> MoveHistory<G> {
        let mut own = MoveHistory::new((self.own.own)(history.start()).clone());
        history.plies().iter().for_each(|(_, played)| own.play((self.own.own_move)(played)));
        own
    }
}

impl<G: Game> Engine<Known> for Own<G> {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn best_move(&mut self, query: &Query<'_, Known>) -> Result<Thought<KnownMove>, Error> {
        let Query { history, limit, patience } = *query;
        let history = &self.history(history);
        let thought = self.engine.best_move(&Query { history, limit, patience })?;
        Ok(thought.map(self.own.known_move))
    }

    fn best_moves(&mut self, choice: &Choice<'_, Known>) -> Result<Ranking<KnownMove>, Error> {
        let Choice { query: Query { history, limit, patience }, among, count } = *choice;
        let history = &self.history(history);
        let among: Vec<_> = among.iter().map(self.own.own_move).cloned().collect();
        let query = Query { history, limit, patience };
        let ranking = self.engine.best_moves(&Choice { query, among: &among, count })?;
        Ok(ranking.map(self.own.known_move))
    }
}
