//! The verbs, one file each: what it takes, and what it does.

mod add;
mod build;
mod check;
mod compact;
mod completions;
mod diff;
mod drop;
mod dump;
mod engine;
mod explore;
mod export;
mod games;
mod get;
mod grow;
mod grow_worker;
mod import;
mod info;
mod learn;
mod load;
mod man;
mod mark;
mod merge;
mod pack;
mod play;
mod salvage;
#[cfg(feature = "serve")]
mod serve;
mod set;
#[cfg(feature = "serve")]
mod site;
mod stats;
mod tree;
mod trim;
mod undo;
mod unpack;

use crate::console::Console;
use crate::failure::Done;

/// What to do, and with what.
#[derive(clap::Subcommand)]
pub enum Verb {
    Build(build::Args),
    Add(add::Args),
    Merge(merge::Args),
    Compact(compact::Args),
    Pack(pack::Args),
    Unpack(unpack::Args),
    Undo(undo::Args),
    Check(check::Args),
    Salvage(salvage::Args),
    Trim(trim::Args),
    Diff(diff::Args),
    Info(info::Args),
    Explore(explore::Args),
    Games(games::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    #[cfg(feature = "serve")]
    Site(site::Args),
    Tree(tree::Args),
    Stats(stats::Args),
    Mark(mark::Args),
    Set(set::Args),
    Grow(grow::Args),
    GrowWorker(grow_worker::Args),
    Learn(learn::Args),
    Drop(drop::Args),
    Play(play::Args),
    Engine(engine::Args),
    Get(get::Args),
    Dump(dump::Args),
    Load(load::Args),
    Import(import::Args),
    Export(export::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Does it; `command` describes the command line of which the verb is a part.
pub fn run(verb: Verb, command: fn() -> clap::Command, console: &Console) -> Done {
    match verb {
        Verb::Build(args) => build::run(&args, console),
        Verb::Add(args) => add::run(&args, console),
        Verb::Merge(args) => merge::run(&args, console),
        Verb::Compact(args) => compact::run(&args, console),
        Verb::Pack(args) => pack::run(&args, console),
        Verb::Unpack(args) => unpack::run(&args, console),
        Verb::Undo(args) => undo::run(&args, console),
        Verb::Check(args) => check::run(&args, console),
        Verb::Salvage(args) => salvage::run(&args, console),
        Verb::Trim(args) => trim::run(&args, console),
        Verb::Diff(args) => diff::run(&args, console),
        Verb::Info(args) => info::run(&args, console),
        Verb::Explore(args) => explore::run(&args, console),
        Verb::Games(args) => games::run(&args, console),
        #[cfg(feature = "serve")]
        Verb::Site(args) => site::run(&args, console),
        #[cfg(feature = "serve")]
        Verb::Serve(args) => serve::run(&args, console),
        Verb::Tree(args) => tree::run(&args, console),
        Verb::Stats(args) => stats::run(&args, console),
        Verb::Mark(args) => mark::run(&args, console),
        Verb::Set(args) => set::run(&args, console),
        Verb::Grow(args) => grow::run(&args, console),
        Verb::GrowWorker(args) => grow_worker::run(&args),
        Verb::Learn(args) => learn::run(&args, console),
        Verb::Drop(args) => drop::run(&args, console),
        Verb::Play(args) => play::run(&args, console),
        Verb::Engine(args) => engine::run(&args),
        Verb::Get(args) => get::run(&args, console),
        Verb::Dump(args) => dump::run(&args, console),
        Verb::Load(args) => load::run(&args, console),
        Verb::Import(args) => import::run(&args, console),
        Verb::Export(args) => export::run(&args, console),
        Verb::Completions(args) => completions::run(&args, command()),
        Verb::Man(args) => man::run(&args, command()),
    }
}
