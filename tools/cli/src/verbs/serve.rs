//! `tabia serve`: books over HTTP, and a page to look at them.

use crate::engine_choice::EngineChoice;
use crate::prelude::*;
use std::io::IsTerminal;
use std::net::IpAddr;
use std::sync::Arc;
use tabia_serve::{
    AccessLog, Bind, Catalogue, Engines, Guard, Listener, Opener, Opening, PlayerBooks, Server,
    given,
};

/// Where the documented examples of lichess's explorer ask.
const BIND: &str = "127.0.0.1:9002";

/// Serve books over HTTP, with a page to look at them
///
/// Open http://127.0.0.1:9002/ in a browser. Programs that ask lichess's opening explorer ask this
/// instead once their host is changed: /masters, /lichess, /player, /api/cloud-eval; those that ask
/// chessdb, /cdb.php. All books of all games are at /v1/books and /v1/GAME/explore, as
/// /v1/openapi.json says.
///
/// A book is called by its file's name without .tabia, or as NAME=BOOK says. /masters is answered by
/// the book called masters and /lichess by lichess, or else by the first one of chess; /player by
/// the books called NAME-white and NAME-black, or by books made of the games in --player-games. A
/// shelf (`build --shelf`) answers /lichess, /masters, /v1 and the page for any choice of speeds,
/// ratings and months. A book with years answers `since` and `until` where the years of each move are
/// in or out of them, or its games are few and beside it. A filter that can't be obeyed is refused.
///
/// Other sites' pages may not read what is served here, nor may this server be called by names that
/// it wasn't given: --cors, --host and --public allow it.
///
/// Nothing is written, but for what whoever has the token of --edit marks or sets. A book that is
/// replaced or extended meanwhile is taken up with the next request; one that is damaged or of another
/// game is not: a note says so, and answers go on from the book of before, with the header
/// X-Tabia-Stale. SIGHUP opens all books anew; Ctrl-C and SIGTERM end it. /healthz and /metrics
/// (OpenMetrics) are for operators.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia serve masters.tabia
  tabia serve masters.tabia mine=repertoire.tabia --bind 127.0.0.1:8080
  tabia serve masters.tabia --player-games lichess.pgn.zst
  tabia serve masters.tabia --engine -- stockfish")]
pub struct Args {
    /// The books; NAME=BOOK gives one a name
    ///
    /// A file, a folder of books, a folder with all shares of one, or a shelf. Books that come into a
    /// folder or leave it while it is served are taken up and dropped.
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    names: NamesChoice,
    #[command(flatten)]
    journal: ViewChoice,
    /// Where to listen: ADDRESS:PORT, NAME:PORT or unix:PATH
    ///
    /// Port 0 is any that is free. May be repeated. Without it 127.0.0.1:9002, where only this machine
    /// can ask, or the sockets that systemd hands over. Everybody who can reach another address can
    /// ask there.
    #[arg(long, value_name = "ADDRESS")]
    bind: Vec<Bind>,
    /// A name of this server besides localhost and its addresses
    ///
    /// May be repeated. Requests that call it by another name are refused, for a page of another site
    /// could read its answers otherwise.
    #[arg(long, value_name = "NAME", value_parser = given::host)]
    host: Vec<String>,
    /// An origin whose pages may read answers; '*': all may
    ///
    /// Such as https://example.org. May be repeated.
    #[arg(long, value_name = "ORIGIN", value_parser = given::origin)]
    cors: Vec<String>,
    /// These books are for everybody: any name, pages of any origin
    #[arg(long, conflicts_with_all = ["host", "cors"])]
    public: bool,
    /// A proxy that says in X-Forwarded-For who asks
    ///
    /// May be repeated. Clients are told apart by it in the access log and where the number of their
    /// requests is limited. Whoever asks by a Unix socket is trusted.
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,
    /// Make the books that /player asks for of this archive
    ///
    /// May be repeated. A book is made when it is asked for first: of a player's games with a color,
    /// of the speeds and months that are asked for. A name is the player's if it has the same words,
    /// in whatever order and case: bob_42 isn't bob, nor `Carlsen,M` Magnus Carlsen. The client is
    /// told meanwhile that it is being made. A hundred books, of 4 GiB together, are kept at most,
    /// until the server ends or an archive changes.
    #[arg(long, value_name = "ARCHIVE")]
    player_games: Vec<PathBuf>,
    /// Allow edits: marks of moves, evals of positions
    ///
    /// They need a token, which is told when the server starts, and go to the books' journals, as
    /// those of `tabia mark` and `tabia set` do.
    #[arg(long)]
    edit: bool,
    /// An engine beside the books
    ///
    /// The one behind `--`, or our own search. It thinks about the position that the page shows, if whoever looks at it wants that, for some
    /// seconds: one search a client, as many at once as half of the processors. UCI engines are for
    /// chess, those of GTP for the other games.
    #[arg(long = "engine")]
    with_engine: bool,
    #[command(flatten)]
    engine: EngineChoice,
    /// Answer even where a filter can't be obeyed
    ///
    /// With all games then, on /masters, /lichess and /player: the header X-Tabia-Ignored names the filters.
    #[arg(long)]
    lenient: bool,
    /// Write a line for each request to standard error
    ///
    /// In the Common Log Format, with the seconds it took at its end.
    #[arg(long)]
    access_log: bool,
}

