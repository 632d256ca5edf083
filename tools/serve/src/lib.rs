//! Books over HTTP: as clients of lichess's opening explorer and of chessdb expect them, as our own
//! interface for all games has them, and a page to look at them.
//!
//! Nothing is written but what whoever has the token marks or sets. Each answer names the version of
//! the book it comes from, and a book that is replaced while it is served is taken up with the next
//! request.

#[cfg(feature = "chess")]
mod chess;
mod games;
mod page;
mod place;
mod players;
mod query;
mod reply;
mod routes;
mod selection;
mod server;
mod shelf;
mod site;
mod source;
mod sources;
#[cfg(feature = "chess")]
mod streamed;
mod v1;

pub use players::{Players, State};
pub use server::{Access, AccessLog, Server};
pub use shelf::{BadShelf, Offered, Shelf, Slice};
pub use site::{NotForSite, Site, SiteFile};
pub use source::{Snapshot, Source};
pub use sources::{SameName, Sources};
