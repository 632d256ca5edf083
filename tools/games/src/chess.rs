//! Chess, Chess960 and the variants that lichess has: rules by shakmaty, keys and move codes as
//! Polyglot's books have them, with more of both for what chess hasn't.
//!
//! The key is Polyglot's: en passant counts only if an enemy pawn is beside the pushed pawn,
//! whether or not it may take (<http://hgm.nubati.net/book_format.html>). That of chess is kept up
//! to date move by move; computing it afresh costs several times more.

mod variant;

use crate::game::{Game, GameNames, SetupError, Trouble, set_up};
use crate::outcome::{Outcome, Side};
use crate::reach::reach;
use crate::san::{self, MoveReader};
use crate::variants::{self, VARIANTS};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{
    Castles, CastlingMode, CastlingSide, Color, EnPassantMode, KnownOutcome, Move, Piece, Position,
    PositionError, Rank, Role, Square, attacks,
};

/// A position of chess or of one of its variants, with its key.
#[derive(Clone, Debug)]
pub struct Chess {
    rules: Rules,
    key: u64,
    castling: u64,
    en_passant: u64,
    in_check: bool,
}

#[derive(Clone, Debug)]
enum Rules {
    Chess(shakmaty::Chess),
    Variant(VariantPosition),
}

macro_rules! by_rules {
    ($rules:expr, $position:ident => $work:expr) => {
        match $rules {
            Rules::Chess($position) => $work,
            Rules::Variant($position) => $work,
        }
    };
}

impl Chess {
    /// The usual start position of chess.
    pub fn start() -> Self {
        Self::keyed(Rules::Chess(shakmaty::Chess::default()))
    }

    /// The positions that games of chess and of its variants start from, chess first.
    pub fn all() -> impl Iterator<Item = Self> {
        let variants = VARIANTS.iter().filter_map(|names| Variant::from_uci(names.uci).ok());
        let start = |of| Self::keyed(Rules::Variant(VariantPosition::new(of)));
        std::iter::once(Self::start()).chain(variants.map(start))
    }

    /// The position of chess (variants: [`Game::set_up`]) of a FEN, or of the word `startpos`.
    ///
    /// # Errors
    /// If the text can't be read, or no game can be played from there.
    pub fn from_setup(text: &str) -> Result<Self, SetupError> {
        Self::start().read(text, Err)
    }

    /// The position of this game, chess or a variant, that a FEN describes. A side may have more pieces
    /// than a game can give it: explorers take any board that somebody has set up.
    ///
    /// ```
    /// use tabia_games::Chess;
    ///
    /// let ten_queens = "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1";
    /// assert!(Chess::from_setup(ten_queens).is_err());
    /// assert!(Chess::start().set_up_any_material(ten_queens).is_ok());
    /// ```
    ///
    /// # Errors
    /// As [`Chess::from_setup`].
    pub fn set_up_any_material(&self, text: &str) -> Result<Self, SetupError> {
        self.read(text, PositionError::ignore_too_much_material)
    }

    fn read(&self, text: &str, mend: Mend) -> Result<Self, SetupError> {
        let names = VARIANTS.iter().find(|names| names.game == self.name());
        let expected = names.map_or(variants::FEN, |names| names.expected);
        let read = |text: &str| position(self.variant(), text, mend).map(Self::keyed);
        let start = || Self::all().find(|start| start.variant() == self.variant());
        set_up(text, || start().unwrap_or_else(Self::start), read, [self.name(), expected])
    }

    /// A legal move in UCI's notation for Chess960, which explorers have for all games: castling is
    /// the king's move to its own rook.
    ///
    /// ```
    /// use tabia_games::{Chess, Game};
    ///
    /// let position = Chess::from_setup("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
    /// let castles = position.parse_move("O-O").unwrap();
    /// assert_eq!((position.coordinates(&castles), position.king_takes_rook(&castles)), ("e1g1".into(), "e1h1".into()));
    /// assert_eq!(position.parse_move("e1h1").unwrap(), castles);
    /// # Ok::<(), tabia_games::SetupError>(())
    /// ```
    pub fn king_takes_rook(&self, played: &Move) -> String {
        played.to_uci(CastlingMode::Chess960).to_string()
    }

    /// The position as shakmaty has it, whatever its rules are.
    pub fn position(&self) -> &dyn Position {
        by_rules!(&self.rules, position => position)
    }

    /// The same, if it is one of chess.
    pub fn standard(&self) -> Option<&shakmaty::Chess> {
        match &self.rules {
            Rules::Chess(position) => Some(position),
            Rules::Variant(_) => None,
        }
    }

