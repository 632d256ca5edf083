//! What strategies score against each other.

use std::fmt;
use std::str::FromStr;

/// What strategies of the first player (rows) score against the second (columns), in percent.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The first player's strategies.
    pub rows: Vec<String>,
    /// The second player's strategies.
    pub columns: Vec<String>,
    /// A row after the other.
    scores: Vec<f64>,
    /// The games behind each score, where they are known: won, drawn and lost by the first player.
    games: Vec<Option<[u32; 3]>>,
    /// Strategies of which nothing is known, left out.
    pub left_out: Vec<String>,
}

/// A mixed strategy for each player: parts of 1, in the order of the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The first player's, a part for each row.
    pub first: Vec<f64>,
    /// The second player's, a part for each column.
    pub second: Vec<f64>,
}

/// What the two strategies of a pair get against any opponent, in percent for the first player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarantees {
    /// The first player gets no less.
    pub first: f64,
    /// The second player lets him get no more.
    pub second: f64,
}

impl Guarantees {
    /// How much at most the two together could lose to players who know their strategies: 0 at an
    /// equilibrium. The game's value lies between the two guarantees.
    pub fn exploitability(self) -> f64 {
        (self.second - self.first).max(0.0)
    }
}

impl Matrix {
    /// The most strategies of a player.
    pub const MOST: usize = 1000;

    /// A matrix of scores in percent, a row after the other.
    ///
    /// # Errors
    /// If a name is there twice or there are not as many scores as there should be, or one is no
    /// percentage.
    pub fn new(
        rows: Vec<String>,
        columns: Vec<String>,
        scores: Vec<f64>,
    ) -> Result<Self, BadMatrix> {
        check_names(&rows)?;
        check_names(&columns)?;
        if rows.is_empty() || columns.is_empty() || scores.len() != rows.len() * columns.len() {
            return Err(BadMatrix::Empty);
        }
        if let Some(bad) = scores.iter().find(|score| !(0.0..=100.0).contains(*score)) {
            return Err(BadMatrix::Score { text: bad.to_string() });
        }
        let games = vec![None; scores.len()];
        Ok(Self { rows, columns, scores, games, left_out: Vec::new() })
    }

    /// The games of a row against a column, if known: won, drawn and lost by the first player.
    pub fn games(&self, row: usize, column: usize) -> Option<[u32; 3]> {
        self.games[row * self.columns.len() + column]
    }

    /// This matrix with other scores, in percent, where games are known.
    #[cfg(feature = "mix")]
    pub(super) fn with_scores(&self, mut score: impl FnMut([u32; 3]) -> f64) -> Self {
        let both = self.scores.iter().zip(&self.games);
        let scores = both.map(|(&old, games)| games.map_or(old, &mut score)).collect();
        Self { scores, ..self.clone() }
    }

    /// What a row scores against a column.
    pub fn score(&self, row: usize, column: usize) -> f64 {
        self.scores[row * self.columns.len() + column]
    }

    /// What the mixed strategies of a pair get at least, against any opponent.
    pub fn guarantees(&self, pair: &Pair) -> Guarantees {
        let against_column = |column| {
            let parts = (0..).zip(&pair.first);
            parts.map(|(row, part)| part * self.score(row, column)).sum::<f64>()
        };
        let against_row = |row| {
            let parts = (0..).zip(&pair.second);
            parts.map(|(column, part)| part * self.score(row, column)).sum::<f64>()
        };
        Guarantees {
            first: least((0..self.columns.len()).map(against_column)),
            second: most((0..self.rows.len()).map(against_row)),
        }
    }

