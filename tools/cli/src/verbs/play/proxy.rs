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
    let unspoken = failure!(
        "{}: nobody speaks this protocol about {}: `uci` is for chess and its variants, `gtp` for all other games, `nboard` for Othello",
        stack.lowest().display(),
        game.name()
    );
    match (protocol, &game) {
        #[cfg(feature = "chess")]
        (Protocol::Uci, tabia_games::Known::Chess(start)) => {
            let mut uci = tabia_proxy::Uci::new(args.settings()?).of(start.clone());
            args.play(&mut uci, start, stack, console)
        }
        (Protocol::Gtp, game) if game.has_gtp() => {
            let mut gtp = tabia_proxy::Gtp::new(args.settings()?, game.clone());
            args.play(&mut gtp, game, stack, console)
        }
        #[cfg(feature = "othello")]
        (Protocol::NBoard, tabia_games::Known::Othello(start)) => {
            let mut nboard = tabia_proxy::NBoard::new(args.settings()?, start.clone());
            args.play(&mut nboard, start, stack, console)
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

    fn play<G: Game>(
        &self,
        protocol: &mut dyn Speaks<G>,
        start: &G,
        stack: BookStack,
        console: &Console,
    ) -> Done {
        let engine = self.engine(start.name(), console)?;
        let console = *console;
        // Two that play at the same time may have the same report: it is made when it is written.
        self.report.as_deref().map_or(Ok(()), |path| place::check_output(path, true))?;
        let ends = Ends {
            from_gui: io::stdin(),
            to_gui: io::stdout(),
            log: self.log.clone(),
            note: Box::new(move |note: &str| console.note(note)),
            stop: Some(Box::new(|| Ok(Box::new(interrupt::pipe()?.0)))),
            patience: Patience::default(),
        };
        let played = tabia_proxy::play(engine, protocol, stack, (start, &self.rule()?), ends);
        let has_started =
            !matches!(played, Err(Error::Start { .. } | Error::Log { .. } | Error::Books(_)));
        self.report
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
