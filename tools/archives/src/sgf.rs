//! Reading SGF, FF[1] to FF[4]: Go games, several in a file or one, into replayed games.
//!
//! - The main line counts: the first variation wherever there are several. It is read as one run of
//!   nodes, however deep they are nested. With [`Wanted::variations`](crate::Wanted::variations) each
//!   other way from the root to a leaf is handed on as a game behind its own; one that can't be read
//!   or played is reported, with all that branch off in it.
//! - Of a property's name only capital letters count, as FF[1] to FF[3] have it: `Black` is `B`,
//!   `KoMi` is `KM`. Of one that occurs twice the first counts.
//! - The properties of a node have no order: all are read before one is used, and stones that are
//!   set up in it stand there before its move. Stones before the first move are placed once that is
//!   met, on the board of the size that is known by then.
//! - The board is 19x19 unless `SZ` says something else. A game on a board of another size, or of
//!   another kind (`GM`), is left out as that.
//! - A pass is `[]`, or `[tt]`. A move out of turn is played as if the other side had passed, but
//!   no pass is written down. `KO`, `MN` and `PL` change nothing: the color of the first move says
//!   who begins, the rules say what is legal.
//! - Rules (`RU`) of New Zealand allow suicide, those of Ing and Tromp-Taylor of several stones.
//! - Handicap stones and other stones set up before the first move (`AB`, `AW`, `AE`) make it a
//!   game that starts elsewhere: left out, unless [`Wanted::set_up`](crate::Wanted::set_up) says
//!   otherwise. Stones set up between moves make its position unknown; after the last one they are
//!   annotations, and pass. `HA` without stones is but a number.
//! - The result is that of `RE`; by area where [`Scored`] says so. A win by nothing (`B+0`) is a
//!   draw, as `0`, `Draw` and `Jigo` are. `TE`, `BM`, `DO` and `IT` mark the move of their node.
//! - Each tree of a file is a game, also one that is the copy of another: as in all formats what is
//!   in an archive twice counts twice, unless a build counts copies once.
//! - With [`Wanted::corners`](crate::Wanted::corners) a game gives up to four, the sequences of its
//!   corners ([`Go::corners`]), each with the game's result.
//! - Text is UTF-8, or else Latin-1. What can't be read makes the game broken. A file that ends
//!   before its last game does counts as cut off: the game is kept with the moves that are there.

mod info;
mod text;
mod variations;

use crate::game_record::GameRecord;
use crate::reading::{
    Content, Done, Fault, Games, Out, Reads, Replayed, Stopped, give, judge, pairing, shown,
};
use crate::stats::Reason;
use crate::variations::HandOn;
use crate::wanted::{Scored, Wanted};
use info::{Info, RESULT_IS_MISSING};
use tabia::row::Marks;
use tabia_games::go::{Go, Komi, Move};
use tabia_games::{Game, Outcome, Side, Trouble};
use text::{Property, Text, Token};

/// Reads SGF, game after game, in buffers it keeps.
#[derive(Debug)]
pub struct SgfReader {
    start: Go,
    wanted: Wanted,
    game: GameRecord,
    stones: Vec<(u16, Option<Side>)>,
    /// The moves of the game, if its corners are wanted.
    moves: Vec<Move>,
}

impl Reads for SgfReader {
    fn read(&mut self, segment: &[u8], is_last: bool, games: &mut dyn Games) -> Done {
        let mut text = Text::new(segment);
        let mut content =
            if segment.trim_ascii().is_empty() { Content::Blank } else { Content::Other };
        while text.go_to_game() {
            content = Content::Games;
            let at = text.at();
            let mut info = Info::default();
            text.skipped_variations = 0;
            match self.game(&mut text, is_last, &mut info) {
                Ok(()) if self.wanted.corners.is_some() => self.corners(at, games, &info)?,
                verdict => {
                    let is_played = verdict.is_ok();
                    give(games, at, verdict.map(|()| &self.game), || pairing(info.names()))?;
                    if is_played && self.wanted.variations && text.skipped_variations > 0 {
                        self.variations(text.since(at), &info, games)?;
                    } else if is_played && text.skipped_variations > 0 {
                        games.variations_left_out(text.skipped_variations);
                    }
                }
            }
        }
        Ok(content)
    }
}

