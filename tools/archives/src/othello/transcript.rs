//! Transcripts: a game a line, its squares run together or with spaces between them, `f5d6c3d3c4`
//! or `F5 D6 C3`, and how it ended after them, if that is said.
//!
//! - A result is what Black and White have, `38-26` or `1-0`, or by how many discs Black has more,
//!   with its sign, `+12`. A number without a sign can mean this or that, and is skipped.
//! - Without a result a game that is over is counted out. One that breaks off before has none.
//! - A result that isn't that of the discs of a game that is over makes it broken.
//! - Blank lines, and those that begin with `#`, are none. Anything else after moves breaks a game.

use super::{Replayer, outcome_of};
use crate::filter::GameFacts;
use crate::format::words;
use crate::reading::{Content, Done, Fault, Games, Out, Reads, Replayed, give, parsed, shown};
use crate::stats::Reason;
use crate::wanted::Wanted;
use tabia_games::{Game, Othello, Outcome};

/// Reads transcripts.
#[derive(Debug)]
pub struct TranscriptReader {
    replayer: Replayer,
}

enum Word {
    Moves,
    Result(Outcome),
    /// A star, or a number that can mean this or that.
    Nothing,
}

impl TranscriptReader {
    /// A reader of what is wanted, with the keys of this start position.
    pub fn new(start: Othello, wanted: Wanted) -> Self {
        Self { replayer: Replayer::new(start, wanted) }
    }

    fn game(&mut self, line: &[u8], may_be_cut: bool) -> Result<(), Out> {
        let facts = GameFacts { outcome: words(line).find_map(result_of), ..GameFacts::default() };
        self.replayer.judge(&facts)?;
        let mut replayed = self.replayer.begin(None);
        let mut said = None;
        for word in words(line) {
            match kind_of(word) {
                Word::Result(outcome) => said = Some(outcome),
                Word::Nothing => {}
                Word::Moves if said.is_some() => {
                    let what = format!("`{}` stands behind its result", shown(word));
                    return Err(Fault::broken(what).into());
                }
                Word::Moves => {
                    let is_last = may_be_cut && line.ends_with(word);
                    self.moves(word, is_last, &mut replayed)?;
                }
            }
        }
        self.replayer.end(&replayed, &facts, || outcome(&replayed.position, said))
    }

    /// Plays the squares of a word. With `is_last` the last of them may be cut off.
    fn moves(
        &mut self,
        word: &[u8],
        is_last: bool,
        replayed: &mut Replayed<Othello>,
    ) -> Result<(), Fault> {
        let mut rest = word;
        while !rest.is_empty() {
            let is_pass = rest.get(..4).is_some_and(|text| text.eq_ignore_ascii_case(b"pass"));
            let (text, behind) = rest.split_at(rest.len().min(if is_pass { 4 } else { 2 }));
            rest = behind;
            match self.replayer.play(replayed, text) {
                Err(_) if is_last && rest.is_empty() => {}
                played => played?,
            }
        }
        Ok(())
    }
}

impl Reads for TranscriptReader {
    fn read(&mut self, segment: &[u8], is_last: bool, games: &mut dyn Games) -> Done {
        let mut content = Content::Blank;
        let mut at = 0;
        for line in segment.split_inclusive(|&byte| byte == b'\n') {
            let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            let start = at + line.len() - text.trim_ascii_start().len();
            at += line.len();
            let text = text.trim_ascii_start();
            if text.is_empty() || text.starts_with(b"#") {
                continue;
            }
            let verdict = self.game(text, is_last && at == segment.len());
            let is_game = verdict.is_ok() || !self.replayer.game.plies.is_empty();
            content = content.max(if is_game { Content::Games } else { Content::Other });
            give(games, start, verdict.map(|()| &self.replayer.game), String::new)?;
        }
        Ok(content)
    }
}

/// How a game ended: as is said, or by its discs if it is over.
fn outcome(end: &Othello, said: Option<Outcome>) -> Result<Outcome, Fault> {
    match (said, end.outcome()) {
        (Some(said), Some(found)) if said != found => {
            let [black, white] = end.score();
            Err(Fault::broken(format!("its result is not that of its discs, {black}-{white}")))
        }
        (Some(outcome), _) | (None, Some(outcome)) => Ok(outcome),
        (None, None) => Err(Fault::new(
            Reason::NoResult,
            "it breaks off before it is over, and no result stands behind it",
        )),
    }
}

fn kind_of(word: &[u8]) -> Word {
    match (word, result_of(word)) {
        (_, Some(outcome)) => Word::Result(outcome),
        (b"*", _) => Word::Nothing,
        _ if word.iter().all(u8::is_ascii_digit) => Word::Nothing,
        _ => Word::Moves,
    }
}

fn result_of(word: &[u8]) -> Option<Outcome> {
    let is_signed = matches!(word, [b'+' | b'-', ..]);
    let difference = || parsed::<i32>(word).filter(|_| is_signed);
    outcome_of(word).or_else(|| {
        difference().filter(|difference| difference.unsigned_abs() <= 64).map(Outcome::of_lead)
    })
}
