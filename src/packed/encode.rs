//! Groups of entries as their bytes, by several threads, each some pages at a time.

use super::content::{Content, PartOfPass, Pass, Tally};
use super::dictionary::Dictionary;
use super::entry::Entries;
use super::group_writer::{GroupBuffer, GroupWriter};
use super::params::Params;
use crate::error::{Error, Result};
use crate::key::Hash;
use crate::parallel::{Maker, Prefetch};
use crate::partitions::threads;
use std::ops::{Range, RangeInclusive};

/// Home pages whose groups a thread writes in one go: some hundred thousand entries.
const PAGES: u64 = 256;
/// Bytes of groups that are handed on at once, about.
const AT_ONCE: usize = 1 << 18;
/// How many pieces of each thread may wait to be taken.
const WAITING: usize = 8;

/// What a book's entries become, piece by piece and in order.
pub(super) enum Piece {
    Groups(Groups),
    /// Some rows of the large group with which the next groups begin.
    Large(GroupBuffer),
    /// The end of a go, and the totals of its rows.
    End(Tally),
}

/// Some groups, one after the other.
#[derive(Default)]
pub(super) struct Groups {
    bytes: Vec<u8>,
    /// The length of each; 0 for a large one.
    lengths: Vec<u16>,
}

impl Groups {
    fn clear(&mut self) {
        self.bytes.clear();
        self.lengths.clear();
    }

    /// The bytes of each; none for a large one.
    pub fn iter(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let mut rest = &self.bytes[..];
        self.lengths.iter().map(move |&length| {
            let group;
            (group, rest) = rest.split_at(length.into());
            (length > 0).then_some(group)
        })
    }
}

/// Hands on all groups of a book, in order; the totals of the rows are returned.
///
/// # Errors
/// Those of the rows, and of `take`.
pub(super) fn encode(
    content: &Content<'_>,
    params: &Params,
    games: &Dictionary,
    pass: &Pass<'_>,
    mut take: impl FnMut(&Piece) -> Result<()>,
) -> Result<Tally> {
    let home_pages = params.home_pages();
    let goes = if content.is_seekable() { home_pages.div_ceil(PAGES) } else { 1 };
    let pages = |go: u64| match goes {
        1 => 0..home_pages,
        _ => PAGES * go..home_pages.min(PAGES * (go + 1)),
    };
    let threads = threads(goes);
    let mut tally = Tally::default();
    if goes == 1 {
        let mut encoder = Encoder::new(content, params, games);
        encoder.encode(pass, pages(0), &mut |piece| {
            if let Piece::End(of_go) = &piece {
                tally.join(of_go);
            } else {
                take(&piece)?;
            }
            Ok(Some(piece))
        })?;
        return Ok(tally);
    }
    let make = |first, maker: Maker<Result<Piece>, Piece>| {
        let mut encoder = Encoder::new(content, params, games);
        for go in (first as u64..goes).step_by(threads) {
            // An error of this kind is seen by nobody: who took the pieces is gone.
            let mut hand_on = |piece| match maker.send(Ok(piece)) {
                true => Ok(maker.used()),
                false => Err(Error::Interrupted),
            };
            if let Err(error) = encoder.encode(pass, pages(go), &mut hand_on) {
                let _ = maker.send(Err(error));
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let mut pieces = Prefetch::start(threads, WAITING, make, |work| drop(scope.spawn(work)));
        let mut left = goes;
        while left > 0 {
            // A thread goes away early only by an error, which was taken, or by a panic, which the
            // scope passes on.
            let Some(piece) = pieces.take() else { break };
            let piece = piece?;
            if let Piece::End(of_go) = &piece {
                tally.join(of_go);
                pieces.turn();
                left -= 1;
            } else {
                take(&piece)?;
                pieces.give_back(piece);
            }
        }
        Ok(tally)
    })
}

/// Takes a piece, and gives back a used one, if there is one.
type HandOn<'a> = dyn FnMut(Piece) -> Result<Option<Piece>> + 'a;

/// Writes the groups of some pages.
struct Encoder<'a> {
    content: Content<'a>,
    params: &'a Params,
    writer: GroupWriter<'a>,
    entries: GroupBuffer,
    /// Whether it is so large that rows of it were handed on already.
    is_large: bool,
    groups: Groups,
}

