//! An interactive walk through a book: what keys do, and what is seen. It knows no terminal.

use super::board;
use super::columns::Moves;
use super::lines::wrapped;
use super::position::{self, Style};
use crate::choice::GameHistory;
use crate::explore::{Answer, OpenBook, Played};
use tabia::Result;
use tabia_games::Game;
use tabia_interop::opening_names::OpeningNames;

/// The fewest moves for which the board is left out, where the terminal is low.
const FEWEST_MOVES: usize = 3;
/// By how many moves a page moves.
const PAGE: usize = 10;

const HELP: [&str; 10] = [
    "up, down, k, j      choose a move",
    "page up, page down  ten moves further",
    "right, enter, l     play it",
    "left, backspace, h  take the last move back",
    "home, g             back to the start of the line",
    "end, G              forward again, as far as moves were taken back",
    "m                   type a move, be it in the book or not",
    "f                   turn the board",
    "?                   this help",
    "q, escape, ctrl-c   quit",
];

/// A key, however a terminal sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "keys are called as on the keyboard")]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Backspace,
    Escape,
    Interrupt,
    Letter(char),
}

/// A walk.
pub struct Walker<'a, G: Game> {
    book: &'a OpenBook,
    names: &'a OpeningNames,
    history: GameHistory<G>,
    /// Moves that were taken back, the next one last.
    ahead: Vec<G::Move>,
    /// What is known of the present position.
    answer: Answer,
    chosen: usize,
    is_turned: bool,
    shows_help: bool,
    /// A move that is being typed.
    typed: Option<String>,
    /// What is to be said of the last key.
    said: Option<String>,
}

/// Whether the walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It goes on.
    Stay,
    /// It is over.
    Quit,
}

impl<'a, G: Game> Walker<'a, G> {
    /// A walk that begins at the present position of a game.
    ///
    /// # Errors
    /// Those of reading the book.
    pub fn new(
        book: &'a OpenBook,
        names: &'a OpeningNames,
        history: GameHistory<G>,
    ) -> Result<Self> {
        let answer = Answer::new(book, &history, names)?;
        Ok(Self {
            book,
            names,
            history,
            ahead: Vec::new(),
            answer,
            chosen: 0,
            is_turned: false,
            shows_help: false,
            typed: None,
            said: None,
        })
    }

    /// Does what a key asks for.
    ///
    /// # Errors
    /// Those of reading the book.
    pub fn press(&mut self, key: Key) -> Result<Next> {
        self.said = None;
        if key == Key::Interrupt {
            return Ok(Next::Quit);
        }
        if self.shows_help {
            self.shows_help = false;
            return Ok(Next::Stay);
        }
        if self.typed.is_some() {
            self.type_on(key)?;
            return Ok(Next::Stay);
        }
        let last = self.answer.explored.moves.len().saturating_sub(1);
        match key {
            Key::Letter('q') | Key::Escape => return Ok(Next::Quit),
            Key::Up | Key::Letter('k') => self.chosen = self.chosen.saturating_sub(1),
            Key::Down | Key::Letter('j') => self.chosen = last.min(self.chosen + 1),
            Key::PageUp => self.chosen = self.chosen.saturating_sub(PAGE),
            Key::PageDown => self.chosen = last.min(self.chosen + PAGE),
            Key::Right | Key::Enter | Key::Letter('l') => self.play_chosen()?,
            Key::Left | Key::Backspace | Key::Letter('h') => self.back(1)?,
            Key::Home | Key::Letter('g') => self.back(usize::MAX)?,
            Key::End | Key::Letter('G') => self.forward()?,
            Key::Letter('f') => self.is_turned = !self.is_turned,
            Key::Letter('m') => self.typed = Some(String::new()),
            Key::Letter('?') => self.shows_help = true,
            Key::Letter(_) | Key::Interrupt => {
                self.said = Some("no key of this walk: ? shows them".to_owned());
            }
        }
        Ok(Next::Stay)
    }

