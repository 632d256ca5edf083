//! A server for a test, on a port of its own, and a client without any manners.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use tabia::{
    Book, Cells, Counts, Env, Existing, Marks, MoveRow, PositionRow, Ratings, Row, View, WithCells,
};
use tabia_archives::filter::TimeClass;
use tabia_build::shelf::Facets;
use tabia_games::{Chess, Game, Known, Node};
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::OpenBook;
use tabia_serve::{Bind, Catalogue, Guard, Server, Shelf, Slice, Source, Sources};

/// What allows edits.
pub const TOKEN: &str = "0123456789abcdef";

/// A server that ends with its test.
pub struct Served {
    pub address: SocketAddr,
    pub folder: tempfile::TempDir,
    stop: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let named =
            |line: &'_ str| line.split(':').next().is_some_and(|of| of.eq_ignore_ascii_case(name));
        let line = self.headers.lines().find(|line| named(line))?;
        Some(line[name.len() + 1..].trim())
    }
}

impl Served {
    /// Serves the book `masters` of this factor (see [`write`]), and the same as `other`.
    pub fn new(factor: u32) -> Self {
        Self::with(factor, |sources, _| sources)
    }

    /// Likewise, with the shelf `lichess` of [`SLICES`]; whoever has [`TOKEN`] may edit.
    pub fn with_shelf() -> Self {
        Self::with(1, |sources, folder| {
            editable(sources.with_shelves(vec![shelf("lichess", folder)]).unwrap())
        })
    }

    /// Likewise, where whoever has [`TOKEN`] may edit.
    pub fn editable(factor: u32) -> Self {
        Self::with(factor, |sources, _| editable(sources))
    }

    /// Likewise, with what is made of these books in the folder where they are.
    pub fn with(factor: u32, with: impl FnOnce(Sources, &Path) -> Sources) -> Self {
        Self::by(factor, Guard::default(), |sources, folder| with(sources, folder).into())
    }

    /// Likewise, with all that is said of who may ask, and of books that come and go.
    pub fn by(factor: u32, guard: Guard, with: impl FnOnce(Sources, &Path) -> Catalogue) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["masters", "other"].map(|name| {
            let path = folder.path().join(format!("{name}.tabia"));
            write(&path, factor);
            (name, path)
        });
        let sources = paths.map(|(name, path)| source(name, &path));
        let (stop, held) = UnixStream::pair().unwrap();
        let (told, ready) = mpsc::channel();
        let mut listeners = Bind::Tcp("127.0.0.1:0".to_owned()).listen().unwrap();
        listeners.extend(Bind::Unix(folder.path().join("socket")).listen().unwrap());
        let server = Server {
            listeners,
            catalogue: with(Sources::new(sources).unwrap(), folder.path()),
            guard,
            proxies: Vec::new(),
            ready: Box::new(move |addresses| told.send(addresses[0].clone()).unwrap()),
            stop: held,
            reload: None,
            log: None,
        };
        let thread = std::thread::spawn(move || server.run().unwrap());
        let address = ready.recv().unwrap();
        let address = address.trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
        Self { address, folder, stop: Some(stop), thread: Some(thread) }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("masters.tabia")
    }

    /// What is answered to these bytes until the server closes the connection.
    pub fn raw(&self, request: &[u8]) -> String {
        Self::exchanged(TcpStream::connect(self.address).unwrap(), request)
    }

    /// What is answered to these bytes on a connection until the server closes it.
    pub fn exchanged(mut stream: impl Read + Write, request: &[u8]) -> String {
        // What is refused may be refused before all of it was sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A request with these headers, each ended by a line break.
    pub fn ask(&self, method: &str, target: &str, headers: &str) -> Answer {
        self.send(method, target, headers, "")
    }

    /// An edit by who says this token.
    pub fn edit(&self, token: &str, body: &str) -> Answer {
        let length = body.len();
        let headers = format!("Authorization: Bearer {token}\r\nContent-Length: {length}\r\n");
        self.send("POST", "/v1/chess/edit", &headers, body)
    }

    fn send(&self, method: &str, target: &str, headers: &str, body: &str) -> Answer {
        let request = format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n{body}"
        );
        let answer = self.raw(request.as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or_else(|| panic!("{target}: {answer:?}")),
            headers: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, "")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || matches!(ended, Some(Ok(()))));
    }
}

fn editable(mut sources: Sources) -> Sources {
    sources.token = Some(TOKEN.to_owned());
    sources
}

