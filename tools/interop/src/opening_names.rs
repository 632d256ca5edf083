//! Names of openings: the tables of lichess's chess-openings (TSV with the columns `eco`, `name` and
//! `pgn`, or `name` and `fen`), and the classification files of Scid (`.eco`).
//!
//! A name belongs to a position, so that transpositions find it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use tabia_games::{Game, MoveError, SetupError, after_number};

/// What a position is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningName {
    /// Its code, in chess that of the Encyclopaedia of Chess Openings: `C60`, in Scid's files also
    /// `C60a`. Empty if it has none.
    pub eco: String,
    /// Its name, without control characters and never empty.
    pub name: String,
}

/// The names of positions of one game.
#[derive(Clone, Debug, Default)]
pub struct OpeningNames {
    by_key: HashMap<u64, OpeningName>,
}

/// What is wrong with a file of names, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {trouble}")]
pub struct NamesError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub trouble: NamesTrouble,
}

/// What is wrong with a line of a file of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamesTrouble {
    /// The first line doesn't name the columns of a table, and is no entry of Scid's either.
    #[error(
        "these are no names of openings: a table has the columns eco, name and pgn (or fen), a file of Scid's lines such as C60 \"Ruy Lopez\" 1.e4 e5 2.Nf3 Nc6 3.Bb5 *"
    )]
    Unknown,
    /// A row of a table has no cell for this column.
    #[error("there is nothing in the column `{0}`")]
    Missing(&'static str),
    /// An entry of Scid's has no name in quotation marks.
    #[error("an entry is a code, a name in quotation marks and moves that end with *")]
    Entry,
    /// An entry of Scid's isn't ended.
    #[error("the moves of this entry don't end with *")]
    Endless,
    /// A name has characters that a terminal would obey.
    #[error("a name or a code has control characters")]
    Control,
    /// A position can't be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A move, counted from 1, can't be played.
    #[error("move {0}: {1}")]
    Move(usize, MoveError),
}

impl OpeningNames {
    /// Adds the names of a file, given as text, to those that are there; which of both formats it
    /// has is told by its first line. A position that has a name keeps it. `start` is where the
    /// game's lines start.
    ///
    /// # Errors
    /// What is wrong with the first line that can't be read. The names before it have been added.
    ///
    /// ```
    /// # #[cfg(feature = "chess")] {
    /// use tabia_games::{Chess, Game};
    /// use tabia_interop::opening_names::OpeningNames;
    ///
    /// let mut names = OpeningNames::default();
    /// names.read(&Chess::start(), "eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\n")?;
    /// let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    /// let position = Chess::start().set_up(after).unwrap();
    /// assert_eq!(names.of(&position).unwrap().name, "King's Pawn Game");
    /// # }
    /// # Ok::<(), tabia_interop::opening_names::NamesError>(())
    /// ```
    pub fn read<G: Game>(&mut self, start: &G, text: &str) -> Result<(), NamesError> {
        let text = text.trim_start_matches('\u{feff}');
        let first = numbered(text).find(|(_, line)| !line.starts_with('#'));
        let Some((line, first)) = first else { return Ok(()) };
        let mut reading = Reading { names: self, start, line: Vec::new() };
        if first.split('\t').any(|name| name == "name") {
            reading.table(text)
        } else if first.contains('"') && !first.contains('\t') {
            reading.scid(text)
        } else {
            Err(NamesError { line, trouble: NamesTrouble::Unknown })
        }
    }

    /// What a position is called, if it has a name of its own.
    pub fn of<G: Game>(&self, position: &G) -> Option<&OpeningName> {
        if self.by_key.is_empty() { None } else { self.by_key.get(&position.key()) }
    }

    /// All names, with the keys of their positions, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &OpeningName)> {
        self.by_key.iter().map(|(&key, name)| (key, name))
    }

    /// Whether no position has a name.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }
}

/// The lines of a text that say something, with their numbers.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
    lines.filter(|(_, line)| !line.trim().is_empty())
}

struct Reading<'a, G> {
    names: &'a mut OpeningNames,
    start: &'a G,
    /// The moves of the last line that was played, and where each leads: many lines begin alike.
    line: Vec<(String, G)>,
}

/// An entry of Scid's as far as it was read.
struct ScidEntry<'a> {
    /// Where it begins.
    line: usize,
    eco: &'a str,
    name: &'a str,
    moves: Vec<&'a str>,
}

