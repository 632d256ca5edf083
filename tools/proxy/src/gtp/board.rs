//! The game as GTP describes it: moves with colors, taken back, on boards of any size.

use tabia::format::Keyed;
use tabia_games::Side;
use tabia_games::gtp::{self, Command, GtpGame, Put};
use tabia_play::choice::GameHistory;

/// Moves that are followed; a game is not that long.
const LONGEST: usize = 10_000;

/// The game so far, as far as it could be followed.
#[derive(Debug)]
pub struct Board<G: GtpGame> {
    /// Where the book's game starts.
    pub start: G,
    keyed: Keyed,
    history: GameHistory<G>,
    /// What was done, for taking it back.
    steps: Vec<Step>,
    /// The size of the engine's board.
    size: Option<usize>,
    is_unknown: bool,
    /// Nothing was played or set up since it was cleared.
    is_empty: bool,
    /// The engine was told to play another game.
    is_other_game: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Move,
    Nothing,
    /// What couldn't be followed.
    Beyond,
}

impl<G: GtpGame> Board<G> {
    pub fn new(start: G) -> Self {
        let history = GameHistory::start(start.clone(), Keyed::Position);
        Self {
            size: start.usual_size(),
            start,
            keyed: Keyed::Position,
            history,
            steps: Vec::new(),
            is_unknown: false,
            is_empty: true,
            is_other_game: false,
        }
    }

    /// What the book's keys are of. Told late, what was played is played again.
    pub fn keyed_as(&mut self, keyed: Keyed) {
        if keyed != self.keyed {
            self.keyed = keyed;
            let mut history = GameHistory::start(self.history.nodes()[0].position.clone(), keyed);
            self.history.moves().iter().for_each(|played| history.play(played));
            self.history = history;
        }
    }

    /// The game so far, if it is known.
    pub fn history(&self) -> Option<&GameHistory<G>> {
        let is_known = !self.is_unknown
            && !self.is_other_game
            && self.foreign_size().is_none()
            && !self.steps.contains(&Step::Beyond);
        is_known.then_some(&self.history)
    }

    /// Who is to move, if it is known.
    pub fn side(&self) -> Option<Side> {
        self.history().map(|history| history.present().position.side())
    }

    /// The board's size, if it isn't the book's.
    pub fn foreign_size(&self) -> Option<usize> {
        self.size.filter(|_| self.size != gtp::board_size(&self.start))
    }

    /// Whether a game begins with a change.
    pub fn begins_with(&self, change: &Change) -> bool {
        match change {
            Change::Size(_) | Change::Clear => true,
            Change::Game(_) => self.is_empty,
            _ => false,
        }
    }

    /// Follows a change; `answer` is what the engine said to it.
    pub fn change(&mut self, change: Change, answer: &str) {
        self.is_empty &= matches!(change, Change::Size(_) | Change::Clear | Change::Game(_));
        match change {
            Change::Size(size) => {
                self.size = Some(size);
                self.begin(self.start.clone());
            }
            Change::Clear => self.begin(self.start.clone()),
            // Of a board that isn't empty it isn't known whether it is now, until it is cleared.
            Change::Game(name) => {
                self.is_other_game = !self.start.is_called(&name);
                self.is_unknown |= !self.is_empty;
            }
            Change::Play { side, vertex } => self.play(side, &vertex),
            Change::Undo => self.take_back(),
            Change::Handicap(vertices) => {
                let vertices = vertices.as_deref().unwrap_or(answer);
                let start = self.start.with_handicap(vertices).filter(|_| self.steps.is_empty());
                match start {
                    Some(start) => {
                        self.begin(start);
                        self.is_empty = false;
                    }
                    None => self.is_unknown = true,
                }
            }
            Change::Unknown => self.is_unknown = true,
        }
    }

    fn begin(&mut self, start: G) {
        self.history = GameHistory::start(start, self.keyed);
        self.steps.clear();
        (self.is_unknown, self.is_empty) = (false, true);
    }

    fn play(&mut self, side: Side, vertex: &str) {
        if self.steps.len() >= LONGEST {
            self.is_unknown = true;
            return;
        }
        let put = self.history().and_then(|history| history.present().position.put(side, vertex));
        self.steps.push(match put {
            Some(Put::Move(played)) => {
                self.history.play(&played);
                Step::Move
            }
            Some(Put::Nothing) => Step::Nothing,
            None => Step::Beyond,
        });
    }

    fn take_back(&mut self) {
        match self.steps.pop() {
            Some(Step::Move) => self.is_unknown |= !self.history.take_back(),
            Some(Step::Nothing | Step::Beyond) => {}
            None => self.is_unknown = true,
        }
    }
}

/// A change of the position, once the engine has accepted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The board has this size, and is empty.
    Size(usize),
    Clear,
    /// The game has this name. Whether the board is cleared is the engine's affair: GRhino's isn't.
    Game(String),
    Play {
        side: Side,
        vertex: String,
    },
    Undo,
    /// Handicap stones on these vertices, or on those that the engine answers.
    Handicap(Option<String>),
    Unknown,
}

/// Commands that put up a position, or play, in a way that isn't followed here.
const UNKNOWN: &str = "loadsgf set_position kata-set-position gogui-setup gogui-setup_player \
    gogui-play_sequence grhino-setup_board grhino-auto_play gg-undo black white genmove_black \
    genmove_white restricted_genmove trymove tryko popgo kata-genmove_debug";

