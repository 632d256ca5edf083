//! The main lines of games of PGN and PDN.
//!
//! A game is tags and the moves behind them, up to a blank line or a tag behind moves.
//! What is no move is passed over: numbers, results, comments, variations, and words that can't be
//! read as moves.

use std::io::{self, BufRead, Read};
use tabia_engines::MoveHistory;
use tabia_games::{Game, Trouble};

/// The most bytes of a line that are read at once.
const AT_ONCE: u64 = 1 << 24;
/// What ends a word besides spaces.
const ENDS_WORD: &[char] = &['{', '}', '(', ')', '!', '?', '$', ';', '*', '[', ']'];

/// The games of a file.
pub(super) struct Games<'a, G, R> {
    start: &'a G,
    file: R,
    /// The next line, if it was read.
    next: Option<String>,
}

/// What has been read of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    Tags,
    Moves,
}

/// A game while it is read.
struct MainLine<G: Game> {
    history: Result<MoveHistory<G>, String>,
    in_comment: bool,
    /// How many variations are open.
    depth: usize,
}

impl<'a, G: Game, R: BufRead> Games<'a, G, R> {
    /// The games of a file, from this start where they have no tag `FEN`.
    pub fn new(start: &'a G, file: R) -> Self {
        Self { start, file, next: None }
    }

    /// The next game, if there is one; in place of it why it can't be replayed.
    ///
    /// # Errors
    /// If the file can't be read.
    #[allow(clippy::type_complexity)]
    pub fn next_game(&mut self) -> io::Result<Option<Result<MoveHistory<G>, String>>> {
        let mut seen = Seen::Nothing;
        let history = Ok(MoveHistory::new(self.start.clone()));
        let mut game = MainLine { history, in_comment: false, depth: 0 };
        while let Some(line) = self.line()? {
            let text = line.trim_start_matches('\u{feff}').trim();
            match (text.as_bytes().first(), seen) {
                _ if game.in_comment => game.moves(text),
                (None, Seen::Moves) => break,
                (None, _) | (Some(b'%'), _) => {}
                (Some(b'['), Seen::Moves) => {
                    self.next = Some(line);
                    break;
                }
                (Some(b'['), _) => {
                    seen = Seen::Tags;
                    if let Some(setup) = fen(text) {
                        let start = self.start.set_up(&setup);
                        game.history =
                            start.map(MoveHistory::new).map_err(|error| error.to_string());
                    }
                }
                _ => {
                    seen = Seen::Moves;
                    game.moves(text);
                }
            }
        }
        if game.in_comment && game.history.is_ok() {
            game.history = Err("a comment is never closed".to_owned());
        }
        Ok((seen != Seen::Nothing).then_some(game.history))
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        if let Some(line) = self.next.take() {
            return Ok(Some(line));
        }
        let mut line = Vec::new();
        let read = self.file.by_ref().take(AT_ONCE).read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }
}

impl<G: Game> MainLine<G> {
    /// Reads a line of moves.
    fn moves(&mut self, mut line: &str) {
        loop {
            if self.in_comment {
                let Some((_, behind)) = line.split_once('}') else { return };
                (self.in_comment, line) = (false, behind);
            }
            let ends = |letter: char| letter.is_whitespace() || ENDS_WORD.contains(&letter);
            let (word, behind) = line.split_at(line.find(ends).unwrap_or(line.len()));
            if !word.is_empty() {
                self.word(word);
            }
            let Some(end) = behind.chars().next() else { return };
            line = &behind[end.len_utf8()..];
            match end {
                '{' => self.in_comment = true,
                ';' => return,
                '(' => self.depth += 1,
                ')' => self.depth = self.depth.saturating_sub(1),
                '$' => line = line.trim_start_matches(|letter: char| letter.is_ascii_digit()),
                _ => {}
            }
        }
    }

    /// Plays a word of the main line, if it is a move.
    fn word(&mut self, word: &str) {
        let Ok(history) = &mut self.history else { return };
        // The last three are of international draughts.
        let is_result =
            matches!(word, "1-0" | "0-1" | "1/2-1/2" | "\u{bd}-\u{bd}" | "2-0" | "1-1" | "0-2");
        if self.depth > 0 || is_result {
            return;
        }
        let word = if word.starts_with("0-0") { word } else { after_number(word) };
        if history.position().read_move(word.as_bytes()) == Err(Trouble::Unreadable) {
            return;
        }
        if let Err(why) = play(history, word) {
            self.history = Err(why);
        }
    }
}

/// Makes the move that a text means.
fn play<G: Game>(history: &mut MoveHistory<G>, text: &str) -> Result<(), String> {
    let played = history
        .position()
        .parse_move(text)
        .map_err(|error| format!("ply {}: {error}", history.plies().len() + 1))?;
    history.play(&played);
    Ok(())
}

/// A word without the number of a move before it, with dots or without; moves of draughts begin with
/// the number of a square.
fn after_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_square = rest.len() < word.len() && rest.starts_with(['-', 'x', 'X', ':']);
    if is_square { word } else { rest.trim_start_matches('.') }
}

