//! A game as it is stored in a log: what is needed to find its copies, and to make its occurrences.
//!
//! A head, the codes of all moves, then of as many plies as count: keys, and marks with the side to
//! move in their highest bit; then the evals.

use tabia::Marks;
use tabia_archives::{EvalComment, GameRecord, Origin, Ply};
use tabia_games::{Outcome, Side};
use zerocopy::little_endian::{I16, U16, U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The head of a record.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Head {
    /// Bytes after the head.
    pub length: U32,
    source: U32,
    offset: U64,
    /// The key of the position the game starts from.
    pub start: U64,
    /// The hash of its players.
    pub players: U64,
    last: U64,
    digest: U64,
    /// How many moves the game has.
    pub moves: U32,
    plies: U32,
    evals: U32,
    ratings: [U16; 2],
    year: U16,
    last_side: u8,
    outcome: u8,
    is_rated: u8,
    reserved: u8,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct EvalRecord {
    plies: U32,
    value: I16,
    depth: u8,
}

/// The bit of a ply's marks that says that the second player moves. Archives know only the six
/// lower marks.
const SECOND: u8 = 1 << 7;

impl Head {
    /// Bytes of a head.
    pub const SIZE: usize = size_of::<Self>();

    /// The head that these bytes start with.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        Self::read_from_prefix(bytes).ok().map(|(head, _)| head)
    }

    /// The codes of all moves, given the body.
    pub fn codes<'a>(&self, body: &'a [u8]) -> &'a [U16] {
        <[U16]>::ref_from_prefix_with_elems(body, self.moves.get() as usize)
            .map_or(&[], |(codes, _)| codes)
    }

    /// The game, given the body; none if that isn't a game's.
    pub fn game(&self, body: &[u8], game: &mut GameRecord) -> Option<Origin> {
        let plies = self.plies.get() as usize;
        let (codes, rest) =
            <[U16]>::ref_from_prefix_with_elems(body, self.moves.get() as usize).ok()?;
        let (keys, rest) = <[U64]>::ref_from_prefix_with_elems(rest, plies).ok()?;
        let (marks, rest) = <[u8]>::ref_from_prefix_with_elems(rest, plies).ok()?;
        let evals =
            <[EvalRecord]>::ref_from_bytes_with_elems(rest, self.evals.get() as usize).ok()?;
        let ply = |((code, key), marks): ((&U16, &U64), &u8)| Ply {
            key: key.get(),
            code: code.get(),
            side: if marks & SECOND == 0 { Side::First } else { Side::Second },
            marks: Marks::from_bits_retain(marks & !SECOND),
        };
        game.plies.clear();
        game.plies.extend(codes.iter().zip(keys).zip(marks).map(ply));
        game.last = (self.last.get(), if self.last_side == 0 { Side::First } else { Side::Second });
        game.outcome = match self.outcome {
            0 => Outcome::FirstWins,
            1 => Outcome::Draw,
            _ => Outcome::SecondWins,
        };
        game.ratings = (self.is_rated != 0).then(|| self.ratings.map(U16::get));
        game.players = self.players.get();
        game.year = self.year.get();
        game.digest = self.digest.get();
        game.evals.clear();
        let eval = |eval: &EvalRecord| EvalComment {
            plies: eval.plies.get(),
            value: eval.value.get(),
            depth: eval.depth,
        };
        game.evals.extend(evals.iter().map(eval));
        Some(Origin { source: self.source.get(), offset: self.offset.get() })
    }
}

