//! The text of the moves, token by token.

use super::notation::Notation;
use super::replay::Replay;
use super::text::{Marker, Text};
use memchr::memchr;
use tabia::row::Marks;

/// What a word that starts with a digit is.
enum Word {
    Number,
    End(Marker),
    Move,
}

impl Text<'_> {
    /// Reads moves up to the result that ends the game, or to the end of the text. Results in
    /// variations end nothing. Brackets that close what was never opened are skipped: where an
    /// opening one is lost the moves of the variation don't fit the main line.
    #[inline(never)]
    pub(super) fn moves<G: Notation>(&mut self, replay: &mut Replay<'_, G>) -> Marker {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                ..=b' ' | b'.' | b'}' => self.at += 1,
                b')' => {
                    self.at += 1;
                    replay.close();
                }
                b'0'..=b'9' | 0xbd | 0xc2 => match self.digits(&replay.game.position) {
                    Word::Number => self.skip_one(b'.'),
                    Word::Move if G::NUMBERED_SQUARES && self.is_told_result(replay) => {
                        self.at += word_length(self.ahead());
                        if replay.can_end() {
                            return Marker::Undecided;
                        }
                    }
                    Word::Move => self.word(replay),
                    Word::End(marker) if replay.can_end() => return marker,
                    Word::End(_) => {}
                },
                b'{' => self.remark(replay),
                b'(' if G::NUMBERED_SQUARES && self.bracketed_signs(replay) => {}
                b'(' if replay.open(self.at) => self.at += 1,
                b'(' => self.variation(replay),
                b'!' | b'?' => self.signs(replay),
                b'$' => self.glyph(replay),
                b'*' if G::NUMBERED_SQUARES
                    && self.at > 0
                    && self.bytes[self.at - 1].is_ascii_digit() =>
                {
                    self.at += 1
                }
                b'*' => {
                    self.at += 1;
                    if replay.can_end() {
                        return Marker::Undecided;
                    }
                }
                b';' => self.skip_line(),
                b'%' if self.at_line_start() => self.skip_line(),
                b'[' => self.bracket(),
                _ => self.word(replay),
            }
        }
        self.never_closed(replay);
        Marker::Missing
    }

    /// The text ended: so do all variations, which is an error unless the archive ends with them.
    fn never_closed<G: Notation>(&self, replay: &mut Replay<'_, G>) {
        let are_open = replay.in_variation();
        while replay.in_variation() {
            replay.close();
        }
        if are_open && !self.is_last {
            replay.breaks("a variation is never closed");
        }
    }

    /// A word that starts with a digit or a half: the number of a move, a result, or something else
    /// (castling with zeros), which isn't consumed.
    #[inline]
    fn digits<G: Notation>(&mut self, game: &G) -> Word {
        let ahead = self.ahead();
        let length = ahead.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match ahead.get(length) {
            Some(b'-' | b'/' | 0xe2 | 0xc2 | 0xbd) => {
                match end_of_game(game, &ahead[..word_length(ahead)]) {
                    Some(marker) => {
                        self.at += word_length(ahead);
                        Word::End(marker)
                    }
                    None => Word::Move,
                }
            }
            Some(b'x' | b'X' | b':') if G::NUMBERED_SQUARES => Word::Move,
            Some(b' ') if G::NUMBERED_SQUARES && spaced(ahead).is_some() => Word::Move,
            next if G::NUMBERED_SQUARES && length == 4 && next != Some(&b'.') => Word::Move,
            _ if &ahead[..length] == b"0000" => Word::Move,
            _ => {
                self.at += length;
                Word::Number
            }
        }
    }

    /// Whether a word that looks like a move is what the Result tag says, `4-6`, and not legal.
    fn is_told_result<G: Notation>(&self, replay: &Replay<'_, G>) -> bool {
        let ahead = self.ahead();
        let word = &ahead[..word_length(ahead)];
        word == replay.result && !replay.is_move(word)
    }

    #[inline(always)]
    fn word<G: Notation>(&mut self, replay: &mut Replay<'_, G>) {
        let ahead = self.ahead();
        let word = match &ahead[..word_length(ahead).max(1)] {
            word if G::NUMBERED_SQUARES => {
                if has_gap(ahead, word.len()) && self.spaced(replay) {
                    return;
                }
                if word.last().is_some_and(u8::is_ascii_digit) {
                    word
                } else {
                    let length = numbered_length(word);
                    if length < word.len() && replay.is_move(&word[..length]) {
                        return self.move_and_remark(replay, length, word.len());
                    }
                    word
                }
            }
            word @ [.., b'-', b'0' | b'1' | b'2'] | word @ [.., b'-', _, b'/', b'2'] => {
                without_result(word)
            }
            word => word,
        };
        self.at += word.len();
        if word[0].is_ascii_alphanumeric()
            || !is_sign(word)
            || (G::NUMBERED_SQUARES && word == b"-")
        {
            let may_be_cut = self.is_last && self.at == self.bytes.len();
            replay.play(word, may_be_cut);
        }
        self.skip_one(b' ');
    }

    /// Plays a move with spaces in it, if that is what comes next.
    #[cold]
    fn spaced<G: Notation>(&mut self, replay: &mut Replay<'_, G>) -> bool {
        let Some((text, length)) = spaced(self.ahead()) else { return false };
        self.at += length;
        replay.play(&text, self.is_last && self.at == self.bytes.len());
        true
    }

    /// Plays a move of numbers, of this length, to which a remark is glued (`8-11Remark`), and goes
    /// on past the remark: all words up to the next that holds a digit.
    #[cold]
    fn move_and_remark<G: Notation>(
        &mut self,
        replay: &mut Replay<'_, G>,
        length: usize,
        glued: usize,
    ) {
        let text = &self.bytes[self.at..self.at + length];
        self.at += glued;
        replay.play(text, false);
        loop {
            let ahead = self.ahead();
            let spaces = ahead.iter().take_while(|byte| **byte <= b' ').count();
            let word = &ahead[spaces..];
            let word = &word[..word_length(word)];
            if word.is_empty() || word.iter().any(u8::is_ascii_digit) {
                return;
            }
            self.at += spaces + word.len();
        }
    }

    fn comment<G: Notation>(&mut self, replay: &mut Replay<'_, G>) {
        if !self.skip_past(b'}') && !self.is_last {
            replay.breaks("a comment is never closed");
        }
    }

    /// A comment on the main line.
    #[inline(never)]
    fn remark<G: Notation>(&mut self, replay: &mut Replay<'_, G>) {
        let start = self.at + 1;
        self.comment(replay);
        replay.comment(self.bytes[start..self.at].strip_suffix(b"}").unwrap_or_default());
    }

    fn variation<G: Notation>(&mut self, replay: &mut Replay<'_, G>) {
        let mut depth = 0usize;
        while let Some(found) =
            self.ahead().iter().position(|byte| matches!(byte, b'(' | b')' | b'{' | b';'))
        {
            self.at += found;
            match self.bytes[self.at] {
                b'{' => self.comment(replay),
                b';' => self.skip_line(),
                b'(' => {
                    self.at += 1;
                    depth += 1;
                    self.skipped_variations += 1;
                }
                _ => {
                    self.at += 1;
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
            }
        }
        self.at = self.bytes.len();
        if !self.is_last {
            replay.breaks("a variation is never closed");
        }
    }

    /// `!`, `?`, `!!`, `??`, `!?` or `?!` after a move.
    fn signs<G: Notation>(&mut self, replay: &mut Replay<'_, G>) {
        let ahead = self.ahead();
        let length = ahead.iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        self.at += length;
        replay.mark(mark_of(&ahead[..length]));
    }

    /// Reads signs in brackets. Returns whether they come next.
    fn bracketed_signs<G: Notation>(&mut self, replay: &mut Replay<'_, G>) -> bool {
        let signs = self.ahead()[1..].iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        let are_there = signs > 0 && self.ahead().get(1 + signs) == Some(&b')');
        if are_there {
            self.at += 1;
            self.signs(replay);
        }
        are_there
    }

    /// A numeric annotation glyph: `$1` to `$6` are marks, others say nothing about the move.
    fn glyph<G: Notation>(&mut self, replay: &mut Replay<'_, G>) {
        let ahead = &self.ahead()[1..];
        let length = ahead.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += 1 + length;
        replay.mark(mark_of(&ahead[..length]));
    }

    /// Text in brackets among moves is no move: skipped to the bracket or the line that ends it.
    fn bracket(&mut self) {
        let line = memchr(b'\n', self.ahead()).unwrap_or(self.ahead().len());
        let end = memchr(b']', &self.ahead()[..line]).map_or(line, |end| end + 1);
        self.at += end;
    }
}