    fn play_chosen(&mut self) -> Result<()> {
        let Some(chosen) = self.answer.explored.moves.get(self.chosen) else {
            self.said = Some("no moves are known here: m types one, left goes back".to_owned());
            return Ok(());
        };
        match self.history.present().move_of_code(chosen.code) {
            Some(played) => self.play(&played),
            None => {
                self.said = Some("this code is no legal move here".to_owned());
                Ok(())
            }
        }
    }

    /// Plays a move. What was taken back before stays in reach if it goes on from there.
    fn play(&mut self, played: &G::Move) -> Result<()> {
        if self.ahead.last() == Some(played) {
            self.ahead.pop();
        } else {
            self.ahead.clear();
        }
        self.history.play(played);
        self.arrive()
    }

    /// Takes back so many moves, or as many as there are.
    fn back(&mut self, plies: usize) -> Result<()> {
        let plies = plies.min(self.history.plies());
        if plies == 0 {
            self.said = Some("this is where the line starts".to_owned());
            return Ok(());
        }
        for _ in 0..plies {
            self.ahead.extend(self.history.moves().last().cloned());
            self.history.take_back();
        }
        self.arrive()
    }

    /// Plays again what was taken back.
    fn forward(&mut self) -> Result<()> {
        if self.ahead.is_empty() {
            self.said = Some("no moves were taken back".to_owned());
            return Ok(());
        }
        while let Some(played) = self.ahead.pop() {
            self.history.play(&played);
        }
        self.arrive()
    }

    /// Looks the present position up. The move that was taken back there is chosen.
    fn arrive(&mut self) -> Result<()> {
        self.answer = Answer::new(self.book, &self.history, self.names)?;
        let code = self.ahead.last().map(|played| self.history.present().code(played));
        let moves = &self.answer.explored.moves;
        self.chosen = moves.iter().position(|played| Some(played.code) == code).unwrap_or(0);
        Ok(())
    }

    /// Takes a key for the move that is being typed.
    fn type_on(&mut self, key: Key) -> Result<()> {
        let Some(mut text) = self.typed.take() else { return Ok(()) };
        match key {
            Key::Escape => return Ok(()),
            Key::Enter if text.trim().is_empty() => return Ok(()),
            Key::Enter => {
                match self.history.present().position.parse_move(&text) {
                    Ok(played) => return self.play(&played),
                    Err(error) => self.said = Some(error.to_string()),
                };
                return Ok(());
            }
            Key::Backspace => drop(text.pop()),
            Key::Letter(letter) if !letter.is_control() => text.push(letter),
            _ => {}
        }
        self.typed = Some(text);
        Ok(())
    }

    /// What is seen on a terminal with this many rows: as many lines at most.
    pub fn view(&self, style: Style, rows: usize) -> Vec<String> {
        if self.shows_help {
            let help = HELP.into_iter().map(str::to_owned);
            return help
                .chain([String::new(), "any key goes back".to_owned()])
                .take(rows)
                .collect();
        }
        let table = self.table(style);
        let (above, below) = (self.above(style), self.below(style));
        // The names of the columns, and the line before them.
        let fixed = above.len() + below.len() + 2;
        let diagram = &self.answer.explored.diagram;
        let board = if self.is_turned { board::turned(diagram) } else { diagram.clone() };
        let mut board: Vec<String> = board.lines().map(str::to_owned).collect();
        let wanted = table.len().saturating_sub(1).min(FEWEST_MOVES);
        if fixed + board.len() + wanted > rows {
            board.clear();
        }
        let room = rows.saturating_sub(fixed + board.len()).max(1);
        let from = first_shown(self.chosen, table.len().saturating_sub(1), room);
        let mut lines = board;
        lines.extend(above);
        lines.push(String::new());
        match table.split_first() {
            Some((header, moves)) => {
                lines.push(header.clone());
                lines.extend(moves.iter().skip(from).take(room).cloned());
            }
            None => lines.push("no moves are known here".to_owned()),
        }
        lines.extend(below);
        lines.truncate(rows);
        lines
    }