/// The value of a tag `FEN`.
fn fen(tag: &str) -> Option<String> {
    let value = tag.strip_prefix('[')?.trim_start().strip_prefix("FEN")?.trim_start();
    let value = value.strip_prefix('"')?;
    Some(value[..value.rfind('"')?].replace("\\\"", "\"").replace("\\\\", "\\"))
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use tabia_games::Chess;

    /// The same by the crate pgn-reader.
    struct Theirs;

    impl Visitor for Theirs {
        type Tags = Chess;
        type Movetext = Result<MoveHistory<Chess>, String>;
        type Output = Result<MoveHistory<Chess>, String>;

        fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
            ControlFlow::Continue(Chess::start())
        }

        fn tag(
            &mut self,
            tags: &mut Self::Tags,
            name: &[u8],
            value: RawTag<'_>,
        ) -> ControlFlow<Self::Output> {
            if name == b"FEN" {
                *tags = Chess::from_setup(&String::from_utf8_lossy(&value.decode())).unwrap();
            }
            ControlFlow::Continue(())
        }

        fn begin_movetext(
            &mut self,
            tags: Self::Tags,
        ) -> ControlFlow<Self::Output, Self::Movetext> {
            ControlFlow::Continue(Ok(MoveHistory::new(tags)))
        }

        fn san(
            &mut self,
            movetext: &mut Self::Movetext,
            san: SanPlus,
        ) -> ControlFlow<Self::Output> {
            if let Ok(history) = movetext
                && let Err(why) = play(history, &san.san.to_string())
            {
                *movetext = Err(why);
            }
            ControlFlow::Continue(())
        }

        fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
            ControlFlow::Continue(Skip(true))
        }

        fn end_game(&mut self, movetext: Self::Movetext) -> Self::Output {
            movetext
        }
    }

    type Lines = Vec<Option<(String, Vec<String>)>>;

    /// A game's start and its moves; none if it can't be replayed.
    fn shown(game: Result<MoveHistory<Chess>, String>) -> Option<(String, Vec<String>)> {
        let game = game.ok()?;
        let moves = game.replay().map(|(position, played)| position.coordinates(played));
        Some((game.start().setup(), moves.collect()))
    }

    fn ours(text: &str) -> Lines {
        let (start, mut found) = (Chess::start(), Vec::new());
        let mut games = Games::new(&start, text.as_bytes());
        while let Some(game) = games.next_game().unwrap() {
            found.push(shown(game));
        }
        found
    }

    fn theirs(text: &str) -> Lines {
        Reader::new(text.as_bytes())
            .read_games(&mut Theirs)
            .map(|game| shown(game.unwrap()))
            .collect()
    }

    #[test]
    fn main_lines_are_those_of_pgn_reader() {
        let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        for text in [
            "1. e4 e5 2. Nf3 Nc6 1-0\n".to_owned(),
            "[Event \"a\"]\n\n1.e4 e5 2.Nf3 {a [bracket]\n\nblank} 2...Nc6 *\n\n[Event \"b\"]\n\n1. d4 *\n".to_owned(),
            format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n1. e4 dxe3 0-1\n"),
            "[Event \"\\\"a\\\" FEN\"]\r\n\r\n1. e4! (1. d4 d5 (1... Nf6 {)} 2. c4)) 1... c5?! $14 2. Nf3 1/2-1/2\r\n\r\n".to_owned(),
            "% a line\n[Event \"a\"]\n\n1. e4 ; and d5\n% e4\n1... e5 2. Nf3\n".to_owned(),
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O 0-0 5. d3 *\n".to_owned(),
            "1. e4 e5 2. Ke3 *\n\n1. d4 d5 *\n".to_owned(),
            "\u{feff}1 e4 e5 2 Nf3 e.p. +- N Nc6\n\n\n\n1. c4\n".to_owned(),
            String::new(),
        ] {
            assert_eq!(ours(&text), theirs(&text), "{text}");
        }
    }

    #[test]
    fn positions_alone_are_games_too() {
        let fens = ["4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"];
        let text = fens.map(|fen| format!("[FEN \"{fen}\"]\n\n*\n\n")).concat();
        let found = ours(&text);
        assert_eq!(found, fens.map(|fen| Some((fen.to_owned(), Vec::new()))));
        assert_eq!(ours("1. e4 {never closed"), [None]);
    }

    proptest! {
        #[test]
        fn any_games_are_those_of_pgn_reader(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "e4", "e5", "Nf3", "1.", "2...", "{a}", "{(}", "(d4 d5)", "(d4 (c4) {)} d5)",
                    "$1", "!?", "*", "1-0", "\n", "; e4\n", "\n\n", "a6", "h6", "h3", "\n\n[Event \"x\"]\n\n",
                ]),
                0..40,
            )
        ) {
            let text = words.iter().map(|word| format!("{word} ").replace("\n ", "\n")).collect::<String>();
            prop_assert_eq!(ours(&text), theirs(&text), "{}", text);
        }
    }
}
