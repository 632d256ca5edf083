//! What nearly every verb uses.

pub(crate) use crate::console::{Console, Meter};
pub(crate) use crate::facts::Facts;
pub(crate) use crate::failure::{Done, Failure, Verdict, failure};
pub(crate) use crate::output::Output;
pub(crate) use crate::values::{Named, one_of};
pub(crate) use std::path::{Path, PathBuf};
