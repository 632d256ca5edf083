//! Locks that are taken even if a thread panicked with them.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The lock, even if a thread panicked with it: that shows elsewhere.
pub(super) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn locked_away<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
