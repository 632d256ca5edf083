//! Weights.

/// The stage.
pub fn stage(empties: u32) -> usize {
    (empties.min(59) / 6) as usize
}

pub static WEIGHTS: [[i32; 12]; 10] = [[60, 200, 40, 300, -150, -50, 50, 10, 5, 0, 0, 0]; 10];
