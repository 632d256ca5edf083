//! What verbs share: modules and types of the command, and what nearly all need of the libraries.

pub(crate) use crate::books::ViewChoice;
pub(crate) use crate::console::{Console, Meter};
pub(crate) use crate::disk::Disk;
pub(crate) use crate::facts::Facts;
pub(crate) use crate::failure::{Done, Failure, Verdict, failure};
pub(crate) use crate::history::CourseChoice;
pub(crate) use crate::made::NewBookArgs;
pub(crate) use crate::names::NamesChoice;
pub(crate) use crate::newfile::NewFile;
pub(crate) use crate::numbers::{bytes, counted, grouped, seconds};
pub(crate) use crate::output::Output;
pub(crate) use crate::sorting::SortArgs;
pub(crate) use crate::values::{Named, one_of};
pub(crate) use crate::{books, foreign, game_files, games, headings, interrupt, layout, place};
pub(crate) use crate::{stray, textfile};
pub(crate) use clap::ValueEnum;
pub(crate) use std::io::{self, Write};
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::slice;
pub(crate) use std::time::{Duration, Instant};
pub(crate) use tabia::format::{Digest, Header, Keyed, Results};
pub(crate) use tabia::storage::folder_of;
pub(crate) use tabia::{Book, Fact, MoveRow, TableKind, View};
pub(crate) use tabia_build::{ArchiveList, BuildPlan, one_line, stages};
pub(crate) use tabia_games::{Game, Known, Side};
pub(crate) use tabia_play::explore::{Explorable, OpenBook};
