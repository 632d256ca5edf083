//! Archives to games: formats and their oddities by small texts, filters, real archives against
//! independent replays, and that nothing depends on how an archive is read. One program, so that it
//! links once; each file has one subject.

#![cfg(feature = "default")]

mod against_pgn_reader;
mod against_sgf_parse;
mod checkers_archives;
mod determinism;
mod go_archives;
mod inputs;
mod lines;
mod othello_archives;
mod pgn_oddities;
mod sgf_oddities;
mod shared;
mod tars;
mod variations;
mod wanted;
mod wthor;
