//! GTP from the engine's side: an engine of this process that is asked by lines.
//!
//! - *Colors and vertices* are those of [`tabia_games::gtp`], refusals the standard's own words.
//! - *Limits* are those the server was made with. `time_settings` and `time_left` add a clock; who
//!   wants the same moves again leaves them out.
//! - *`kata-search_analyze`*, of KataGo: the best `maxmoves` of the moves behind `allow COLOR`, or of
//!   all, with their values; `scoreLead` is in the unit of the engine's evals, and the nodes of the
//!   whole search are the first one's `visits`.
//! - *`set_random_seed`*, of GNU Go: says what is drawn: the nodes of each move, if the server was made so.
//! - *Komi* is for engines that play for who wins: one that plays for points finds the same moves.

use crate::answer::{Answer, Eval, Ranking};
use crate::engine::{Engine, MoveHistory};
use crate::limit::{Clock, Dice, Limit, TimeControl};
use std::io::{self, BufRead, Read, Write};
use std::time::Duration;
use tabia_games::Side;
use tabia_games::gtp::{Command, GtpGame, PASS, Put, board_size, cleaned, color, side, vertex};

/// The commands, in the order in which they are listed.
const COMMANDS: &str = "boardsize clear_board genmove kata-search_analyze known_command komi \
    list_commands name play protocol_version quit reg_genmove set_random_seed showboard time_left \
    time_settings undo version";

/// What is answered instead of a move by who gives up.
const RESIGN: &str = "resign";

/// The most bytes of a line.
const LONGEST_LINE: u64 = 1 << 16;

/// How long an engine is waited for that has no clock: as long as it takes.
const PATIENCE: Duration = Duration::MAX;

/// What a win or a loss for sure is worth, in hundredths.
const SURE: i64 = 1_000_000;

/// An engine that answers commands of GTP.
pub struct GtpServer<G: GtpGame> {
    engine: Box<dyn Engine<G>>,
    limit: Limit,
    /// Nodes that are drawn for each move, and what they are drawn by.
    nodes: Option<Dice>,
    seed: u32,
    history: MoveHistory<G>,
    /// What was played, for taking it back: a move, or a pass that the game makes by itself.
    steps: Vec<Step>,
    is_over: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Move,
    Nothing,
}

/// What a command is answered: a text, or why it is refused.
type Answered = Result<String, String>;

impl<G: GtpGame> GtpServer<G> {
    /// A server of this engine, for games from this position; each search has this limit.
    pub fn new(start: G, engine: Box<dyn Engine<G>>, limit: Limit) -> Self {
        let history = MoveHistory::new(start);
        let (nodes, steps) = (None, Vec::new());
        Self { engine, limit, nodes, seed: 0, history, steps, is_over: false }
    }

