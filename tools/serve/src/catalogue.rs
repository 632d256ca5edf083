//! Which books are served, while they come and go.

use crate::sources::Sources;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Looks again at what is to be served, given what is now; none if nothing changed. It is told
/// whether all has to be read anew because somebody asked for it.
pub type Look = Box<dyn FnMut(&Sources, bool) -> Option<Sources> + Send>;

/// The books that are served now, and what finds others.
pub struct Catalogue {
    now: RwLock<Arc<Sources>>,
    look: Option<Mutex<Look>>,
}

impl From<Sources> for Catalogue {
    /// These and no others.
    fn from(sources: Sources) -> Self {
        Self { now: RwLock::new(Arc::new(sources)), look: None }
    }
}

impl Catalogue {
    /// These, until others are found.
    pub fn watched(sources: Sources, look: Look) -> Self {
        Self { look: Some(Mutex::new(look)), ..sources.into() }
    }

    /// What is served now.
    pub fn now(&self) -> Arc<Sources> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks for what changed; reads all anew if that is asked for.
    pub fn look(&self, is_asked: bool) {
        let Some(look) = &self.look else { return };
        let mut look = look.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = look(&self.now(), is_asked) {
            *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(found);
        }
    }
}
