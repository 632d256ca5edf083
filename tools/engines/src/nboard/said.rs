//! What an engine of NBoard's protocol says of moves, and of the nodes it looked at.

/// What an engine says of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveEval {
    /// The move: a square in capitals, `F5`, or `PA` for a pass.
    pub text: String,
    /// What it thinks of it in hundredths of a disc, seen from the side that makes it.
    pub hundredths: i32,
    /// How deep it looked, if it says so in a way that is known.
    pub look: Option<Look>,
}

/// How deep an engine looked at a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// So many plies.
    Plies(u32),
    /// To the end of the game: who wins is sure.
    Solved,
}

/// What a line `search F5d6C3 -1.20 0 12` or `book F5 0.50 20 26` says of a move; none if it is
/// another line, or says too little.
pub(super) fn evaluated(line: &str) -> Option<MoveEval> {
    let mut words = line.split_ascii_whitespace();
    let _ = words.next().filter(|&word| word == "search" || word == "book")?;
    let text = square(words.next()?.get(..2)?)?;
    let hundredths = hundredths(words.next()?)?;
    // The number of games behind the move in the engine's book.
    let _ = words.next();
    Some(MoveEval { text, hundredths, look: words.next().and_then(look) })
}

/// A square in capitals, or a pass.
fn square(text: &str) -> Option<String> {
    let text = text.to_ascii_uppercase();
    let is_square = matches!(text.as_bytes(), [b'A'..=b'H', b'1'..=b'8'] | b"PA");
    is_square.then_some(text)
}

/// Discs, told in hundredths.
fn hundredths(discs: &str) -> Option<i32> {
    let discs: f64 = discs.parse().ok().filter(|discs: &f64| discs.abs() <= 1000.0)?;
    Some((discs * 100.0).round() as i32)
}

/// `12`, or `100%` and `100%W`: solved, and solved for who wins. Other shares are of a search that
/// leaves out what it thinks unlikely.
fn look(text: &str) -> Option<Look> {
    if text.strip_suffix(['W', 'w']).unwrap_or(text) == "100%" {
        return Some(Look::Solved);
    }
    text.parse().ok().filter(|&plies| plies <= 64).map(Look::Plies)
}

/// The move of `=== F5/1.20/0.5` or `=== d6 -1.00 0.0`, given what follows the signs, and its eval.
pub(super) fn move_and_eval(answer: &str) -> (&str, Option<i32>) {
    let mut parts = answer.trim().split(['/', ' ']);
    let text = parts.next().unwrap_or_default();
    (text, parts.next().and_then(hundredths))
}

/// Counts nodes. An engine tells those of its search so far, again and again, and may make several
/// searches for an answer.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// Of searches that have ended; none before any were told.
    before: Option<u64>,
    now: u64,
}

impl Nodes {
    /// Takes note of what follows `nodestats`.
    pub fn read(&mut self, text: &str) {
        let nodes = text.split_ascii_whitespace().next().and_then(|word| word.parse().ok());
        if let Some(nodes) = nodes.filter(|nodes: &f64| (0.0..=1e18).contains(nodes)) {
            let nodes = nodes as u64;
            let ended = if nodes < self.now { self.now } else { 0 };
            self.before = Some(self.before.unwrap_or(0).saturating_add(ended));
            self.now = nodes;
        }
    }

    /// All nodes, if any were told.
    pub fn end(self) -> Option<u64> {
        self.before.map(|before| before.saturating_add(self.now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_of_engines_are_read() {
        let one = |text: &str, hundredths, look| {
            Some(MoveEval { text: text.to_owned(), hundredths, look })
        };
        for (line, wanted) in [
            ("search F5d6C3 -1.20 0 12 knps 300", one("F5", -120, Some(Look::Plies(12)))),
            ("search f5-D6 +3 0 100%", one("F5", 300, Some(Look::Solved))),
            ("search PA 0 0 100%W", one("PA", 0, Some(Look::Solved))),
            ("book c4c3 -2 1840 26", one("C4", -200, Some(Look::Plies(26)))),
            ("search D3 1.005 0 97%", one("D3", 100, None)),
            ("search D3 64", one("D3", 6400, None)),
            ("search D3 64 0 99999", one("D3", 6400, None)),
            ("search D9 1 0 5", None),
            ("search \u{e9}5 1 0 5", None),
            ("search D3 nan 0 5", None),
            ("search D3 1e99 0 5", None),
            ("search D3", None),
            ("status F5 1 0 5", None),
            ("", None),
        ] {
            assert_eq!(evaluated(line), wanted, "{line}");
        }
        assert_eq!(move_and_eval(" F5/1.20/0.5"), ("F5", Some(120)));
        assert_eq!(move_and_eval(" d6 -1.00 0.0"), ("d6", Some(-100)));
        assert_eq!(move_and_eval("PA"), ("PA", None));
        assert_eq!(move_and_eval(""), ("", None));
    }

    #[test]
    fn nodes_of_several_searches_are_added() {
        let count = |told: &[&str]| {
            let mut nodes = Nodes::default();
            told.iter().for_each(|text| nodes.read(text));
            nodes.end()
        };
        assert_eq!(count(&["10 0.1", "50 0.2", "20 0.0", "30.0 0"]), Some(80));
        assert_eq!(count(&["x", "", "-5 1", "nan"]), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read(words in prop::collection::vec("search|book|[A-Ha-h][1-8]|-?[0-9.]{1,20}|%|\\PC{0,8}", 0..8)) {
            let line = words.join(" ");
            let _ = evaluated(&line);
            let _ = move_and_eval(&line);
            Nodes::default().read(&line);
        }
    }
}