impl SgfReader {
    /// A reader of the games of this kind and size.
    pub fn new(start: Go, wanted: Wanted) -> Self {
        Self { start, wanted, game: GameRecord::default(), stones: Vec::new(), moves: Vec::new() }
    }

    fn corners(
        &mut self,
        at: usize,
        games: &mut dyn Games,
        info: &Info<'_>,
    ) -> Result<(), Stopped> {
        let sequences =
            self.start.corners(&self.moves, self.wanted.corners.unwrap_or_default().into());
        if sequences.iter().all(Vec::is_empty) {
            let fault = Fault::new(Reason::NoMoves, "it has no moves in its corners");
            games.skipped(at, fault, pairing(info.names()));
        }
        let (marks, players): (Vec<Marks>, _) =
            (self.game.plies.iter().map(|ply| ply.marks).collect(), self.game.players);
        for (number, sequence) in (0..).zip(&sequences) {
            let Some(first) = sequence.first() else { continue };
            let start = self.start.emptied().turned(first.played.side);
            let mut replay = Replayed::start(start, &self.wanted, &mut self.game);
            for step in sequence {
                replay.play(&step.played, &mut self.game.plies);
                if let (Some(ply), Some(of)) = (self.game.plies.last_mut(), step.of) {
                    ply.marks = marks[of];
                }
            }
            self.game.last = replay.last();
            // Equal sequences of two corners are no copies of each other.
            self.game.players =
                if self.wanted.players { players.wrapping_add(number) } else { players };
            games.played(at, &self.game)?;
        }
        Ok(())
    }

    /// Reads a game into `self.game`, or says why it isn't counted. Continues after it either way.
    fn game<'a>(
        &mut self,
        text: &mut Text<'a>,
        is_last: bool,
        info: &mut Info<'a>,
    ) -> Result<(), Out> {
        let mut replay = self.replay(info);
        let read = replay.main_line(text, is_last);
        let end = replay.game;
        let skipped = text.skip_game();
        read?;
        if !(skipped || is_last) {
            return Err(Fault::broken("it is never closed").into());
        }
        self.verdict(&end, info)
    }

    fn replay<'a, 'b>(&'b mut self, info: &'b mut Info<'a>) -> Replay<'a, 'b> {
        self.moves.clear();
        Replay {
            start: &self.start,
            wanted: &self.wanted,
            info,
            stones: &mut self.stones,
            set_up: Vec::new(),
            is_edited: false,
            game: Replayed::start(self.start, &self.wanted, &mut self.game),
            played: &mut self.game,
            moves: self.wanted.corners.is_some().then_some(&mut self.moves),
            node: Node::default(),
            has_begun: false,
        }
    }

    /// Hands on the variations of a game that was read, given its text.
    #[cold]
    fn variations<'a>(
        &mut self,
        mut text: Text<'a>,
        info: &Info<'a>,
        games: &mut dyn Games,
    ) -> Result<(), Stopped> {
        let wanted = self.wanted.clone();
        let mut hand_on = HandOn::new(games, &wanted, &self.game, pairing(info.names()));
        let mut info = Info::default();
        let mut replay = self.replay(&mut info);
        replay.variations(&mut text, &mut |variation| hand_on.take(variation));
        hand_on.finish()
    }

    fn verdict(&mut self, end: &Replayed<Go>, info: &Info<'_>) -> Result<(), Out> {
        let outcome = self.outcome(&end.position, info);
        self.game.ends(end, || outcome, info.ratings(), &self.wanted, || info.said())
    }

    /// How it ended: by `RE`, or by area if that is wanted.
    fn outcome(&self, end: &Go, info: &Info<'_>) -> Result<Outcome, Fault> {
        let said = info.outcome();
        let is_missing = said.as_ref().is_err_and(|fault| fault.detail == RESULT_IS_MISSING);
        let is_scored = match self.wanted.scored {
            Scored::Never => false,
            Scored::Finished => is_missing && end.outcome().is_some(),
            Scored::Unknown => is_missing,
            Scored::Passes => end.outcome().is_some(),
            Scored::All => true,
        };
        let komi = || self.wanted.komi.or_else(|| info.komi()).unwrap_or(Komi::SEVEN_AND_A_HALF);
        if is_scored { Ok(end.scored(komi())) } else { said }
    }
}

