//! How many instructions probes and merges take, against a baseline: a guard against regressions
//! that needs no clock and so no quiet machine.
//!
//! Each case runs twice under valgrind, once with its setup alone; the difference is what the case
//! itself takes. Valgrind is all that is needed (Debian: `apt-get install valgrind`). The counts
//! are those of one compiler and one kind of processor: the baseline is blessed anew when the
//! compiler changes.

mod cases;
mod packed;
mod rows;

use anyhow::{Context, Result, bail, ensure};
use std::process::{Command, ExitCode};

const HELP: &str = "\
Instructions of probes and merges, counted by valgrind, against benches/counts/baseline.txt. Fails if one takes 5 % more.

cargo run --release --manifest-path benches/counts/Cargo.toml [-- --bless]

  --bless   make what is counted the new baseline
";

const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/baseline.txt");
/// How much more than in the baseline is let pass.
const TOLERANCE: f64 = 0.05;
/// Runs of each case, and of its setup.
const RUNS: usize = 3;

fn main() -> Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => Ok(if compare()? { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
        ["--bless"] => bless().map(|()| ExitCode::SUCCESS),
        ["--run", name, "setup"] => cases::run(name, false).map(|()| ExitCode::SUCCESS),
        ["--run", name, "all"] => cases::run(name, true).map(|()| ExitCode::SUCCESS),
        _ => {
            print!("{HELP}");
            Ok(ExitCode::from(2))
        }
    }
}

/// Counts all cases and prints them beside the baseline; whether none is worse.
fn compare() -> Result<bool> {
    let baseline = std::fs::read_to_string(BASELINE).with_context(|| format!("read {BASELINE}"))?;
    println!("{:<38} {:>12} {:>12}", "instructions of", "now", "baseline");
    let mut fine = true;
    for case in &cases::CASES {
        let now = count(case)?;
        let before = counted_before(&baseline, case.name)?;
        let change = now / before - 1.0;
        let verdict = if change > TOLERANCE {
            "WORSE"
        } else if change < -TOLERANCE {
            "better: --bless keeps it so"
        } else {
            ""
        };
        fine &= change <= TOLERANCE;
        println!(
            "{:<38} {now:>12.2} {before:>12.2} {:>+7.1} % {verdict}",
            case.name,
            change * 100.0
        );
    }
    Ok(fine)
}

/// Makes what is counted now the baseline.
fn bless() -> Result<()> {
    let mut text = String::new();
    for case in &cases::CASES {
        text += &format!("{}: {:.2}\n", case.name, count(case)?);
    }
    print!("{text}");
    std::fs::write(BASELINE, text).with_context(|| format!("write {BASELINE}"))
}

fn counted_before(baseline: &str, name: &str) -> Result<f64> {
    let line = baseline.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.with_context(|| format!("{name} is not in the baseline; --bless enters it"))?
        .parse()
        .context("the baseline has no number there")
}

/// Instructions of one probe, or of one row merged.
fn count(case: &cases::Case) -> Result<f64> {
    let (all, setup) =
        (least_instructions(case.name, "all")?, least_instructions(case.name, "setup")?);
    ensure!(all > setup, "{} took no instructions", case.name);
    Ok((all - setup) as f64 / case.units as f64)
}

/// The least that [`instructions`] counts in a few runs: the setup has threads, which on a busy
/// machine meet in other ways, and then do more.
fn least_instructions(name: &str, part: &str) -> Result<u64> {
    let counts = (0..RUNS).map(|_| instructions(name, part)).collect::<Result<Vec<_>>>()?;
    counts.into_iter().min().context("no run")
}

/// Instructions of this program with a case, or with its setup alone.
fn instructions(name: &str, part: &str) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--run", name, part])
        .output()
        .context("run valgrind; Debian has it: apt-get install valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{name} failed under valgrind:\n{said}");
    }
    counted(&said).with_context(|| format!("valgrind gave no count:\n{said}"))
}

/// The number after `I refs:` in what valgrind says.
fn counted(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains("refs:"))?;
    line.rsplit(':').next()?.trim().replace(',', "").parse().ok()
}
