//! Openings repeat: visits of the first plies meet here and are merged before they are collected.

use crate::visit::Collectable;
use tabia::Columns;

/// Visits kept, a power of two: they stay in the second-level cache.
const PLACES: usize = 1 << 13;
/// Visits of a game that come here; later ones seldom meet any of their like.
pub(super) const PLIES: usize = 16;

/// Visits of openings, one in each place.
pub(super) struct Openings<V>(Vec<V>);

impl<V: Collectable> Default for Openings<V> {
    fn default() -> Self {
        Self(vec![V::default(); PLACES])
    }
}

impl<V: Collectable> Openings<V> {
    /// Takes a visit with cells of these columns. What it displaces is returned.
    #[inline(always)]
    pub fn take(&mut self, visit: V, columns: Columns) -> Option<V> {
        let place = &mut self.0[visit.visit().fingerprint() as usize % PLACES];
        if place.absorb(visit, columns) {
            return None;
        }
        Some(std::mem::replace(place, visit)).filter(|displaced| !displaced.visit().is_nothing())
    }

    /// All visits that are here; none are left.
    pub fn empty(&mut self) -> impl Iterator<Item = V> + use<V> {
        std::mem::take(self).0.into_iter().filter(|visit| !visit.visit().is_nothing())
    }
}
