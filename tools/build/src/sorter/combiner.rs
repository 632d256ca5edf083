//! Openings repeat: occurrences of the first plies meet here and are merged before they are
//! collected.

use crate::occurrence::Sortable;
use tabia::Columns;

/// Occurrences kept, a power of two: they stay in the second-level cache.
const PLACES: usize = 1 << 13;
/// Occurrences of a game that come here; later ones seldom meet any of their like.
pub(super) const PLIES: usize = 16;

/// Occurrences of the first plies, one in each place.
pub(super) struct Combiner<V>(Vec<V>);

impl<V: Sortable> Default for Combiner<V> {
    fn default() -> Self {
        Self(vec![V::default(); PLACES])
    }
}

impl<V: Sortable> Combiner<V> {
    /// Takes an occurrence with cells of these columns. What it displaces is returned.
    #[inline(always)]
    pub fn take(&mut self, occurrence: V, columns: Columns) -> Option<V> {
        let place = &mut self.0[occurrence.occurrence().fingerprint() as usize % PLACES];
        if place.merge(occurrence, columns) {
            return None;
        }
        Some(std::mem::replace(place, occurrence))
            .filter(|displaced| !displaced.occurrence().is_nothing())
    }

    /// All occurrences that are here; none are left.
    pub fn empty(&mut self) -> impl Iterator<Item = V> + use<V> {
        std::mem::take(self)
            .0
            .into_iter()
            .filter(|occurrence| !occurrence.occurrence().is_nothing())
    }
}
