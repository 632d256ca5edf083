//! Which rows of two books differ, and by which line their positions are reached.

use crate::explore::labels;
use crate::passage::Passage;
use crate::text::numbers::counted;
use crate::watch::Watch;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use tabia::{
    Columns, Counts, DiffSummary, Difference, Env, Key, Keyed, MoveRow, PositionRow, ReadBook,
    Result, Results, Row, TableKind, WithCells, diff,
};
use tabia_games::{Game, Known, Node};
use tabia_interop::rows::CellFacts;

/// The most differing positions that are kept in memory: with more, all on the way are compared.
const MOST_KEYS: usize = 1 << 20;

/// Two books that are compared.
pub struct Differing<'a> {
    /// The books.
    pub books: [&'a dyn ReadBook; 2],
    /// How many rows are listed.
    pub limit: usize,
}

/// A row that differs.
#[derive(Debug)]
pub struct ListedDifference {
    /// The line to its position, empty for the start; none if none was found.
    pub line: Option<String>,
    /// The move, with its number, of a row that is one and whose line was found.
    pub played: Option<String>,
    /// What both books say.
    pub difference: Difference,
    /// Whether the books know how games ended.
    results: bool,
}

impl Differing<'_> {
    /// Lists rows in the order of the books.
    ///
    /// # Errors
    /// Those of [`diff`].
    pub fn by_keys(&self, env: &Env<'_>) -> Result<(DiffSummary, Vec<ListedDifference>)> {
        let mut listed = Vec::new();
        let summary = diff(env, self.books[0], self.books[1], |difference| {
            if listed.len() < self.limit {
                listed.push(self.unnamed(difference));
            }
        })?;
        Ok((summary, listed))
    }

    /// Lists rows by the lines that lead to them, shortest first, and then those that no line was
    /// found to, or none within 200,000 positions.
    ///
    /// # Errors
    /// Those of [`diff`] and of reading the books; [`tabia::Error::Interrupted`] if `watch` says so.
    pub fn by_lines(
        &self,
        game: &Known,
        env: &Env<'_>,
        watch: Watch<'_>,
    ) -> Result<(DiffSummary, Vec<ListedDifference>)> {
        let (mut keys, mut is_cut) = (HashSet::new(), false);
        let summary = diff(env, self.books[0], self.books[1], |difference| {
            if keys.len() < MOST_KEYS {
                keys.insert(key_and_code(&difference).0);
            } else {
                is_cut = true;
            }
        })?;
        if keys.is_empty() || self.limit == 0 {
            return Ok((summary, Vec::new()));
        }
        let keys = (!is_cut).then_some(keys);
        let (mut listed, seen) = self.walked(game, keys.as_ref(), watch)?;
        if listed.len() < self.limit {
            // What differs and wasn't come to.
            diff(env, self.books[0], self.books[1], |difference| {
                if listed.len() < self.limit && !seen.contains(&key_and_code(&difference).0) {
                    listed.push(self.unnamed(difference));
                }
            })?;
        }
        listed.truncate(self.limit);
        Ok((summary, listed))
    }

    /// Those found by walking, and the positions with differences that were come to; `keys` are those
    /// that there are, if they aren't too many.
    fn walked<G: Game>(
        &self,
        start: &G,
        keys: Option<&HashSet<Key>>,
        watch: Watch<'_>,
    ) -> Result<(Vec<ListedDifference>, HashSet<Key>)> {
        let start = Node::start(start.clone(), self.books[0].header().keyed == Keyed::Line);
        let (mut listed, mut seen) = (Vec::new(), HashSet::new());
        Passage::new(&[&self.books[0], &self.books[1]], start).run(watch, |stop| {
            let key = stop.node.key;
            if keys.is_some_and(|keys| !keys.contains(&key)) {
                return Ok(ControlFlow::Continue(()));
            }
            let found = self.at(key)?;
            if !found.is_empty() {
                seen.insert(key);
                let line = stop.line();
                listed.extend(found.into_iter().map(|difference| ListedDifference {
                    line: Some(line.clone()),
                    played: key_and_code(&difference).1.and_then(|code| stop.moved(code, true)),
                    ..self.unnamed(difference)
                }));
            }
            let is_all = keys.is_some_and(|keys| keys.len() == seen.len());
            let is_enough = is_all || listed.len() >= self.limit;
            Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok((listed, seen))
    }

    fn unnamed(&self, difference: Difference) -> ListedDifference {
        ListedDifference { line: None, played: None, difference, results: self.results() }
    }

    fn results(&self) -> bool {
        self.books[0].header().results == Results::Known
    }

    /// What differs at a position.
    fn at(&self, key: Key) -> Result<Vec<Difference>> {
        let mut found = Vec::new();
        let [first, second] = self.books;
        if first.has(TableKind::Positions) {
            let (a, b) = (first.position(key)?, second.position(key)?);
            if a != b {
                found.push(Difference::Position(a, b));
            }
        }
        if first.has(TableKind::Moves) {
            let columns = |book: &dyn ReadBook| book.header().columns(TableKind::Moves);
            let all = columns(first).union(columns(second));
            let (a, b) = (moves(first, key, all)?, moves(second, key, all)?);
            let codes: BTreeSet<u16> = a.iter().chain(&b).map(|played| played.row.code()).collect();
            for code in codes {
                let of = |rows: &[WithCells<MoveRow>]| {
                    rows.iter().find(|played| played.row.code() == code).copied()
                };
                let (a, b) = (of(&a), of(&b));
                if a != b {
                    found.push(Difference::Move(a, b));
                }
            }
        }
        Ok(found)
    }
}

fn moves(book: &dyn ReadBook, key: Key, columns: Columns) -> Result<Vec<WithCells<MoveRow>>> {
    let rows = book.moves_with_cells(key)?;
    Ok(rows
        .into_iter()
        .map(|WithCells { row, cells }| WithCells { row, cells: cells.to(columns) })
        .collect())
}

/// The key of what differs, and its code if it is a move.
pub(crate) fn key_and_code(difference: &Difference) -> (Key, Option<u16>) {
    match difference {
        Difference::Position(a, b) => (a.or(*b).map_or(0, |row| row.key()), None),
        Difference::Move(a, b) => {
            let row = a.or(*b).map(|played| played.row);
            (row.map_or(0, |row| row.key()), row.map(|row| row.code()))
        }
    }
}

impl ListedDifference {
    /// Where it is: the line, or the key.
    pub fn place(&self) -> String {
        match self.line.as_deref() {
            None => format!("key {:016x}", key_and_code(&self.difference).0),
            Some("") => "the start".to_owned(),
            Some(line) => line.to_owned(),
        }
    }

    /// What it is: the position or a move.
    pub fn what(&self) -> String {
        match (key_and_code(&self.difference).1, &self.played) {
            (None, _) => "position".to_owned(),
            (Some(_), Some(played)) => played.clone(),
            (Some(code), None) => format!("(code {code})"),
        }
    }

    /// What the books say, each behind its sign.
    pub fn both(&self) -> Vec<(char, String)> {
        let (first, second) = match &self.difference {
            Difference::Position(a, b) => {
                (a.map(|row| self.of_position(&row)), b.map(|row| self.of_position(&row)))
            }
            Difference::Move(a, b) => {
                (a.map(|played| self.of_move(&played)), b.map(|played| self.of_move(&played)))
            }
        };
        first.map(|text| ('-', text)).into_iter().chain(second.map(|text| ('+', text))).collect()
    }

    fn of_position(&self, row: &PositionRow) -> String {
        let mut facts = vec![self.of_counts(row.counts())];
        if let Some(eval) = row.eval() {
            facts.push(format!("eval {eval:+} depth {}", row.depth()));
        }
        facts.extend(labels::of_flags(row.flags()).into_iter().map(str::to_owned));
        facts.join(", ")
    }

    fn of_move(&self, WithCells { row, cells }: &WithCells<MoveRow>) -> String {
        let mut facts = vec![self.of_counts(row.counts())];
        facts.extend(labels::of_marks(row.marks()).into_iter().map(str::to_owned));
        if let Ok(serde_json::Value::Object(cells)) = serde_json::to_value(CellFacts::of(cells)) {
            facts.extend(cells.iter().map(|(name, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                format!("{} {value}", name.replace('_', " "))
            }));
        }
        facts.join(", ")
    }

    fn of_counts(&self, counts: Counts) -> String {
        let games = counted(counts.games(), "game");
        let Counts { wins, draws, losses } = counts;
        if self.results { format!("{games} +{wins} ={draws} -{losses}") } else { games }
    }
}