    /// The names of the columns and the moves; nothing if there are none.
    fn table(&self, style: Style) -> Vec<String> {
        let explored = &self.answer.explored;
        if explored.moves.is_empty() {
            return Vec::new();
        }
        let moves = Moves::new(explored, style.ink, style.paint, style.columns);
        let point = |(place, line): (usize, &String)| {
            if place == self.chosen {
                style.paint.bold(">") + line.strip_prefix(' ').unwrap_or(line)
            } else {
                line.clone()
            }
        };
        let lines = moves.lines.iter().enumerate().map(point);
        [moves.header].into_iter().chain(lines).collect()
    }

    /// What stands between the board and the moves.
    fn above(&self, style: Style) -> Vec<String> {
        let played = Played::of(&self.history);
        let line = match played.moves.len() {
            0 => "the start of the line".to_owned(),
            plies => played.line(0..plies),
        };
        let mut lines = wrapped(&line, style.columns);
        // Of a long line its end is what matters.
        let kept = lines.len().saturating_sub(2);
        lines.drain(..kept);
        lines.push(self.answer.explored.fen.clone());
        lines.extend(position::opening(&self.answer, style));
        lines.extend(position::position(&self.answer.explored, style));
        if let Some(last) = &self.answer.last_in_book {
            lines.extend(wrapped(&last.left(), style.columns));
        }
        lines
    }

    /// What stands below the moves: what is typed or to be said, and the keys.
    fn below(&self, style: Style) -> Vec<String> {
        let keys = "arrows: choose, play, back  m: type a move  f: turn  ?: help  q: quit";
        let said = match (&self.typed, &self.said) {
            (Some(typed), _) => format!("move: {typed}_"),
            (None, Some(said)) => said.clone(),
            (None, None) => String::new(),
        };
        vec![said, style.paint.inverse(keys)]
    }
}

