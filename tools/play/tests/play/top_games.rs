//! The top games of positions against a full scan of the archives they are from.

mod masters;
mod scan;
mod small;