impl<G: Game> Reading<'_, G> {
    /// Reads rows below the names of their columns.
    fn table(&mut self, text: &str) -> Result<(), NamesError> {
        let mut lines = numbered(text).filter(|(_, line)| !line.starts_with('#'));
        let Some((first, header)) = lines.next() else { return Ok(()) };
        let place = |name| header.split('\t').position(|column| column.trim() == name);
        let unknown = NamesError { line: first, trouble: NamesTrouble::Unknown };
        let moves = place("pgn").or_else(|| place("moves")).or_else(|| place("uci"));
        let (eco, name, fen) = (place("eco"), place("name"), place("fen"));
        let (Some(name), true) = (name, moves.or(fen).is_some()) else { return Err(unknown) };
        for (line, row) in lines {
            let at = |trouble| NamesError { line, trouble };
            let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
            let cell = |place: Option<usize>, column| {
                let Some(place) = place else { return Ok("") };
                let cell = cells.get(place).copied().filter(|cell| !cell.is_empty());
                cell.ok_or_else(|| at(NamesTrouble::Missing(column)))
            };
            let (name, eco) = (cell(Some(name), "name")?, cell(eco, "eco")?);
            match (moves, cell(moves, "pgn")?) {
                (Some(_), moves) => self.entry(eco, name, moves.split_whitespace()),
                (None, _) => self.set_up(eco, name, cell(fen, "fen")?),
            }
            .map_err(at)?;
        }
        Ok(())
    }

    /// Reads entries, each of which may take several lines and ends with `*`.
    fn scid(&mut self, text: &str) -> Result<(), NamesError> {
        let mut open: Option<ScidEntry<'_>> = None;
        for (line, text) in numbered(text).filter(|(_, line)| !line.trim_start().starts_with('#')) {
            let (mut entry, rest) = match open.take() {
                Some(entry) => (entry, text),
                None => ScidEntry::open(line, text)
                    .ok_or(NamesError { line, trouble: NamesTrouble::Entry })?,
            };
            let mut words = rest.split_whitespace();
            entry.moves.extend(words.by_ref().take_while(|word| *word != "*"));
            // What comes after the end of an entry is none of its moves.
            let is_ended = rest.split_whitespace().any(|word| word == "*");
            if words.next().is_some() {
                return Err(NamesError { line, trouble: NamesTrouble::Entry });
            }
            if is_ended {
                let ScidEntry { line, eco, name, moves } = entry;
                let at = |trouble| NamesError { line, trouble };
                self.entry(eco, name, moves.into_iter()).map_err(at)?;
            } else {
                open = Some(entry);
            }
        }
        match open {
            Some(ScidEntry { line, .. }) => {
                Err(NamesError { line, trouble: NamesTrouble::Endless })
            }
            None => Ok(()),
        }
    }

    /// Plays an entry's moves, and names where they lead.
    fn entry<'t>(
        &mut self,
        eco: &str,
        name: &str,
        words: impl Iterator<Item = &'t str>,
    ) -> Result<(), NamesTrouble> {
        let mut plies = 0;
        for text in words.map(after_number).filter(|text| !text.is_empty() && *text != "*") {
            if self.line.get(plies).is_none_or(|(played, _)| played != text) {
                self.line.truncate(plies);
                let mut position = self.at(plies).clone();
                let played = position
                    .parse_move(text)
                    .map_err(|error| NamesTrouble::Move(plies + 1, error))?;
                position.play(&played);
                self.line.push((text.to_owned(), position));
            }
            plies += 1;
        }
        let key = self.at(plies).key();
        self.name(key, eco, name)
    }

    /// Names a position given by itself. Where the game starts needs no such name: it is one of
    /// Chess960's 960, too.
    fn set_up(&mut self, eco: &str, name: &str, fen: &str) -> Result<(), NamesTrouble> {
        let key = self.start.set_up(fen)?.key();
        if key == self.start.key() { Ok(()) } else { self.name(key, eco, name) }
    }

    fn name(&mut self, key: u64, eco: &str, name: &str) -> Result<(), NamesTrouble> {
        if [eco, name].iter().any(|text| text.chars().any(char::is_control)) {
            return Err(NamesTrouble::Control);
        }
        if let Entry::Vacant(place) = self.names.by_key.entry(key) {
            place.insert(OpeningName { eco: eco.to_owned(), name: name.to_owned() });
        }
        Ok(())
    }

    /// The position after so many plies of the line.
    fn at(&self, plies: usize) -> &G {
        plies.checked_sub(1).map_or(self.start, |last| &self.line[last].1)
    }
}

