//! Text to rows: strict, a line at a time, with the line's number in what is said of a wrong one.

use super::{Column, VERSION, key};
use crate::failure::{Done, Failure, told};
use std::fmt::Display;
use std::io::{BufRead, Read};
use std::str::FromStr;
use tabia::format::{Digest, Keyed, Load, Name, Source};
use tabia::{Counts, MoveRow, NO_EVAL, PositionRow, TableKind, flags};

/// The longest line: a source's name of which every byte is escaped, and room to spare.
const LONGEST: u64 = 16 << 10;

/// A row of either table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Of the positions table.
    Position(PositionRow),
    /// Of the moves table.
    Move(MoveRow),
}

/// What a text says of its rows.
#[derive(Debug, Default)]
pub struct Head {
    /// The game.
    pub game: Option<Name>,
    /// The key scheme.
    pub keys: Option<Name>,
    /// What the keys stand for.
    pub keyed: Option<Keyed>,
    /// How full the tables' homes are to be.
    pub load: Option<Load>,
    /// The archives the rows come from.
    pub sources: Vec<Source>,
    /// Whether it speaks of a positions table.
    pub positions: bool,
    /// Whether it speaks of a moves table.
    pub moves: bool,
}

/// What is wrong with a line.
type Fault<T> = Result<T, String>;

/// Reads rows from text.
pub struct Reader<R> {
    text: R,
    /// What the text is called in messages.
    name: String,
    line: Vec<u8>,
    number: u64,
    head: Head,
    /// The table and the columns of the rows that follow.
    columns: Option<(TableKind, Vec<Column>)>,
    /// Whether the text promised to end with `#end`.
    has_end: bool,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads this text, which messages call by this name.
    pub fn new(text: R, name: impl Display) -> Self {
        let (line, head) = (Vec::new(), Head::default());
        Self { text, name: name.to_string(), line, number: 0, head, columns: None, has_end: false, ended: false }
    }

    /// The next row; none at the end.
    pub fn next(&mut self) -> Done<Option<Entry>> {
        while self.next_line()? {
            let line = std::mem::take(&mut self.line);
            let entry = self.take(&line);
            self.line = line;
            match entry {
                Ok(None) => {}
                Ok(entry) => return Ok(entry),
                Err(what) => return Err(self.failure(&what)),
            }
        }
        if self.has_end && !self.ended {
            return Err(self.failure("the text ends without #end: it was cut off; get the whole of it"));
        }
        Ok(None)
    }

    /// What the text said of its rows.
    pub fn into_head(self) -> Head {
        self.head
    }

    fn failure(&self, what: &str) -> Failure {
        told!("{}: line {}: {what}", self.name, self.number)
    }

