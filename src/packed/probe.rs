//! Where a hash is looked for in a packed book: in one page, seldom in a second one.

use super::dictionary::{Dictionary, Games, strip_of};
use super::glance::Glancer;
use super::group::{Found, Group};
use super::homes::Homes;
use super::large::LargeGroup;
use super::page::{MOST_BEHIND, Page, checksums, place_of};
use super::params::{Form, Home, Params};
use super::scan::Damage;
use crate::bytes::Bytes;
use crate::error::{Context, Error, Result};
use crate::format::{GAME_CELL, Header, PAGE, PAGE_LEN, Refusal, Rule, Section, Tag};
use crate::key::Hash;
use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

const MOST_PACK: u64 = 1 << 20;

/// A packed book that is opened: its parameters, and where its pages are.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(super) params: Params,
    /// Where the first page is in the file.
    pub(super) start: u64,
    pub(super) pages: u64,
    homes: Homes,
    /// Finds most entries.
    glancer: Option<Glancer>,
    /// Where the dictionary of games is in the file, and its games, once they were read.
    games: Range<u64>,
    /// Apart from the rest, so that probes can rely on that nothing of it changes.
    known_games: Box<OnceLock<Dictionary>>,
}

/// What is known of a hash.
pub(crate) enum Place<'a> {
    /// It is not in the book.
    Absent,
    Entry(Group<'a>, usize),
    /// It is among the rows of a large group, if anywhere.
    Large(LargeGroup),
}

impl Packed {
    /// Reads the parameters of a book, if it is packed (B-29).
    pub fn open(bytes: &dyn Bytes, path: &Path, header: &Header) -> Result<Option<Self>> {
        Self::open_with(bytes, path, header, Tag::PACK)
    }

    /// As [`Packed::open`], from the section of this tag: PACK, or its copy.
    pub fn open_with(
        bytes: &dyn Bytes,
        path: &Path,
        header: &Header,
        tag: Tag,
    ) -> Result<Option<Self>> {
        let Some((pack, pages)) = header.section(tag).zip(header.section(Tag::PAGE)) else {
            return Ok(None);
        };
        let refused = |what: &str| Error::Refused {
            path: path.to_owned(),
            refusal: Refusal::Damaged {
                rule: Rule::B29,
                what: format!("the parameters of its pages (section {tag}) are damaged: {what}"),
            },
        };
        if pack.length > MOST_PACK {
            return Err(refused("they are too long"));
        }
        let mut content = vec![0; pack.length as usize];
        bytes.read_exact_at(&mut content, pack.offset).at("read", path)?;
        if xxhash_rust::xxh3::xxh3_64(&content) != pack.checksum {
            return Err(refused("their checksum is wrong"));
        }
        let games = header.section(Tag::GAMES).map_or(0..0, |games| {
            let Section { offset, length, .. } = *games;
            offset..offset + length
        });
        let count = (games.end - games.start) / GAME_CELL;
        let params = Params::decode(&content, Form::of(header), count).map_err(refused)?;
        if params.home_pages() != pages.shape.homes {
            return Err(refused("the home pages are not as many as the header says"));
        }
        let (homes, start, pages) = (Homes::of(&params), pages.offset, pages.length / PAGE);
        let glancer = Glancer::new(&params, start);
        let known_games = Box::default();
        Ok(Some(Self { params, start, pages, homes, glancer, games, known_games }))
    }