/// Appends a game of which the first `most_plies` plies count.
pub(super) fn write(game: &GameRecord, origin: Origin, most_plies: usize, bytes: &mut Vec<u8>) {
    let plies = &game.plies[..game.plies.len().min(most_plies)];
    let last = game.plies.get(plies.len()).map_or(game.last, |ply| (ply.key, ply.side));
    let at = bytes.len();
    let mut head = Head::new_zeroed();
    bytes.extend_from_slice(head.as_bytes());
    game.plies.iter().for_each(|ply| bytes.extend_from_slice(&ply.code.to_le_bytes()));
    plies.iter().for_each(|ply| bytes.extend_from_slice(&ply.key.to_le_bytes()));
    bytes.extend(
        plies.iter().map(|ply| {
            ply.marks.bits() & !SECOND | if ply.side == Side::Second { SECOND } else { 0 }
        }),
    );
    let evals = game.evals.iter().filter(|eval| eval.plies as usize <= plies.len());
    for eval in evals {
        head.evals += 1;
        let record = EvalRecord {
            plies: U32::new(eval.plies),
            value: I16::new(eval.value),
            depth: eval.depth,
        };
        bytes.extend_from_slice(record.as_bytes());
    }
    head.length = U32::new((bytes.len() - at - Head::SIZE) as u32);
    head.source = U32::new(origin.source);
    head.offset = U64::new(origin.offset);
    head.start = U64::new(game.plies.first().map_or(game.last.0, |ply| ply.key));
    head.players = U64::new(game.players);
    head.year = U16::new(game.year);
    head.digest = U64::new(game.digest);
    head.last = U64::new(last.0);
    head.last_side = last.1.index() as u8;
    head.moves = U32::new(game.plies.len() as u32);
    head.plies = U32::new(plies.len() as u32);
    head.outcome = game.outcome as u8;
    head.is_rated = u8::from(game.ratings.is_some());
    head.ratings = game.ratings.unwrap_or_default().map(U16::new);
    bytes[at..at + Head::SIZE].copy_from_slice(head.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_occurrences::tests::game as game_of;

    fn game(plies: usize) -> GameRecord {
        let moves: Vec<_> = (0..plies as u64).map(|ply| (tabia::mix(ply), ply as u16)).collect();
        let mut game = game_of(&moves, 77);
        for (number, ply) in game.plies.iter_mut().enumerate() {
            ply.marks = Marks::from_bits_retain(number as u8 % 64);
        }
        GameRecord {
            outcome: Outcome::SecondWins,
            ratings: Some([2800, 1]),
            evals: vec![
                EvalComment { plies: 0, value: -3, depth: 255 },
                EvalComment { plies: 5, value: i16::MAX, depth: 0 },
            ],
            players: 99,
            year: 1851,
            digest: 0xabcd_ef01_2345,
            ..game
        }
    }

    fn again(game: &GameRecord, most_plies: usize) -> (GameRecord, Origin, usize) {
        let (mut bytes, mut read) = (vec![1, 2, 3], GameRecord::default());
        write(game, Origin { source: 7, offset: 1 << 40 }, most_plies, &mut bytes);
        let head = Head::read(&bytes[3..]).unwrap();
        let body = &bytes[3 + Head::SIZE..];
        assert_eq!(head.length.get() as usize, body.len());
        let origin = head.game(body, &mut read).unwrap();
        let mut cut = (0..body.len()).map(|len| &body[..len]);
        assert!(cut.all(|body| head.game(body, &mut GameRecord::default()).is_none()));
        (read, origin, head.codes(body).len())
    }

    #[test]
    fn a_game_comes_back_as_it_was() {
        for plies in [0, 1, 5, 300] {
            let game = game(plies);
            let (read, origin, codes) = again(&game, usize::MAX);
            assert_eq!(origin, Origin { source: 7, offset: 1 << 40 });
            let told = |of: &GameRecord| (of.plies.clone(), of.last, of.outcome, of.ratings);
            assert_eq!(told(&read), told(&game));
            assert_eq!((read.players, codes), (99, plies));
            assert_eq!((read.year, read.digest), (game.year, game.digest));
            assert_eq!(read.evals.len(), if plies < 5 { 1 } else { 2 });
        }
    }

    #[test]
    fn of_plies_that_dont_count_only_the_moves_are_there() {
        let game = game(30);
        let (read, _, codes) = again(&game, 4);
        assert_eq!((read.plies.len(), codes), (4, 30));
        assert_eq!((read.last, read.evals.len()), ((game.plies[4].key, game.plies[4].side), 1));
    }
}
