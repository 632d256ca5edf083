//! "Games will not be lost twice in the same way" (Buro 1999, section 3): a player who plays from a
//! book by negamax, and adds each game with the best deviations, against an opponent who always
//! answers the same.

use crate::shared::player;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use tabia::format::Keyed;
use tabia::row::Flags;
use tabia::{Batch, Book, Counts, Env, Existing, MoveRow, NewBook, PositionRow, Writer};
use tabia_games::{Chess, Game, Node, Othello, Outcome, Side};
use tabia_play::choice::{GameHistory, Limits};

/// Two players and their game.
struct Match<'a, G: Game> {
    start: G,
    /// Whose the book is.
    side: Side,
    /// What the player with the book thinks of a position, as the side to move sees it.
    eval: &'a dyn Fn(&G) -> i16,
    /// What the other player plays.
    opponent: &'a dyn Fn(&G) -> G::Move,
}

struct Ended<G: Game> {
    history: GameHistory<G>,
    outcome: Outcome,
    from_book: usize,
}

impl<G: Game> Match<'_, G> {
    /// What a move is worth to who plays it.
    fn worth(&self, board: &G, played: &G::Move) -> i16 {
        let next = board.after(played);
        let eval = (self.eval)(&next);
        if next.side() == board.side() { eval } else { -eval }
    }

    fn best(&self, board: &G, moves: Vec<G::Move>) -> Option<G::Move> {
        let worth = |played: &G::Move| (self.worth(board, played), Reverse(board.code(played)));
        moves.into_iter().max_by_key(worth)
    }

    /// Plays a game; it also ends with a position that comes for the third time.
    fn play(&self, book: &Book) -> Ended<G> {
        let mut history = GameHistory::start(self.start.clone(), Keyed::Position);
        let player = player(book, "negamax", &history);
        let mut from_book = 0;
        for _ in 0..2_000 {
            let present = history.present();
            let board = present.position.clone();
            let outcome =
                board.outcome().or((history.times(present.key) > 2).then_some(Outcome::Draw));
            if let Some(outcome) = outcome {
                return Ended { history, outcome, from_book };
            }
            let played = if board.side() == self.side {
                let decision = player.decide(&history, &Limits::default()).unwrap();
                from_book += usize::from(decision.played().is_some());
                let played = decision.played().cloned();
                played.or_else(|| self.best(&board, board.legal())).unwrap()
            } else {
                (self.opponent)(&board)
            };
            history.play(&played);
        }
        panic!("the game doesn't end");
    }

    /// Adds a game: its positions and moves, and in each position the best move that isn't in the
    /// book yet, unless there is one that was never followed.
    fn add(&self, book: &Book, writer: &mut Writer<'_>, ended: &Ended<G>) {
        let (mut batch, mut keys) = (Batch::new(), BTreeSet::new());
        let nodes = ended.history.nodes();
        for (node, played) in nodes.iter().zip(ended.history.moves().iter().map(Some).chain([None]))
        {
            let [wins, draws, losses] = ended.outcome.counts_for(node.position.side());
            let counts = Counts { wins, draws, losses };
            if keys.insert(node.key) {
                batch.add_position(PositionRow::new(node.key, counts).with_flags(Flags::EXPANDED));
                self.add_deviation(book, &mut batch, node, &self.played_at(ended, node.key));
            }
            if let Some(played) = played {
                batch.add_move(MoveRow::new(node.key, node.code(played), counts));
            }
        }
        writer.append(&batch).unwrap();
    }

    /// The codes of moves that were played in positions with this key.
    fn played_at(&self, ended: &Ended<G>, key: u64) -> BTreeSet<u16> {
        let all = ended.history.nodes().iter().zip(ended.history.moves());
        all.filter(|(node, _)| node.key == key).map(|(node, played)| node.code(played)).collect()
    }

    fn add_deviation(
        &self,
        book: &Book,
        batch: &mut Batch,
        node: &Node<G>,
        played: &BTreeSet<u16>,
    ) {
        let rows = book.moves(node.key).unwrap();
        let known: BTreeSet<u16> =
            rows.iter().map(MoveRow::code).chain(played.iter().copied()).collect();
        let legal = node.position.legal().into_iter();
        let (in_book, others): (Vec<_>, Vec<_>) =
            legal.partition(|played| known.contains(&node.code(played)));
        let is_unfollowed = |other: &G::Move| {
            let after = node.after(other);
            !played.contains(&node.code(other))
                && book.moves(after.key).unwrap().is_empty()
                && after.position.outcome().is_none()
        };
        if in_book.iter().any(is_unfollowed) {
            return;
        }
        if let Some(deviation) = self.best(&node.position, others) {
            let next = node.after(&deviation);
            let row = PositionRow::new(next.key, Counts::default());
            batch.add_position(row.with_eval((self.eval)(&next.position), 1));
            batch.add_move(MoveRow::new(node.key, node.code(&deviation), Counts::default()));
        }
    }

    /// Plays a match; how many games were lost, and how many moves came from the book.
    fn run(&self, games: usize) -> (usize, usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learning.tabia");
        let none: (Vec<PositionRow>, Vec<MoveRow>) = Default::default();
        let new =
            NewBook::new(self.start.name().parse().unwrap(), self.start.keys().parse().unwrap());
        new.positions(&none.0)
            .moves(&none.1)
            .write(&Env::default(), &path, Existing::Refuse)
            .unwrap();
        let mut writer = Writer::open(Env::default(), &path).unwrap();
        let (mut lost, mut from_book) = (BTreeSet::new(), 0);
        for game in 0..games {
            let book = Book::open(&path).unwrap();
            let ended = self.play(&book);
            from_book += ended.from_book;
            if ended.outcome == Outcome::won_by(self.side.other()) {
                let moves: Vec<u64> = ended.history.nodes().iter().map(|node| node.key).collect();
                assert!(lost.insert(moves), "game {game} was lost in the same way before");
            }
            self.add(&book, &mut writer, &ended);
        }
        (lost.len(), from_book)
    }
}

