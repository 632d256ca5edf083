//! What a UCI engine says while it searches: of the best line, and of several moves (MultiPV).

use crate::answer::Eval;

/// Moves of the line that are kept.
const LONGEST_LINE: usize = 64;

/// The last that was said of each thing, for the best line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// What it thinks of the position, seen from the side to move. The last that was no bound, if
    /// there was one.
    pub eval: Option<Eval>,
    pub is_bound: bool,
    /// How deep it was then, in plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// The line it expects, in coordinates: the first moves of it.
    pub line: Vec<String>,
}

impl Info {
    /// Takes note of the words after `info`. What can't be read is skipped.
    pub(super) fn read<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let mut words = words.peekable();
        let (mut depth, mut eval, mut is_bound, mut line) = (None, None, false, Vec::new());
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => {
                    self.nodes = words.next().and_then(|word| word.parse().ok()).or(self.nodes)
                }
                "multipv" if words.next() != Some("1") => return,
                "lowerbound" | "upperbound" => is_bound = true,
                "score" => eval = score(words.next(), words.next()),
                "pv" => line.extend(words.by_ref().take(LONGEST_LINE).map(str::to_owned)),
                "string" => break,
                _ => {}
            }
        }
        if eval.is_some() && (!is_bound || self.is_bound || self.eval.is_none()) {
            (self.eval, self.is_bound, self.depth) = (eval, is_bound, depth);
            self.line = if line.is_empty() { std::mem::take(&mut self.line) } else { line };
        }
    }
}

fn score(unit: Option<&str>, value: Option<&str>) -> Option<Eval> {
    let value = value?.parse().ok()?;
    match unit? {
        "cp" => Some(Eval::Hundredths(value)),
        "mate" => Some(Eval::Mate(value)),
        _ => None,
    }
}

/// What a UCI engine says of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move, as it wrote it.
    pub text: String,
    /// What it thinks of it, seen from the side that makes it.
    pub eval: Eval,
    /// How deep it looked, in plies.
    pub depth: Option<u32>,
}

/// What is heard of the best moves while it searches: the last list of all that it said whole.
///
/// Engines say their lines from the best on, again and again. A list that the end of a search cuts
/// off counts only if none before it was whole: its lines would be of another depth than the rest.
#[derive(Debug)]
pub(super) struct Ranking {
    wanted: usize,
    whole: Vec<RankedMove>,
    at_hand: Vec<RankedMove>,
    nodes: Option<u64>,
}

impl Ranking {
    /// Of so many moves.
    pub fn new(wanted: usize) -> Self {
        Self { wanted, whole: Vec::new(), at_hand: Vec::new(), nodes: None }
    }