    /// What is equal where a position is repeated: en passant counts only where it is legal.
    pub fn repeats(&self) -> u128 {
        by_rules!(&self.rules, position => {
            position.zobrist_hash::<shakmaty::zobrist::Zobrist128>(EnPassantMode::Legal).0
        })
    }

    /// What UCI's option `UCI_Variant` calls its rules.
    pub fn uci_variant(&self) -> &'static str {
        self.variant().uci()
    }

    fn variant(&self) -> Variant {
        match &self.rules {
            Rules::Chess(_) => Variant::Chess,
            Rules::Variant(position) => position.variant(),
        }
    }

    /// Whether a king or rook that may castle isn't where standard chess has it, as in Chess960.
    pub fn is_chess960(&self) -> bool {
        self.position().castles().mode().is_chess960()
    }

    /// A move of a variant. Kept out of what plays chess, as archives are mostly of that.
    #[inline(never)]
    fn play_variant(&mut self, played: &Move) {
        if let Rules::Variant(position) = &mut self.rules {
            position.play_unchecked(*played);
            *self = Self::keyed(self.rules.clone());
        }
    }

    fn keyed(rules: Rules) -> Self {
        let position: &dyn Position = by_rules!(&rules, position => position);
        let castling = castling_share(position.castles());
        let en_passant = en_passant_share(position);
        let key = variant::board_share(position) ^ castling ^ en_passant;
        let in_check = position.is_check();
        Self { rules, key, castling, en_passant, in_check }
    }
}

impl Game for Chess {
    type Move = Move;

    fn names(&self) -> GameNames {
        let uci = self.uci_variant();
        GameNames {
            game: VARIANTS
                .iter()
                .find(|names| names.uci == uci)
                .map_or("chess", |names| names.game),
            keys: "polyglot",
            sides: ["White", "Black"],
            examples: "Nf3, exd5, e8=Q, O-O, or g1f3",
        }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        self.read(text, Err)
    }

    fn setup(&self) -> String {
        let mode = EnPassantMode::PseudoLegal;
        by_rules!(&self.rules, position => Fen::from_position(position, mode)).to_string()
    }

    #[inline]
    fn side(&self) -> Side {
        let turn = by_rules!(&self.rules, position => position.turn());
        if turn == Color::White { Side::First } else { Side::Second }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.position().legal_moves());
    }

    #[inline]
    fn play(&mut self, played: &Move) {
        let Rules::Chess(position) = &mut self.rules else { return self.play_variant(played) };
        let turn = position.turn();
        let rights = position.castles().castling_rights();
        self.key ^=
            self.en_passant ^ Zobrist64::zobrist_for_white_turn().0 ^ pieces_share(turn, played);
        position.play_unchecked(*played);
        self.en_passant = match *played {
            Move::Normal { role: Role::Pawn, from, to, .. } if Square::abs_diff(from, to) == 16 => {
                en_passant_share(position)
            }
            _ => 0,
        };
        self.key ^= self.en_passant;
        self.in_check = gave_check(position, played);
        if position.castles().castling_rights() != rights {
            let castling = castling_share(position.castles());
            self.key ^= self.castling ^ castling;
            self.castling = castling;
        }
    }

    #[inline]
    fn image(&self, played: &Move, _: u32) -> u16 {
        let (from, to, promotion) = match *played {
            Move::Normal { from, to, promotion, .. } => (from, to, promotion),
            Move::EnPassant { from, to } => (from, to, None),
            Move::Castle { king, rook } => (king, rook, None),
            // From nowhere: to the square itself, which no piece moves to.
            Move::Put { role, to } => (to, to, Some(role)),
        };
        let promotion = match promotion {
            Some(Role::Knight) => 1,
            Some(Role::Bishop) => 2,
            Some(Role::Rook) => 3,
            Some(Role::Queen) => 4,
            Some(Role::King) => 5,
            Some(Role::Pawn) | None => 0,
        };
        promotion << 12 | (from as u16) << 6 | to as u16
    }

    #[inline]
    fn code(&self, played: &Move) -> u16 {
        self.image(played, 0)
    }

    fn move_of_code(&self, code: u16) -> Option<Move> {
        self.position().legal_moves().into_iter().find(|played| self.code(played) == code)
    }

    #[inline]
    fn read_move(&self, text: &[u8]) -> Result<Move, Trouble> {
        match &self.rules {
            Rules::Chess(position) => {
                san::read(MoveReader { position, in_check: self.in_check }, text)
            }
            Rules::Variant(position) => san::read_of_variant(position, text),
        }
    }

    fn example_like(&self, text: &str) -> String {
        let legal = self.position().legal_moves();
        let fits = |played: &&Move| {
            SanPlus::from_ascii(text.as_bytes()).is_ok_and(|san| san.san.matches(**played))
        };
        legal.iter().find(fits).map_or_else(|| "Nbd2".to_owned(), |played| self.notation(played))
    }

    fn notation(&self, played: &Move) -> String {
        by_rules!(&self.rules, position => SanPlus::from_move(position.clone(), *played))
            .to_string()
    }

    fn coordinates(&self, played: &Move) -> String {
        played.to_uci(self.position().castles().mode()).to_string()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().known().map(|outcome| match outcome {
            KnownOutcome::Decisive { winner: Color::White } => Outcome::FirstWins,
            KnownOutcome::Decisive { winner: Color::Black } => Outcome::SecondWins,
            KnownOutcome::Draw => Outcome::Draw,
        })
    }

    fn diagram(&self) -> String {
        let mut text = String::with_capacity(9 * 20);
        for rank in Rank::ALL.into_iter().rev() {
            text.push(rank.char());
            for square in (0..8).map(|file| Square::from_coords(shakmaty::File::new(file), rank)) {
                text.push(' ');
                text.push(self.position().board().piece_at(square).map_or('.', Piece::char));
            }
            text.push('\n');
        }
        text.push_str("  a b c d e f g h\n");
        text + &variant::beside_the_board(self.position())
    }
}

