//! stub
use pyo3::prelude::*;

/// stub
#[pymodule]
mod tabia_engine {}
