//! An engine beside the books: it thinks about the position that a client looks at, for some seconds,
//! and what it finds is told as it goes on.

use crate::client::Client;
use crate::limits::{half_of_processors, turn};
use crate::query::{self, Request};
use crate::reply::{Refusal, as_lines, json_line};
use crate::shelf::Choice;
use crate::sources::Sources;
use crate::v1;
use axum::body::Body;
use axum::response::Response;
use futures_util::{StreamExt, stream};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tabia::format::Keyed;
use tabia_engines::{
    Engine, Error, Eval, EvalUnit, Launch, Limit, MoveHistory, Protocol, Query, Thought,
};
use tabia_games::{Game, Known, KnownMove};
use tabia_play::explore::{Explorable, Named};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// How long it thinks where the client doesn't say, and at most.
const SECONDS: f64 = 5.0;
const MOST_SECONDS: f64 = 60.0;
/// How long an engine is waited for beyond its time.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often what it has found is told.
const TOLD: Duration = Duration::from_millis(100);

/// Engines of one kind, as many as think at once: as half of the processors at most.
pub struct Engines {
    /// None is our own search.
    launch: Option<Launch>,
    /// An engine's name for itself.
    pub(crate) name: String,
    idle: Mutex<Vec<Idle>>,
    turns: Arc<Semaphore>,
    /// What ends the search of a client.
    searches: Mutex<HashMap<Client, Arc<AtomicBool>>>,
}

/// An engine that waits to be asked.
struct Idle {
    game: &'static str,
    /// The position that its last game started from.
    start: String,
    engine: Box<dyn Engine<Known>>,
}

impl Engines {
    /// Engines that are started like this, or our own search.
    pub fn new(launch: Option<Launch>) -> Self {
        Self {
            launch,
            name: String::new(),
            idle: Mutex::default(),
            turns: half_of_processors(),
            searches: Mutex::default(),
        }
    }

    /// Starts one, for a game that it plays.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn started(mut self, game: &Known) -> Result<Self, Error> {
        let engine = self.take(game)?;
        engine.name().clone_into(&mut self.name);
        self.put_back(game, engine);
        Ok(self)
    }

    /// Whether it is asked about a game: what it speaks says so.
    pub fn plays(&self, game: &str) -> bool {
        match self.launch.as_ref().map(|launch| launch.protocol) {
            None => true,
            Some(Protocol::NBoard) => game == "othello",
            Some(protocol) => protocol == Protocol::of(game),
        }
    }

    /// An engine for a game that starts so.
    fn take(&self, start: &Known) -> Result<Box<dyn Engine<Known>>, Error> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let place = idle.iter().position(|idle| idle.game == start.name());
        let found = place.map(|place| idle.swap_remove(place));
        drop(idle);
        let same = found.as_ref().is_some_and(|found| found.start == start.setup());
        let (mut engine, is_new) = match found {
            Some(found) => (found.engine, !same),
            None => (tabia_search::starting(self.launch.clone())()?, true),
        };
        if is_new {
            engine.new_game(start)?;
        }
        Ok(engine)
    }

    /// Keeps an engine that has answered.
    fn put_back(&self, start: &Known, engine: Box<dyn Engine<Known>>) {
        let idle = Idle { game: start.name(), start: start.setup(), engine };
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(idle);
    }

    /// Ends the search that a client has, if it has one; what ends the next one.
    fn next_search(&self, client: Client) -> Arc<AtomicBool> {
        let ends = Arc::new(AtomicBool::new(false));
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        searches.retain(|_, ends| Arc::strong_count(ends) > 1);
        if let Some(before) = searches.insert(client.counted(), Arc::clone(&ends)) {
            before.store(true, Relaxed);
        }
        ends
    }
}

/// What is told of a search.
#[derive(Debug, Serialize)]
struct Report<'a> {
    engine: &'a str,
    depth: Option<u32>,
    /// What a row of the book would have, for the side to move.
    eval: Option<i16>,
    /// The same for people.
    score: Option<String>,
    nodes: Option<u64>,
    /// The moves that are expected.
    line: Vec<Named>,
    /// Whether this is the last one.
    done: bool,
}