impl<'a> Encoder<'a> {
    fn new(content: &Content<'a>, params: &'a Params, games: &'a Dictionary) -> Self {
        Self {
            content: *content,
            params,
            writer: GroupWriter::new(params, games),
            entries: GroupBuffer::default(),
            is_large: false,
            groups: Groups::default(),
        }
    }

    fn encode(
        &mut self,
        pass: &Pass<'_>,
        pages: Range<u64>,
        hand_on: &mut HandOn<'_>,
    ) -> Result<()> {
        let hashes = self.hashes(&pages);
        let mut entries = self.content.entries(&hashes)?;
        let mut part = pass.over(hashes);
        for page in pages {
            for group in 0..self.params.groups() {
                self.encode_group((page, group), &mut entries, &mut part, hand_on)?;
            }
        }
        // Rows that came too late for their group are not those of the pass before.
        if entries.next()?.is_some() {
            return Err(pass.changed());
        }
        self.hand_on_groups(hand_on)?;
        hand_on(Piece::End(part.end()?)).map(drop)
    }

    /// The hashes whose home is one of these pages.
    fn hashes(&self, pages: &Range<u64>) -> RangeInclusive<Hash> {
        if *pages == (0..self.params.home_pages()) {
            return Hash::MIN..=Hash::MAX;
        }
        let first = self.params.hash(self.params.first_bucket(pages.start, 0), 0);
        first..=self.params.last_hash(self.params.first_bucket(pages.end, 0))
    }

    fn encode_group(
        &mut self,
        (page, group): (u64, u32),
        entries: &mut Entries<'_>,
        part: &mut PartOfPass<'_>,
        hand_on: &mut HandOn<'_>,
    ) -> Result<()> {
        let (first, buckets) =
            (self.params.first_bucket(page, group), self.params.buckets_of(group));
        let last = self.params.last_hash(first + u64::from(buckets));
        while let Some(entry) = entries.next_to(last)? {
            part.take(&entry)?;
            self.entries.push(&entry);
            if self.entries.is_large() {
                self.hand_on_rows(hand_on)?;
            }
        }
        let bytes = match self.is_large {
            true => None,
            false => self.writer.write(&self.entries, first, buckets),
        };
        match bytes {
            Some(bytes) => {
                self.groups.bytes.extend_from_slice(bytes);
                self.groups.lengths.push(bytes.len() as u16);
                self.entries.clear();
            }
            None => {
                self.hand_on_rows(hand_on)?;
                self.groups.lengths.push(0);
                self.is_large = false;
            }
        }
        if self.groups.bytes.len() >= AT_ONCE { self.hand_on_groups(hand_on) } else { Ok(()) }
    }

    /// Hands on the rows at hand of a large group, behind the groups before it.
    fn hand_on_rows(&mut self, hand_on: &mut HandOn<'_>) -> Result<()> {
        self.hand_on_groups(hand_on)?;
        self.is_large = true;
        let mut rows = std::mem::take(&mut self.entries);
        if !rows.is_empty()
            && let Some(Piece::Large(used)) = hand_on(Piece::Large(rows))?
        {
            rows = used;
            rows.clear();
            self.entries = rows;
        }
        Ok(())
    }

    fn hand_on_groups(&mut self, hand_on: &mut HandOn<'_>) -> Result<()> {
        if self.groups.lengths.is_empty() {
            return Ok(());
        }
        let groups = std::mem::take(&mut self.groups);
        if let Some(Piece::Groups(used)) = hand_on(Piece::Groups(groups))? {
            self.groups = used;
            self.groups.clear();
        }
        Ok(())
    }
}
