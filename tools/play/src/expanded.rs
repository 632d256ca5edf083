//! The positions that a book flags `EXPANDED`: whether each has a deviation, as the flag says.
//!
//! Buro (1999, section 3) calls a tree complete where every inner position has, beside the moves that
//! were played, its best other move with what that is worth. So a position that is flagged is complete
//! if one of its moves is an evaluated deviation: no game of the book made it, and the position behind
//! it has an eval or a proof, is not flagged itself, and the book has no moves there. In a book that
//! grew beside games, moves of few games count as if no game had made them ([`min_games`]). It is also
//! complete if the book has all of its legal moves, or if it is proven how it ends.

use crate::Error;
use crate::breadth_first::{BreadthFirst, Place};
use crate::choice::RowLookup;
use crate::watch::{Watch, each_row};
use std::collections::HashSet;
use std::path::Path;
use tabia::{
    Batch, Book, Env, Fact, Flags, Key, Keyed, MoveRow, PositionRow, ReadBook, Row, TableKind,
    Writer, mix,
};
use tabia_games::{Game, Node};

/// What is wrong with the positions that a book flags `EXPANDED`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// How many there are.
    pub positions: u64,
    /// How many of them the book's moves don't lead to from where it was walked: of these it isn't
    /// known whether they are complete.
    pub unreached: u64,
    /// Those that are reached and not complete, in the order in which they are.
    pub incomplete: Vec<Incomplete>,
    /// How many are incomplete beyond those that are listed.
    pub unlisted: u64,
}

/// A position that is flagged `EXPANDED` and has no deviation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// What the book knows it by.
    pub key: Key,
    /// The moves that lead there, as people write them.
    pub line: Vec<String>,
}

impl Expanded {
    /// Walks a book from these positions by its moves, if it has positions that are flagged; none if
    /// it has none. At most so many of those that are incomplete are listed.
    ///
    /// Memory: about 30 bytes for each position reached, and the boards of two plies.
    ///
    /// # Errors
    /// Those of reading the book; [`Error::TooLarge`]; [`tabia::Error::Interrupted`].
    pub fn of<G: Game>(
        book: &dyn ReadBook,
        from: &[G],
        listed: usize,
        watch: Watch<'_>,
    ) -> Result<Option<Self>, Error> {
        let flagged = flagged(book, watch)?;
        if flagged.is_empty() {
            return Ok(None);
        }
        let mut walk = ExpandedWalk::new(book, &flagged, from);
        let mut all = Self { positions: flagged.len() as u64, ..Self::default() };
        let (mut reached, min_games) = (0, min_games(&book.facts()?));
        while let Some(Place { node, number, .. }) = walk.next(watch)? {
            reached += 1;
            if is_complete(&book, &node, min_games)? {
                continue;
            }
            if all.incomplete.len() < listed {
                let line = walk.walk.line(number);
                all.incomplete.push(Incomplete { key: node.key, line });
            } else {
                all.unlisted += 1;
            }
        }
        all.unreached = all.positions - reached;
        Ok(Some(all))
    }

    /// How many positions of a book are flagged.
    ///
    /// # Errors
    /// Those of reading the book; [`tabia::Error::Interrupted`].
    pub fn count(book: &dyn ReadBook, watch: Watch<'_>) -> Result<u64, Error> {
        Ok(flagged(book, watch)?.len() as u64)
    }

    /// How many are known to be incomplete.
    pub fn without_deviation(&self) -> u64 {
        self.incomplete.len() as u64 + self.unlisted
    }
}

/// The hashes of the positions that a book flags, in ascending order.
pub(crate) fn flagged(book: &dyn ReadBook, watch: Watch<'_>) -> tabia::Result<Vec<u64>> {
    let mut hashes = Vec::new();
    if book.has(TableKind::Positions) {
        each_row::<PositionRow>(book, watch, |row| {
            if row.is_expanded() {
                hashes.push(row.hash().get());
            }
        })?;
    }
    Ok(hashes)
}

/// The name of the fact that says from how many games on a move counts ([`min_games`]).
pub const MIN_GAMES: &str = "min-games";

/// From how many games on a move counts where it is asked whether a position has a deviation: 1 if the
/// book doesn't say. If it says several things, as after merging, the greatest number holds: with that
/// every position has a deviation that had one with a smaller one.
pub fn min_games(facts: &[Fact]) -> u64 {
    let known = facts.iter().filter(|fact| fact.is_of_book() && fact.name() == MIN_GAMES);
    known.filter_map(|fact| fact.value().parse().ok()).fold(1, u64::max)
}

/// Whether what is known of the moves of a position flagged `EXPANDED` is what the flag says, where a
/// move counts from so many games on.
pub(crate) fn is_complete<G: Game>(
    rows: &dyn RowLookup,
    node: &Node<G>,
    min_games: u64,
) -> Result<bool, Error> {
    if rows.position(node.key)?.is_some_and(|row| row.flags().intersects(Flags::PROOFS)) {
        return Ok(true);
    }
    let known = known_moves(rows, node.key)?;
    let targets: Vec<_> = node
        .coded_moves()
        .into_iter()
        .map(|(code, played)| (code, node.after(&played).key))
        .collect();
    let keys: Vec<_> = targets.iter().map(|&(_, key)| key).collect();
    let mut has_all = true;
    for (&(code, key), row) in targets.iter().zip(rows.positions(&keys)?) {
        let played = known.iter().find(|row| row.code() == code);
        // Without a table of moves it isn't known which were played, but where games came to.
        let games = if rows.has(TableKind::Moves) {
            played.map_or(0, |row| row.counts().games())
        } else {
            row.map_or(0, |row| row.counts().games())
        };
        let there = known_moves(rows, key)?;
        let has_moves = !there.is_empty();
        let counts = |games: u64| games == 0 || games >= min_games;
        let goes_on = there.iter().any(|row| counts(row.counts().games()));
        if games < min_games && !goes_on && row.as_ref().is_some_and(is_worth) {
            return Ok(true);
        }
        has_all &= played.is_some() || row.is_some() || has_moves;
    }
    Ok(has_all)
}

