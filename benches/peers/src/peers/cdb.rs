//! cdb, Bernstein's constant database: 256 hash tables of pointers to records, mapped. Its classic
//! format ends at 4 GiB; beyond, its 64-bit form.

use super::{Contest, Peer};
use crate::args::Args;
use crate::probe::Probe;
use crate::workload::{answer_of_value, key, value};
use anyhow::Result;
use cdb2::{CDB, CDBMake};
use cdb64::{Cdb, CdbWriter};
use std::fs::File;
use std::hash::Hasher;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

const CLASSIC: Peer =
    Peer { name: "cdb", faster: 1.0, bytes: None, note: "crate cdb2, mapped, its own hash." };

const WIDE: Peer = Peer {
    name: "cdb, 64-bit",
    faster: 1.0,
    bytes: None,
    note: "crate cdb64, since the classic format can't hold so many rows, mapped, keys used as their own hashes.",
};

/// Bytes that a row takes in the classic format: two lengths, key, value, two slots of a table.
const CLASSIC_ROW: u64 = 8 + 8 + 16 + 2 * 8;

impl Probe for CDB {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        CDB::get(self, &key.to_le_bytes())
            .and_then(Result::ok)
            .map_or(0, |value| answer_of_value(&value))
    }
}

/// A key is its own hash.
#[derive(Default)]
struct Own(u64);

impl Hasher for Own {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    }
}

impl Probe for Cdb<File, Own> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        Cdb::get(self, &key.to_le_bytes()).ok().flatten().map_or(0, |value| answer_of_value(&value))
    }
}

pub fn run(mut contest: Contest<'_>) -> Result<()> {
    if contest.args.rows * CLASSIC_ROW + 2048 < u64::from(u32::MAX) {
        contest.make(&CLASSIC, make_classic)?;
        let database = CDB::open(contest.path)?;
        crate::raw::touch(&crate::raw::map(contest.path)?);
        let bytes = std::fs::metadata(contest.path)?.len();
        contest.run(&CLASSIC, &database, bytes)
    } else {
        contest.make(&WIDE, make_wide)?;
        let database = Cdb::open_mmap(contest.path)?;
        let bytes = std::fs::metadata(contest.path)?.len();
        contest.run(&WIDE, &database, bytes)
    }
}

fn make_classic(args: &Args, path: &Path) -> Result<()> {
    let mut maker = CDBMake::new(File::create(path)?)?;
    for i in 0..args.rows {
        maker.add(&key(i).to_le_bytes(), &value(key(i)))?;
    }
    maker.finish()?;
    Ok(File::open(path)?.sync_all()?)
}

fn make_wide(args: &Args, path: &Path) -> Result<()> {
    let mut writer = CdbWriter::<_, Own>::new(BufferedFile {
        file: BufWriter::with_capacity(1 << 20, File::create(path)?),
        at: 0,
    })?;
    for i in 0..args.rows {
        writer.put(&key(i).to_le_bytes(), &value(key(i)))?;
    }
    writer.finalize()?;
    Ok(writer.into_inner()?.file.into_inner()?.sync_all()?)
}

/// A buffered file in which seeking to where one is costs nothing: cdb64 does that before every
/// record.
struct BufferedFile {
    file: BufWriter<File>,
    at: u64,
}

impl Write for BufferedFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Seek for BufferedFile {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        if to != SeekFrom::Start(self.at) {
            self.at = self.file.seek(to)?;
        }
        Ok(self.at)
    }
}
