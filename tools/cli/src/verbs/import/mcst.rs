//! Trees as text, MCST, to rows.

use super::{Args, Into, Rows};
use crate::console::Meter;
use crate::failure::{Done, Failure, told};
use crate::games;
use std::io::{self, BufRead, Read};
use tabia::format::{Digest, Keyed, Source};
use tabia::sort::Sorted;
use tabia_archives::Input;
use tabia_games::{Game, Known, WithGame};
use tabia_interop::mcst::{self, ReadError};

/// Bytes that are read at a time.
const AT_ONCE: usize = 1 << 16;

/// Reads the file.
pub(super) fn read(args: &Args, game: &Known, meter: &Meter) -> Done<Rows> {
    games::check_points(game)?;
    let mut text = Text { input: Input::open(&args.file)?, bytes: Vec::new(), at: 0, ended: false };
    let mut into = args.sorters();
    let read = game.with(Reading { args, meter, text: &mut text, into: &mut into });
    if let Some(warning) = text.input.warning() {
        return Err(told!("{warning}: a tree has to be whole"));
    }
    let read = read?;
    let source = Source { digest: Digest(text.input.digest()), games: read.games, name: text.input.name() };
    let env = meter.env();
    Ok(Rows {
        positions: Sorted::join(&env, vec![into.positions.finish()])?,
        moves: Sorted::join(&env, vec![into.moves.finish()])?,
        keyed: Keyed::Line,
        source,
        nodes: read.nodes,
        plies: read.plies,
    })
}

/// A tree to be read, in any game.
struct Reading<'a, 'b> {
    args: &'a Args,
    meter: &'a Meter,
    text: &'a mut Text,
    into: &'a mut Into<'b>,
}

/// Why a tree wasn't read.
enum Stopped {
    Text(ReadError),
    Engine(tabia::Error),
}

impl From<ReadError> for Stopped {
    fn from(error: ReadError) -> Self {
        Self::Text(error)
    }
}

impl From<tabia::Error> for Stopped {
    fn from(error: tabia::Error) -> Self {
        Self::Engine(error)
    }
}

impl WithGame for Reading<'_, '_> {
    type Output = Done<mcst::Read>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        let Self { args, meter, text, into } = self;
        let mut nodes = 0u64;
        let read = mcst::read(text, start, |node| -> Result<(), Stopped> {
            into.positions.push(node.position)?;
            node.played.map_or(Ok(()), |played| into.moves.push(played))?;
            nodes += 1;
            if nodes.is_multiple_of(1 << 16) {
                meter.loading(nodes)?;
            }
            Ok(())
        });
        read.map_err(|stopped| match stopped {
            Stopped::Text(error) => told!("{}: {error}", args.file.display()),
            Stopped::Engine(error) => Failure::from(error),
        })
    }
}

/// The decompressed text of a file.
struct Text {
    input: Input,
    bytes: Vec<u8>,
    /// How many of `bytes` were taken.
    at: usize,
    ended: bool,
}

impl BufRead for Text {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.bytes.len() && !self.ended {
            self.bytes.clear();
            self.at = 0;
            self.ended = !self.input.read(AT_ONCE, &mut self.bytes).map_err(io::Error::other)?;
        }
        Ok(&self.bytes[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at = self.bytes.len().min(self.at + count);
    }
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