/// Serves them.
pub fn run(args: &Args, console: &Console) -> Done {
    // A terminal that goes away ends what was started in it.
    let in_terminal = io::stdin().is_terminal();
    let reload = interrupt::hangups().map_err(Failure::from)?;
    let mut opening = Opening::new(args.books.clone(), args.opener(*console));
    let mut sources = opening.open().map_err(Failure::Message)?;
    let players = match args.player_games.as_slice() {
        [] => None,
        archives => Some(player_books(archives, &args.names, console)?),
    };
    sources.is_lenient = args.lenient;
    sources.players = players.as_ref().map(|books| Arc::clone(&books.players));
    if args.with_engine || args.engine.is_given() {
        let first = sources.each().next().map_or("chess", |book| book.game().name());
        let engines = Engines::new(args.engine.launch(first)?);
        let played = sources.each().find(|book| engines.plays(book.game().name()));
        let played = played.ok_or_else(|| {
            failure!(
                "no book here is of a game that the engine is for: --protocol says what it speaks"
            )
        })?;
        let engines = engines.started(played.game()).map_err(|error| failure!("{error}"))?;
        sources.engines = Some(Arc::new(engines));
    }
    let listeners = listeners(args)?;
    for address in listeners.iter().filter(|listener| {
        !args.public && listener.ip().is_some_and(|ip| !ip.to_canonical().is_loopback())
    }) {
        let address = address.address();
        console.note(&format!("{address}: everybody who can reach this can read these books"));
    }
    if args.edit {
        let token = given::token()?;
        // Without it nobody can edit: it is told even if notes are off.
        writeln!(io::stderr(), "tabia: edits need the token {token}")?;
        sources.token = Some(token);
    }
    let console = *console;
    let ready = move |addresses: &[String]| {
        let addresses = addresses.join(" and ");
        console.note(&format!("serving on {addresses} (Ctrl-C ends it)"));
    };
    let (stop, ends) = interrupt::pipe().map_err(Failure::from)?;
    let look = move |now: &_, is_asked| {
        if is_asked && in_terminal && !io::stdin().is_terminal() {
            // If it can't be told it goes on serving.
            let _ = (&ends).write(&[0]);
            return None;
        }
        opening.again(now, is_asked)
    };
    let log: AccessLog = Arc::new(|access| {
        let _ = writeln!(io::stderr(), "{access}");
    });
    let server = Server {
        listeners,
        catalogue: Catalogue::watched(sources, Box::new(look)),
        guard: Guard {
            hosts: args.host.clone(),
            origins: args.cors.clone(),
            public: args.public,
            addresses: Vec::new(),
        },
        proxies: args.trusted_proxy.iter().map(IpAddr::to_canonical).collect(),
        ready: Box::new(ready),
        stop,
        reload: Some(reload),
        log: args.access_log.then_some(log),
    };
    server.run()?;
    Ok(Verdict::Fine)
}

fn told<T>(done: Done<T>) -> Result<T, String> {
    done.map_err(|failure| failure.to_string())
}

impl Args {
    /// Opens books as other verbs do.
    fn opener(&self, console: Console) -> Opener {
        let (given, view) = (self.names.clone(), self.journal.view());
        let usual = NamesChoice::default();
        Opener {
            files: |folder, endings| told(books::files_in(folder, endings)),
            text: |path| told(textfile::read(path)),
            open: Box::new(move |path| told(books::open(path, view, &console))),
            unite: |all, in_folder| {
                told(books::one(all, in_folder).and_then(|book| {
                    let game = games::of(book.header(), book.first().path())?;
                    Ok((book, game))
                }))
            },
            names: Box::new(move |game, path, is_first| {
                let names = if is_first { &given } else { &usual };
                told(names.read(game, path, &console))
            }),
            view,
            notices: Arc::new(move |line| console.note(line)),
        }
    }
}

/// Books of the players in these archives, which must be of chess.
fn player_books(archives: &[PathBuf], names: &NamesChoice, console: &Console) -> Done<PlayerBooks> {
    let mut list = ArchiveList::of(archives)?;
    list.leave_out_copies()?;
    if let Some(missing) = list.paths.iter().find(|path| !path.is_file()) {
        return Err(failure!("--player-games {}: there is no such file", missing.display()));
    }
    let name = list.game()?;
    if name != "chess" {
        return Err(failure!(
            "--player-games: /player is for chess, and these are games of {name}"
        ));
    }
    let game = Known::all().find(|known| known.name() == name);
    let game = game.ok_or_else(|| failure!("the rules of chess {}", games::missing(name)))?;
    let names = names.read(&game, &list.paths[0], console)?;
    PlayerBooks::new(game, list, names)
        .map_err(|error| failure!("no folder for books of players: {error}"))
}

/// Where to listen.
fn listeners(args: &Args) -> Done<Vec<Listener>> {
    let mut listeners =
        Listener::inherited().map_err(|error| failure!("the sockets of LISTEN_FDS: {error}"))?;
    let mut bind = args.bind.clone();
    if bind.is_empty() && listeners.is_empty() {
        bind.extend(BIND.parse());
    }
    for bind in bind {
        let opened = bind.listen().map_err(|error| failure!("--bind {bind}: {error}"))?;
        listeners.extend(opened);
    }
    Ok(listeners)
}
