//! The compiled part of the Python package `tabia`: what its module `tabia_engine` is made of.
//!
//! Rows come and go as bytes in the layout of the package's numpy arrays ([`rows`]); errors are
//! those of `tabia.errors` ([`failure`]); long work runs on a thread of its own, while the caller's
//! hears of progress and of Ctrl-C ([`work`]). No panic reaches Python: it becomes an `EngineError`.

mod build;
mod failure;
mod files;
mod reading;
mod rows;
mod work;
mod writing;

use pyo3::prelude::*;

/// What `tabia_engine/__init__.py` is written over.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<reading::Book>()?;
    module.add_class::<writing::Writer>()?;
    module.add_function(wrap_pyfunction!(build::build, module)?)?;
    module.add_function(wrap_pyfunction!(build::add, module)?)?;
    module.add_function(wrap_pyfunction!(files::merge, module)?)?;
    module.add_function(wrap_pyfunction!(files::merge_into, module)?)?;
    module.add_function(wrap_pyfunction!(files::check, module)?)?;
    module.add_function(wrap_pyfunction!(files::repack, module)?)?;
    module.add_function(wrap_pyfunction!(files::compact, module)?)?;
    module.add_function(wrap_pyfunction!(files::write_book, module)?)?;
    module.add_function(wrap_pyfunction!(work::fail, module)?)?;
    Ok(())
}