impl<'a> ScidEntry<'a> {
    /// The code and the name that a line begins with, and what comes after them.
    fn open(line: usize, text: &'a str) -> Option<(Self, &'a str)> {
        let (eco, rest) = text.split_once('"')?;
        let (name, rest) = rest.split_once('"')?;
        let (eco, name) = (eco.trim(), name.trim());
        let is_code = eco.bytes().all(|letter| letter.is_ascii_alphanumeric());
        (is_code && !name.is_empty()).then_some((Self { line, eco, name, moves: Vec::new() }, rest))
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use tabia_games::Chess;

    fn names(text: &str) -> Result<OpeningNames, NamesError> {
        let mut names = OpeningNames::default();
        names.read(&Chess::start(), text).map(|()| names)
    }

    fn after(moves: &str) -> Chess {
        moves.split(' ').filter(|text| !text.is_empty()).fold(
            Chess::start(),
            |mut position, text| {
                let played = position.parse_move(text).unwrap();
                position.play(&played);
                position
            },
        )
    }

    fn name(names: &OpeningNames, moves: &str) -> Option<(String, String)> {
        names.of(&after(moves)).map(|found| (found.eco.clone(), found.name.clone()))
    }

    fn pair(eco: &str, name: &str) -> Option<(String, String)> {
        Some((eco.to_owned(), name.to_owned()))
    }

    const TABLE: &str = "eco\tname\tpgn\nA04\tZukertort Opening\t1. Nf3\n\nA40\tQueen's Pawn Game\t1. d4\nD02\tLondon System\t1. d4 d5 2. Nf3\n";

    const SCID: &str = "\
# Comments begin lines; a # in moves is a mate.
A00a \"Start position\"  *
A00b \"Barnes: Fool's Mate\"  1.f3 e5 2.g4 Qh4# *
A14 \"English: Neo-Catalan\"
  1.c4 e6 2.Nf3 d5
  3.g3 Nf6 *
";

    #[test]
    fn tables_name_positions_and_transpositions_find_them() {
        let names = names(TABLE).unwrap();
        assert_eq!(names.iter().count(), 3);
        assert_eq!(name(&names, "Nf3"), pair("A04", "Zukertort Opening"));
        assert_eq!(name(&names, "Nf3 d5 d4"), pair("D02", "London System"));
        assert_eq!(name(&names, "Nf3 d5"), None);
    }

    #[test]
    fn entries_of_scid_may_take_several_lines() {
        let names = names(SCID).unwrap();
        assert_eq!(name(&names, ""), pair("A00a", "Start position"));
        assert_eq!(name(&names, "f3 e5 g4 Qh4"), pair("A00b", "Barnes: Fool's Mate"));
        assert_eq!(name(&names, "Nf3 d5 c4 e6 g3 Nf6"), pair("A14", "English: Neo-Catalan"));
    }

    #[test]
    fn tables_may_name_positions_that_are_set_up() {
        let names = names(
            "name\tfen\nRandom 0\tbbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n",
        )
        .unwrap();
        let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
        let found = names.of(&Chess::start().set_up(fen).unwrap()).cloned();
        assert_eq!(found.map(|found| (found.eco, found.name)), pair("", "Random 0"));
        let standard = Chess::start().setup();
        let names = self::names(&format!("name\tfen\nRandom 518\t{standard}\n")).unwrap();
        assert_eq!(name(&names, ""), None);
    }

    #[test]
    fn the_name_that_came_first_stays() {
        let mut names = names(TABLE).unwrap();
        names.read(&Chess::start(), "A04 \"Reti\" 1.Nf3 *\nC20 \"Open\" 1.e4 e5 *").unwrap();
        assert_eq!(name(&names, "Nf3"), pair("A04", "Zukertort Opening"));
        assert_eq!(name(&names, "e4 e5"), pair("C20", "Open"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let cases = [
            (
                "eco\tname\tpgn\nA00\tAmar\t1. Nh3\nA00\tBad\t1. e5\n",
                3,
                "move 1: `e5` is not legal here (White to move)",
            ),
            ("eco\tname\tpgn\nA00\t\t1. e4\n", 2, "nothing in the column `name`"),
            ("name\tfen\nNo\t8/8 w\n", 2, "is not a position of chess"),
            ("eco\tname\tpgn\nA00\tAmar\n", 2, "nothing in the column `pgn`"),
            ("eco\tname\tmove\nA00\tAmar\t8/8\n", 1, "these are no names of openings"),
            ("eco\tname\tpgn\nA00\tA\u{1b}[2Jmar\t1. e4\n", 2, "control characters"),
            ("[Event \"x\"]\n\n1. e4 e5 *\n", 1, "an entry is a code"),
            ("\nhello\n", 2, "these are no names of openings"),
            ("A00a \"Start\" *\nA01 Larsen 1.b3 *\n", 2, "an entry is a code"),
            ("A00a \"Start\" *\nA01 \"Larsen\" 1.b3 * 1.b4\n", 2, "an entry is a code"),
            ("A00a \"Start\" *\n\nA01 \"Larsen\"\n  1.b3\n", 3, "don't end with *"),
            ("A00b \"Barnes\"\n 1.f3\n 1.f3 *\n", 1, "move 2: `f3` is not legal here"),
        ];
        for (text, line, said) in cases {
            let error = names(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.to_string().contains(said), "{text:?}: {error}");
        }
        for text in ["", "\n\n", "# nothing\n"] {
            assert!(names(text).unwrap().is_empty());
        }
    }
}