    /// Takes note of the words after `info`.
    pub fn read<'a>(&mut self, words: impl Iterator<Item = &'a str> + Clone) {
        let mut number = words.clone().skip_while(|word| *word != "multipv").skip(1);
        let number = number.next().map_or(Some(1), |word| word.parse().ok());
        // Each line is read as if it were the only one.
        let mut info = Info::default();
        info.read(words.filter(|word| *word != "multipv"));
        self.nodes = info.nodes.or(self.nodes);
        let Some((eval, text)) = info.eval.filter(|_| !info.is_bound).zip(info.line.first()) else {
            return;
        };
        if number == Some(1) {
            self.at_hand.clear();
        }
        if number != Some(self.at_hand.len() + 1)
            || self.at_hand.iter().any(|before| before.text == *text)
        {
            return;
        }
        self.at_hand.push(RankedMove { text: text.clone(), eval, depth: info.depth });
        if self.at_hand.len() == self.wanted {
            self.whole = std::mem::take(&mut self.at_hand);
        }
    }

    /// The moves, the best first, and how many nodes were looked at.
    pub fn end(self) -> (Vec<RankedMove>, Option<u64>) {
        (if self.whole.is_empty() { self.at_hand } else { self.whole }, self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn said(lines: &[&str]) -> Info {
        let mut info = Info::default();
        lines.iter().for_each(|line| info.read(line.split_ascii_whitespace()));
        info
    }

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let info = said(&[
            "depth 5 seldepth 2 multipv 1 score cp 58 wdl 140 859 1 nodes 174 nps 87000 hashfull 0 tbhits 0 time 2 pv d2d4 a7a6",
            "depth 5 multipv 2 score cp 12 nodes 190 pv e2e4",
            "depth 6 multipv 1 score cp -110 upperbound nodes 1000 pv d2d4 a7a6 h2h3",
            "string NNUE evaluation score cp 9",
            "currmove e2e4 currmovenumber 1",
        ]);
        let line = ["d2d4", "a7a6"].map(str::to_owned).to_vec();
        assert_eq!(
            info,
            Info {
                eval: Some(Eval::Hundredths(58)),
                is_bound: false,
                depth: Some(5),
                nodes: Some(1000),
                line
            }
        );
        assert_eq!(said(&["depth 3 score mate -2 nodes 9"]).eval, Some(Eval::Mate(-2)));
        assert_eq!(said(&["score cp 5 lowerbound"]).eval, Some(Eval::Hundredths(5)));
        assert_eq!(
            said(&["score cp", "score", "score cp 99999999999", "depth x score what 3"]).eval,
            None
        );
    }

    fn ranked(wanted: usize, lines: &[&str]) -> (Vec<(String, i32)>, Option<u64>) {
        let mut ranking = Ranking::new(wanted);
        lines.iter().for_each(|line| ranking.read(line.split_ascii_whitespace()));
        let (moves, nodes) = ranking.end();
        let hundredths = |eval| match eval {
            Eval::Hundredths(hundredths) => hundredths,
            Eval::Mate(moves) => 10_000 * moves,
        };
        (moves.into_iter().map(|ranked| (ranked.text, hundredths(ranked.eval))).collect(), nodes)
    }

    #[test]
    fn the_last_whole_list_counts() {
        let lines = [
            "depth 1 multipv 1 score cp 18 nodes 6 pv e2e4",
            "depth 1 multipv 2 score cp 11 nodes 7 pv d2d4 d7d5",
            "depth 2 multipv 1 score cp 32 nodes 15 pv d2d4",
            "string multipv 2 score cp 99 pv a2a3",
            "depth 2 multipv 2 score cp 40 lowerbound nodes 16 pv e2e4",
            "depth 2 multipv 2 score cp 12 nodes 20 pv e2e4",
            "depth 3 multipv 1 score mate 2 nodes 49 pv e2e4 e7e5",
        ];
        let two = |texts: [(&str, i32); 2]| texts.map(|(text, eval)| (text.to_owned(), eval));
        let (moves, nodes) = ranked(2, &lines);
        assert_eq!((moves, nodes), (two([("d2d4", 32), ("e2e4", 12)]).to_vec(), Some(49)));
        // Nothing whole: what there is of the last list.
        assert_eq!(ranked(3, &lines).0, [("e2e4".to_owned(), 20_000)]);
        // One line needs no number.
        assert_eq!(ranked(1, &["depth 4 score cp -3 nodes 9 pv g1f3"]).0.len(), 1);
        // A list that lies: the same move twice, a number left out.
        let lies = [
            "multipv 1 score cp 1 pv a",
            "multipv 2 score cp 1 pv a",
            "multipv 3 score cp 1 pv b",
            "multipv x score cp 1 pv c",
        ];
        assert_eq!(ranked(3, &lies).0, [("a".to_owned(), 1)]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(words in prop::collection::vec("depth|nodes|score|cp|mate|pv|multipv|string|-?[0-9]{1,20}|\\PC{0,8}", 0..20)) {
            Info::default().read(words.iter().map(String::as_str));
        }
    }
}
