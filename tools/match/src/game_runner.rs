//! Two engines, and the games they play one after the other.

use crate::adjudication::Evals;
use crate::clocks::Clocks;
use crate::error::Error;
use crate::facts::{EndReason, EngineFacts, Facts};
use crate::judge::Judge;
use crate::played::{PlayedGame, Remark};
use crate::settings::{Player, Rules, Scoring, told_apart};
use std::time::Duration;
use tabia_engines::{Answer, Engine, Fault, GtpEngine, Limit, MoveHistory, Thought};
use tabia_games::{Game, Komi, Outcome, Side};

/// Engines that play games against each other, two at a time.
pub(crate) struct GameRunner<'a, G: Game> {
    players: &'a [Player],
    rules: &'a Rules,
    engines: Vec<Option<Box<dyn Engine<G>>>>,
    referee: Option<GtpEngine>,
}

/// A game that is to be played.
pub(crate) struct Pairing<'a, G: Game> {
    /// Of which match.
    pub contest: u64,
    /// Which game of it, from 1.
    pub game: u32,
    /// What is played already.
    pub opening: &'a MoveHistory<G>,
    /// In which of its plies engines thought, as in the game that they would have played: what they
    /// remember of it decides what they play next. Nothing is thought about again beyond its end.
    pub thought: &'a [bool],
    /// Which opening that is, from 1.
    pub opening_number: u32,
    /// Who plays it: the first and the second engine, by their places among the players.
    pub seats: [usize; 2],
    /// What the first of these plays.
    pub first: Side,
    /// What chance is drawn by.
    pub seed: u32,
}

/// How a game ended.
struct End {
    outcome: Outcome,
    reason: EndReason,
    detail: String,
}

/// A game that is being played.
struct Play<G: Game> {
    history: MoveHistory<G>,
    seats: [usize; 2],
    /// What the first engine plays.
    first: Side,
    seed: u32,
    judge: Judge,
    clocks: Option<Clocks>,
    evals: Evals,
    remarks: Vec<Remark>,
    shares: [EngineFacts; 2],
}

impl<'a, G: Game> GameRunner<'a, G> {
    /// Without engines yet.
    pub fn new(players: &'a [Player], rules: &'a Rules) -> Self {
        let engines = players.iter().map(|_| None).collect();
        Self { players, rules, engines, referee: None }
    }

    /// Plays a game; none if it was stopped.
    pub fn play(
        &mut self,
        pairing: &Pairing<'_, G>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedGame<G>>, Error> {
        let Pairing { contest, game, opening, thought, opening_number, seats, first, seed } =
            *pairing;
        let names = [self.seat(seats[0], opening.start())?, self.seat(seats[1], opening.start())?];
        let names = told_apart(names);
        for seat in seats {
            self.engines[seat].as_mut().map_or(Ok(()), |engine| engine.seed(seed))?;
        }
        let seated = |side: Side| Some(seats[usize::from(side != first)]);
        // One that fails is gone, and loses the game by that.
        let _ = self.think_back(opening, thought, seated, seed);
        let rules = self.rules;
        let mut play = Play {
            judge: Judge::new(opening, rules.most_plies),
            history: opening.clone(),
            seats,
            first,
            seed,
            clocks: rules.allowance.clock.map(|clock| Clocks::new(clock.control)),
            evals: Evals::default(),
            remarks: Vec::new(),
            shares: [EngineFacts::default(); 2],
        };
        let end = loop {
            if is_stopped() {
                return Ok(None);
            }
            if let Some(end) = self.ply(&mut play)? {
                break end;
            }
        };
        let (end, score) = self.count(&play.history, end)?;
        self.ask_for_book_moves(seats, &mut play.shares);
        let facts = Facts {
            contest,
            game,
            opening: opening_number,
            first,
            outcome: end.outcome,
            reason: end.reason,
            plies: play.history.plies().len() as u32,
            from: opening.plies().len() as u32,
            shares: play.shares,
        };
        Ok(Some(PlayedGame {
            facts,
            history: play.history,
            remarks: play.remarks,
            names,
            score,
            detail: end.detail,
        }))
    }

    /// Lets engines think once more where they thought in a game, by the side that they played.
    fn think_back(
        &mut self,
        game: &MoveHistory<G>,
        thought: &[bool],
        seated: impl Fn(Side) -> Option<usize>,
        seed: u32,
    ) -> Result<(), Error> {
        let mut so_far = MoveHistory::new(game.start().clone());
        for ((side, played), &thought) in game.plies().iter().zip(thought) {
            let seat = seated(*side).filter(|_| thought);
            if let Some(seat) = seat
                && let Some(engine) = &mut self.engines[seat]
            {
                let allowed = self.rules.allowance;
                let limit = self.players[seat].limit(allowed, seed, so_far.plies().len());
                if let Err(error) = engine.think(&so_far, &limit, self.rules.patience) {
                    self.engines[seat] = None;
                    return Err(error.into());
                }
            }
            so_far.play(played);
        }
        Ok(())
    }