/// Whether the byte ends a word. Control characters do: archives hold NULs and CP/M's ends of file.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_sign = matches!(byte, b'!' | b'?' | b'$' | b';' | b'*');
        let is_bracket = matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']');
        ends[byte as usize] = byte <= b' ' || is_sign || is_bracket;
        byte += 1;
    }
    ends
};

#[inline]
fn word_length(ahead: &[u8]) -> usize {
    ahead.iter().position(|&byte| ENDS_WORD[byte as usize]).unwrap_or(ahead.len())
}

/// How much of a word is a move of numbers to which letters are glued; all of it if none are.
#[cold]
fn numbered_length(word: &[u8]) -> usize {
    let is_of_moves = |byte: &&u8| byte.is_ascii_digit() || is_separator(**byte);
    let length = word.iter().take_while(is_of_moves).count();
    // A capture's `x` may be the first letter of the remark.
    let length = word[..length].iter().rposition(u8::is_ascii_digit).map_or(0, |last| last + 1);
    let is_glued = length > 0 && word.get(length).is_some_and(u8::is_ascii_alphabetic);
    if is_glued { length } else { word.len() }
}

fn mark_of(text: &[u8]) -> Marks {
    match text {
        b"!" | b"1" => Marks::GOOD,
        b"?" | b"2" => Marks::BAD,
        b"!!" | b"3" => Marks::BRILLIANT,
        b"??" | b"4" => Marks::BLUNDER,
        b"!?" | b"5" => Marks::INTERESTING,
        b"?!" | b"6" => Marks::DUBIOUS,
        _ => Marks::empty(),
    }
}