/// The first move shown, where there is room for so many, so that the chosen one is among them.
fn first_shown(chosen: usize, moves: usize, room: usize) -> usize {
    chosen.saturating_sub(room / 2).min(moves.saturating_sub(room))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::book_of_rows;
    use crate::text::{Ink, Paint};
    use tabia::{Counts, Keyed, MoveRow, PositionRow};
    use tabia_games::{Chess, Node};

    const STYLE: Style = Style { ink: Ink::ASCII, paint: Paint::NONE, columns: 80 };

    /// A book with three moves at the start and one behind the first of them.
    fn book() -> OpenBook {
        let start = Node::start(Chess::start(), false);
        let row = |(node, text, wins): (&Node<Chess>, &str, u32)| {
            let played = node.position.parse_move(text).unwrap();
            MoveRow::new(node.key, node.code(&played), Counts::new(wins, 1, 0))
        };
        let after = start.after(&start.position.parse_move("e4").unwrap());
        let played = [(&start, "e4", 5), (&start, "d4", 3), (&start, "c4", 1), (&after, "e5", 2)];
        let positions = vec![PositionRow::new(start.key, Counts::new(9, 1, 0))];
        book_of_rows(positions, played.map(row).into()).into()
    }

    /// What was played after these keys, and what is seen then.
    fn walked(keys: &[Key], rows: usize) -> (String, Vec<String>, Next) {
        let (book, names) = (book(), OpeningNames::default());
        let history = GameHistory::start(Chess::start(), Keyed::Position);
        let mut walker = Walker::new(&book, &names, history).unwrap();
        let next = keys.iter().fold(Next::Stay, |_, &key| walker.press(key).unwrap());
        (Played::of(&walker.history).moves.join(" "), walker.view(STYLE, rows), next)
    }

    fn typed(text: &str) -> Vec<Key> {
        text.chars()
            .map(|letter| if letter == '\n' { Key::Enter } else { Key::Letter(letter) })
            .collect()
    }

    #[test]
    fn keys_lead_along_lines_and_back() {
        use Key::{Backspace, Down, End, Enter, Home, Left, Right, Up};
        let cases: [(&[Key], &str); 9] = [
            (&[], ""),
            (&[Enter], "e4"),
            (&[Right, Right], "e4 e5"),
            (&[Down, Down, Down, Down, Up, Right], "d4"),
            (&[Right, Right, Left, Backspace, Left], ""),
            (&[Right, Right, Home], ""),
            (&[Right, Right, Home, End], "e4 e5"),
            (&[Right, Right, Home, Right, End], "e4 e5"),
            (&[Right, Right, Home, Down, Right, End], "d4"),
        ];
        for (keys, played) in cases {
            assert_eq!(walked(keys, 40).0, played, "{keys:?}");
        }
        assert_eq!(walked(&typed("lljhh"), 40).0, "");
        // The move that was taken back is the one that is chosen then.
        let (_, seen, _) = walked(&[Down, Right, Left], 40);
        assert!(seen.iter().any(|line| line.starts_with(">d4")), "{seen:#?}");
    }

    #[test]
    fn moves_can_be_typed_and_need_not_be_in_the_book() {
        assert_eq!(walked(&typed("mNf3\n"), 40).0, "Nf3");
        assert_eq!(walked(&typed("m\n"), 40).0, "");
        let (played, seen, _) = walked(&typed("mKe2\n"), 40);
        assert_eq!(played, "");
        assert!(seen.iter().any(|line| line.contains("`Ke2` is not legal here")), "{seen:#?}");
        let (_, seen, _) = walked(&typed("mNf"), 40);
        assert!(seen.iter().any(|line| line == "move: Nf_"), "{seen:#?}");
        assert_eq!(walked(&[Key::Letter('m'), Key::Letter('q'), Key::Escape], 40).2, Next::Stay);
    }

    #[test]
    fn a_line_that_leaves_the_book_says_where() {
        let (_, seen, _) = walked(&typed("lmc6\n"), 40);
        let said = "in the book until move 1; 1... c6 leaves it";
        assert!(seen.iter().any(|line| line == said), "{seen:#?}");
        assert!(seen.iter().any(|line| line == "no moves are known here"), "{seen:#?}");
    }

    #[test]
    fn keys_quit_turn_the_board_and_help() {
        for key in [Key::Letter('q'), Key::Escape, Key::Interrupt] {
            assert_eq!(walked(&[Key::Right, key], 40).2, Next::Quit);
        }
        let (_, seen, _) = walked(&typed("f"), 40);
        assert_eq!(seen[0], "1 R N B K Q B N R");
        let (_, seen, _) = walked(&typed("?"), 40);
        assert_eq!(seen[0], HELP[0]);
        let (_, seen, next) = walked(&typed("?q"), 40);
        assert!(next == Next::Stay && seen[0].starts_with("8 r"), "{seen:#?}");
    }

    #[test]
    fn what_is_seen_fits_any_terminal_and_has_the_chosen_move() {
        for rows in 1..40 {
            for keys in [&[][..], &[Key::Down, Key::Down]] {
                let (_, seen, _) = walked(keys, rows);
                assert!(seen.len() <= rows && seen.iter().all(|line| line.chars().count() <= 80));
                let has_board = seen.iter().any(|line| line.starts_with("8 r"));
                let has_chosen = seen.iter().any(|line| line.starts_with('>'));
                assert!(has_chosen || rows < 9, "{rows}: {seen:#?}");
                assert_eq!(has_board, rows >= 20, "{rows}: {seen:#?}");
            }
        }
    }

    #[test]
    fn the_chosen_move_is_among_those_that_are_shown() {
        for moves in 1..30 {
            for room in 1..=moves {
                for chosen in 0..moves {
                    let first = first_shown(chosen, moves, room);
                    assert!(first <= chosen && chosen < first + room && first + room <= moves);
                }
            }
        }
    }
}
