//! The command line.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const HELP: &str = "\
Tabia's speed beside the limits of this machine and beside named peers, as one table.

cargo run --release --manifest-path benches/peers/Cargo.toml -- [OPTIONS]

  --rows N          rows of each table [100000000]
  --rounds N        alternating rounds of each line; medians are shown [5]
  --probes N        probes of a line and round; twice as many where they overlap [1000000]
  --only A,B,...    sections: open merge compact check probe batch warm moves odht lmdb redb sqlite fjall rocksdb cdb polyglot cold packed larger archive
                    [all but larger]
  --pages KIND      small or huge: how all contenders' files are laid into the page cache before they are mapped [small]
  --filter KIND     yes or no: whether our books have a filter [no]
  --memory BYTES    what the sorter may use, so that builds spill [1073741824]
  --limit BYTES     section larger: what of each book may be in memory [2147483648]
  --folder PATH     where the files go, about 30 bytes a row and file (packed and larger: 110 bytes a row); they are removed at the end [/tmp/tabia-bench]
  --scale N,N,...   instead of all sections: how cost grows over books of so many rows, such as 1M,10M,100M
  --markdown PATH   also write the table there
  --tabia PATH      the command `tabia`, for the archive section
  --archive PATH    the archive it builds [../shared/data/chess/masters.pgn.zst]
";

/// All sections, in the order in which they run.
const SECTIONS: [&str; 20] = [
    "open", "merge", "compact", "check", "probe", "batch", "warm", "moves", "odht", "lmdb", "redb",
    "sqlite", "fjall", "rocksdb", "cdb", "polyglot", "cold", "packed", "larger", "archive",
];

/// What to measure, and how.
#[derive(Clone, Debug)]
pub struct Args {
    pub rows: u64,
    /// Alternating rounds of each line.
    pub rounds: usize,
    /// Probes of a line and round.
    pub probes: usize,
    /// Whether files are laid into the page cache in huge pages.
    pub huge: bool,
    /// Whether books have a filter.
    pub filter: bool,
    /// Bytes that the sorter may use.
    pub memory: usize,
    /// Bytes of a book that may be in memory, where it is to be larger than that.
    pub limit: u64,
    /// Where the files go.
    pub folder: PathBuf,
    /// Where the table is also written.
    pub markdown: Option<PathBuf>,
    /// Sizes of books, if growth is to be measured.
    pub scale: Vec<u64>,
    pub tabia: Option<PathBuf>,
    pub archive: PathBuf,
    only: Vec<String>,
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

    /// The arguments of this process. None if only help was wanted, which is printed.
    pub fn parse() -> Result<Option<Self>> {
        let mut args = Self {
            rows: 100_000_000,
            rounds: 5,
            probes: 1_000_000,
            huge: false,
            filter: false,
            memory: 1 << 30,
            limit: 2 << 30,
            folder: "/tmp/tabia-bench".into(),
            markdown: None,
            scale: Vec::new(),
            tabia: None,
            archive: concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../../shared/data/chess/masters.pgn.zst"
            )
            .into(),
            only: SECTIONS
                .iter()
                .filter(|&&name| name != "larger")
                .map(|&name| name.into())
                .collect(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            if word == "--help" || word == "-h" {
                print!("{HELP}");
                return Ok(None);
            }
            let value =
                words.next().with_context(|| format!("{word} needs a value; see --help"))?;
            args.set(&word, value).with_context(|| format!("in {word}"))?;
        }
        Ok(Some(args))
    }

    fn set(&mut self, option: &str, value: String) -> Result<()> {
        match option {
            "--rows" => self.rows = rows(&value)?,
            "--rounds" => self.rounds = value.parse()?,
            "--probes" => self.probes = value.parse()?,
            "--pages" => self.huge = value == "huge",
            "--filter" => self.filter = value == "yes",
            "--memory" => self.memory = value.parse()?,
            "--limit" => self.limit = value.parse()?,
            "--folder" => self.folder = value.into(),
            "--markdown" => self.markdown = Some(value.into()),
            "--scale" => self.scale = value.split(',').map(rows).collect::<Result<_>>()?,
            "--tabia" => self.tabia = Some(value.into()),
            "--archive" => self.archive = value.into(),
            "--only" => self.only = value.split(',').map(str::to_owned).collect(),
            _ => bail!("no such option; see --help"),
        }
        if let Some(unknown) = self.only.iter().find(|name| !SECTIONS.contains(&name.as_str())) {
            bail!("there is no section {unknown}; see --help");
        }
        if self.rows.min(self.scale.iter().copied().min().unwrap_or(u64::MAX)) < 1000
            || self.rounds == 0
            || self.probes == 0
        {
            bail!("at least 1000 rows, one round and one probe are needed");
        }
        Ok(())
    }

    /// The same with another number of rows.
    pub fn of_size(&self, rows: u64) -> Self {
        Self { rows, ..self.clone() }
    }

    /// Whether a section is wanted that is about the book of positions.
    pub fn wants_positions(&self) -> bool {
        self.only.iter().any(|name| !["packed", "larger", "archive"].contains(&name.as_str()))
    }

    pub fn wants(&self, section: &str) -> bool {
        self.only.iter().any(|name| name == section)
    }
}

/// A number of rows: 5000000 or 5M.
fn rows(text: &str) -> Result<u64> {
    let (digits, unit) = match text.strip_suffix('M') {
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    Ok(digits.parse::<u64>().with_context(|| format!("{text} is no number of rows"))? * unit)
}
