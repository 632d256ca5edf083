//! A book between a GUI and its engine.

use super::Args;
use crate::engine_choice::{OWN_ENGINE, own_program};
use crate::prelude::*;
use std::process::Command;
use tabia_engines::Protocol;
use tabia_proxy::{
    BookSettings, BookStack, Ends, Error, Patience, ProxyProtocol as Speaks, SessionReport,
};

/// Plays until the GUI or the engine ends it.
pub fn run(args: &Args, protocol: Protocol, console: &Console) -> Done {
    let stack = args.stack()?;
    let game = super::known(&stack)?;
    let proxy = Proxy { args, stack, console };
    let unspoken = failure!(
        "{}: nobody speaks this protocol about {}: `uci` is for chess and its variants, `gtp` for all other games, `nboard` for Othello",
        proxy.stack.lowest().display(),
        game.name()
    );
    match (protocol, &game) {
        #[cfg(feature = "chess")]
        (Protocol::Uci, tabia_games::Known::Chess(start)) => {
            proxy.play(&mut tabia_proxy::Uci::new(args.settings()?).of(start.clone()), start)
        }
        (Protocol::Gtp, game) if game.has_gtp() => {
            proxy.play(&mut tabia_proxy::Gtp::new(args.settings()?, game.clone()), game)
        }
        #[cfg(feature = "othello")]
        (Protocol::NBoard, tabia_games::Known::Othello(start)) => {
            let mut nboard = tabia_proxy::NBoard::new(args.settings()?, start.clone());
            proxy.play(&mut nboard, start)
        }
        _ => Err(unspoken),
    }
}

impl Args {
    fn settings(&self) -> Done<BookSettings> {
        Ok(BookSettings {
            own_book: self.own_book,
            files: self.files()?,
            rule: self.rule()?,
            plies: self.max_ply,
            max_out: self.max_out.unwrap_or(BookSettings::MAX_OUT),
            min_games: self.min_games,
            seed: self.seed(),
            avoids_repetition: self.avoid_repetition,
            ponders: self.ponder_in_book,
        })
    }

    /// The engine's command: in GTP our own search if none was given.
    fn engine(&self, game: &str, console: &Console) -> Done<Command> {
        let words = if self.uses_own_search() {
            console.note(OWN_ENGINE);
            vec![own_program()?.into(), "engine".into(), "--game".into(), game.into()]
        } else {
            self.engine.clone()
        };
        let (name, args) = words.split_first().ok_or_else(|| {
            failure!("--protocol needs an engine to play on where the book ends: put its command behind `--`, as in `-- stockfish`")
        })?;
        let mut engine = Command::new(name);
        engine.args(args);
        Ok(engine)
    }
}

struct Proxy<'a> {
    args: &'a Args,
    stack: BookStack,
    console: &'a Console,
}

impl Proxy<'_> {
    fn play<G: Game>(self, protocol: &mut dyn Speaks<G>, start: &G) -> Done {
        let Self { args, stack, console } = self;
        let engine = args.engine(start.name(), console)?;
        let console = *console;
        // Two that play at the same time may have the same report: it is made when it is written.
        args.report.as_deref().map_or(Ok(()), |path| place::check_output(path, true))?;
        let ends = Ends {
            from_gui: io::stdin(),
            to_gui: io::stdout(),
            log: args.log.clone(),
            note: Box::new(move |note: &str| console.note(note)),
            stop: Some(Box::new(|| Ok(Box::new(interrupt::pipe()?.0)))),
            patience: Patience::default(),
        };
        let played = tabia_proxy::play(engine, protocol, stack, (start, &args.rule()?), ends);
        let has_started =
            !matches!(played, Err(Error::Start { .. } | Error::Log { .. } | Error::Books(_)));
        args.report
            .as_deref()
            .filter(|_| has_started)
            .map_or(Ok(()), |path| write_report(path, &protocol.stats().report()))?;
        match played {
            Err(Error::Stopped) => Err(Failure::Interrupted),
            played => Ok(played.map(|()| Verdict::Fine)?),
        }
    }
}

fn write_report(path: &Path, report: &SessionReport) -> Done<()> {
    let file = NewFile::create(path, true)?.though_interrupted();
    let written = file.fill(|file| {
        serde_json::to_writer(&mut *file, report)?;
        writeln!(file)
    });
    written.map(drop)
}
