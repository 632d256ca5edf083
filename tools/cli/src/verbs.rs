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
mod plan;
mod play;
mod salvage;
#[cfg(feature = "serve")]
mod serve;
mod set;
#[cfg(feature = "serve")]
mod site;
mod stats;
mod step;
mod tree;
mod trim;
mod undo;
mod unpack;

use crate::console::Console;
use crate::failure::Done;

/// Makes of groups of verbs the subcommands, what each of them runs, and the groups of the help.
macro_rules! verbs {
    ($($heading:literal: { $($(#[$on:meta])? $verb:ident: $module:ident,)+ })+) => {
        /// What to do, and with what.
        #[derive(clap::Subcommand)]
        pub enum Verb {
            $($($(#[$on])? $verb($module::Args),)+)+
        }

        /// Does it.
        pub fn run(verb: &Verb, console: &Console) -> Done {
            match verb {
                $($($(#[$on])? Verb::$verb(args) => $module::run(args, console),)+)+
            }
        }

        /// The verbs in groups, each with its heading: by the names of their modules, which have
        /// underscores in place of hyphens.
        pub const GROUPS: &[(&str, &[&str])] =
            &[$(($heading, &[$($(#[$on])? stringify!($module),)+]),)+];
    };
}

verbs! {
    "Make a book": {
        Build: build,
        Load: load,
        Plan: plan,
        Step: step,
    }
    "Look at it": {
        Explore: explore,
        Tree: tree,
        Stats: stats,
        Games: games,
        Info: info,
        Diff: diff,
        Get: get,
        Dump: dump,
    }
    "Change it": {
        Add: add,
        Merge: merge,
        Compact: compact,
        Undo: undo,
        Pack: pack,
        Unpack: unpack,
        Trim: trim,
        Mark: mark,
        Set: set,
        Drop: drop,
        Check: check,
        Salvage: salvage,
    }
    "Play from it, and let it grow": {
        Play: play,
        Engine: engine,
        Grow: grow,
        GrowWorker: grow_worker,
        Learn: learn,
    }
    "Serve it": {
        #[cfg(feature = "serve")]
        Serve: serve,
        #[cfg(feature = "serve")]
        Site: site,
    }
    "Exchange it with other programs": {
        Import: import,
        Export: export,
    }
    "About this command": {
        Completions: completions,
        Man: man,
    }
}