    /// The best pure strategies, a row and a column, and what they get.
    pub fn pure(&self) -> (usize, usize, Guarantees) {
        let worst = |row| least((0..self.columns.len()).map(|column| self.score(row, column)));
        let best = |column| most((0..self.rows.len()).map(|row| self.score(row, column)));
        let row = first_of((0..self.rows.len()).map(worst), |a, b| a > b);
        let column = first_of((0..self.columns.len()).map(best), |a, b| a < b);
        (row, column, Guarantees { first: worst(row), second: best(column) })
    }
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn most(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

/// The place of the first of those values that are better than all others.
pub(super) fn first_of(
    values: impl Iterator<Item = f64>,
    is_better: impl Fn(f64, f64) -> bool,
) -> usize {
    let best =
        values.enumerate().reduce(|best, new| if is_better(new.1, best.1) { new } else { best });
    best.map_or(0, |(place, _)| place)
}

/// Why a text is no matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMatrix {
    /// There is nothing in it.
    #[error(
        "there is no matrix: give a line with the second player's strategies, then for each strategy of the first player a line with its name and scores"
    )]
    Empty,
    /// A line has too few or too many cells.
    #[error("line {line} has {got} scores for {expected} strategies of the second player")]
    Cells {
        /// Counted from 1.
        line: usize,
        /// As many as the first line names.
        expected: usize,
        /// As many as there are.
        got: usize,
    },
    /// A cell that can't be read.
    #[error(
        "`{text}` is no score: give a percentage such as 28.5, games such as 12-3-25 (won, drawn, lost by the first player), or NA"
    )]
    Score {
        /// The cell.
        text: String,
    },
    /// A score that isn't known, while others of both strategies are.
    #[error("the score of {row} against {column} isn't known; leave one of them out, or play it")]
    Unknown {
        /// The first player's strategy.
        row: String,
        /// The second player's strategy.
        column: String,
    },
    /// A name that is there twice.
    #[error("{name} is there twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// More strategies than can be mixed.
    #[error("there are more than {} strategies", Matrix::MOST)]
    TooMany,
}

fn check_names(names: &[String]) -> Result<(), BadMatrix> {
    let twice = names.iter().enumerate().find(|&(place, name)| names[..place].contains(name));
    twice.map_or(Ok(()), |(_, name)| Err(BadMatrix::Twice { name: name.clone() }))
}

/// A line for the second player's strategies, after a word that says what is what, then a line for
/// each of the first player's: its name and its scores. Cells are divided by tabs, or by spaces if
/// there is no tab. Lines that begin with `#` are notes. A strategy of which no score is known at
/// all (`NA`) is left out.
impl FromStr for Matrix {
    type Err = BadMatrix;

    fn from_str(text: &str) -> Result<Self, BadMatrix> {
        let has_tabs = text.contains('\t');
        let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim_end()));
        let mut lines = lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(number, line)| (number, cells(line, has_tabs)));
        let (_, head) = lines.next().ok_or(BadMatrix::Empty)?;
        let columns: Vec<String> = head.into_iter().skip(1).map(str::to_owned).collect();
        let (mut rows, mut scores) = (Vec::new(), Vec::new());
        for (line, cells) in lines {
            let (expected, got) = (columns.len(), cells.len() - 1);
            if got != expected {
                return Err(BadMatrix::Cells { line, expected, got });
            }
            if rows.len() == Self::MOST || columns.len() > Self::MOST {
                return Err(BadMatrix::TooMany);
            }
            rows.push(cells[0].to_owned());
            scores
                .extend(cells[1..].iter().map(|cell| score(cell)).collect::<Result<Vec<_>, _>>()?);
        }
        known(rows, columns, &scores)
    }
}

fn cells(line: &str, has_tabs: bool) -> Vec<&str> {
    if has_tabs {
        line.split('\t').map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    }
}

/// A score in percent, and the games behind it if they are known.
type Known = (f64, Option<[u32; 3]>);

/// What a cell says; none if it isn't known.
fn score(text: &str) -> Result<Option<Known>, BadMatrix> {
    let bad = || BadMatrix::Score { text: text.to_owned() };
    if matches!(text, "NA" | "-" | "") {
        return Ok(None);
    }
    let games: Vec<&str> = text.split('-').collect();
    if let [wins, draws, losses] = games[..] {
        let number = |text: &str| text.parse::<u32>().map_err(|_| bad());
        let games = [number(wins)?, number(draws)?, number(losses)?];
        let [wins, draws, losses] = games.map(f64::from);
        let all = wins + draws + losses;
        let score = 100.0 * (wins + draws / 2.0) / all;
        return Ok(Some((score, Some(games))).filter(|_| all > 0.0));
    }
    let score: f64 = text.strip_suffix('%').unwrap_or(text).parse().map_err(|_| bad())?;
    if (0.0..=100.0).contains(&score) { Ok(Some((score, None))) } else { Err(bad()) }
}

