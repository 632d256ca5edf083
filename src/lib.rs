//! Tabia.
pub mod key;
pub mod row;
