//! The game as GTP describes it: moves with colors, taken back, on boards of any size.

use super::change::Change;
use tabia::format::Keyed;
use tabia_games::Side;
use tabia_games::gtp::{self, GtpGame, Put};
use tabia_play::choice::GameHistory;

/// Moves that are followed; a game is not that long.
const LONGEST: usize = 10_000;

/// The game so far, as far as it could be followed.
#[derive(Debug)]
pub struct Board<G: GtpGame> {
    start: G,
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

    /// Where the book's game starts.
    pub fn start(&self) -> &G {
        &self.start
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

#[cfg(all(test, feature = "go", feature = "othello", feature = "draughts"))]
mod tests {
    use super::*;
    use tabia_games::go::Symmetry;
    use tabia_games::{Checkers, Game, Go, Othello};

    fn go() -> Board<Go> {
        let mut board = Board::new(Go::start(9, Symmetry::Board).unwrap());
        board.change(Change::Size(9), "");
        board
    }

    fn play<G: GtpGame>(board: &mut Board<G>, moves: &[(Side, &str)]) {
        moves.iter().for_each(|&(side, vertex)| {
            board.change(Change::Play { side, vertex: vertex.to_owned() }, "")
        });
    }

    fn setup<G: GtpGame>(board: &Board<G>) -> Option<String> {
        board.history().map(|history| history.present().position.setup())
    }

    #[test]
    fn go_is_followed() {
        use Side::{First, Second};
        let mut board = go();
        play(&mut board, &[(First, "C3"), (Second, "g7"), (First, "PASS")]);
        assert_eq!(setup(&board).as_deref(), Some("9/9/6O2/9/9/9/2X6/9/9 w"));
        board.change(Change::Undo, "");
        board.change(Change::Undo, "");
        assert_eq!(setup(&board).as_deref(), Some("9/9/9/9/9/9/2X6/9/9 w"));
        // A second stone of Black's: White is to move behind it.
        play(&mut board, &[(First, "A1")]);
        assert_eq!(setup(&board).as_deref(), Some("9/9/9/9/9/9/2X6/9/X8 w"));
    }

    #[test]
    fn what_cant_be_followed_is_unknown_until_it_is_taken_back() {
        use Side::{First, Second};
        let mut board = go();
        play(&mut board, &[(First, "C3"), (Second, "C3"), (First, "D4")]);
        assert_eq!(setup(&board), None);
        board.change(Change::Undo, "");
        assert_eq!(setup(&board), None);
        board.change(Change::Undo, "");
        assert_eq!(setup(&board).as_deref(), Some("9/9/9/9/9/9/2X6/9/9 w"));
        board.change(Change::Unknown, "");
        assert_eq!(setup(&board), None);
        board.change(Change::Clear, "");
        assert_eq!(setup(&board).as_deref(), Some("9/9/9/9/9/9/9/9/9 b"));
        board.change(Change::Undo, "");
        assert_eq!(setup(&board), None);
    }

    #[test]
    fn handicap_stones_leave_white_to_move() {
        let mut board = go();
        board.change(Change::Handicap(None), "C3 G7");
        assert_eq!(setup(&board).as_deref(), Some("9/9/6X2/9/9/9/2X6/9/9 w"));
        board.change(Change::Clear, "");
        board.change(Change::Handicap(Some("C3 Z9".to_owned())), "");
        assert_eq!(setup(&board), None);
    }

    #[test]
    fn other_sizes_and_games_are_unknown() {
        let mut board = go();
        board.change(Change::Size(13), "");
        assert_eq!((setup(&board), board.foreign_size()), (None, Some(13)));
        board.change(Change::Clear, "");
        assert_eq!(setup(&board), None);
        let mut unsaid = Board::new(Go::start(9, Symmetry::Board).unwrap());
        unsaid.change(Change::Clear, "");
        assert_eq!((setup(&unsaid), unsaid.foreign_size()), (None, Some(19)));
        let mut othello = Board::new(Othello::start());
        assert!(setup(&othello).is_some());
        othello.change(Change::Game("Ataxx".to_owned()), "");
        assert_eq!(setup(&othello), None);
        othello.change(Change::Game("othello".to_owned()), "");
        assert!(setup(&othello).is_some());
        // GRhino says that all is well and leaves its board as it is; others may clear it.
        play(&mut othello, &[(Side::First, "F5")]);
        assert!(!othello.begins_with(&Change::Game("Othello".to_owned())));
        othello.change(Change::Game("Othello".to_owned()), "");
        assert_eq!(setup(&othello), None);
        othello.change(Change::Clear, "");
        assert!(othello.begins_with(&Change::Game("Othello".to_owned())));
        othello.change(Change::Game("Othello".to_owned()), "");
        assert!(setup(&othello).unwrap().ends_with(" X"), "nothing was played");
        // Another game stays another one when its board is cleared.
        othello.change(Change::Game("Ataxx".to_owned()), "");
        othello.change(Change::Clear, "");
        assert_eq!(setup(&othello), None);
    }

    /// White has a8, Black b8 and c8, and Black is to move: it can't, White can take both from d8,
    /// and then neither side can move.
    #[test]
    fn othello_passes_are_written_or_not() {
        use Side::{First, Second};
        let corner = format!("{}OXX----- X", "-".repeat(56));
        let mut board = Board::new(Othello::start().set_up(&corner).unwrap());
        assert_eq!(board.side(), Some(Second));
        play(&mut board, &[(First, "pass")]);
        assert_eq!(board.side(), Some(Second));
        play(&mut board, &[(Second, "D1")]);
        assert_eq!(setup(&board), None);
        board.change(Change::Undo, "");
        board.change(Change::Undo, "");
        play(&mut board, &[(Second, "d8")]);
        assert!(setup(&board).unwrap().contains("OOOO----"));
        play(&mut board, &[(First, "E8")]);
        assert_eq!(setup(&board), None);
    }

    #[test]
    fn draughts_are_followed_with_captures_written_in_any_way() {
        use Side::{First, Second};
        let mut board = Board::new(Checkers::english());
        play(&mut board, &[(First, "11-15"), (Second, "22-18"), (First, "15X22")]);
        assert!(setup(&board).unwrap().starts_with("W:"), "White is to move");
        play(&mut board, &[(Second, "25x18")]);
        board.change(Change::Undo, "");
        play(&mut board, &[(Second, "26x17")]);
        assert!(setup(&board).is_some());
        play(&mut board, &[(Second, "23-19")]);
        assert_eq!(setup(&board), None, "Black is to move");
        // Most boards of draughts have 8 rows.
        let mut international = Board::new(Checkers::international());
        play(&mut international, &[(First, "32-28")]);
        assert!(setup(&international).unwrap().starts_with("B:"));
        international.change(Change::Size(8), "");
        assert_eq!(setup(&international), None);
    }
}