#[inline]
fn end_of_game<G: Notation>(game: &G, word: &[u8]) -> Option<Marker> {
    game.outcome_of(word)
        .map(Marker::Decided)
        .or_else(|| G::is_no_outcome(word).then_some(Marker::Undecided))
}

/// A word without a result that is glued to its end, as in `Qg2#0-1`; the result is read next.
#[cold]
fn without_result(word: &[u8]) -> &[u8] {
    let results = [b"1/2-1/2".as_slice(), b"1-0", b"0-1"];
    results
        .iter()
        .find_map(|result| word.strip_suffix(*result))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(word)
}

/// Whether a word is a sign of annotators, `+-`, `=`, `e.p.`, rather than a move or a null move.
#[cold]
fn is_sign(word: &[u8]) -> bool {
    word != b"--" && word != b"<>" && word != b"@@@@" && !word.iter().any(u8::is_ascii_alphanumeric)
}

/// Whether it is a sign between squares in moves of draughts.
pub(super) const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'x' | b'X' | b':')
}

/// Whether the word of this length that starts a text may go on behind spaces.
#[inline]
fn has_gap(ahead: &[u8], length: usize) -> bool {
    let is_open = length > 0 && is_separator(ahead[length - 1]);
    is_open || matches!(&ahead[length..], [b' ', b' ' | b'-' | b'x' | b'X' | b':', ..])
}

/// The most signs of a move.
const MOST: usize = 64;

/// The move with spaces before or after its dash, or the signs of a capture, that a text begins
/// with: without them, and how long it is with them. None without spaces or numbers.
fn spaced(ahead: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut length = number_length(ahead);
    let (mut count, is_number) = (length, length > 0);
    for squares in 1.. {
        let rest = &ahead[length..];
        let before = spaces(rest);
        let is_sign = |byte: &u8| is_separator(*byte) && !(*byte == b'-' && squares > 1);
        if !rest.get(before).is_some_and(is_sign) {
            break;
        }
        let behind = before + 1 + spaces(&rest[before + 1..]);
        let digits = number_length(&rest[behind..]);
        if digits == 0 || count > MOST {
            break;
        }
        (length, count) = (length + behind + digits, count + 1 + digits);
    }
    let text = || ahead[..length].iter().copied().filter(|&byte| byte != b' ').collect();
    (is_number && length > count && count <= MOST).then(|| (text(), length))
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}

fn number_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_with_spaces_are_read_without() {
        let read = |text: &str| {
            spaced(text.as_bytes())
                .map(|(text, length)| (String::from_utf8_lossy(&text).into_owned(), length))
        };
        assert_eq!(read("10- 4 15"), Some(("10-4".to_owned(), 5)));
        assert_eq!(read("4x 1 \n1-0"), Some(("4x1".to_owned(), 4)));
        assert_eq!(read("1 - 7"), Some(("1-7".to_owned(), 5)));
        assert_eq!(read("39 x28x 17 x 6 40-1"), Some(("39x28x17x6".to_owned(), 14)));
        for text in
            ["11-15 - 1-0", "10-4 15", "10-4", "10 4", "10-", "10- ", "10 - -", "x 4", "", "4x\n1"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"1 x".repeat(40)), None, "longer than any move");
    }
}
