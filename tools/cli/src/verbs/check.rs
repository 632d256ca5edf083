//! `tabia check`: verify everything.

use crate::console::Console;
use crate::failure::{Done, Verdict, one_line};
use crate::numbers::{bytes, counted};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use tabia::{CheckReport, Finding, check};

/// Verify every checksum, row and total of a book and its journal
///
/// Exit code 1 if there is damage; what is damaged and where is listed.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabia check masters.tabia && echo sound")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was verified, and what is wrong.
#[derive(Serialize)]
struct Checked {
    ok: bool,
    /// Blocks of tables that were verified.
    blocks: u64,
    rows: u64,
    /// Frames of the journal.
    frames: u64,
    /// Bytes of a torn tail of the journal, which is no damage.
    torn: u64,
    bad: Vec<Bad>,
    /// Findings beyond those listed.
    unlisted: u64,
}

/// Something wrong.
#[derive(Serialize)]
pub struct Bad {
    file: String,
    section: String,
    block: Option<u64>,
    offset: u64,
    rule: String,
    what: String,
}

impl Bad {
    /// The finding, for JSON.
    pub fn new(finding: &Finding) -> Self {
        Self {
            file: finding.file.display().to_string(),
            section: finding.section.clone(),
            block: finding.block,
            offset: finding.offset,
            rule: finding.rule.to_owned(),
            what: finding.what.clone(),
        }
    }
}

/// Checks it.
pub fn run(args: &Args, console: &Console) -> Done {
    let report = {
        let meter = console.meter();
        check(&meter.env(), &args.book)?
    };
    let mut out = Output::new();
    if args.json {
        out.json(&Checked {
            ok: report.ok(),
            blocks: report.blocks,
            rows: report.rows,
            frames: report.frames,
            torn: report.torn,
            bad: report.bad.iter().map(Bad::new).collect(),
            unlisted: report.unlisted,
        })?;
    } else {
        write(&report, args, &mut out)?;
        out.finish()?;
    }
    Ok(Verdict::found(!report.ok()))
}

fn write(report: &CheckReport, args: &Args, out: &mut impl Write) -> io::Result<()> {
    report.bad.iter().try_for_each(|finding| writeln!(out, "{}", one_line(&finding.to_string())))?;
    if report.unlisted > 0 {
        writeln!(out, "and {} more", counted(report.unlisted, "finding"))?;
    }
    if report.torn > 0 {
        writeln!(out, "the journal has a torn tail of {}, never acknowledged: the next writer cuts it off", bytes(report.torn))?;
    }
    let verified = [counted(report.blocks, "block"), counted(report.rows, "row"), counted(report.frames, "journal frame")].join(", ");
    if report.ok() {
        writeln!(out, "ok: {verified}")
    } else {
        let found = counted(report.bad.len() as u64 + report.unlisted, "finding");
        writeln!(out, "damaged: {found} in {verified}: `tabia salvage {} -o NEW` keeps what is sound", args.book.display())
    }
}
