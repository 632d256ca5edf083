//! What a UCI engine says of several moves at once (MultiPV).

use super::info::Info;
use crate::answer::Eval;

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
}
