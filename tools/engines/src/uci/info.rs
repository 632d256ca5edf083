//! What a UCI engine says while it searches.

use crate::answer::Eval;

/// Moves of the line that are kept.
const LONGEST_LINE: usize = 64;

/// The last that was said of each thing, for the best line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// What it thinks of the position, seen from the side to move. The last that was no bound, if
    /// there was one.
    pub eval: Option<Eval>,
    /// Whether that is only a bound.
    pub is_bound: bool,
    /// How deep it was then, in plies.
    pub depth: Option<u32>,
    /// Nodes it has looked at.
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

    proptest! {
        #[test]
        fn any_text_is_read(words in prop::collection::vec("depth|nodes|score|cp|mate|pv|multipv|string|-?[0-9]{1,20}|\\PC{0,8}", 0..20)) {
            Info::default().read(words.iter().map(String::as_str));
        }
    }
}
