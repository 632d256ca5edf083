//! What to do about an error of the engine: the engine says what is wrong, and knows nothing of
//! verbs and options.

use std::io::ErrorKind;
use tabia::Error;
use tabia::format::Refusal;
use tabia::remote::address;
use tabia_archives::ArchiveError;
use tabia_build::{BuildError, hint_of_system};

/// What to do, as it goes on behind the error; empty where the error says all.
pub fn advice(error: &Error) -> &'static str {
    match error {
        Error::Io { path, .. } if !cfg!(feature = "remote") && address(path).is_some() => {
            " (`cargo install tabia-cli --features remote` has addresses read)"
        }
        Error::Io { path, source, .. } if address(path).is_some() => match source.kind() {
            ErrorKind::PermissionDenied => " (check the credentials: keys, a token or a profile)",
            ErrorKind::NotFound => " (check the address)",
            _ => "",
        },
        Error::Io { source, .. } => hint_of_system(source),
        Error::Refused { refusal, .. } => of_refusal(refusal),
        Error::Damaged { .. } => {
            ": `tabia check` lists the damage, `tabia salvage` keeps what is sound"
        }
        Error::ForeignJournal { .. } => {
            ": put the book it belongs to back, or move the journal away"
        }
        Error::Locked { .. } => ": wait until it is done",
        Error::Exists { .. } => ": use --force to replace it, or choose another name",
        Error::DuplicateSource { .. } => "; use --allow-duplicate-sources if you want that",
        Error::NoTable { .. } => ": build it with --tables positions,moves",
        Error::NoColumn { .. } => ": merge them into a new book (`tabia merge -o`)",
        Error::UnknownColumn { .. } => ": use a newer tabia",
        Error::Results { .. } => ": make a book with results of such rows",
        Error::Share { .. } => ": merge whole books with --share",
        _ => "",
    }
}

pub fn of_archive(error: &ArchiveError) -> &'static str {
    match error {
        ArchiveError::MostlyRefused { .. } => {
            " (--game names another game; --max-refused 100 takes what is legal)"
        }
        _ => "",
    }
}

pub fn of_build(error: &BuildError) -> &'static str {
    match error {
        BuildError::MixedGames { .. } | BuildError::UnknownGame { .. } => ": say which with --game",
        BuildError::GivenTwice { .. } => {
            ": its games would count twice; use --allow-duplicate-sources if you want that"
        }
        BuildError::Unfinished { .. } => ": --resume goes on with it, --force starts anew",
        BuildError::OtherPlan { .. } => ": give those, or remove that folder",
        BuildError::ReadDifferently { .. } => {
            ": leave that option away, or say --differently if you want that"
        }
        BuildError::ReadInSeveralWays { .. } => {
            " (`tabia info` lists them): give the options of one of them, or others and --differently"
        }
        BuildError::NoGame { why, are_split: true, .. }
            if why.contains("no_moves") && why.contains("no_result") =>
        {
            "; --join-split on joins tags and moves that blank lines part"
        }
        BuildError::NoGame { why, .. } if why.contains("no_result") => {
            "; --results unknown makes a book that counts games without a result"
        }
        BuildError::NoGame { read: 0, .. } => "",
        BuildError::NoGame { .. } => "; use --allow-empty if that is right",
        BuildError::Fingerprints { .. } => {
            ": remove it, and copies of the book's games count again"
        }
        BuildError::Missing { .. } => {
            ": put it back there, or say --allow-missing to go on without it"
        }
        BuildError::Copies { .. } => {
            ": build one book of the archives; or say --allow-duplicate-sources to count them twice"
        }
        BuildError::AddedOrNot { .. } => {
            "; remove that if they are, or go on by `tabia merge --into`"
        }
        BuildError::DamagedParts { .. } => ": remove that folder and build anew",
        _ => "",
    }
}

fn of_refusal(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotABook => ": check the name (`tabia build` makes books of game archives)",
        Refusal::Length { .. } | Refusal::Damaged { .. } => "; `tabia salvage` keeps what is sound",
        Refusal::Version { .. } | Refusal::Features { .. } => ": use a newer tabia",
        Refusal::Unreleased => ": build it again",
        _ => "",
    }
}
