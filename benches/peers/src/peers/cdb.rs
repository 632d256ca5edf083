//! cdb, Bernstein's constant database: 256 hash tables of pointers to records, mapped. Its 64-bit
//! form, as the classic one ends at 4 GiB.

use super::{Contest, Peer};
use crate::args::Args;
use crate::measure::Probe;
use crate::workload::{answer_of_value, key, value};
use anyhow::Result;
use cdb64::{Cdb, CdbWriter};
use std::fs::File;
use std::hash::Hasher;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

const CDB: Peer = Peer {
    name: "cdb, 64-bit",
    faster: 1.0,
    note: "crate cdb64, since the classic format ends at 4 GiB, mapped, keys used as their own hashes.",
};

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
    contest.make(&CDB, make)?;
    let database = Cdb::open_mmap(contest.path)?;
    let bytes = std::fs::metadata(contest.path)?.len();
    contest.run(&CDB, &database, bytes)
}

fn make(args: &Args, path: &Path) -> Result<()> {
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