/// Plays where the other side has the fewest moves next, and of several such moves that to the
/// first square.
fn mobility_player(board: &Othello) -> tabia_games::othello::Disc {
    let replies = |played: &tabia_games::othello::Disc| {
        let next = board.after(played);
        let count = next.legal().len() as i32;
        if next.side() == board.side() { -count } else { count }
    };
    board
        .legal()
        .into_iter()
        .min_by_key(|played| (replies(played), played.square()))
        .expect("a move")
}

/// Thinks that it is good to have many discs.
fn greedy(board: &Othello) -> i16 {
    let [black, white] = board.discs().map(|discs| discs.count_ones() as i16);
    if board.side() == Side::First { black - white } else { white - black }
}

#[test]
fn othello_is_not_lost_twice_in_the_same_way() {
    for side in [Side::First, Side::Second] {
        let (lost, from_book) =
            Match { start: Othello::start(), side, eval: &greedy, opponent: &mobility_player }
                .run(40);
        println!("{lost} of 40 games lost, {from_book} moves from the book");
        assert!(lost > 1 && from_book > 40, "{lost} {from_book}");
    }
}

/// Pieces of the side to move less those of the other.
fn material(board: &Chess) -> i16 {
    let text = board.setup();
    let pieces = text.split(' ').next().unwrap_or_default();
    let worth = |piece: char| {
        [('p', 100), ('n', 300), ('b', 300), ('r', 500), ('q', 900)]
            .iter()
            .find(|(other, _)| *other == piece)
            .map_or(0, |&(_, worth)| worth)
    };
    let white: i16 = pieces
        .chars()
        .filter(char::is_ascii_uppercase)
        .map(|piece| worth(piece.to_ascii_lowercase()))
        .sum();
    let black: i16 = pieces.chars().map(worth).sum();
    if board.side() == Side::First { white - black } else { black - white }
}

/// Mates if it can, doesn't give stalemate, else leaves the other side few moves and few pieces.
fn hunter(board: &Chess) -> <Chess as Game>::Move {
    let badness = |played: &<Chess as Game>::Move| {
        let next = board.after(played);
        let replies = next.legal();
        let losing = replies.iter().map(|reply| -i32::from(material(&next.after(reply)))).min();
        match (losing, next.outcome()) {
            (_, Some(Outcome::Draw)) => 50_000,
            (None, _) => -50_000,
            (Some(losing), _) => {
                -losing.min(0) * 20 + replies.len() as i32 * 10 + i32::from(material(&next))
            }
        }
    };
    board
        .legal()
        .into_iter()
        .min_by_key(|played| (badness(played), board.code(played)))
        .expect("a move")
}

/// White mates on f7 wherever Black lets it: the player with the book loses by one move after the
/// other, until it finds those that don't.
#[test]
fn chess_is_not_lost_twice_in_the_same_way() {
    let start =
        Chess::from_setup("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
            .unwrap();
    let (lost, from_book) =
        Match { start, side: Side::Second, eval: &material, opponent: &hunter }.run(40);
    println!("{lost} of 40 games lost, {from_book} moves from the book");
    assert!(lost > 1 && lost < 40 && from_book > 39, "{lost} {from_book}");
}