    /// The move that a player makes at the end of a game, in some plies of which it thought; none if it
    /// makes none.
    pub fn ask(
        &mut self,
        seat: usize,
        (history, thought): (&MoveHistory<G>, &[bool]),
        seed: u32,
    ) -> Result<Option<G::Move>, Error> {
        self.seat(seat, history.start())?;
        if let Some(engine) = &mut self.engines[seat] {
            engine.seed(seed)?;
        }
        let own = history.position().side();
        self.think_back(history, thought, |side| (side == own).then_some(seat), seed)?;
        let (player, rules) = (&self.players[seat], self.rules);
        let Some(engine) = &mut self.engines[seat] else { return Ok(None) };
        let limit = player.limit(rules.allowance, seed, history.plies().len());
        match engine.think(history, &limit, rules.patience)?.answer {
            Answer::Move(played) => Ok(Some(played)),
            Answer::Resigns | Answer::Illegal(_) => Ok(None),
        }
    }

    /// The moves that a player takes for the best at the end of a game, with what they are worth in
    /// hundredths, the best first.
    pub fn rank(
        &mut self,
        seat: usize,
        history: &MoveHistory<G>,
        count: usize,
        limit: &Limit,
    ) -> Result<Vec<(G::Move, i64)>, Error> {
        self.seat(seat, history.start())?;
        let Some(engine) = &mut self.engines[seat] else { return Ok(Vec::new()) };
        let legal = history.position().legal();
        let ranking = engine.rank(history, &legal, count, limit, self.rules.patience)?;
        Ok(ranking.moves.into_iter().map(|one| (one.played, one.eval.hundredths())).collect())
    }

    /// Makes sure that an engine is there and knows that a new game begins. One that doesn't follow
    /// is started anew, once. What it is called.
    fn seat(&mut self, at: usize, start: &G) -> Result<String, Error> {
        let player = &self.players[at];
        let mut seated = self.engines[at].take();
        if seated.as_mut().is_some_and(|engine| engine.new_game(start).is_err()) {
            seated = None;
        }
        let engine = match seated {
            Some(engine) => engine,
            None => {
                let mut engine = player.launch.start()?;
                engine.new_game(start)?;
                engine
            }
        };
        let name = player.name.clone().unwrap_or_else(|| engine.name().to_owned());
        self.engines[at] = Some(engine);
        Ok(name)
    }

    /// Plays a ply, if the game isn't over; how it ended, if it has.
    fn ply(&mut self, play: &mut Play<G>) -> Result<Option<End>, Error> {
        let rules = self.rules;
        let plain = |(outcome, reason)| End { outcome, reason, detail: String::new() };
        if let Some(end) = play.judge.end(&play.history) {
            return Ok(Some(plain(end)));
        }
        if let Some(outcome) = play.evals.agreed(&rules.adjudication, play.history.plies().len()) {
            let reason = if outcome == Outcome::Draw {
                EndReason::AdjudicatedDraw
            } else {
                EndReason::AdjudicatedWin
            };
            return Ok(Some(plain((outcome, reason))));
        }
        let side = play.history.position().side();
        let at = usize::from(side != play.first);
        let seat = play.seats[at];
        let (allowed, patience) = limit(rules, play.clocks.as_ref(), side);
        let limit = self.players[seat].limit(allowed, play.seed, play.history.plies().len());
        let Some(engine) = &mut self.engines[seat] else {
            return Ok(Some(lost(side, EndReason::Crash, "its engine is gone".to_owned())));
        };
        match engine.think(&play.history, &limit, patience) {
            Ok(thought) => Ok(play.take(side, at, thought, rules)),
            Err(error) if matches!(error.fault, Fault::Unsupported(_) | Fault::Option(_)) => {
                Err(error.into())
            }
            Err(error) => {
                self.engines[seat] = None;
                let has_time = limit.clock.is_some() || limit.movetime.is_some();
                let reason = match (error.is_silence(), has_time) {
                    (true, true) => EndReason::TimeOver,
                    (true, false) => EndReason::NoAnswer,
                    (false, _) => EndReason::Crash,
                };
                Ok(Some(lost(side, reason, error.to_string())))
            }
        }
    }

    /// Counts a game of Go that ended without a winner by the rules; how it ended then, and its
    /// score.
    fn count(
        &mut self,
        history: &MoveHistory<G>,
        end: End,
    ) -> Result<(End, Option<String>), Error> {
        if !matches!(end.reason, EndReason::Count | EndReason::PlyLimit) {
            return Ok((end, None));
        }
        let rules = self.rules;
        let Some(area_score) = area_score(history.position(), rules.komi) else {
            return Ok((end, None));
        };
        let (score, engine) = match &rules.scoring {
            Scoring::Area => (score_text(area_score), String::new()),
            Scoring::Referee(launch) => {
                let referee = match &mut self.referee {
                    Some(referee) => referee,
                    none => {
                        let mut referee = launch.gtp()?;
                        Engine::<G>::new_game(&mut referee, history.start())?;
                        none.insert(referee)
                    }
                };
                let score = referee.final_score(history, rules.patience)?;
                (score, Engine::<G>::name(referee).to_owned())
            }
        };
        match outcome_of(&score) {
            Some(outcome) => Ok((End { outcome, ..end }, Some(score))),
            None => Err(Error::Referee { engine, said: score }),
        }
    }

