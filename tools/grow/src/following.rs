//! Games of archives, followed through a book: where they leave it.

use std::io::{self, Write};
use std::path::PathBuf;
use tabia::Keyed;
use tabia_archives::{
    GameRecord, GameSink, IngestError, Observer, Options, Origin, UnknownResults, Wanted, ingest,
};
use tabia_games::{Game, Known, Node, Side};
use tabia_play::explore::Numbers;
use tabia_play::text::lines::{named, replayed};
use tabia_play::{GamesInBook, KnownMoves, PlayedMove};

/// How games are followed.
#[derive(Clone, Copy, Debug)]
pub struct Following<'a> {
    /// The game.
    pub game: &'a Known,
    /// What the book's rows are of.
    pub keyed: Keyed,
    /// The book's moves.
    pub known: &'a KnownMoves,
    /// Whose book it is, if it is of one side.
    pub side: Option<Side>,
    /// How many threads read; one if there is a list.
    pub threads: usize,
}

impl<'a> Following<'a> {
    /// Follows the games of archives, those without a result too; and how many can't be read.
    ///
    /// # Errors
    /// Those of reading archives, and of writing the list; [`IngestError::Stopped`] if the observer
    /// says so.
    pub fn archives(
        &self,
        archives: &[PathBuf],
        list: Option<&mut GameList<'_>>,
        observer: &mut dyn Observer,
    ) -> Result<(GamesInBook<'a>, u64), IngestError<io::Error>> {
        // A list is in the order of the archives, which one thread keeps.
        let threads = if list.is_some() { 1 } else { self.threads.max(1) };
        let games = || GamesInBook::new(self.known, self.side);
        let follower = |_| Follower { games: games(), plies: Vec::new(), list: None };
        let mut followers: Vec<_> = (0..threads).map(follower).collect();
        followers[0].list = list;
        let (keyed, unknown_results) = (self.keyed, UnknownResults::Count);
        let wanted = Wanted { keyed, unknown_results, ..Wanted::default() };
        let options = Options { wanted, ..Options::new(self.game.clone()) };
        let stats = ingest(archives, &options, &mut followers, observer)?;
        let found = followers.into_iter().map(|follower| follower.games).reduce(GamesInBook::and);
        Ok((found.unwrap_or_else(games), stats.games.skipped_games()))
    }
}

/// Takes games.
struct Follower<'a, 'l, 'w> {
    games: GamesInBook<'a>,
    plies: Vec<PlayedMove>,
    list: Option<&'l mut GameList<'w>>,
}

impl GameSink for Follower<'_, '_, '_> {
    type Error = io::Error;

    fn game(&mut self, game: &GameRecord, origin: Origin) -> io::Result<()> {
        self.plies.clear();
        let plies = game.plies.iter();
        self.plies.extend(plies.map(|ply| PlayedMove {
            key: ply.key,
            code: ply.code,
            side: ply.side,
        }));
        let left = self.games.game(&self.plies, game.last.0, (origin.source, origin.offset));
        self.list.as_mut().map_or(Ok(()), |list| list.add(&self.plies, left, origin))
    }
}

/// A text with a line for each game: its archive, its number there of those that could be read, its
/// first byte and its plies, then the ply with which it left the book, and by which move, with tabs
/// between them.
pub struct GameList<'w> {
    out: &'w mut (dyn Write + Send),
    /// The archives, as they are named.
    names: Vec<String>,
    /// How many games of each were followed.
    games: Vec<u64>,
    root: Node<Known>,
}

impl<'w> GameList<'w> {
    /// Begins a text about games of archives that are named so, which start from this position.
    ///
    /// # Errors
    /// Those of writing.
    pub fn new(
        out: &'w mut (dyn Write + Send),
        names: Vec<String>,
        root: &Node<Known>,
    ) -> io::Result<Self> {
        writeln!(out, "# archive\tgame\tbyte\tplies\tleft_at\tmove")?;
        let games = vec![0; names.len()];
        Ok(Self { out, names, games, root: root.clone() })
    }

    /// Writes a game down that left after so many plies, if it did.
    fn add(&mut self, plies: &[PlayedMove], left: Option<usize>, origin: Origin) -> io::Result<()> {
        let source = origin.source as usize;
        self.games[source] += 1;
        let (name, game, byte) = (&self.names[source], self.games[source], origin.offset);
        let left = left.map_or_else(
            || "\t".to_owned(),
            |left| format!("{}\t{}", left + 1, self.moved(plies, left)),
        );
        writeln!(self.out, "{name}\t{game}\t{byte}\t{}\t{left}", plies.len())
    }

    fn moved(&self, plies: &[PlayedMove], left: usize) -> String {
        let codes: Vec<u16> = plies[..left].iter().map(|ply| ply.code).collect();
        let code = plies[left].code;
        let found = (plies[0].key == self.root.key).then(|| replayed(&self.root, &codes)).flatten();
        let name = found.and_then(|(node, _)| named(&node, code));
        let numbers = Numbers::after(self.root.position.side(), 0);
        name.map_or_else(|| format!("(code {code})"), |name| numbers.moved(left, &name, true))
    }
}
