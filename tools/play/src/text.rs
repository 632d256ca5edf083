//! What a book knows, as text: positions with their moves in columns and bars, a walk with keys, trees
//! and their records, figures by ply. Nothing here knows a terminal.

mod bars;
mod board;
mod castling;
mod columns;
mod cover;
mod differences;
mod expanded;
pub mod layout;
pub mod lines;
pub mod numbers;
mod paint;
mod position;
mod record;
mod survey;
mod tree;
mod walker;

pub use bars::Ink;
pub use castling::castling_note;
pub use cover::{Cover, Followed, Gap, GapMove, Lacking};
pub use differences::Differences;
pub use paint::{Paint, columns_of, variable};
pub use position::{Style, draw_position};
pub use record::write_record;
pub use survey::Surveyed;
pub use tree::draw_tree;
pub use walker::{Key, Next, Walker};
