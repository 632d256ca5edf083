//! In the place of the rules of draughts, when they are left out of the build.

#[derive(Debug, Default)]
pub(super) struct Draughts;

impl Draughts {
    pub fn see<G>(&mut self, _: &G) {}

    pub fn has_progressed(&self) -> bool {
        false
    }

    pub fn is_drawn(&self) -> bool {
        false
    }
}

pub(super) fn identity<G>(_: &G) -> Option<u128> {
    None
}
