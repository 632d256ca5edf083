//! Openings repeat: visits of the first plies meet here and are merged before they are collected.

use crate::visit::Visit;

/// Visits kept, a power of two: they stay in the second-level cache.
const PLACES: usize = 1 << 13;
/// Visits of a game that come here; later ones seldom meet any of their like.
pub(super) const PLIES: usize = 16;

/// Visits of openings, one in each place.
pub(super) struct Openings(Vec<Visit>);

impl Default for Openings {
    fn default() -> Self {
        Self(vec![Visit::default(); PLACES])
    }
}

impl Openings {
    /// Takes a visit. What it displaces is returned.
    #[inline(always)]
    pub fn take(&mut self, visit: Visit) -> Option<Visit> {
        let place = &mut self.0[visit.fingerprint() as usize % PLACES];
        if place.absorb(visit) {
            return None;
        }
        Some(std::mem::replace(place, visit)).filter(|displaced| !displaced.is_nothing())
    }

    /// All visits that are here; none are left.
    pub fn empty(&mut self) -> impl Iterator<Item = Visit> + use<> {
        std::mem::take(self).0.into_iter().filter(|visit| !visit.is_nothing())
    }
}
