//! `tabia engine`: our own search as a program that speaks GTP.

use crate::prelude::*;
use tabia_engines::{Dice, GtpServer, Limit};
use tabia_games::gtp::GtpGame;
use tabia_games::with_game;
use tabia_search::MonteCarlo;

/// Play a game by our own search, as an engine that speaks GTP
///
/// Reads commands of the Go Text Protocol, version 2, from standard input and answers them: the same
/// search that `grow` and `learn` use without an engine. GTP is spoken of every game but chess. Moves of
/// draughts are written as in PDN, captures with their whole way (`play black 15x22x31`); Black moves
/// first in English draughts, White in international draughts. In Connect Four and tic-tac-toe the
/// first player is black.
///
/// The same moves and the same limit give the same answers, unless the controller sets a clock.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia engine --game checkers --nodes 20000
  tabia play --protocol gtp go9.tabia -- tabia engine --game go-9 --depth 2")]
pub struct Args {
    /// The game: checkers, go-9 and so on
    #[arg(long, value_name = "GAME", value_parser = games::known)]
    game: Known,
    /// Nodes of each search
    ///
    /// 100000 if neither they nor --depth are given. Of two as in 800..1200 a number between them is
    /// drawn for each move, all magnitudes alike, by what `set_random_seed` says.
    #[arg(long, value_name = "N")]
    nodes: Option<Dice>,
    /// Plies of each search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Play by Monte-Carlo tree search, the better one in Go
    ///
    /// --nodes are games, 10000 if not given.
    #[arg(long, conflicts_with = "depth")]
    monte_carlo: bool,
}

/// Serves until it is told to quit, or nobody is there any more.
pub fn run(args: &Args, _console: &Console) -> Done {
    let game = &args.game;
    if !game.has_gtp() {
        return Err(failure!(
            "nobody speaks GTP of {}: its engines speak UCI, as Stockfish does",
            game.name()
        ));
    }
    // By its own type: how many nodes a tree has room for depends on the bytes of a move.
    with_game!(game, start => serve(start, args))
}

fn serve<G: GtpGame>(start: &G, args: &Args) -> Done {
    let Args { nodes, depth, monte_carlo, .. } = *args;
    let limit = Limit { nodes: nodes.and_then(Dice::number), depth, ..Limit::default() };
    let engine = match monte_carlo {
        true => Box::new(MonteCarlo::default()),
        false => tabia_search::engine::<G>(),
    };
    let mut server = GtpServer::new(start.clone(), engine, limit);
    if let Some(nodes) = nodes.filter(|nodes| nodes.number().is_none()) {
        server = server.drawing(nodes);
    }
    match server.serve(io::stdin().lock(), io::stdout().lock()) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(failure!("standard input: {error}"))
        }
        served => served.map(|()| Verdict::Fine).map_err(Failure::from),
    }
}