    /// The games that cells name, to ask for few of them.
    pub fn games<'a>(&self, bytes: &'a dyn Bytes, path: &'a Path, header: &'a Header) -> Games<'a> {
        if let Some(bytes) = bytes.in_memory() {
            let Range { start, end } = self.games;
            return Games::InMemory(bytes.get(start as usize..end as usize).unwrap_or_default());
        }
        match strip_of(header) {
            Some(strip) => Games::InFile(bytes, path, strip, RefCell::default()),
            None => Games::InMemory(&[]),
        }
    }

    /// The games that cells name, to ask for many of them: all are read and verified, once.
    pub fn all_games(
        &self,
        bytes: &dyn Bytes,
        path: &Path,
        header: &Header,
    ) -> Result<&Dictionary> {
        if let Some(games) = self.known_games.get() {
            return Ok(games);
        }
        let games = Dictionary::read(bytes, path, header, Damage::Ends)?;
        if !games.is_sound() {
            let offset = header.section(Tag::GAMES).map_or(0, |section| section.offset);
            let what = "its games are not in ascending order".to_owned();
            return Err(Error::Damaged { path: path.to_owned(), rule: Rule::B32, offset, what });
        }
        Ok(self.known_games.get_or_init(|| games))
    }

    /// The same book, of which only so many pages are there.
    pub fn cut_to(self, pages: u64) -> Self {
        Self { pages: self.pages.min(pages), ..self }
    }

    /// Where in the file a page is.
    #[inline(always)]
    pub fn offset(&self, page: u64) -> u64 {
        self.start + page * PAGE
    }

    /// The home of a hash of the book's share.
    #[inline(always)]
    pub(super) fn home(&self, h: Hash) -> Home {
        self.homes.home(h)
    }

    /// The home page of a hash of the book's share, as bytes of the file.
    #[inline]
    pub fn page_of(&self, h: Hash) -> Range<u64> {
        let start = self.offset(self.home(h).page);
        start..start + PAGE
    }

    /// Looks for a hash of the book's share in the pages of a book in memory, which are not
    /// verified: the way that covers all cases. None if they are damaged in such a way that it can't
    /// be told.
    pub fn find<'a>(&'a self, bytes: &'a [u8], h: Hash) -> Option<Place<'a>> {
        let home = self.home(h);
        for behind in 0..=MOST_BEHIND {
            let start = self.offset(home.page + behind) as usize;
            if home.page + behind >= self.pages {
                return None;
            }
            let page = bytes.get(start..)?.first_chunk::<PAGE_LEN>()?;
            if Page::said(page) != place_of(home.page + behind, self.params.salt) {
                return None;
            }
            if let Some(place) = self.find_in(page, home, behind, h) {
                return place;
            }
        }
        None
    }

    /// What finds most entries of a book in memory, if there is such a way.
    #[inline(always)]
    pub fn glancer(&self) -> Option<&Glancer> {
        self.glancer.as_ref()
    }

    /// What the book's rows consist of.
    #[inline(always)]
    pub fn form(&self) -> &Form {
        &self.params.form
    }

    /// Looks for a hash in a page so many behind its home; none if its group isn't there, and in
    /// that none if the page is damaged.
    #[inline(always)]
    fn find_in<'a>(
        &'a self,
        page: &'a [u8; PAGE_LEN],
        home: Home,
        behind: u64,
        h: Hash,
    ) -> Option<Option<Place<'a>>> {
        let page = Page::new(page, &self.params);
        let place = page.place(home, behind)?;
        let found = page.group(place, self.params.buckets_of(home.group));
        Some(found.map(|found| match found {
            Found::Group(group) => match group.find(home, self.params.remainder(h)) {
                Some(index) => Place::Entry(group, index),
                None => Place::Absent,
            },
            Found::Large(large) => Place::Large(large),
        }))
    }

    /// Looks for a hash of the book's share in pages that are read from the file and verified, and
    /// hands on what is found.
    pub fn read<T>(
        &self,
        bytes: &dyn Bytes,
        path: &Path,
        h: Hash,
        take: impl FnOnce(Place<'_>) -> Option<T>,
    ) -> Result<T> {
        let home = self.home(h);
        let mut page = [0; PAGE_LEN];
        for behind in 0..=MOST_BEHIND {
            let number = home.page + behind;
            if number >= self.pages {
                break;
            }
            bytes.read_exact_at(&mut page, self.offset(number)).at("read", path)?;
            self.verify(path, number, &page)?;
            if let Some(place) = self.find_in(&page, home, behind, h) {
                return place.and_then(take).ok_or_else(|| self.damaged(path, number));
            }
        }
        Err(self.damaged(path, home.page))
    }

    /// Verifies a page that was read (B-31).
    pub(super) fn verify(&self, path: &Path, number: u64, page: &[u8; PAGE_LEN]) -> Result<()> {
        self.fault_of(number, page).map_or(Ok(()), |what| {
            Err(self.error(path, number, Rule::B31, format!("{what} (page {number} of PAGE)")))
        })
    }

    /// B-31: what is wrong with the page of this number, if anything.
    pub(super) fn fault_of(&self, number: u64, page: &[u8; PAGE_LEN]) -> Option<String> {
        let (stored, expected) = checksums(page);
        if stored != expected {
            return Some("a page's checksum is wrong".to_owned());
        }
        let other = Page::said(page).wrapping_sub(self.params.salt);
        if other == number as u32 {
            return None;
        }
        Some(match u64::from(other) < self.pages {
            true => format!("another page stands in a page's place: page {other}"),
            false => "a page of another book stands in a page's place".to_owned(),
        })
    }

    /// What is said where a hash is looked for in pages that can't be read.
    #[cold]
    pub fn damaged_at(&self, path: &Path, h: Hash) -> Error {
        self.damaged(path, self.home(h).page)
    }

    /// What is said of a page that has its checksum, and can't be read all the same (B-32).
    #[cold]
    pub fn damaged(&self, path: &Path, number: u64) -> Error {
        let what = format!("a page is not as pages are written (page {number} of PAGE)");
        self.error(path, number, Rule::B32, what)
    }

    fn error(&self, path: &Path, number: u64, rule: Rule, what: String) -> Error {
        Error::Damaged { path: path.to_owned(), rule, offset: self.offset(number), what }
    }
}
