//! Which knowledge belongs to which game.

use crate::evaluate::{Evaluate, Plain};
use crate::known::KnownSearch;
use crate::search::{Options, Search};
use std::any::Any;
use tabia_engines::{Engine, Launch, StartEngine};
use tabia_games::{Game, Known};

/// The search of a game, with the usual options.
pub fn engine<G: Game>() -> Box<dyn Engine<G>> {
    engine_with(Options::default())
}

/// The search of a game. What it knows of the game is chosen here, once, by its type; of a game that
/// isn't known it knows how it ends.
pub fn engine_with<G: Game>(options: Options) -> Box<dyn Engine<G>> {
    let any: Box<dyn Engine<Known>> = Box::new(KnownSearch::new(options));
    let known: [Option<Box<dyn Engine<G>>>; _] = [
        of_type(any),
        #[cfg(feature = "chess")]
        if_is::<tabia_games::Chess, G, _>(|| crate::ChessKnowledge, options),
        #[cfg(feature = "othello")]
        if_is::<tabia_games::Othello, G, _>(crate::OthelloKnowledge::default, options),
        #[cfg(feature = "go")]
        if_is::<tabia_games::Go, G, _>(|| crate::GoKnowledge, options),
        #[cfg(feature = "draughts")]
        if_is::<tabia_games::Checkers, G, _>(|| crate::DraughtsKnowledge, options),
        #[cfg(feature = "connect")]
        if_is::<tabia_games::ConnectFour, G, _>(|| crate::ConnectFourKnowledge, options),
    ];
    let plain = || -> Box<dyn Engine<G>> { Box::new(Search::new(Plain, options)) };
    known.into_iter().flatten().next().unwrap_or_else(plain)
}

/// A value as what it is, if that is its type.
fn of_type<Of: 'static, To: 'static>(value: Of) -> Option<To> {
    let any: Box<dyn Any> = Box::new(value);
    any.downcast().ok().map(|value| *value)
}

/// Starts an engine, or our own search if none is given, as often as one is needed.
pub fn starting<G: Game>(launch: Option<Launch>) -> StartEngine<G> {
    match launch {
        Some(launch) => Box::new(move || launch.start()),
        None => Box::new(|| Ok(engine::<G>())),
    }
}

/// The search of `Of` with this knowledge, if `G` is that game.
#[allow(dead_code, reason = "no game may be built in")]
fn if_is<Of: Game, G: Game, E: Evaluate<Of> + 'static>(
    make: impl FnOnce() -> E,
    options: Options,
) -> Option<Box<dyn Engine<G>>> {
    if std::any::TypeId::of::<Of>() != std::any::TypeId::of::<G>() {
        return None;
    }
    let engine: Box<dyn Engine<Of>> = Box::new(Search::new(make(), options));
    of_type(engine)
}
