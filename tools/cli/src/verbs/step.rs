//! `tabia step`: a step of a build by many machines.

use super::{Verb, build};
use crate::command::Command;
use crate::prelude::*;
use clap::Parser;
use tabia::storage::{Missing, Storage, StorageFile};
use tabia::{Existing, MergeOptions};
use tabia_build::distributed::{PlanFile, Step};
use tabia_build::whole;

/// Do steps of a build by many machines
///
/// Builds a part of the book that `tabia plan` has planned, merges a share, or makes the book of all
/// shares. What is done already isn't done again, and what was interrupted leaves nothing that another
/// process would take for done: so a step may be started anew, on another machine too. Parts come before
/// shares, and these before the book; their books are in the folder PLAN-steps beside the plan, and can be
/// read from a copy of that folder elsewhere: no machine needs all parts then.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia step lichess.json -o lichess.tabia
  tabia step lichess.json share-2 --inputs s3://books/lichess-steps/
  parallel tabia step lichess.json part-{} ::: 1 2
  sbatch --array=1-2 --wrap 'tabia step lichess.json part-$SLURM_ARRAY_TASK_ID'")]
pub struct Args {
    /// The plan
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// The steps: part-1, share-1, book ... [default: all]
    #[arg(value_name = "STEP")]
    steps: Vec<Step>,
    /// The book to make in the last step
    #[arg(short, long, value_name = "BOOK")]
    output: Option<PathBuf>,
    /// Where the books to merge are [default: beside the plan]
    #[arg(long, value_name = "FOLDER")]
    inputs: Option<PathBuf>,
    /// Replace a book of that name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Does them.
pub fn run(args: &Args, console: &Console) -> Done {
    let file = PlanFile::new(&args.plan, &textfile::read(&args.plan)?)?;
    let file = file.with_inputs(args.inputs.clone());
    let (theirs, ours) = (&file.plan.tabia, env!("CARGO_PKG_VERSION"));
    if theirs != ours {
        return Err(failure!(
            "{}: tabia {theirs} made it, and this is {ours}: use one version for all steps",
            args.plan.display()
        ));
    }
    let given = (!args.steps.is_empty()).then(|| args.steps.clone());
    let steps = given.unwrap_or_else(|| file.plan.steps().collect());
    let needs_output = steps.contains(&Step::Book);
    if needs_output != args.output.is_some() {
        return Err(failure!("-o BOOK names the book of the step `book`: give both or none"));
    }
    for step in steps {
        let (path, replace) = match &args.output {
            Some(output) if step == Step::Book => (output.clone(), args.force),
            _ => (file.book(step), true),
        };
        let _turn = wait_for_turn(&file.book(step).with_extension("lock"))?;
        let before = file.made(step, &path)?;
        let is_done = before.is_some();
        let book = match before {
            Some(book) => book,
            None => {
                match step {
                    Step::Part(number) => part(&file, number, path.clone(), console)?,
                    Step::Share(_) | Step::Book => merge(&file, step, &path, replace, console)?,
                }
                let book = Book::open(&path)?;
                file.done(&Disk, step, &book)?;
                book
            }
        };
        let done = if is_done { "is done already" } else { "is done" };
        let facts = Facts::default()
            .json("step", step.to_string())
            .json("done_before", is_done)
            .json_of_book(book.header())
            .line(format!("{step} {done}: {}", path.display()))
            .lines_of_book(book.header());
        Output::of_summary(console).facts(args.json, &facts)?;
    }
    Ok(Verdict::Fine)
}

/// How often it is asked whether another process has ended.
const PATIENCE: Duration = Duration::from_millis(100);

/// Waits until no other process does this step; the file is its turn, as long as it is open.
fn wait_for_turn(path: &Path) -> Done<Box<dyn StorageFile>> {
    let failed = |error| Failure::system(path, "lock it", &error);
    std::fs::create_dir_all(folder_of(path)).map_err(failed)?;
    let file = Disk.open(path, Missing::Create).map_err(failed)?;
    interrupt::listen();
    while !file.try_lock().map_err(failed)? {
        if interrupt::wanted() {
            return Err(Failure::Interrupted);
        }
        std::thread::sleep(PATIENCE);
    }
    Ok(file)
}

fn part(file: &PlanFile, number: usize, output: PathBuf, console: &Console) -> Done<()> {
    let (archives, slice) = file.part(number)?;
    let words = std::iter::once("tabia").chain(file.plan.options.iter().map(String::as_str));
    let mut args: build::Args = match Command::try_parse_from(words) {
        Ok(Command { verb: Verb::Plan(args), .. }) => args.build,
        _ => {
            return Err(failure!("the plan's options are none of `tabia plan`: make another plan"));
        }
    };
    let mut left = output.clone().into_os_string();
    left.push("-building");
    (args.resume, args.new.force, args.slice) = (Path::new(&left).exists(), true, slice);
    args.new.output = output;
    args.reading.of_part(archives);
    args.game.take(&file.plan.game)?;
    build::built(&args, console).map(drop)
}

fn merge(file: &PlanFile, step: Step, path: &Path, replace: bool, console: &Console) -> Done<()> {
    let share = match step {
        Step::Share(number) => Some(file.share(number)?),
        _ => None,
    };
    let books = file.inputs(step)?;
    place::check_book(path, replace)?;
    let is_packed = books.iter().all(|book| book.header().packed);
    let meter =
        console.meter_of(&stages::merging(is_packed, &books, game_files::are_beside(&books)));
    let existing = Existing::from(replace);
    let options = MergeOptions { share, existing, ..MergeOptions::default() };
    whole::merge(&meter.env(), path, &books, options)?;
    Ok(())
}