    /// Reads a line, without its end; whether there was one.
    fn next_line(&mut self) -> Done<bool> {
        self.line.clear();
        let read = (&mut self.text).take(LONGEST).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| told!("{}: cannot read after line {}: {error}", self.name, self.number))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.line.pop_if(|&mut byte| byte == b'\n').is_some() {
            self.line.pop_if(|&mut byte| byte == b'\r');
        } else if read as u64 == LONGEST {
            return Err(self.failure("the line is too long: rows are expected, such as `tabia dump` writes"));
        }
        Ok(true)
    }

    fn take(&mut self, line: &[u8]) -> Fault<Option<Entry>> {
        if line.is_empty() || line.starts_with(b"# ") || line == b"#" {
            return Ok(None);
        }
        if self.ended {
            return Err("something follows #end: load one dump at a time, and merge the books".to_owned());
        }
        let Some(said) = line.strip_prefix(b"#") else { return self.row(line).map(Some) };
        let said = std::str::from_utf8(said).map_err(|_| "it is not UTF-8".to_owned())?;
        let mut fields = said.split('\t');
        let word = fields.next().unwrap_or_default();
        self.say(word, &fields.collect::<Vec<_>>())?;
        Ok(None)
    }

    /// Takes what a line says of the rows.
    fn say(&mut self, word: &str, values: &[&str]) -> Fault<()> {
        let head = &mut self.head;
        match (word, values) {
            ("tabia-rows", [VERSION]) => self.has_end = true,
            ("tabia-rows", _) => return Err(format!("the text is of another version than {VERSION}: use a newer tabia")),
            ("game", [name]) => once(&mut head.game, word, parsed(name)?)?,
            ("keys", [name]) => once(&mut head.keys, word, parsed(name)?)?,
            ("keyed", [keyed]) => once(&mut head.keyed, word, read_keyed(keyed)?)?,
            ("load", [load]) => once(&mut head.load, word, parsed(load)?)?,
            ("source", [digest, games, name]) => head.sources.push(source(digest, games, name)?),
            ("positions", names) => {
                head.positions = true;
                self.columns = Some((TableKind::Positions, columns(TableKind::Positions, names)?));
            }
            ("moves", names) => {
                head.moves = true;
                self.columns = Some((TableKind::Moves, columns(TableKind::Moves, names)?));
            }
            ("end", []) => self.ended = true,
            _ => return Err(format!("`#{word}` with {} values means nothing here; a comment begins with `# `", values.len())),
        }
        Ok(())
    }

    fn row(&self, line: &[u8]) -> Fault<Entry> {
        let Some((kind, columns)) = &self.columns else {
            return Err(
                "a row before its columns are named: put a line such as `#positions<tab>key<tab>wins<tab>draws<tab>losses` above it"
                    .to_owned(),
            );
        };
        let mut fields = Fields::default();
        let mut values = line.split(|&byte| byte == b'\t');
        for &column in columns {
            let value = values.next().ok_or_else(|| wrong_number(line, columns))?;
            fields.set(column, value)?;
        }
        if values.next().is_some() {
            return Err(wrong_number(line, columns));
        }
        fields.entry(*kind)
    }
}

fn wrong_number(line: &[u8], columns: &[Column]) -> String {
    let fields = line.split(|&byte| byte == b'\t').count();
    format!("{} columns are expected, separated by tabs; {fields} found", columns.len())
}

/// The fields of a row.
struct Fields {
    key: u64,
    counts: Counts,
    eval: i16,
    depth: u8,
    flags: u8,
    code: u16,
    marks: u8,
}

impl Default for Fields {
    fn default() -> Self {
        Self { key: 0, counts: Counts::default(), eval: NO_EVAL, depth: 0, flags: 0, code: 0, marks: 0 }
    }
}

impl Fields {
    fn set(&mut self, column: Column, value: &[u8]) -> Fault<()> {
        match column {
            Column::Key => self.key = key(value).ok_or_else(|| format!("a key is 16 hexadecimal digits, not {}", shown(value)))?,
            Column::Wins => self.counts.wins = number(column, value, u32::MAX)?,
            Column::Draws => self.counts.draws = number(column, value, u32::MAX)?,
            Column::Losses => self.counts.losses = number(column, value, u32::MAX)?,
            Column::Eval => self.eval = eval(value)?,
            Column::Depth => self.depth = number(column, value, u8::MAX.into())? as u8,
            Column::Flags => self.flags = number(column, value, flags::ALL.into())? as u8,
            Column::Move => self.code = number(column, value, u16::MAX.into())? as u16,
            Column::Marks => self.marks = number(column, value, u8::MAX.into())? as u8,
        }
        Ok(())
    }

    fn entry(self, kind: TableKind) -> Fault<Entry> {
        if self.eval == NO_EVAL && self.depth != 0 {
            return Err(format!("the depth is {} although there is no eval: write 0", self.depth));
        }
        Ok(match kind {
            TableKind::Positions => {
                Entry::Position(PositionRow::new(self.key, self.counts).with_eval(self.eval, self.depth).with_flags(self.flags))
            }
            TableKind::Moves => Entry::Move(MoveRow::new(self.key, self.code, self.counts).with_marks(self.marks)),
        })
    }
}