/// The matrix without those strategies of which nothing is known.
fn known(
    rows: Vec<String>,
    columns: Vec<String>,
    scores: &[Option<Known>],
) -> Result<Matrix, BadMatrix> {
    let at = |row: usize, column: usize| scores[row * columns.len() + column];
    let row_is_known = |row: usize| (0..columns.len()).any(|column| at(row, column).is_some());
    let column_is_known = |column: usize| (0..rows.len()).any(|row| at(row, column).is_some());
    let (kept_rows, out_rows) = (0..rows.len()).partition::<Vec<_>, _>(|&row| row_is_known(row));
    let (kept_columns, out_columns) =
        (0..columns.len()).partition::<Vec<_>, _>(|&column| column_is_known(column));
    let mut kept = Vec::new();
    for &row in &kept_rows {
        for &column in &kept_columns {
            let unknown =
                || BadMatrix::Unknown { row: rows[row].clone(), column: columns[column].clone() };
            kept.push(at(row, column).ok_or_else(unknown)?);
        }
    }
    let named = |names: &[String], places: &[usize]| {
        places.iter().map(|&place| names[place].clone()).collect::<Vec<_>>()
    };
    let left_out = [named(&rows, &out_rows), named(&columns, &out_columns)].concat();
    let (scores, games) = kept.into_iter().unzip();
    Ok(Matrix {
        left_out,
        games,
        ..Matrix::new(named(&rows, &kept_rows), named(&columns, &kept_columns), scores)?
    })
}

/// The text that leads back to the matrix, divided by tabs.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "first\\second\t{}", self.columns.join("\t"))?;
        for (row, name) in self.rows.iter().enumerate() {
            let cell = |column: usize| match self.games(row, column) {
                Some([won, drawn, lost]) => format!("{won}-{drawn}-{lost}"),
                None => self.score(row, column).to_string(),
            };
            let cells: Vec<String> = (0..self.columns.len()).map(cell).collect();
            writeln!(f, "{name}\t{}", cells.join("\t"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_percentages_or_games() {
        let matrix: Matrix = "# a note\n\nx a b\nc 50 10-4-6\nd 0.5% 0-1-0\n".parse().unwrap();
        let found = (matrix.rows.join(" "), matrix.columns.join(" "));
        assert_eq!(found, ("c d".to_owned(), "a b".to_owned()));
        let found = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| matrix.score(row, column));
        assert_eq!(found, [50.0, 60.0, 0.5, 50.0]);
        assert_eq!((matrix.games(0, 1), matrix.games(1, 0)), (Some([10, 4, 6]), None));
        assert_eq!(matrix.to_string().parse(), Ok(matrix));
    }

    #[test]
    fn with_tabs_names_may_have_spaces() {
        let matrix: Matrix = "x\ta b\tc\nd e\t1\t2\n".parse().unwrap();
        assert_eq!((matrix.rows[0].as_str(), matrix.columns[0].as_str()), ("d e", "a b"));
    }

    #[test]
    fn strategies_without_any_score_are_left_out() {
        let matrix: Matrix = "x a b\nc 1 NA\nd NA NA\n".parse().unwrap();
        let found = (matrix.rows.len(), matrix.columns.len(), matrix.left_out.join(" "));
        assert_eq!(found, (1, 1, "d b".to_owned()));
        let unknown = BadMatrix::Unknown { row: "d".into(), column: "a".into() };
        assert_eq!("x a b\nc 1 2\nd NA 3\n".parse::<Matrix>(), Err(unknown));
    }

    #[test]
    fn what_is_no_matrix_says_why() {
        let fault = |text: &str| text.parse::<Matrix>().unwrap_err();
        for empty in ["", "# only a note", "x", "x a b", "x a\nb NA", "\n\n"] {
            assert_eq!(fault(empty), BadMatrix::Empty, "{empty}");
        }
        assert_eq!(fault("x a b\nc 1"), BadMatrix::Cells { line: 2, expected: 2, got: 1 });
        assert_eq!(fault("x a\nc 1\nc 2"), BadMatrix::Twice { name: "c".into() });
        for bad in ["101", "-1", "nan", "inf", "1-2", "a", "1-2-3-4", "1-2-99999999999"] {
            assert_eq!(fault(&format!("x a\nc {bad}")), BadMatrix::Score { text: bad.into() });
        }
        let many = (0..=Matrix::MOST).map(|row| format!("{row} 1\n")).collect::<String>();
        assert_eq!(fault(&format!("x a\n{many}")), BadMatrix::TooMany);
    }
}
