//! Packed books: positions with their moves in pages that are found by hash, in an eighth to a
//! tenth of the bytes of tables. `format-spec/packed.md` says all of it.

mod bits;
mod census;
mod content;
mod dictionary;
mod encode;
mod entry;
mod gather;
mod glance;
mod group;
mod group_writer;
mod homes;
mod large;
mod page;
mod params;
mod probe;
mod record;
mod scan;
mod select;
mod steps;
mod told;
mod verify;
mod write;

pub(crate) use content::Content;
pub(crate) use dictionary::{Dictionary, Games, strip_of};
pub(crate) use glance::Glance;
pub(crate) use group::Unpack;
pub(crate) use probe::{Packed, Place};
pub(crate) use scan::{Damage, PackedRows};
pub(crate) use verify::{Observer, PageFault, verify_pages};
pub(crate) use write::write_packed;
