//! Which knowledge belongs to which game.

use crate::evaluate::{Evaluate, Plain};
use crate::playout::{Playout, Uniform};
use crate::search::{Options, Search};
use std::any::Any;
use tabia_engines::{Engine, Launch, StartEngine};
use tabia_games::{Game, Komi};

/// The search of a game, with the usual options.
pub fn engine<G: Game>() -> Box<dyn Engine<G>> {
    engine_with(Options::default())
}

/// The search of a game. What it knows of the game is chosen here, once, by its type; of a game that
/// isn't known it knows how it ends.
pub fn engine_with<G: Game>(options: Options) -> Box<dyn Engine<G>> {
    let known: [Option<Box<dyn Engine<G>>>; 5] =
        [chess(options), othello(options), go(options), draughts(options), connect_four(options)];
    let mut known = known.into_iter().flatten();
    known.next().unwrap_or_else(|| Box::new(Search::new(Plain::<G>::new(), options)))
}

/// How a game goes on by chance: in Go so that it ends, in others by any legal moves.
pub(crate) fn playout<G: Game>(komi: Komi) -> Box<dyn Playout<G>> {
    go_playout(komi).unwrap_or_else(|| Box::new(Uniform::<G>::default()))
}

#[cfg(feature = "go")]
fn go_playout<G: Game>(komi: Komi) -> Option<Box<dyn Playout<G>>> {
    let playout: Box<dyn Playout<tabia_games::Go>> =
        Box::new(crate::go_playout::GoPlayout::new(komi));
    of_type(playout)
}

#[cfg(not(feature = "go"))]
fn go_playout<G: Game>(_: Komi) -> Option<Box<dyn Playout<G>>> {
    None
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
#[cfg_attr(
    not(any(
        feature = "chess",
        feature = "othello",
        feature = "go",
        feature = "draughts",
        feature = "connect"
    )),
    allow(dead_code)
)]
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

/// A function that gives the search of one game, or nothing without the game's feature.
macro_rules! of_feature {
    ($name:ident, $feature:literal, $game:ident, $knowledge:expr) => {
        #[cfg(feature = $feature)]
        fn $name<G: Game>(options: Options) -> Option<Box<dyn Engine<G>>> {
            if_is::<tabia_games::$game, G, _>(|| $knowledge, options)
        }

        #[cfg(not(feature = $feature))]
        fn $name<G: Game>(_: Options) -> Option<Box<dyn Engine<G>>> {
            None
        }
    };
}

of_feature!(chess, "chess", Chess, crate::ChessKnowledge);
of_feature!(othello, "othello", Othello, crate::OthelloKnowledge::new());
of_feature!(go, "go", Go, crate::GoKnowledge);
of_feature!(draughts, "draughts", Checkers, crate::DraughtsKnowledge);
of_feature!(connect_four, "connect", ConnectFour, crate::ConnectFourKnowledge);
