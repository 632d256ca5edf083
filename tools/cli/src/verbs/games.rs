//! `tabia games`: the games behind a position.

use crate::prelude::*;
use comfy_table::{Table, presets};
use tabia_gamefile::{GameFile, GameId, GameLookup, StoredGame, path_beside};
use tabia_games::Node;
use tabia_play::choice::GameHistory;
use tabia_play::explore::{ListedGame, ListedGames};
use tabia_play::{GameFormat, TopGame, TopGames, TopGamesPlan, game_text};

/// Show the best games of a position, or a game
///
/// Of books built with --games, whose games are in the file BOOK-games. The games of a position are
/// those that pass it, by whatever order of moves (in a book keyed by line, by just this one): the
/// best first, by the sum of both ratings and, where that is equal or not known, by what they are
/// found by, so that the order is the same in every copy.
///
/// They are found by walking down the book's moves, which name their best games. In a book from
/// which moves are missing (trim, --min-games), games can be missing too.
///
/// Names and events stand there as archives wrote them, control characters as spaces.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia games masters.tabia --moves \"e4 e5\" --top 4
  tabia games wthor.tabia --moves f5d6 --format ggf
  tabia games masters.tabia --json --top 1")]
pub struct Args {
    /// The book; or all shares of one, or a folder with them
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    at: CourseChoice,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// The one game of this id, whole
    ///
    /// As the list has it: eight letters and digits; or the twelve hexadecimal digits of the game's
    /// digest, or the sixteen that `tabia explore` names it by.
    #[arg(long, value_name = "ID", conflicts_with_all = ["fen", "moves", "top"])]
    id: Option<String>,
    /// Print whole games, in this notation
    #[arg(long, value_parser = one_of(FORMATS), value_name = "FORMAT", conflicts_with = "json")]
    format: Option<GameFormat>,
    #[command(flatten)]
    journal: ViewChoice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const FORMATS: &[Named<GameFormat>] = &[
    ("pgn", GameFormat::Pgn, "Any game, in chess's notation of games"),
    ("pdn", GameFormat::Pdn, "Draughts"),
    ("sgf", GameFormat::Sgf, "Go"),
    ("ggf", GameFormat::Ggf, "Othello"),
];

/// Shows them.
pub fn run(args: &Args, console: &Console) -> Done {
    let (book, start, history) = args.at.open(&args.books, args.journal.view(), console)?;
    let start = &start;
    let files = game_files::beside(book.books())?;
    if files.is_empty() {
        let path = book.first().path();
        return Err(failure!(
            "{}: no games are beside it, in {}: build it with --games, or put the file there",
            path.display(),
            path_beside(path).display()
        ));
    }
    if let Some(other) = files.iter().find(|file| file.header().game != book.header().game) {
        let (path, game) = (other.path().display(), other.header().game);
        return Err(failure!("{path}: these are games of {game}, and not of the book's game"));
    }
    if let Some(format) = args.format.filter(|format| !format.fits(start.name())) {
        let name = |format: GameFormat| FORMATS.iter().find(|(_, other, _)| *other == format);
        let usual = name(GameFormat::of(start.name())).map_or("pgn", |(name, ..)| name);
        let name = name(format).map_or("it", |(name, ..)| name);
        return Err(failure!("--format {name}: it has no games of {}: give {usual}", start.name()));
    }
    match &args.id {
        Some(id) => show_one(start, args, &files, id),
        None => show_best(start, args, &book, &files, &history, console),
    }
}

fn show_best(
    start: &Known,
    args: &Args,
    book: &OpenBook,
    files: &Vec<GameFile>,
    history: &GameHistory<Known>,
    console: &Console,
) -> Done {
    let plan = TopGamesPlan::of_book(book.first(), start.sides())?;
    let plan = TopGamesPlan { count: args.top, ..plan };
    let top = TopGames::of(book.rows(), files, history.present(), &plan)?;
    if top.missing > 0 {
        console.note(&format!(
            "{} games that the book names here are not in the file of games: `tabia check` counts all",
            top.missing
        ));
    }
    if !top.is_complete {
        console.note("the search was cut short: there may be better games here");
    }
    let listed = ListedGames::new(history.present(), &top, false);
    let texts = args.format.map(|format| {
        top.games.iter().map(|top| text(start, &top.game, format)).collect::<Done<Vec<_>>>()
    });
    let texts = texts.transpose()?;
    Output::new().show(args.json, &listed, |_, out| match texts {
        Some(texts) => texts.iter().try_for_each(|text| out.write_all(text.as_bytes())),
        None if top.games.is_empty() => writeln!(out, "no games come here"),
        None => write(out, history.present(), &top),
    })
}

fn show_one(start: &Known, args: &Args, files: &Vec<GameFile>, id: &str) -> Done {
    let found = match digest(id) {
        Some(digest) => files.find(digest)?.into_iter().collect(),
        None => {
            let id: GameId = id.parse().map_err(|_| {
                failure!("--id {id}: an id is eight letters and digits, or a digest of 12 or 16 hexadecimal digits")
            })?;
            files.with_id(id)?
        }
    };
    let game = match &found[..] {
        [game] => game,
        [] => return Err(failure!("--id {id}: there is no such game")),
        [one, other, ..] => {
            let (one, other) = (one.digest, other.digest);
            return Err(failure!("--id {id}: two games have it: give {one:012x} or {other:012x}"));
        }
    };
    let format = args.format.unwrap_or_else(|| GameFormat::of(start.name()));
    let text = text(start, game, format)?;
    let whole = ListedGame::whole(start, game);
    Output::new().show(args.json, &whole, |_, out| out.write_all(text.as_bytes()))
}

/// The digest that hexadecimal digits give; none if they are something else.
fn digest(text: &str) -> Option<u64> {
    let is_digest =
        matches!(text.len(), 12 | 16) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u64::from_str_radix(text, 16).ok().filter(|_| is_digest)?;
    Some(number & ((1 << 48) - 1))
}

fn text(start: &Known, game: &StoredGame, format: GameFormat) -> Done<String> {
    let written = game_text(start, game, format);
    written.map_err(|error| failure!("the game {}: {error}", GameId::of(game.digest)))
}

/// Letters of an event that are shown.
const EVENT: usize = 28;

/// Writes a line for each game.
fn write(out: &mut impl Write, node: &Node<Known>, top: &TopGames<Known>) -> io::Result<()> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["id", "move", "players", "result", "date", "event"]);
    for TopGame { game, played, .. } in &top.games {
        let listed = ListedGame::new(&node.position, game);
        let player = |number: usize| {
            let name = if game.players[number].is_empty() { "?" } else { &game.players[number] };
            match game.ratings[number] {
                0 => one_line(name),
                rating => format!("{} {rating}", one_line(name)),
            }
        };
        let played = played.as_ref().map(|played| node.position.notation(played));
        let event: String = one_line(&game.event).chars().take(EVENT).collect();
        table.add_row([
            listed.id,
            played.unwrap_or_default(),
            format!("{} - {}", player(0), player(1)),
            listed.result.to_owned(),
            listed.date,
            event,
        ]);
    }
    table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}