/// What an engine finds in the position that is asked for, line by line. A client has one search: a
/// new one ends the one before, and so does going away.
pub async fn answer(
    sources: Arc<Sources>,
    request: Request,
    client: Client,
) -> Result<Response, Refusal> {
    let engines = sources.engines.clone();
    let game = request.part("game")?;
    let engines = engines.filter(|engines| engines.plays(game)).ok_or_else(|| {
        Refusal::Missing(format!("no engine for {} is beside the books here", game.escape_debug()))
    })?;
    let seconds: f64 = request.number("seconds", SECONDS)?;
    if !(0.1..=MOST_SECONDS).contains(&seconds) {
        return Err(Refusal::Bad(format!("seconds is from 0.1 to {MOST_SECONDS}")));
    }
    let book = v1::named(&sources, game, request.text("book"))?;
    let keyed = book.chosen(&Choice::default()).header().keyed;
    let known = book.game().clone();
    let ends = engines.next_search(client);
    let turn = turn(&engines.turns, "the engine is busy with others").await?;
    let (told, mut lines) = unbounded_channel();
    let time = Duration::from_secs_f64(seconds);
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        if let Err(refusal) = search(&engines, &known, (&request, keyed), time, &ends, &told) {
            // Nobody may be listening any more.
            let _ = told.send(Err(refusal));
        }
    });
    // What can't be asked is refused, not broken off.
    let first = lines.recv().await;
    let first = first.unwrap_or_else(|| Err(Refusal::failed("the engine is silent")))?;
    let first = stream::iter([Ok(first)]);
    let others = stream::poll_fn(move |context| lines.poll_recv(context));
    Ok(as_lines(Body::from_stream(first.chain(others)), "no-store"))
}

/// Searches for a client.
fn search(
    engines: &Engines,
    start: &Known,
    (request, keyed): (&Request, Keyed),
    time: Duration,
    ends: &AtomicBool,
    told: &UnboundedSender<Result<Vec<u8>, Refusal>>,
) -> Result<(), Refusal> {
    let asked = query::history(request, start, keyed)?;
    let start = asked.nodes()[0].position.clone();
    let mut history = MoveHistory::new(start.clone());
    asked.moves().iter().for_each(|played| history.play(played));
    let position = history.position();
    if position.legal().is_empty() || position.outcome().is_some() {
        return Err(Refusal::Bad("the game is over in this position".to_owned()));
    }
    let mut engine = engines.take(&start).map_err(Refusal::failed)?;
    let limit = Limit { movetime: Some(time), ..Limit::default() };
    let patience = time + PATIENCE;
    let (mut last, mut told_at) = (None, None::<Instant>);
    let searched =
        engine.analyze(&Query { history: &history, limit: &limit, patience }, &mut |thought| {
            if let Some(thought) = thought {
                let report = report(&engines.name, position, thought);
                if told_at.is_none_or(|at| at.elapsed() >= TOLD) {
                    told_at = Some(Instant::now());
                    let _ = told.send(json_line(&report));
                }
                last = Some(report);
            }
            match ends.load(Relaxed) || told.is_closed() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
    searched.map_err(Refusal::failed)?;
    engines.put_back(&start, engine);
    let last = last.ok_or_else(|| Refusal::failed("the engine is silent"))?;
    // Nobody may be listening any more.
    let _ = told.send(json_line(&Report { done: true, ..last }));
    Ok(())
}

fn report<'a>(engine: &'a str, position: &Known, thought: &Thought<KnownMove>) -> Report<'a> {
    let unit = EvalUnit::of(position.name());
    let mut at = position.clone();
    let named = thought.line.iter().map(|played| {
        let named = Named::of(&at, played);
        at.play(played);
        named
    });
    Report {
        engine,
        depth: thought.depth,
        eval: thought.eval.map(|eval| unit.row_eval(eval)),
        score: thought.eval.map(|eval| score(unit, eval)),
        nodes: thought.nodes,
        line: named.collect(),
        done: false,
    }
}

/// An eval for people, in the unit of the game.
fn score(unit: EvalUnit, eval: Eval) -> String {
    match (eval, unit) {
        (Eval::Mate(moves), _) => format!("#{moves}"),
        (Eval::Hundredths(hundredths), EvalUnit::Discs | EvalUnit::Points) => {
            format!("{:+}", (f64::from(hundredths) / 100.0).round())
        }
        (Eval::Hundredths(hundredths), _) => format!("{:+.2}", f64::from(hundredths) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_the_unit_of_the_game() {
        for (game, eval, expected) in [
            ("chess", Eval::Hundredths(35), "+0.35"),
            ("chess", Eval::Hundredths(0), "+0.00"),
            ("checkers", Eval::Hundredths(-120), "-1.20"),
            ("othello", Eval::Hundredths(-350), "-4"),
            ("go-9", Eval::Hundredths(700), "+7"),
            ("chess", Eval::Mate(-2), "#-2"),
        ] {
            assert_eq!(score(EvalUnit::of(game), eval), expected, "{game} {eval:?}");
        }
    }
}
