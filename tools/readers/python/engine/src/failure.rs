//! Errors of the libraries as exceptions of the package `tabia`.

use pyo3::exceptions::{PyFileExistsError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::io;
use std::path::{Path, PathBuf};
use tabia::{Error, Refusal, Rule};
use tabia_archives::ArchiveError;
use tabia_build::BuildError;

/// Why work failed, wherever it was done.
#[derive(Debug)]
pub enum Failure {
    /// The engine says why.
    Book(Error),
    /// The builder says why.
    Build(BuildError),
    /// The journal of a book can't be laid over it (J-8): a text for people.
    Journal(PathBuf, String),
    /// What Python handed over can't be used: a text for people.
    Data(String),
    /// Something else: a text for people.
    Other(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Book(error)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Engine(error) => Self::Book(error),
            error => Self::Build(error),
        }
    }
}

impl Failure {
    /// Whether the work stopped because it was asked to.
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Book(Error::Interrupted)
                | Self::Build(BuildError::Interrupted | BuildError::Saved { .. })
        )
    }

    /// The exception to raise.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        let text = match &self {
            Self::Book(error) => error.to_string(),
            Self::Build(error) => error.to_string(),
            Self::Journal(_, text) | Self::Data(text) | Self::Other(text) => text.clone(),
        };
        let exception = match self {
            Self::Book(error) => return of_book(py, error),
            Self::Build(BuildError::List { path, source, .. }) => return of_system(&source, &path),
            Self::Build(BuildError::Archive(ArchiveError::Open { path, source })) => {
                return of_system(&source, &path);
            }
            Self::Journal(path, _) => {
                new(py, "DamagedJournal", &text, Some(&path), Some("a part"), Some(Rule::J8))
            }
            Self::Data(_) => new(py, "InvalidData", &text, None, None, None),
            Self::Build(_) | Self::Other(_) => new(py, "EngineError", &text, None, None, None),
        };
        exception.unwrap_or_else(|error| error)
    }
}

/// An exception of the package `tabia`, by the name of its class.
fn new(
    py: Python<'_>,
    class: &str,
    message: &str,
    path: Option<&Path>,
    place: Option<&str>,
    rule: Option<Rule>,
) -> PyResult<PyErr> {
    let named = PyDict::new(py);
    named.set_item("path", path.map(Path::as_os_str))?;
    named.set_item("place", place)?;
    named.set_item("rule", rule.map(|rule| rule.to_string()))?;
    let class = py.import("tabia.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((message,), Some(&named))?))
}

fn of_book(py: Python<'_>, error: Error) -> PyErr {
    let text = error.to_string();
    let made = match error {
        Error::Io { path, source, .. } => return of_system(&source, &path),
        Error::Exists { path } => {
            let number = io::Error::from(io::ErrorKind::AlreadyExists);
            let number = number.raw_os_error().unwrap_or(17);
            return PyFileExistsError::new_err((
                number,
                "it exists already",
                path.into_os_string(),
            ));
        }
        Error::Refused { path, refusal } => of_refusal(py, &path, &refusal),
        Error::Damaged { path, rule, offset, what } => {
            let class = match rule {
                Rule::J3 => "WrongJournal",
                _ if rule.to_string().starts_with('J') => "DamagedJournal",
                _ => "DamagedBook",
            };
            new(py, class, &what, Some(&path), Some(&format!("byte {offset}")), Some(rule))
        }
        Error::ForeignJournal { .. } => {
            new(py, "WrongJournal", &text, None, Some("journal header"), Some(Rule::J2))
        }
        Error::NoTable { .. } => new(py, "NoSuchTable", &text, None, None, None),
        Error::Shares { .. } => new(py, "NotASet", &text, None, None, None),
        Error::NoColumn { .. }
        | Error::Share { .. }
        | Error::Results { .. }
        | Error::Limit { .. } => new(py, "InvalidData", &text, None, None, None),
        Error::Changed { .. } => new(py, "BookReplaced", &text, None, None, None),
        Error::Locked { .. } => new(py, "BookLocked", &text, None, None, None),
        _ => new(py, "EngineError", &text, None, None, None),
    };
    made.unwrap_or_else(|error| error)
}

fn of_refusal(py: Python<'_>, path: &Path, refusal: &Refusal) -> PyResult<PyErr> {
    let text = refusal.to_string();
    let (class, place, rule) = match refusal {
        Refusal::NotABook => ("NotABook", None, Rule::B1),
        Refusal::Length { .. } => ("DamagedBook", Some("end of the file"), Rule::B5),
        Refusal::Damaged { rule, .. } => ("DamagedBook", Some("header page"), *rule),
        Refusal::Version { .. } => ("UnsupportedBook", None, Rule::B3),
        Refusal::Features { .. } => ("UnsupportedBook", None, Rule::B4),
        Refusal::Unreleased => ("UnsupportedBook", None, Rule::B20),
        _ => return new(py, "UnsupportedBook", &text, Some(path), None, None),
    };
    new(py, class, &text, Some(path), place, Some(rule))
}

/// An `OSError` of the kind that its number says, with the file.
fn of_system(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text).to_owned();
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}