/// What a command changes in this game, if the engine accepts it.
pub fn change<G: GtpGame>(game: &G, command: &Command<'_>) -> Option<Change> {
    let change = match (command.name, command.args.as_slice()) {
        ("boardsize", [size, ..]) => size.parse().map_or(Change::Unknown, Change::Size),
        ("clear_board", _) => Change::Clear,
        ("set_game", [game, ..]) => Change::Game((*game).to_owned()),
        ("play", [color, vertex, ..]) => match gtp::side(game, color) {
            Some(side) => Change::Play { side, vertex: (*vertex).to_owned() },
            None => Change::Unknown,
        },
        ("undo", _) => Change::Undo,
        ("fixed_handicap" | "place_free_handicap", _) => Change::Handicap(None),
        ("set_free_handicap", vertices) => Change::Handicap(Some(vertices.join(" "))),
        (name, _) if UNKNOWN.split(' ').any(|unknown| unknown == name) => Change::Unknown,
        _ => return None,
    };
    Some(change)
}

#[cfg(all(test, feature = "go", feature = "othello", feature = "draughts"))]
mod tests {
    use super::*;
    use tabia_games::go::Symmetry;
    use tabia_games::{Checkers, Game, Go, Othello};

    /// Follows commands, parted by `; `, each with what the engine answers behind ` = `, and makes sure
    /// of the position behind them: `?` is one that isn't known, `...` in it stands for anything.
    fn check<G: GtpGame>(board: &mut Board<G>, steps: &[(&str, &str)]) {
        for &(commands, expected) in steps {
            for text in commands.split("; ").filter(|text| !text.is_empty()) {
                let (text, answer) = text.split_once(" = ").unwrap_or((text, ""));
                let change = change(&board.start, &Command::of(text).unwrap());
                board.change(change.unwrap(), answer);
            }
            let setup = board.history().map(|history| history.present().position.setup());
            let fits = setup.as_ref().map_or(expected == "?", |setup| {
                let mut parts = expected.split("...");
                let begins = parts.next().is_some_and(|part| setup.starts_with(part));
                (expected.contains("...") || setup == expected)
                    && begins
                    && parts.all(|part| setup.contains(part))
            });
            assert!(fits, "{commands}: {setup:?} instead of {expected}");
        }
    }

    fn go() -> Board<Go> {
        let mut board = Board::new(Go::start(9, Symmetry::Board).unwrap());
        board.change(Change::Size(9), "");
        board
    }

    #[test]
    fn go_is_followed() {
        let steps = [
            ("play b C3; play w g7; play b PASS", "9/9/6O2/9/9/9/2X6/9/9 w"),
            ("undo; undo", "9/9/9/9/9/9/2X6/9/9 w"),
            // A second stone of Black's: White is to move behind it.
            ("play b A1", "9/9/9/9/9/9/2X6/9/X8 w"),
        ];
        check(&mut go(), &steps);
    }

    #[test]
    fn what_cant_be_followed_is_unknown_until_it_is_taken_back() {
        let steps = [
            ("play b C3; play w C3; play b D4", "?"),
            ("undo", "?"),
            ("undo", "9/9/9/9/9/9/2X6/9/9 w"),
            ("loadsgf x", "?"),
            ("clear_board", "9/9/9/9/9/9/9/9/9 b"),
            ("undo", "?"),
        ];
        check(&mut go(), &steps);
    }

    #[test]
    fn handicap_stones_leave_white_to_move() {
        let steps = [
            ("fixed_handicap 2 = C3 G7", "9/9/6X2/9/9/9/2X6/9/9 w"),
            ("clear_board; set_free_handicap C3 Z9", "?"),
        ];
        check(&mut go(), &steps);
    }

    #[test]
    fn other_sizes_and_games_are_unknown() {
        let mut board = go();
        check(&mut board, &[("boardsize 13", "?"), ("clear_board", "?")]);
        assert_eq!(board.foreign_size(), Some(13));
        let mut unsaid = Board::new(Go::start(9, Symmetry::Board).unwrap());
        check(&mut unsaid, &[("clear_board", "?")]);
        assert_eq!(unsaid.foreign_size(), Some(19));
        let mut othello = Board::new(Othello::start());
        check(&mut othello, &[("", "..."), ("set_game Ataxx", "?"), ("set_game othello", "...")]);
        // GRhino says that all is well and leaves its board as it is; others may clear it.
        check(&mut othello, &[("play b F5", "...")]);
        let begins = Change::Game("Othello".to_owned());
        assert!(!othello.begins_with(&begins));
        check(&mut othello, &[("set_game Othello", "?"), ("clear_board", "...")]);
        assert!(othello.begins_with(&begins));
        // Nothing was played. Another game stays another one when its board is cleared.
        let steps = [("set_game Othello", "... X"), ("set_game Ataxx; clear_board", "?")];
        check(&mut othello, &steps);
    }

    /// White has a8, Black b8 and c8, and Black is to move: it can't, White can take both from d8,
    /// and then neither side can move.
    #[test]
    fn othello_passes_are_written_or_not() {
        let corner = format!("{}OXX----- X", "-".repeat(56));
        let steps = [
            ("", "... O"),
            ("play b pass", "... O"),
            ("play w D1", "?"),
            ("undo; undo; play w d8", "...OOOO----..."),
            ("play b E8", "?"),
        ];
        check(&mut Board::new(Othello::start().set_up(&corner).unwrap()), &steps);
    }

    #[test]
    fn draughts_are_followed_with_captures_written_in_any_way() {
        let steps = [
            ("play b 11-15; play w 22-18; play b 15X22", "W:..."),
            ("play w 25x18; undo; play w 26x17", "B:..."),
            ("play w 23-19", "?"),
        ];
        check(&mut Board::new(Checkers::english()), &steps);
        // Most boards of draughts have 8 rows.
        let steps = [("play w 32-28", "B:..."), ("boardsize 8", "?")];
        check(&mut Board::new(Checkers::international()), &steps);
    }
}