type Mend =
    fn(PositionError<VariantPosition>) -> Result<VariantPosition, PositionError<VariantPosition>>;

/// A legal position from a FEN. Castling rights and en passant squares that can't be are dropped.
fn position(variant: Variant, text: &str, mend: Mend) -> Result<Rules, String> {
    let setup = text.parse::<Fen>().map_err(|error| error.to_string())?.into_setup();
    let mode = CastlingMode::detect(&setup);
    let position = VariantPosition::from_setup(variant, setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(mend)
        .map_err(|error| error.to_string())?;
    Ok(match position {
        VariantPosition::Chess(position) => Rules::Chess(position),
        position => Rules::Variant(position),
    })
}

/// Whether the side to move is in check by the move just made: by its piece, or one behind it.
#[inline]
fn gave_check(position: &shakmaty::Chess, played: &Move) -> bool {
    let (board, mover) = (position.board(), !position.turn());
    let (Some(king), occupied) = (board.king_of(position.turn()), board.occupied()) else {
        return false;
    };
    if let Move::Normal { role, from, to, promotion: None, .. } = *played {
        if reach(mover, role, to).contains(king)
            && (attacks::between(to, king) & occupied).is_empty()
        {
            return true;
        }
        if (attacks::ray(king, from) & board.by_color(mover) & board.sliders()).is_empty() {
            return false;
        }
    }
    !board.attacks_to(king, mover, occupied).is_empty()
}

#[inline]
fn pieces_share(turn: Color, played: &Move) -> u64 {
    let piece =
        |square, role: Role, color| Zobrist64::zobrist_for_piece(square, Piece { color, role }).0;
    match *played {
        Move::Normal { role, from, capture, to, promotion } => {
            let moved = piece(from, role, turn) ^ piece(to, promotion.unwrap_or(role), turn);
            moved ^ capture.map_or(0, |taken| piece(to, taken, !turn))
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            piece(from, Role::Pawn, turn)
                ^ piece(to, Role::Pawn, turn)
                ^ piece(taken, Role::Pawn, !turn)
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            let (king_to, rook_to) = (side.king_to(turn), side.rook_to(turn));
            piece(king, Role::King, turn)
                ^ piece(king_to, Role::King, turn)
                ^ piece(rook, Role::Rook, turn)
                ^ piece(rook_to, Role::Rook, turn)
        }
        Move::Put { role, to } => piece(to, role, turn),
    }
}

/// En passant's share of the key: an enemy pawn beside the pushed one.
fn en_passant_share<P: Position + ?Sized>(position: &P) -> u64 {
    position
        .pseudo_legal_ep_square()
        .map_or(0, |square| Zobrist64::zobrist_for_en_passant_file(square.file()).0)
}

fn castling_share(castles: &Castles) -> u64 {
    let mut share = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if castles.has(color, side) {
                share ^= Zobrist64::zobrist_for_castling_right(color, side).0;
            }
        }
    }
    share
}