/// A whole number in decimal digits, at most `most`.
fn number(column: Column, value: &[u8], most: u32) -> Fault<u32> {
    let digits = !value.is_empty() && value.len() <= 10 && value.iter().all(u8::is_ascii_digit);
    let number = value.iter().fold(0u64, |number, &digit| number.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0'))));
    match u32::try_from(number) {
        Ok(number) if digits && number <= most => Ok(number),
        _ => Err(format!("{} is a whole number from 0 to {most}, not {}", column.name(), shown(value))),
    }
}

fn eval(value: &[u8]) -> Fault<i16> {
    if value == b"-" {
        return Ok(NO_EVAL);
    }
    let plain = !value.starts_with(b"+");
    let eval = std::str::from_utf8(value).ok().filter(|_| plain).and_then(|text| text.parse().ok()).filter(|&eval| eval != NO_EVAL);
    eval.ok_or_else(|| format!("eval is a whole number from -32767 to 32767, or - for none, not {}", shown(value)))
}

/// The columns that a line names, made sure that rows can be had from them.
fn columns(kind: TableKind, names: &[&str]) -> Fault<Vec<Column>> {
    let known = Column::of(kind);
    let mut columns = Vec::new();
    for name in names {
        let list = || known.iter().map(|column| column.name()).collect::<Vec<_>>().join(" ");
        let column = known.iter().find(|column| column.name() == *name);
        let column = *column.ok_or_else(|| format!("`{name}` is no column of a {kind} table; it has {}", list()))?;
        if columns.contains(&column) {
            return Err(format!("the column {name} is named twice"));
        }
        columns.push(column);
    }
    let needed: &[Column] = if kind == TableKind::Moves { &[Column::Key, Column::Move] } else { &[Column::Key] };
    match needed.iter().find(|column| !columns.contains(column)) {
        Some(missing) => Err(format!("a column is missing: {}", missing.name())),
        None => Ok(columns),
    }
}

fn once<T: PartialEq>(place: &mut Option<T>, word: &str, value: T) -> Fault<()> {
    if place.as_ref().is_some_and(|there| *there != value) {
        return Err(format!("#{word} was said before, and differently"));
    }
    *place = Some(value);
    Ok(())
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Fault<T> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn read_keyed(text: &str) -> Fault<Keyed> {
    let known = [Keyed::Position, Keyed::Line].into_iter().find(|keyed| keyed.to_string() == text);
    known.ok_or_else(|| format!("books are keyed by position or line, not by `{text}`"))
}

fn source(digest: &str, games: &str, name: &str) -> Fault<Source> {
    let halves = (digest.len() == 32).then(|| digest.as_bytes().split_at(16)).and_then(|(high, low)| Some((key(high)?, key(low)?)));
    let (high, low) = halves.ok_or_else(|| format!("a digest is 32 hexadecimal digits, not `{digest}`"))?;
    let digest = (u128::from(high) << 64 | u128::from(low)).to_be_bytes();
    let plain = games.bytes().all(|byte| byte.is_ascii_digit());
    let games = games.parse().ok().filter(|_| plain).ok_or_else(|| format!("the games of a source are a whole number, not `{games}`"))?;
    Ok(Source { digest: Digest(digest), games, name: unescaped(name)? })
}

fn unescaped(name: &str) -> Fault<String> {
    let mut plain = String::with_capacity(name.len());
    let mut letters = name.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('\\') => '\\',
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => return Err(r"a source's name has \ without \, t, n or r after it".to_owned()),
            },
            letter => letter,
        });
    }
    Ok(plain)
}

/// A field as it is shown in a message: not too long.
fn shown(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("`{short}...`") } else { format!("`{short}`") }
}
