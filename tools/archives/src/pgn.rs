//! Reading PGN, and what other games write like it (PDN, Othello as text): a segment of an archive
//! ([`crate::split`]) into replayed games. What differs from game to game is a [`Notation`].
//!
//! Only the main line counts, unless variations are wanted too ([`Wanted::variations`]): then each
//! of them is handed on as a game behind its own, with the moves that lead to it; one that can't be
//! read or played is reported, and those inside it behind the fault are left out with it. Comments
//! are skipped, moves are read in every spelling their game knows, marks (`!`, `$1` ...) are kept
//! with their move. Text that can't be read makes the game broken: it is never skipped in the hope
//! that it was no move. (So this isn't built on the crate pgn-reader, which drops what it can't
//! read; it is the oracle of the tests.)
//!
//! - The result is that of the `Result` tag where there is one, else that of the text's end: `1-0`,
//!   `0-1`, `1/2-1/2`, also `1/2` (in chess). Anything else is no decided result.
//! - A game counts only if all of it can be played, to its last move.
//! - One blank line separates tags and moves. After a second one the moves are a game of their own,
//!   whose result is unknown, and the tags are one without moves; both are reported.
//!   [`PgnReader::new`] with `join_split` takes them for one game instead.
//! - A game without tags starts at a move and ends at a result. Text before it that belongs to
//!   nothing makes it broken, and is no game by itself.
//! - The last game of an archive may be cut off: it counts if its `Result` tag says how it ended. A
//!   last move that touches its very end and isn't a legal one is left out.
//! - A game that a [`Filter`](crate::filter::Filter) leaves out by its tags is read to its end, but
//!   not replayed: its faults, if it has any, stay unknown.

mod branching;
#[cfg(feature = "chess")]
mod chess;
#[cfg(feature = "draughts")]
mod draughts;
mod evals;
mod movetext;
pub(crate) mod notation;
mod replay;
pub(crate) mod tags;
mod text;

use crate::game_record::GameRecord;
use crate::reading::{Content, Done, Fault, Games, Out, Reads, Replayed, Stopped, give, judge};
use crate::stats::Reason;
use crate::variations::{HandOn, Variation};
use crate::wanted::Wanted;
use branching::Branches;
use notation::Notation;
use replay::Replay;
use tags::Tags;
pub(crate) use tags::roster;
use text::{Marker, Text};

/// Reads PGN, game after game, in buffers it keeps.
#[derive(Debug)]
pub struct PgnReader<G> {
    start: G,
    game: GameRecord,
    join_split: bool,
    wanted: Wanted,
}

impl<G: Notation> Reads for PgnReader<G> {
    fn read(&mut self, segment: &[u8], is_last: bool, games: &mut dyn Games) -> Done {
        let mut text = Text::new(segment, is_last);
        text.skip_to_content();
        let mut at = text.at;
        let mut tags = Tags::read(&mut text);
        let mut content = match (tags.are_there(), text.ahead()) {
            (true, _) => Content::Games,
            (false, []) => Content::Blank,
            (false, _) => Content::Other,
        };
        let are_apart = tags.are_apart() && !text.ahead().is_empty();
        if are_apart && !self.join_split {
            self.without_moves(at, &tags, games);
            tags = Tags::cut_off();
            at = text.at;
        }
        let mut moves = text.at;
        while let Some(verdict) = self.game(&mut text, &tags) {
            let is_played = verdict.is_ok();
            if !self.game.plies.is_empty() {
                content = Content::Games;
            }
            give(games, at, verdict.map(|()| &self.game), || tags.players())?;
            if are_apart && self.join_split && tags.are_there() {
                games.joined();
            }
            let skipped = std::mem::take(&mut text.skipped_variations);
            if is_played && skipped > 0 {
                if self.wanted.variations {
                    self.variations(Text { at: moves, ..text.read() }, &tags, games)?;
                } else {
                    games.variations_left_out(skipped);
                }
            }
            tags = Tags::default();
            text.skip_to_content();
            at = text.at;
            moves = at;
        }
        Ok(content)
    }
}

