//! Panics of the crate `parquet` as errors.
//!
//! It asserts what damaged files don't keep (a chunk that starts before its file, for one), and
//! promises nothing else. What panicked is not used again, so that no broken state can be seen;
//! memory is safe whatever happens.

use super::super::{Checked, Fault};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}
static HOOKED: Once = Once::new();

/// Does this work; a panic of it is an error, of which nothing is printed.
pub fn contain<T>(work: impl FnOnce() -> Checked<T>) -> Checked<T> {
    HOOKED.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !CONTAINED.get() {
                others(panic);
            }
        }));
    });
    CONTAINED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    CONTAINED.set(false);
    done.unwrap_or_else(|_| Err(Fault::Parquet("it is damaged".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let contained = contain::<()>(|| panic!("of theirs"));
        assert_eq!(contained, Err(Fault::Parquet("it is damaged".to_owned())));
        assert_eq!(contain(|| Ok(1)), Ok(1));
        assert!(!CONTAINED.get());
    }
}
