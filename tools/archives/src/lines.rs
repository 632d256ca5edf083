//! Reading a plain text of any game: one game a line, moves between spaces, the result after them.
//!
//! ```text
//! # Lines may be long, and blank. A word that begins with # begins a comment.
//! e4 e5 Nf3 Nc6 Bb5 1-0
//! f3 e5 g4 Qh4# 0-1      # the mate's # is part of its word
//! ```
//!
//! - Moves are read in every spelling that the game's [`Game::read_move`] knows.
//! - The result is the last word: `1-0` (the first player won), `0-1`, `1/2-1/2` or `1/2`, and `*`
//!   for none. A line without one has no decided result either.
//! - A game starts from the start position that the reader was made with.
//! - A line in which there is neither a legal move nor a result is reported as broken like any
//!   other; text with nothing but such lines is no archive of games.
//! - The last line may be cut off: a last word at its very end that is no legal move is left out.

use crate::filter::{GameFacts, Variant};
use crate::game_record::GameRecord;
use crate::reading::{Content, Done, Fault, Games, Out, Reads, Replayed, give, judge};
use crate::stats::Reason;
use crate::wanted::Wanted;
use memchr::{memchr, memchr_iter};
use tabia_games::{Game, Outcome};

/// Reads lines of moves, game after game, in buffers it keeps.
#[derive(Debug)]
pub struct LineReader<G> {
    start: G,
    game: GameRecord,
    wanted: Wanted,
}

impl<G: Game> Reads for LineReader<G> {
    fn read(&mut self, segment: &[u8], is_last: bool, games: &mut dyn Games) -> Done {
        let (mut at, mut content) = (0, Content::Blank);
        while at < segment.len() {
            let end = memchr(b'\n', &segment[at..]).map_or(segment.len(), |length| at + length);
            let text = Text::of(&segment[at..end], is_last && end == segment.len());
            if let Some(first) = text.first {
                content = content.max(self.line(&text, at + first, games)?);
            }
            at = end + 1;
        }
        Ok(content)
    }
}

impl<G: Game> LineReader<G> {
    /// A reader of what is wanted of games that start from this position.
    pub fn new(start: G, wanted: Wanted) -> Self {
        Self { start, game: GameRecord::default(), wanted }
    }

    fn line(&mut self, text: &Text<'_>, at: usize, games: &mut dyn Games) -> Done {
        let verdict = self.game(text);
        give(games, at, verdict.map(|()| &self.game), String::new)?;
        let is_game = text.result.is_some() || !self.game.plies.is_empty();
        Ok(if is_game { Content::Games } else { Content::Other })
    }

    /// Reads a game into `self.game`, or says why it isn't counted.
    fn game(&mut self, text: &Text<'_>) -> Result<(), Out> {
        let mut replayed = Replayed::start(self.start.clone(), &self.wanted, &mut self.game);
        let outcome = text.result.flatten();
        let filter = &self.wanted.filter;
        judge(filter, || GameFacts { outcome, ..GameFacts::default() })?;
        filter.judge_variant(Variant::Standard)?;
        self.replay(text, &mut replayed)?;
        let outcome =
            || outcome.ok_or_else(|| Fault::new(Reason::NoResult, "it has no decided result"));
        self.game.ends(&replayed, outcome, [None; 2], &self.wanted, GameFacts::default)
    }

    fn replay(&mut self, text: &Text<'_>, replayed: &mut Replayed<G>) -> Result<(), Fault> {
        let mut words = text.moves().peekable();
        while let Some(word) = words.next() {
            match replayed.position.read_move(word) {
                Ok(played) => replayed.play(&played, &mut self.game.plies),
                Err(_) if text.may_be_cut && words.peek().is_none() => break,
                Err(_) if result(word).is_some() => {
                    let detail =
                        format!("moves follow its result, after ply {}", self.game.plies.len());
                    return Err(Fault::broken(detail));
                }
                Err(trouble) => {
                    return Err(Fault::of_move(trouble, word, self.game.plies.len() + 1));
                }
            }
        }
        Ok(())
    }
}

/// What a word says of the result, if it is one: none for `*`.
fn result(word: &[u8]) -> Option<Option<Outcome>> {
    match word {
        b"1-0" => Some(Some(Outcome::FirstWins)),
        b"0-1" => Some(Some(Outcome::SecondWins)),
        b"1/2-1/2" | b"1/2" => Some(Some(Outcome::Draw)),
        b"*" => Some(None),
        _ => None,
    }
}

/// A line's words, without its comment.
struct Text<'a> {
    /// Its moves' part of the line.
    moves: &'a [u8],
    result: Option<Option<Outcome>>,
    /// Where its first word begins, if it has any.
    first: Option<usize>,
    /// The archive ends in the middle of its last move.
    may_be_cut: bool,
}

impl<'a> Text<'a> {
    fn of(line: &'a [u8], is_last: bool) -> Self {
        let words = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let before_words = line.len() - words.len();
        let words = &words[..comment(words)];
        let (before, last) = last_word(words);
        let result = result(last);
        Self {
            moves: if result.is_some() { before } else { words },
            result,
            first: words
                .iter()
                .position(|byte| !byte.is_ascii_whitespace())
                .map(|first| before_words + first),
            may_be_cut: is_last && result.is_none() && !last.is_empty() && line.ends_with(last),
        }
    }

    fn moves(&self) -> impl Iterator<Item = &'a [u8]> {
        self.moves.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    }
}

/// Where the comment begins, or else the end of the line.
fn comment(line: &[u8]) -> usize {
    let begins = |&at: &usize| at == 0 || line[at - 1].is_ascii_whitespace();
    memchr_iter(b'#', line).find(begins).unwrap_or(line.len())
}

fn last_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_end();
    let start = text.iter().rposition(u8::is_ascii_whitespace).map_or(0, |space| space + 1);
    (&text[..start], &text[start..])
}
