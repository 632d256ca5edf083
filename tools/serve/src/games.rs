//! Games behind positions: the files of games beside books.

use crate::reply::Refusal;
use crate::selection::Selection;
use crate::source::Snapshot;
use std::cmp::Reverse;
use std::sync::OnceLock;
use tabia_gamefile::{GameFile, GameLookup, GameSet, StoredGame};
use tabia_games::{Game, Node, Replay};
use tabia_play::explore::Explorable;
use tabia_play::{TopGames, TopGamesPlan};

/// How many moves of a book a search for games looks at, at most.
const MOST_ROWS: u64 = 20_000;
/// The latest games are looked for in files of so many games together at most, whose dates are kept
/// in memory.
const MOST_DATED: u64 = 200_000;
/// How many games are looked at, at most, to find the latest ones of a position.
const MOST_LOOKED_AT: usize = 1_000;

impl Snapshot {
    /// The files of games beside the book; none if there are none; refused if there is one that
    /// can't be read.
    pub fn game_files(&self) -> Result<&Vec<GameFile>, Refusal> {
        self.games.as_ref().map_err(Refusal::failed)
    }
}

impl Selection {
    /// The files of games beside these books, in their order.
    pub fn games(&self) -> Result<Vec<&GameFile>, Refusal> {
        let mut files = Vec::new();
        for book in &self.books {
            files.extend(book.game_files()?);
        }
        Ok(files)
    }
}

/// The best games of these books together that pass a position, of those that their files have.
pub fn top<G: Game>(
    books: &Selection,
    games: &dyn GameLookup,
    node: &Node<G>,
    count: usize,
) -> Result<TopGames<G>, Refusal> {
    let plan = TopGamesPlan { count, ..plan(books, node)? };
    Ok(TopGames::of(books.rows(), games, node, &plan)?)
}

fn plan<G: Game>(books: &Selection, node: &Node<G>) -> Result<TopGamesPlan, Refusal> {
    // The books of a shelf were read in one way.
    let plan = TopGamesPlan::of_book(books.first.book.first(), node.position.sides())?;
    Ok(TopGamesPlan { most_rows: MOST_ROWS, ..plan })
}

/// A game that passes a position.
#[derive(Debug)]
pub struct Passing {
    pub game: StoredGame,
    /// The codes of the moves that it makes there, each once, in their order: more than one if it
    /// comes back, none if it ends there.
    pub codes: Vec<u16>,
}

impl Passing {
    /// A game, if it passes a position within so many plies.
    fn of<G: Game>(game: StoredGame, node: &Node<G>, max_ply: Option<u32>) -> Option<Self> {
        let start = Replay::start(&node.position, &game.setup, &game.moves, node.is_by_line());
        let (mut replay, mut codes, mut passes) = (start.ok()?, Vec::new(), false);
        let most = max_ply.map_or(usize::MAX, |plies| plies as usize);
        for plies in 0.. {
            let next = replay.next_move().filter(|_| plies < most);
            if replay.node().key == node.key {
                passes = true;
                let code = next.as_ref().map(|played| replay.node().code(played));
                codes.extend(code.filter(|code| !codes.contains(code)));
            }
            let Some(next) = next else { break };
            replay.play(&next);
        }
        passes.then_some(Self { game, codes })
    }
}

/// All games that these books count at a position, the best first, if their files have them all and
/// they are so many at most.
pub fn all<G: Game>(
    books: &Selection,
    games: &dyn GameLookup,
    node: &Node<G>,
    most: usize,
) -> Result<Option<Vec<Passing>>, Refusal> {
    let plan = plan(books, node)?;
    // One more would show that there are too many.
    let found = top(books, games, node, most + 1)?;
    if !found.is_complete || found.missing > 0 || found.games.len() > most {
        return Ok(None);
    }
    let passing = |game| Passing::of(game, node, plan.max_ply);
    Ok(Some(found.games.into_iter().filter_map(|top| passing(top.game)).collect()))
}

/// So many of the latest games that pass a position, of those that the books' files have and that
/// are wanted: those that a look at the latest games of all finds. None of files with too many games.
pub fn latest<G: Game>(
    books: &Selection,
    node: &Node<G>,
    count: usize,
    is_wanted: impl Fn(&StoredGame) -> bool,
) -> Result<Vec<Passing>, Refusal> {
    let plan = plan(books, node)?;
    if books.games()?.iter().map(|file| file.header().games).sum::<u64>() > MOST_DATED {
        return Ok(Vec::new());
    }
    let dated = books.books.iter().map(|book| Ok((book.by_date.of(book)?, book)));
    let mut dated = dated.collect::<Result<Vec<_>, Refusal>>()?;
    let mut found: Vec<Passing> = Vec::new();
    for _ in 0..MOST_LOOKED_AT {
        let next = dated.iter_mut().max_by_key(|(games, _)| games.first().copied());
        let Some((games, book)) = next else { break };
        let Some((&(_, digest), behind)) = games.split_first() else { break };
        *games = behind;
        let game = book.game_files()?.find(digest)?.filter(&is_wanted);
        found.extend(game.and_then(|game| Passing::of(game, node, plan.max_ply)));
        if found.len() == count {
            break;
        }
    }
    Ok(found)
}

/// The games of a book by date, the latest first.
#[derive(Debug, Default)]
pub struct ByDate(OnceLock<Vec<(Date, u64)>>);

/// Year, month and day, 0 where they aren't known.
type Date = (u16, u8, u8);

impl ByDate {
    /// The dates and digests of the games of the book that this belongs to.
    fn of(&self, book: &Snapshot) -> Result<&[(Date, u64)], Refusal> {
        if let Some(known) = self.0.get() {
            return Ok(known);
        }
        let (mut dated, mut game) = (Vec::new(), StoredGame::default());
        for file in book.game_files()? {
            let mut games = file.games()?;
            while games.next(&mut game)? {
                dated.push((date_of(&game), game.digest));
            }
        }
        dated.sort_unstable_by_key(|&dated| Reverse(dated));
        dated.dedup();
        Ok(self.0.get_or_init(|| dated))
    }
}

/// When a game was played, as far as it is known.
pub fn date_of(game: &StoredGame) -> Date {
    (game.year, game.month, game.day)
}
