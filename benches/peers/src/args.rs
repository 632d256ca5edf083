//! The command line.

use anyhow::{Context, Result, ensure};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{ArgAction, Parser};
use std::path::{Path, PathBuf};

/// All sections, in the order in which they run.
const SECTIONS: [&str; 20] = [
    "open", "merge", "compact", "check", "probe", "batch", "warm", "moves", "odht", "lmdb", "redb",
    "sqlite", "fjall", "rocksdb", "cdb", "polyglot", "cold", "packed", "larger", "archive",
];

/// Where the archive is in the project's folder.
const ARCHIVE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/chess/masters.pgn.zst");

/// Tabia's speed beside the limits of this machine and beside named peers, as one table.
#[derive(Clone, Debug, Parser)]
pub struct Args {
    /// Rows of each table
    #[arg(long, value_name = "N", value_parser = rows, default_value = "100M")]
    pub rows: u64,
    /// Alternating rounds of each line; medians are shown
    #[arg(long, value_name = "N", value_parser = at_least_one(), default_value = "5")]
    pub rounds: usize,
    /// Probes of a line and round; twice as many where they overlap
    #[arg(long, value_name = "N", value_parser = at_least_one(), default_value = "1000000")]
    pub probes: usize,
    /// Sections, with commas between them [default: all but larger]
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(SECTIONS))]
    only: Vec<String>,
    /// How all contenders' files are laid into the page cache before they are mapped
    #[arg(long = "pages", value_name = "KIND", action = ArgAction::Set)]
    #[arg(value_parser = either(["small", "huge"]), default_value = "small")]
    pub huge: bool,
    /// Whether our books have a filter
    #[arg(long, value_name = "KIND", action = ArgAction::Set)]
    #[arg(value_parser = either(["no", "yes"]), default_value = "no")]
    pub filter: bool,
    /// What the sorter may use, so that builds spill
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30)]
    pub memory: usize,
    /// Section larger: what of each book may be in memory
    #[arg(long, value_name = "BYTES", default_value_t = 2 << 30)]
    pub limit: u64,
    /// Where the files go, about 30 bytes a row and file (packed and larger: 110 bytes a row); they
    /// are removed at the end
    #[arg(long, value_name = "PATH", default_value = "/tmp/tabia-bench")]
    pub folder: PathBuf,
    /// Instead of all sections: how cost grows over books of so many rows, such as 1M,10M,100M
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', value_parser = rows)]
    pub scale: Vec<u64>,
    /// Also write the table there
    #[arg(long, value_name = "PATH")]
    pub markdown: Option<PathBuf>,
    /// The command `tabia`, for the archive section
    #[arg(long, value_name = "PATH")]
    pub tabia: Option<PathBuf>,
    /// The archive it builds
    #[arg(long, value_name = "PATH", default_value = ARCHIVE)]
    pub archive: PathBuf,
}

/// How books of positions are built.
#[derive(Clone, Copy)]
pub struct Build<'a> {
    /// Where runs are spilled.
    pub folder: &'a Path,
    /// Bytes that may be used.
    pub memory: usize,
    pub filter: bool,
}

impl Args {
    /// How books of positions are built.
    pub fn building(&self) -> Build<'_> {
        Build { folder: &self.folder, memory: self.memory, filter: self.filter }
    }

    /// The same with another number of rows.
    pub fn of_size(&self, rows: u64) -> Self {
        Self { rows, ..self.clone() }
    }

    /// Whether a section is wanted that is about the book of positions.
    pub fn wants_positions(&self) -> bool {
        let others = ["packed", "larger", "archive"];
        SECTIONS.iter().any(|name| !others.contains(name) && self.wants(name))
    }

    pub fn wants(&self, section: &str) -> bool {
        match self.only.as_slice() {
            [] => section != "larger",
            only => only.iter().any(|name| name == section),
        }
    }
}

fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

fn either(words: [&'static str; 2]) -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(words).map(move |word| word == words[1])
}

/// A number of rows: 5000000 or 5M.
fn rows(text: &str) -> Result<u64> {
    let (digits, unit) = match text.strip_suffix('M') {
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    let rows = digits.parse::<u64>().with_context(|| format!("{text} is no number of rows"))?;
    ensure!(rows * unit >= 1000, "at least 1000 rows are needed");
    Ok(rows * unit)
}
