//! Books over HTTP: as clients of lichess's opening explorer and of chessdb expect them, as our own
//! interface for all games has them, and a page to look at them.
//!
//! Nothing is written but what whoever has the token marks or sets. Each answer names the version of
//! the book it comes from, and a book that is replaced while it is served is taken up with the next
//! request.

#![cfg_attr(not(feature = "chess"), allow(dead_code))]

#[cfg(not(unix))]
compile_error!(
    "this crate needs Unix: build the command with --no-default-features, and the features but `serve`"
);

mod access;
#[cfg(feature = "chess")]
mod chess;
mod client;
mod connections;
mod engine;
mod games;
pub mod given;
mod guard;
mod limits;
mod listen;
mod metrics;
mod opening;
mod page;
mod player_books;
mod players;
mod query;
mod reply;
mod routes;
mod selection;
mod server;
mod shelf;
mod site;
mod site_files;
mod source;
mod sources;
#[cfg(feature = "chess")]
mod streamed;
mod v1;

pub use access::{Access, AccessLog};
pub use client::Client;
pub use engine::Engines;
pub use guard::Guard;
pub use listen::{Bind, Listener};
pub use opening::{Opener, Opening};
pub use player_books::PlayerBooks;
pub use players::{Players, State};
pub use server::{Ready, Server};
pub use shelf::{BadShelf, Offered, Shelf, Slice};
pub use site::{NotForSite, Site, SiteFile};
pub use source::{Notices, Snapshot, Source, Status};
pub use sources::{Catalogue, Look, SameName, Sources};