    /// Asks engines that only say so when asked how many of their moves were from a book.
    fn ask_for_book_moves(&mut self, seats: [usize; 2], shares: &mut [EngineFacts; 2]) {
        for (seat, share) in seats.into_iter().zip(shares) {
            let engine = &mut self.engines[seat];
            match engine.as_mut().map(|engine| engine.book_use()) {
                Some(Ok(Some(used))) => share.book_moves = used.book_moves.min(share.moves),
                // It has finished its game; the next one finds out what is wrong.
                Some(Err(_)) => *engine = None,
                Some(Ok(None)) | None => {}
            }
        }
    }
}

impl<G: Game> Play<G> {
    /// What an engine's answer makes of the game; how it ended, if it has.
    fn take(
        &mut self,
        side: Side,
        at: usize,
        thought: Thought<G::Move>,
        rules: &Rules,
    ) -> Option<End> {
        let Thought { answer, took, eval, depth, is_book, .. } = thought;
        self.shares[at].time += took;
        let in_time = match (&mut self.clocks, rules.allowance.movetime) {
            (Some(clocks), _) => clocks.spend(side, took, rules.margin),
            (None, Some(movetime)) => took <= movetime + rules.margin,
            (None, None) => true,
        };
        if !in_time {
            return Some(lost(
                side,
                EndReason::TimeOver,
                format!("its move came after {:.3} s", took.as_secs_f64()),
            ));
        }
        let played = match answer {
            Answer::Move(played) => played,
            Answer::Resigns => return Some(lost(side, EndReason::Resignation, String::new())),
            Answer::Illegal(text) => {
                return Some(lost(side, EndReason::IllegalMove, format!("`{text}`")));
            }
        };
        self.shares[at].moves += 1;
        self.shares[at].book_moves += u32::from(is_book);
        self.remarks.push(Remark { eval, depth, took, is_book });
        self.evals.add(side, eval);
        self.history.play(&played);
        self.judge.see(self.history.position());
        None
    }
}

/// The other side has won.
fn lost(side: Side, reason: EndReason, detail: String) -> End {
    End { outcome: Outcome::won_by(side.other()), reason, detail }
}

/// What a side has for its move, and how long the move is waited for.
fn limit(rules: &Rules, clocks: Option<&Clocks>, side: Side) -> (Limit, Duration) {
    let clock = clocks.map(|clocks| clocks.shown(side));
    let time = clock.map(|clock| clock.of(side)).into_iter().chain(rules.allowance.movetime).min();
    // An answer that comes a little later than it may is told apart from none.
    let patience =
        time.map_or(rules.patience, |time| time + rules.margin + Duration::from_millis(200));
    (Limit { clock, ..rules.allowance }, patience)
}

/// By how many points Black is ahead in a game of Go, by area; none in other games.
#[cfg(feature = "go")]
fn area_score<G: Game>(position: &G, komi: Komi) -> Option<f64> {
    let go = position.as_own().downcast_ref::<tabia_games::Go>()?;
    Some(go.score(komi))
}

#[cfg(not(feature = "go"))]
fn area_score<G: Game>(_: &G, _: Komi) -> Option<f64> {
    None
}

/// A score in the words of GTP and SGF.
fn score_text(ahead: f64) -> String {
    match ahead {
        _ if ahead > 0.0 => format!("B+{ahead}"),
        _ if ahead < 0.0 => format!("W+{}", -ahead),
        _ => "0".to_owned(),
    }
}

/// Who has won by a score in the words of GTP.
fn outcome_of(score: &str) -> Option<Outcome> {
    let winner = match score.as_bytes().first()? {
        b'B' | b'b' => Outcome::FirstWins,
        b'W' | b'w' => Outcome::SecondWins,
        _ => {
            let is_draw = ["0", "draw", "jigo"].iter().any(|word| score.eq_ignore_ascii_case(word));
            return is_draw.then_some(Outcome::Draw);
        }
    };
    let points: f64 = score.split_once('+')?.1.trim().parse().ok()?;
    let is_sound = (0.0..=1000.0).contains(&points);
    is_sound.then_some(if points > 0.0 { winner } else { Outcome::Draw })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_engines_write_them() {
        for (text, outcome) in [
            ("B+3.5", Outcome::FirstWins),
            ("W+12.0", Outcome::SecondWins),
            ("0", Outcome::Draw),
            ("Jigo", Outcome::Draw),
            ("W+0", Outcome::Draw),
        ] {
            assert_eq!(outcome_of(text), Some(outcome), "{text}");
        }
        for bad in ["", "B", "B+", "B+R", "X+3", "cannot score", "B+nan", "W+-3"] {
            assert_eq!(outcome_of(bad), None, "{bad}");
        }
        assert_eq!([3.5, -12.0, 0.0].map(score_text), ["B+3.5", "W+12", "0"]);
    }
}