/// Whether it is known what a position is worth, and not by its moves.
pub(crate) fn is_worth(row: &PositionRow) -> bool {
    (row.eval().is_some() || row.flags().intersects(Flags::PROOFS)) && !row.is_expanded()
}

/// The moves that a book has at a position; none if it has no table of moves.
fn known_moves(rows: &dyn RowLookup, key: Key) -> tabia::Result<Vec<MoveRow>> {
    if rows.has(TableKind::Moves) {
        rows.moves(key).map(|moves| moves.into_owned())
    } else {
        Ok(Vec::new())
    }
}

/// A walk of a book that stops at each position that is flagged `EXPANDED`: breadth-first, each
/// position once, by the moves that the book has and, from flagged positions and in a book without a
/// table of moves, by those that lead to positions that it has.
pub(crate) struct ExpandedWalk<'a, G> {
    book: &'a dyn ReadBook,
    flagged: &'a [u64],
    walk: BreadthFirst<G>,
}

impl<'a, G: Game> ExpandedWalk<'a, G> {
    /// A walk from these positions, in a book in which positions with these hashes are flagged.
    pub fn new(book: &'a dyn ReadBook, flagged: &'a [u64], from: &[G]) -> Self {
        let by_line = book.header().keyed == Keyed::Line;
        let nodes = from.iter().map(|position| Node::start(position.clone(), by_line));
        Self { book, flagged, walk: BreadthFirst::from(nodes.collect()) }
    }

    /// The next flagged position.
    pub fn next(&mut self, watch: Watch<'_>) -> Result<Option<Place<G>>, Error> {
        while let Some(place) = self.walk.next(watch)? {
            let is_flagged = self.flagged.binary_search(&mix(place.node.key)).is_ok();
            self.go_on(&place, is_flagged)?;
            if is_flagged {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Comes to the positions behind a position.
    fn go_on(&mut self, place: &Place<G>, is_flagged: bool) -> Result<(), Error> {
        let node = &place.node;
        let rows = known_moves(&self.book, node.key)?;
        if !is_flagged && self.book.has(TableKind::Moves) {
            for row in rows {
                if let Some(played) = node.move_of_code(row.code()) {
                    self.arrive(place, row.code(), node.after(&played))?;
                }
            }
            return Ok(());
        }
        for (code, played) in node.coded_moves() {
            let next = node.after(&played);
            if rows.iter().any(|row| row.code() == code)
                || self.book.position(next.key)?.is_some()
                || !known_moves(&self.book, next.key)?.is_empty()
            {
                self.arrive(place, code, next)?;
            }
        }
        Ok(())
    }

    fn arrive(&mut self, from: &Place<G>, code: u16, node: Node<G>) -> Result<(), Error> {
        self.walk.arrive(from, code, node).ok_or(Error::TooLarge)
    }
}

/// Takes the flag from all positions of the book at this path that the book's moves don't lead to
/// from this start of its game, or that have no deviation ([`Expanded`]). The book is written
/// anew if any has lost it. How many have.
///
/// # Errors
/// Those of reading and writing the book; [`Error::TooLarge`]; [`tabia::Error::Interrupted`].
pub fn unexpand<G: Game>(
    env: &Env<'_>,
    path: &Path,
    start: &G,
    watch: Watch<'_>,
) -> Result<u64, Error> {
    let mut complete = HashSet::new();
    {
        let book = Book::open(path)?;
        let flagged = flagged(&book, watch)?;
        if flagged.is_empty() {
            return Ok(0);
        }
        let min_games = min_games(&book.facts()?);
        let mut walk = ExpandedWalk::new(&book, &flagged, std::slice::from_ref(start));
        while let Some(Place { node, .. }) = walk.next(watch)? {
            if is_complete(&book, &node, min_games)? {
                complete.insert(mix(node.key));
            }
        }
    }
    keep_flags(env, path, &complete, watch)
}

/// Takes the flag from all positions of a book whose game's rules aren't known, or that holds only a
/// share of the rows. How many had it.
///
/// # Errors
/// Those of reading and writing the book; [`tabia::Error::Interrupted`].
pub fn unexpand_all(env: &Env<'_>, path: &Path, watch: Watch<'_>) -> Result<u64, Error> {
    keep_flags(env, path, &HashSet::new(), watch)
}

/// Takes the flag from all positions whose hashes aren't among these.
fn keep_flags(
    env: &Env<'_>,
    path: &Path,
    complete: &HashSet<u64>,
    watch: Watch<'_>,
) -> Result<u64, Error> {
    let (mut batch, mut count) = (Batch::new(), 0);
    {
        let book = Book::open(path)?;
        if !book.has(TableKind::Positions) {
            return Ok(0);
        }
        each_row(&book, watch, |row: &PositionRow| {
            if row.is_expanded() && !complete.contains(&row.hash().get()) {
                batch.put_position(row.with_flags(row.flags() - Flags::EXPANDED));
                count += 1;
            }
        })?;
    }
    if count > 0 {
        let mut writer = Writer::open(*env, path)?;
        writer.append(&batch)?;
        writer.compact()?;
    }
    Ok(count)
}