/// What is known of the node that is being read.
#[derive(Debug, Default)]
struct Node<'a> {
    marks: Marks,
    played: Option<(Side, &'a [u8])>,
    /// Moves behind it that belong into nodes of their own.
    more: Vec<(Side, &'a [u8])>,
    is_set_up: bool,
}

struct Replay<'a, 'b> {
    start: &'b Go,
    wanted: &'b Wanted,
    info: &'b mut Info<'a>,
    stones: &'b mut Vec<(u16, Option<Side>)>,
    /// The properties that set up stones before the first move.
    set_up: Vec<(Option<Side>, Property<'a>)>,
    /// Whether stones are set up after its first move.
    is_edited: bool,
    game: Replayed<Go>,
    played: &'b mut GameRecord,
    moves: Option<&'b mut Vec<Move>>,
    node: Node<'a>,
    /// Its first move was read: what had to be known of it before is known.
    has_begun: bool,
}

impl<'a> Replay<'a, '_> {
    /// Reads to where the first variation ends, and with it the main line.
    fn main_line(&mut self, text: &mut Text<'a>, is_last: bool) -> Result<(), Out> {
        let what = loop {
            match text.next() {
                Token::Property(property) => self.property(&property),
                Token::Node => self.end_node()?,
                Token::Open => {}
                Token::Close => break None,
                Token::End if is_last => break None,
                Token::End => break Some("it is never closed"),
                Token::Broken(_) if is_last && text.is_at_end() => break None,
                Token::Broken(what) => break Some(what),
            }
        };
        self.end_node()?;
        if let Some(what) = what {
            return Err(self.broken(what));
        }
        if self.has_begun { Ok(()) } else { self.begin(Side::First) }
    }

    fn property(&mut self, property: &Property<'a>) {
        match &property.name {
            b"\0B" => self.moved(Side::First, property.value),
            b"\0W" => self.moved(Side::Second, property.value),
            b"AB" => self.set_up(Some(Side::First), property),
            b"AW" => self.set_up(Some(Side::Second), property),
            b"AE" => self.set_up(None, property),
            b"TE" if is_twice(property.value) => self.node.marks |= Marks::BRILLIANT,
            b"TE" => self.node.marks |= Marks::GOOD,
            b"BM" if is_twice(property.value) => self.node.marks |= Marks::BLUNDER,
            b"BM" => self.node.marks |= Marks::BAD,
            b"DO" => self.node.marks |= Marks::DUBIOUS,
            b"IT" => self.node.marks |= Marks::INTERESTING,
            _ => self.info.set(property),
        }
    }

    #[inline]
    fn moved(&mut self, side: Side, value: &'a [u8]) {
        match self.node.played {
            None => self.node.played = Some((side, value)),
            Some(_) => self.node.more.push((side, value)),
        }
    }

    /// Takes note of stones that are set up, or taken off.
    fn set_up(&mut self, stone: Option<Side>, property: &Property<'a>) {
        self.node.is_set_up = true;
        if !self.has_begun {
            self.set_up.push((stone, *property));
        }
    }

    /// Plays and marks the move of the node that ends here, all of which is known now.
    #[inline]
    fn end_node(&mut self) -> Result<(), Out> {
        let Node { marks, played, more, is_set_up } = std::mem::take(&mut self.node);
        self.is_edited |= is_set_up && self.has_begun;
        let Some((side, value)) = played else { return Ok(()) };
        self.play(side, value)?;
        for (side, value) in more {
            self.play(side, value)?;
        }
        if let Some(ply) = self.played.plies.last_mut() {
            ply.marks |= marks;
        }
        Ok(())
    }

    #[inline]
    fn play(&mut self, side: Side, value: &[u8]) -> Result<(), Out> {
        if !self.has_begun {
            self.begin(side)?;
        }
        let ply = self.played.plies.len() + 1;
        if self.is_edited {
            let reason = if self.wanted.set_up { Reason::BadPosition } else { Reason::SetUp };
            return Err(Fault::new(reason, format!("stones are set up before ply {ply}")).into());
        }
        let point = text::move_point(value, self.start.size())
            .map_err(|trouble| fails(trouble, side, value, ply))?;
        let turn = self.game.position.side();
        if side != turn {
            let turned = self.game.position.turned(side);
            self.game.go_to(turned, &Move { side: turn, point: None });
        }
        let played = Move { side, point };
        self.game.note(&played, &mut self.played.plies);
        self.game.position.try_play(&played).map_err(|trouble| fails(trouble, side, value, ply))?;
        if let Some(moves) = &mut self.moves {
            moves.push(played);
        }
        Ok(())
    }

    /// Judges the properties before the first move, which is this side's, and sets the board up.
    fn begin(&mut self, side: Side) -> Result<(), Out> {
        self.has_begun = true;
        self.info.check_kind(self.start.size())?;
        self.place_stones()?;
        judge(&self.wanted.filter, || self.info.facts(self.wanted.scored))?;
        let mut position = self.start.with_suicide(self.info.suicide()).turned(side);
        if !self.set_up.is_empty() {
            if !self.wanted.set_up {
                return Err(
                    Fault::new(Reason::SetUp, "stones are set up before its first move").into()
                );
            }
            let arranged = position.arranged(self.stones.iter().copied(), side);
            position = arranged.ok_or_else(|| {
                Fault::new(Reason::BadPosition, "a chain of its set-up stones has no liberty")
            })?;
        }
        self.game = Replayed::start(position, self.wanted, self.played);
        Ok(())
    }

    /// The stones that are set up before the first move, in the order of their properties.
    fn place_stones(&mut self) -> Result<(), Out> {
        self.stones.clear();
        for (stone, property) in &self.set_up {
            for value in property.values().filter(|value| !value.trim_ascii().is_empty()) {
                let Some(points) = text::points(value, self.start.size()) else {
                    let value = shown(value);
                    return Err(
                        self.broken(&format!("`{value}` can't be read as points of the board"))
                    );
                };
                if self.stones.len() + points.len() > MOST_STONES {
                    return Err(self.broken("far too many stones are set up"));
                }
                self.stones.extend(points.into_iter().map(|point| (point, *stone)));
            }
        }
        Ok(())
    }

    #[cold]
    fn broken(&self, what: &str) -> Out {
        Fault::broken(format!("{what}, after ply {}", self.played.plies.len())).into()
    }
}

/// A move at this ply can't be played.
#[cold]
fn fails(trouble: Trouble, side: Side, value: &[u8], ply: usize) -> Out {
    let side = if side == Side::First { 'B' } else { 'W' };
    Fault::of_move(trouble, format!("{side}[{}]", shown(value)).as_bytes(), ply).into()
}

/// The most points that are set up before a first move, one again and again among them.
const MOST_STONES: usize = 1 << 16;

/// Whether a move is marked with emphasis.
fn is_twice(value: &[u8]) -> bool {
    value.trim_ascii() == b"2"
}