/// Slices of a shelf, each with the factor of its book (see [`write`]).
pub const SLICES: [(TimeClass, u16, &str, u32); 4] = [
    (TimeClass::Blitz, 1600, "2024-01", 1),
    (TimeClass::Blitz, 1800, "2024-03", 2),
    (TimeClass::Rapid, 1600, "2024-01", 4),
    (TimeClass::Rapid, 1800, "2024-03", 8),
];

/// The shelf of these slices, made in a folder.
pub fn shelf(name: &str, folder: &Path) -> Shelf {
    let slices = SLICES.map(|(speed, rating, month, factor)| {
        let path = folder.join(format!("slice-{factor}.tabia"));
        write(&path, factor);
        let month = Some(month.parse().unwrap());
        let facets = Facets { speed: Some(speed), rating: Some(rating), month };
        Slice { facets, source: source("slice", &path).into() }
    });
    Shelf::new(name.to_owned(), slices.into()).unwrap()
}

/// The moves of a node by this name, with their counts, and its own.
pub fn counts(node: &Value, name: &str) -> (Vec<(String, [u64; 3])>, [u64; 3]) {
    let of = |value: &Value| ["white", "draws", "black"].map(|name| value[name].as_u64().unwrap());
    let moves = node["moves"].as_array().unwrap().iter();
    (moves.map(|one| (one[name].as_str().unwrap().to_owned(), of(one))).collect(), of(node))
}

pub fn source(name: &str, path: &Path) -> Source {
    let book = OpenBook::of(vec![Book::open(path).unwrap()]).unwrap();
    let mut names = OpeningNames::default();
    let table = "eco\tname\tpgn\nB00\tKing's Pawn <script>\t1. e4\nC20\tOpen Game\t1. e4 e5\n";
    names.read(&Chess::start(), table).unwrap();
    let game = Known::Chess(Chess::start());
    Source::new(name.to_owned(), book, View::Whole, game, names)
}

/// Writes a book: from the start e4 (with ratings), then d4, then c4; after e4 e5 (eval 30) and c5
/// (eval -20); then castling that mates, in a position apart. All counts are times the factor.
pub fn write(path: &Path, factor: u32) {
    let start = Node::start(Chess::start(), false);
    let castling =
        Node::start(Chess::from_setup("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap(), false);
    let after =
        |node: &Node<Chess>, text: &str| node.after(&node.position.parse_move(text).unwrap());
    let counts = |wins, draws, losses| Counts {
        wins: wins * factor,
        draws: draws * factor,
        losses: losses * factor,
    };
    let row = |node: &Node<Chess>, text: &str, counts: Counts, marks| {
        let code = node.code(&node.position.parse_move(text).unwrap());
        let row = MoveRow::new(node.key, code, counts).with_marks(marks);
        let games = counts.games() as u32;
        let ratings = Ratings {
            mover_sum: u64::from(games) * 2500,
            opponent_sum: u64::from(games) * 2400,
            games,
            score: u64::from(2 * counts.wins + counts.draws),
        };
        WithCells { row, cells: Cells::NONE.with(ratings) }
    };
    let e4 = after(&start, "e4");
    let mut moves = vec![
        row(&start, "e4", counts(5, 3, 2), Marks::GOOD),
        row(&start, "d4", counts(3, 3, 1), Marks::empty()),
        row(&start, "c4", counts(1, 0, 0), Marks::NEVER),
        row(&e4, "e5", counts(2, 1, 3), Marks::empty()),
        row(&e4, "c5", counts(0, 2, 1), Marks::empty()),
        row(&castling, "O-O", counts(1, 1, 1), Marks::empty()),
    ];
    moves.sort_by_key(|with| (tabia::mix(with.row.key()), with.row.code()));
    let evaluated =
        |node: &Node<Chess>, counts, eval| PositionRow::new(node.key, counts).with_eval(eval, 20);
    let mut positions = vec![
        PositionRow::new(start.key, counts(9, 6, 3)),
        evaluated(&e4, counts(2, 3, 5), -25),
        evaluated(&after(&e4, "e5"), counts(3, 1, 2), 30),
        evaluated(&after(&e4, "c5"), counts(1, 2, 0), -20),
        evaluated(&after(&castling, "O-O"), counts(1, 1, 1), -31_997),
    ];
    positions.sort_by_key(|row| tabia::mix(row.key()));
    let moves: tabia::stream::Chunk<MoveRow> = moves.into_iter().collect();
    tabia_testing::chess_book()
        .positions(&positions)
        .moves(&moves)
        .write(&Env::default(), path, Existing::Replace)
        .unwrap();
}
