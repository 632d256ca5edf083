//! Files of games: what goes in comes out, in whatever order it went in; and no damage is believed.

mod damage;
mod fixture;
mod golden;
mod laws;
