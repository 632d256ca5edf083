//! The headings under which help shows options: everyday ones have none and come first.

/// How games count that archives have several times.
pub const COPIES: &str = "Copies of games";
pub const ARCHIVES: &str = "Archives";
pub const BOOK: &str = "The book";
/// What a book knows beside counts.
pub const COLUMNS: &str = "Columns and evals";
pub const FILTERS: &str = "Filters of games";
/// What is played.
pub const GAME: &str = "Game";
pub const CHESS: &str = "Chess";
pub const GO: &str = "Go";
/// How much the machine works.
pub const MEMORY: &str = "Memory, threads, resuming";
pub const CHOICE: &str = "Choice of moves";
pub const PROXY: &str = "Between a GUI and an engine";
/// How an engine is set up.
pub const ENGINE: &str = "The engine";
/// How leaves are chosen.
pub const GROWING: &str = "What grows";
/// Who works.
pub const WORKERS: &str = "Workers";
/// What plays games to learn from.
pub const SELF_PLAY: &str = "Self-play";