    /// This server with nodes that are drawn for each move by the seed that `set_random_seed` gives it.
    pub fn drawing(self, nodes: Dice) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Answers lines until `quit`, or until there are no more.
    ///
    /// # Errors
    /// Those of reading and writing; a line that doesn't end.
    pub fn serve(mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        while !self.is_over {
            line.clear();
            let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(());
            }
            if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
                let why = format!("a line of more than {LONGEST_LINE} bytes is no command of GTP");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
            output.write_all(&self.receive(&line))?;
            output.flush()?;
        }
        Ok(())
    }

    /// What a line is answered: nothing if it holds no command.
    pub fn receive(&mut self, line: &[u8]) -> Vec<u8> {
        let text = cleaned(line);
        let Some(command) = Command::of(&text) else { return Vec::new() };
        match self.answer(command.name, &command.args) {
            // Texts of several lines begin below.
            Ok(text) if text.contains('\n') => command.answered_below(&text),
            Ok(text) => command.answered(&text),
            Err(why) => command.refused(&why),
        }
    }

    fn answer(&mut self, name: &str, args: &[&str]) -> Answered {
        let done = Ok(String::new());
        match (name, args) {
            ("protocol_version", []) => Ok("2".to_owned()),
            ("name", []) => Ok(self.name_and_version().0.to_owned()),
            ("version", []) => Ok(self.name_and_version().1.to_owned()),
            ("known_command", [name]) => Ok(is_known(name).to_string()),
            ("list_commands", []) => Ok(COMMANDS.replace(' ', "\n")),
            ("showboard", []) => Ok(board(self.history.position())),
            ("boardsize", [size]) => self.set_size(size),
            ("clear_board", []) => self.clear(),
            ("komi", [points]) => {
                self.engine.set_komi(points.parse().map_err(|_| syntax_error())?);
                done
            }
            ("play", [color, vertex]) => self.play(self.side(color)?, vertex),
            ("set_random_seed", [seed]) => {
                [self.seed] = numbers([seed])?;
                self.engine.seed(self.seed).map_err(|error| error.to_string())?;
                done
            }
            ("undo", []) => self.undo(),
            ("genmove", [color]) => {
                let side = self.side(color)?;
                let vertex = self.chosen(side)?;
                if vertex != RESIGN {
                    self.play(side, &vertex)?;
                }
                Ok(vertex)
            }
            ("reg_genmove", [color]) => self.chosen(self.side(color)?),
            ("kata-search_analyze", args) => self.analyze(args),
            ("time_settings", [main, period, stones]) => {
                self.limit.clock = time_control(main, period, stones)?.map(Clock::start);
                done
            }
            ("time_left", [color, left, stones]) => self.set_time_left(color, left, stones),
            ("quit", []) => {
                self.is_over = true;
                done
            }
            (name, _) if is_known(name) => Err(syntax_error()),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// `tabia-search 1` is version 1 of `tabia-search`.
    fn name_and_version(&self) -> (&str, &str) {
        let name = self.engine.name();
        name.rsplit_once(' ').unwrap_or((name, ""))
    }

    fn side(&self, color: &str) -> Result<Side, String> {
        side(self.history.start(), color).ok_or_else(syntax_error)
    }

    fn set_size(&mut self, size: &str) -> Answered {
        let size: usize = size.parse().map_err(|_| syntax_error())?;
        if Some(size) != board_size(self.history.start()) {
            return Err("unacceptable size".to_owned());
        }
        self.clear()
    }

    fn clear(&mut self) -> Answered {
        let start = self.history.start().clone();
        self.engine.new_game(&start).map_err(|error| error.to_string())?;
        (self.history, self.steps) = (MoveHistory::new(start), Vec::new());
        Ok(String::new())
    }

    fn play(&mut self, side: Side, vertex: &str) -> Answered {
        let put = self.history.position().put(side, vertex);
        self.steps.push(match put.ok_or("illegal move")? {
            Put::Move(played) => {
                self.history.play(&played);
                Step::Move
            }
            Put::Nothing => Step::Nothing,
        });
        Ok(String::new())
    }

    fn undo(&mut self) -> Answered {
        if self.steps.pop().ok_or("cannot undo")? == Step::Move {
            self.history.take_back();
        }
        Ok(String::new())
    }

    /// The game so far with this side to move, which has a move.
    fn asked(&self, side: Side) -> Result<MoveHistory<G>, String> {
        let position = self.history.position();
        let history = match position.turned(side) {
            Some(_) if side == position.side() => self.history.clone(),
            Some(turned) => MoveHistory::new(turned),
            None => return Err(format!("{} is to move", color(position, side.other()))),
        };
        if history.position().legal().is_empty() {
            Err("the game is over".to_owned())
        } else {
            Ok(history)
        }
    }

    /// The engine's move for a side.
    fn chosen(&mut self, side: Side) -> Answered {
        if self.history.position().put(side, PASS) == Some(Put::Nothing) {
            return Ok(PASS.to_owned());
        }
        let history = self.asked(side)?;
        let drawn = self.nodes.map(|nodes| nodes.draw(self.seed, self.history.plies().len()));
        let limit = Limit { nodes: drawn.or(self.limit.nodes), ..self.limit };
        let thought = self.engine.think(&history, &limit, PATIENCE);
        match thought.map_err(|error| error.to_string())?.answer {
            Answer::Move(played) => Ok(vertex(history.position(), &played)),
            Answer::Resigns => Ok(RESIGN.to_owned()),
            Answer::Illegal(text) => Err(text),
        }
    }

    /// What moves are worth: `[COLOR] [INTERVAL] [maxmoves N] [allow COLOR VERTEX,... PLIES]`.
    fn analyze(&mut self, args: &[&str]) -> Answered {
        let mut words = args.iter().copied().peekable();
        let own = |word: &&str| side(self.history.start(), word).is_some();
        let side = words.next_if(own).map(|color| self.side(color)).transpose()?;
        let side = side.unwrap_or_else(|| self.history.position().side());
        words.next_if(|word| word.parse::<u32>().is_ok());
        let history = self.asked(side)?;
        let position = history.position();
        let (mut among, mut most) = (position.legal(), usize::MAX);
        while let Some(key) = words.next() {
            let mut next = || words.next().ok_or_else(syntax_error);
            match key {
                "maxmoves" => most = next()?.parse().map_err(|_| syntax_error())?,
                "allow" => {
                    let (_color, list, _plies) = (next()?, next()?, next()?);
                    let moves = list.split(',').map(|word| match position.put(side, word) {
                        Some(Put::Move(played)) => Ok(played),
                        _ => Err("illegal move"),
                    });
                    among = moves.collect::<Result<_, _>>()?;
                }
                _ => return Err(syntax_error()),
            }
        }
        let ranking = self.engine.rank(&history, &among, most, &self.limit, PATIENCE);
        Ok(analysis(position, &ranking.map_err(|error| error.to_string())?))
    }

    fn set_time_left(&mut self, color: &str, left: &str, stones: &str) -> Answered {
        let (side, [left, stones]) = (self.side(color)?, numbers([left, stones])?);
        if let Some(clock) = &mut self.limit.clock {
            clock.left[side.index()] = Duration::from_secs(left.into());
            clock.moves_to_go = (stones > 0).then_some(stones);
        }
        Ok(String::new())
    }
}

fn is_known(name: &str) -> bool {
    COMMANDS.split(' ').any(|command| command == name)
}

fn syntax_error() -> String {
    "syntax error".to_owned()
}

fn numbers<const N: usize>(texts: [&str; N]) -> Result<[u32; N], String> {
    let mut numbers = [0; N];
    for (number, text) in numbers.iter_mut().zip(texts) {
        *number = text.parse().map_err(|_| syntax_error())?;
    }
    Ok(numbers)
}

/// What `time_settings` says, if it is a limit: all time, or else that of a period.
fn time_control(main: &str, period: &str, stones: &str) -> Result<Option<TimeControl>, String> {
    let [main, period, stones] = numbers([main, period, stones])?;
    let control = |moves, seconds: u32| {
        let base = Duration::from_secs(seconds.into());
        Some(TimeControl { moves, base, increment: Duration::ZERO })
    };
    Ok(match (main, period, stones) {
        // So the standard says that there is no limit.
        (_, 1.., 0) => None,
        (1.., _, _) => control(None, main),
        (0, _, _) => control((stones > 0).then_some(stones), period),
    })
}

/// The board in lines, none of which is blank: that would end the answer.
fn board<G: GtpGame>(position: &G) -> String {
    let diagram = position.diagram();
    let lines = diagram.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let to_move = format!("{} to move", color(position, position.side()));
    lines.chain([to_move.as_str()]).collect::<Vec<_>>().join("\n")
}

/// A ranking as KataGo says it.
fn analysis<G: GtpGame>(position: &G, ranking: &Ranking<G::Move>) -> String {
    let mut visits = ranking.nodes.unwrap_or(0);
    let each = ranking.moves.iter().enumerate().map(|(order, ranked)| {
        let (vertex, lead) = (vertex(position, &ranked.played), hundredths(ranked.eval) as f64);
        let visits = std::mem::take(&mut visits);
        let lead = lead / 100.0;
        format!("info move {vertex} visits {visits} scoreLead {lead} order {order} pv {vertex}")
    });
    let infos = each.collect::<Vec<_>>().join(" ");
    let best = ranking.moves.first().map(|ranked| vertex(position, &ranked.played));
    format!("{infos}\nplay {}", best.unwrap_or_else(|| PASS.to_owned()))
}

/// An eval in hundredths, where wins and losses for sure are worth more than any other.
fn hundredths(eval: Eval) -> i64 {
    match eval {
        Eval::Hundredths(hundredths) => i64::from(hundredths).clamp(-SURE / 2, SURE / 2),
        Eval::Mate(moves) if moves > 0 => SURE - i64::from(moves),
        Eval::Mate(moves) => -SURE - i64::from(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Ranked, Thought};
    use crate::engine::{Choice, Query};
    use crate::error::Error;
    use proptest::prelude::*;
    use std::sync::{Arc, Mutex};
    use tabia_games::go::Symmetry;
    use tabia_games::{Checkers, Game, Go, Othello};

    /// Plays the first legal move, and takes note of its limits.
    struct First(Arc<Mutex<Vec<Limit>>>);

    impl<G: Game> Engine<G> for First {
        fn name(&self) -> &str {
            "first legal 7"
        }

        fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
            let Query { history, limit, .. } = *query;
            self.0.lock().unwrap().push(*limit);
            let mut moves = history.position().legal();
            let answer = Answer::Move(moves.swap_remove(0));
            Ok(Thought::of(answer, Duration::ZERO))
        }

        fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
            let Choice { among, count, .. } = *choice;
            let evals = [Eval::Mate(2), Eval::Hundredths(-25), Eval::Mate(0)];
            let ranked = |(played, eval): (&G::Move, Eval)| Ranked {
                played: played.clone(),
                eval,
                depth: None,
                sure: None,
            };
            let moves = among.iter().zip(evals).map(ranked).take(count).collect();
            Ok(Ranking { moves, took: Duration::ZERO, nodes: Some(90) })
        }
    }

    fn server<G: GtpGame>(start: G) -> (GtpServer<G>, Arc<Mutex<Vec<Limit>>>) {
        let limits = Arc::default();
        let engine = Box::new(First(Arc::clone(&limits)));
        (GtpServer::new(start, engine, Limit::default()), limits)
    }

    /// Says the lines of each session behind `> ` to a new server; what follows is what it answers.
    #[test]
    fn sessions_are_answered() {
        fn talk<G: GtpGame>(start: G, session: &str) {
            let (mut server, _) = server(start);
            for turn in session.split("\n> ").skip(1) {
                let (line, expected) = turn.split_once('\n').unwrap_or((turn, ""));
                let answer = String::from_utf8(server.receive(line.as_bytes())).unwrap();
                let answer = answer.strip_suffix("\n\n").unwrap_or(&answer);
                assert_eq!(answer, expected.trim_end_matches('\n'), "{line}");
            }
        }
        let corner = format!("{}OXX----- X", "-".repeat(56));
        let sessions = include_str!("gtp_server/sessions.txt").split("\n@ ").skip(1);
        let played = sessions.map(|session| {
            let session = session.split("\n# ").next().unwrap_or_default();
            match session.lines().next().unwrap_or_default() {
                "english" => talk(Checkers::english(), session),
                "international" => talk(Checkers::international(), session),
                "othello" => talk(Othello::start(), session),
                "corner" => talk(Othello::start().set_up(&corner).unwrap(), session),
                "go" => talk(Go::start(2, Symmetry::Board).unwrap(), session),
                other => panic!("{other}"),
            }
        });
        assert_eq!(played.count(), 6);
    }

    #[test]
    fn clocks_are_heard_of() {
        let (mut server, limits) = server(Checkers::english());
        for line in [
            "genmove b",
            "time_settings 0 60 40",
            "time_left w 12 3",
            "genmove w",
            "time_settings 300 10 5",
            "genmove b",
            "time_settings 0 5 0",
            "genmove w",
        ] {
            assert!(server.receive(line.as_bytes()).starts_with(b"= "), "{line}");
        }
        let limits = limits.lock().unwrap();
        let shown = |limit: &Limit| {
            limit.clock.map(|clock| {
                let left = clock.left.map(|left| left.as_secs());
                (clock.control.to_string(), left, clock.moves_to_go)
            })
        };
        let shown: Vec<_> = limits.iter().map(shown).collect();
        let clock = |control: &str, left, moves| Some((control.to_owned(), left, moves));
        assert_eq!(
            shown,
            [None, clock("40/60", [60, 12], Some(3)), clock("300", [300; 2], None), None]
        );
    }

    #[test]
    fn serving_ends_with_quit_with_the_input_or_with_a_line_that_doesnt() {
        let serve = |input: &[u8]| {
            let (server, _) = server(Othello::start());
            let mut output = Vec::new();
            let served = server.serve(input, &mut output);
            (served.map_err(|error| error.kind()), String::from_utf8(output).unwrap())
        };
        assert_eq!(serve(b"1 quit\nname\n"), (Ok(()), "=1 \n\n".to_owned()));
        assert_eq!(serve(b"\n\nname"), (Ok(()), "= first legal\n\n".to_owned()));
        let endless = vec![b'x'; 1 << 17];
        assert_eq!(serve(&endless), (Err(io::ErrorKind::InvalidData), String::new()));
    }

    proptest! {
        #[test]
        fn any_lines_are_answered(lines in prop::collection::vec(
            "([0-9]{0,12} )?(play|genmove|undo|boardsize|komi|kata-search_analyze|time_settings|time_left|known_command|\\PC{0,9})( ?(b|w|black|pass|resign|[0-9x-]{1,9}|maxmoves|allow|-1|4294967296|\\PC{0,5})){0,6}",
            0..30,
        )) {
            fn all<G: GtpGame>(start: G, lines: &[String]) {
                let (mut server, _) = server(start);
                for line in lines {
                    let answer = server.receive(line.as_bytes());
                    let is_whole = answer.is_empty() || answer.starts_with(b"=") || answer.starts_with(b"?");
                    assert!(is_whole && (answer.is_empty() || answer.ends_with(b"\n\n")), "{line}");
                }
            }
            all(Checkers::english(), &lines);
            all(Othello::start(), &lines);
            all(Go::start(5, Symmetry::Board).unwrap(), &lines);
            all(tabia_games::TicTacToe::start(), &lines);
        }
    }
}