impl<G: Notation> PgnReader<G> {
    /// A reader of the wanted games of this start position's kind. With `join_split` it takes tags
    /// and the moves after them for one game, however many blank lines separate them.
    pub fn new(start: G, join_split: bool, wanted: Wanted) -> Self {
        Self { start, game: GameRecord::default(), join_split, wanted }
    }

    /// Reports tags that are separate from the moves after them.
    #[cold]
    fn without_moves(&self, at: usize, tags: &Tags<'_>, games: &mut dyn Games) {
        if let Err(Out::Filtered(reason)) = self.start(tags) {
            return games.filtered(reason);
        }
        let fault = Fault::new(
            Reason::NoMoves,
            "two blank lines part it from the moves behind it (--join-split on joins them)",
        );
        games.skipped(at, fault, tags.players());
    }

    /// Reads one game into `self.game`, or says why it isn't counted. None if there is no more.
    fn game(&mut self, text: &mut Text<'_>, tags: &Tags<'_>) -> Option<Result<(), Out>> {
        let (start, out) = match self.start(tags) {
            Ok(start) => (start, None),
            Err(out) => (None, Some(out)),
        };
        // Without tags it takes a replay to know whether there is a game at all.
        let (out, out_if_game) = if tags.are_there() { (out, None) } else { (None, out) };
        let mut replay = Replay { out, ..self.replay(start, tags) };
        let marker = text.moves(&mut replay);
        let Replay { game, out, in_game, .. } = replay;
        in_game.then(|| self.verdict(&game, out_if_game.or(out), tags, marker))
    }

    /// A game about to be replayed, from this position or the usual one.
    #[inline]
    fn replay<'a>(&'a mut self, start: Option<G>, tags: &Tags<'a>) -> Replay<'a, G> {
        let start = start.unwrap_or_else(|| self.start.clone());
        Replay {
            game: Replayed::start(start, &self.wanted, &mut self.game),
            plies: &mut self.game.plies,
            evals: self.wanted.evals.then_some(&mut self.game.evals),
            out: None,
            in_game: tags.are_there(),
            stray: false,
            result: tags.result.unwrap_or_default().trim_ascii(),
            branches: None,
        }
    }

    /// Hands on the variations of a game that was read, given its text from its moves to its end.
    #[cold]
    fn variations(
        &mut self,
        mut text: Text<'_>,
        tags: &Tags<'_>,
        games: &mut dyn Games,
    ) -> Result<(), Stopped> {
        let Ok(start) = self.start(tags) else { return Ok(()) };
        let wanted = self.wanted.clone();
        let mut hand_on = HandOn::new(games, &wanted, &self.game, tags.players());
        let mut take = |variation: Variation<'_>| hand_on.take(variation);
        let branches = Some(Branches { take: &mut take, before: None, open: Vec::new() });
        let mut replay = Replay { branches, ..self.replay(start, tags) };
        text.moves(&mut replay);
        hand_on.finish()
    }

    /// The position a game with these tags starts from, if it isn't the usual one, or why it isn't
    /// counted whatever its moves are.
    #[inline]
    fn start(&self, tags: &Tags<'_>) -> Result<Option<G>, Out> {
        let filter = &self.wanted.filter;
        self.start.check_kind(tags)?;
        judge(filter, || tags.facts(&self.start))?;
        let start = tags.start(&self.start)?;
        if filter.variant.is_some() {
            filter.judge_variant(G::variant(tags, start.as_ref()))?;
        }
        Ok(start)
    }

    fn verdict(
        &mut self,
        end: &Replayed<G>,
        out: Option<Out>,
        tags: &Tags<'_>,
        marker: Marker,
    ) -> Result<(), Out> {
        if let Some(out) = out {
            return Err(out);
        }
        let outcome = || tags.outcome(&self.start, marker);
        let ratings = tags.ratings(&self.start);
        self.game.ends(end, outcome, ratings, &self.wanted, || tags.said(&self.start))
    }
}
