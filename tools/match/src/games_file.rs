//! The file that finished games go to, and from which a match goes on.

use crate::error::Error;
use crate::facts::{self, Facts};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of a line that may be facts.
const LONGEST_LINE: u64 = 4096;

/// The file of a match's games. A game is appended as a whole and synced.
#[derive(Debug)]
pub struct GamesFile {
    path: PathBuf,
    file: File,
    /// What is in it goes when the first game comes.
    replaces: bool,
}

impl GamesFile {
    /// A new file. One that is replaced keeps what it has until there is a game.
    ///
    /// # Errors
    /// If it can't be made, or is there already and isn't to be replaced.
    pub fn create(path: &Path, replace: bool) -> Result<Self, Error> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(!replace).create(replace).truncate(false);
        match options.open(path) {
            Ok(file) => Ok(Self { path: path.to_owned(), file, replaces: replace }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::Exists(path.to_owned()))
            }
            Err(error) => Err(Error::file(path, "create it")(error)),
        }
    }

    /// The file of an interrupted match, and the games in it by their numbers. Bytes after the last
    /// whole game are cut off. A file that doesn't exist is made.
    ///
    /// # Errors
    /// If it can't be read or written, or has games of another match.
    pub fn resume(path: &Path, contest: u64) -> Result<(Self, BTreeMap<u32, Facts>), Error> {
        let (file, games) = Self::resume_in_order(path, contest)?;
        Ok((file, games.into_iter().map(|facts| (facts.game, facts)).collect()))
    }

    /// The same, with the games in the order of the file.
    pub(crate) fn resume_in_order(path: &Path, contest: u64) -> Result<(Self, Vec<Facts>), Error> {
        let failed = || Error::file(path, "go on with it");
        let file = open_again(path).map_err(failed())?;
        let (games, end) = games(&mut BufReader::new(&file)).map_err(failed())?;
        let is_empty = file.metadata().map_err(failed())?.len() == 0;
        if games.iter().any(|facts| facts.contest != contest) || (games.is_empty() && !is_empty) {
            return Err(Error::OtherMatch(path.to_owned()));
        }
        let mut resumed = Self { path: path.to_owned(), file, replaces: false };
        if end > 0 {
            resumed
                .file
                .set_len(end)
                .and_then(|()| resumed.file.seek(SeekFrom::End(0)))
                .map_err(failed())?;
            resumed.file.write_all(b"\n").map_err(failed())?;
        }
        Ok((resumed, games))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it can't be written: then nothing of it is.
    pub fn append(&mut self, record: &str) -> Result<(), Error> {
        if std::mem::take(&mut self.replaces) {
            self.file.set_len(0).map_err(Error::file(&self.path, "replace it"))?;
        }
        let end = self.file.stream_position();
        let written = self.file.write_all(record.as_bytes()).and_then(|()| self.file.sync_data());
        if let (Err(_), Ok(end)) = (&written, end) {
            let _ = self.file.set_len(end);
        }
        written.map_err(Error::file(&self.path, "write to it"))
    }
}

/// A file with what it has, to be read and gone on with; a new one if there is none.
pub(crate) fn open_again(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// The facts of all whole games, and where the last of them ends.
fn games(file: &mut impl BufRead) -> io::Result<(Vec<Facts>, u64)> {
    let (mut games, mut at, mut end, mut line) = (Vec::new(), 0, 0, Vec::new());
    loop {
        line.clear();
        let read = file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        if read == 0 {
            return Ok((games, end));
        }
        at += read;
        if let Some(facts) = std::str::from_utf8(&line).ok().and_then(facts_of) {
            games.push(facts);
            end = at;
        }
    }
}

/// The facts that a game ends with in a line, if it is the last line of a game and whole.
fn facts_of(line: &str) -> Option<Facts> {
    let line = line.strip_suffix('\n')?;
    if let Some(text) = line.strip_prefix("# ") {
        return facts::read(text);
    }
    let text = ["{", "C[", "CO["].iter().find_map(|open| line.strip_prefix(open))?;
    let (text, rest) = text.split_at(text.find(['}', ']'])?);
    let is_end = matches!(rest, "} 1-0" | "} 0-1" | "} 1/2-1/2" | "])" | "];)");
    facts::read(text).filter(|_| is_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(game: u32) -> String {
        format!(
            "tabia-match 1 contest=7 game={game} opening=1 first=first result=1-0 reason=checkmate plies=9 from=0 moves=5,4 book=0,0 micros=1,2"
        )
    }

    fn of(text: &str) -> (Vec<u32>, u64) {
        let (games, end) = games(&mut text.as_bytes()).unwrap();
        (games.iter().map(|facts| facts.game).collect(), end)
    }

    #[test]
    fn games_end_with_their_facts() {
        let text = format!(
            "[Event \"x\"]\n\n1. e4\n{{{}}} 1-0\n\n(;SZ[9]\nC[{}])\n\n(;GM[Othello]\nCO[{}];)\n\n4 4 1-0\n# {}\n\n",
            line(1),
            line(2),
            line(5),
            line(7)
        );
        assert_eq!(of(&text), (vec![1, 2, 5, 7], text.len() as u64 - 1));
        for broken in [
            format!("{{{}}} 1-0", line(1)),
            format!("{{{}}}\n", line(1)),
            format!("[White \"{{{}}} 1-0\"]\n", line(1)),
            line(1) + "\n",
        ] {
            assert_eq!(of(&broken), (vec![], 0), "{broken}");
        }
    }

    #[test]
    fn wherever_a_file_is_cut_off_its_whole_games_count() {
        let one = |game| format!("[Round \"{game}\"]\n\n1. e4 e5\n{{{}}} 1-0\n\n", line(game));
        let text = one(1) + &one(2);
        for cut in 0..text.len() {
            let (found, end) = of(&text[..cut]);
            let whole =
                [one(1).len() - 1, text.len() - 1].iter().filter(|&&end| end <= cut).count();
            assert_eq!(found.len(), whole, "cut at {cut}");
            assert!(end as usize <= cut);
        }
    }

    #[test]
    fn a_match_goes_on_behind_its_last_whole_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let game = format!("{{{}}} 1-0\n\n", line(1));
        GamesFile::create(&path, false).unwrap().append(&format!("{game}[Event \"half")).unwrap();
        assert!(matches!(GamesFile::create(&path, false), Err(Error::Exists(_))));
        assert!(matches!(GamesFile::resume(&path, 8), Err(Error::OtherMatch(_))));
        let (mut file, games) = GamesFile::resume(&path, 7).unwrap();
        assert_eq!(games.keys().collect::<Vec<_>>(), [&1]);
        file.append("more\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{game}more\n"));
        std::fs::write(&path, "something else").unwrap();
        assert!(matches!(GamesFile::resume(&path, 7), Err(Error::OtherMatch(_))));
    }

    proptest! {
        #[test]
        fn any_file_is_read(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            games(&mut bytes.as_slice()).unwrap();
        }
    }
}
