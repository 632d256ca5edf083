//! Whether books can be put together, and what they hold together.

use crate::book::Book;
use crate::bytes::Bytes;
use crate::column::Columns;
use crate::error::{Error, Result};
use crate::format::{Digest, Fact, Header, Load, Results, Share, Slice, Source};
use crate::read_book::ReadBook;
use crate::row::TableKind;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

/// What merging does if several books were made from the same archive, whose games would count
/// twice.
///
/// ```
/// # use tabia::{Counts, Digest, Source, Env, Existing, NewBook, PositionRow};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("tiny.tabia");
/// # let rows = vec![PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 })];
/// # NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows).sources(vec![Source { digest: Digest::of(b""), games: 6, name: "a.pgn".to_owned() }]).write(&Env::default(), &path, Existing::Refuse)?;
/// use tabia::{Book, Duplicates, Error, MergeOptions, merge};
///
/// let (twice, books) = (folder.path().join("twice.tabia"), [Book::open(&path)?, Book::open(&path)?]);
/// let options = MergeOptions::default();
/// assert!(matches!(merge(&Env::default(), &twice, &books, options), Err(Error::DuplicateSource { .. })));
/// merge(&Env::default(), &twice, &books, MergeOptions { duplicates: Duplicates::Allow, ..options })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Nothing is merged: [`Error::DuplicateSource`].
    #[default]
    Refuse,
    /// Its games count twice.
    Allow,
}

/// Duplicates are allowed if it is true.
impl From<bool> for Duplicates {
    fn from(allow: bool) -> Self {
        if allow { Self::Allow } else { Self::Refuse }
    }
}

/// Whether two books can be merged or compared: same game, keys and tables, and counts that mean
/// the same.
///
/// # Errors
/// [`Error::Incompatible`].
pub(crate) fn check_compatible(first: &dyn ReadBook, second: &dyn ReadBook) -> Result<()> {
    check_kind(first, second)?;
    let (a, b) = (first.header().results, second.header().results);
    if a == b {
        return Ok(());
    }
    let which = if a == Results::Known { "second" } else { "first" };
    let what =
        format!("the {which} of them counts games without results, the other by their results");
    Err(incompatible((first, second), what))
}

/// Whether two books can be merged, once they count results alike.
///
/// # Errors
/// [`Error::Incompatible`].
pub(crate) fn check_kind(first: &dyn ReadBook, second: &dyn ReadBook) -> Result<()> {
    let (a, b) = (first.header(), second.header());
    let what = if a.game != b.game {
        format!("one is of {}, the other of {}", a.game, b.game)
    } else if a.keys != b.keys {
        format!("one has {} keys, the other {}", a.keys, b.keys)
    } else if a.keyed != b.keyed {
        format!("one is keyed by {}, the other by {}", a.keyed, b.keyed)
    } else if let Some(kind) =
        TableKind::ALL.into_iter().find(|&kind| first.has(kind) != second.has(kind))
    {
        format!("only one of them has a {kind} table")
    } else {
        let (a, b) = (counts_of(first)?, counts_of(second)?);
        if a == b {
            return Ok(());
        }
        let word = |counts: &[Fact]| match counts.first() {
            None => "counts of games".to_owned(),
            Some(fact) => format!("counts that are {}", fact.value()),
        };
        format!("one has {}, the other {}", word(&a), word(&b))
    };
    Err(incompatible((first, second), what))
}

fn incompatible((first, second): (&dyn ReadBook, &dyn ReadBook), what: String) -> Error {
    Error::Incompatible { first: first.path().to_owned(), second: second.path().to_owned(), what }
}

/// What a book says of its counts, if they are not those of games.
fn counts_of(book: &dyn ReadBook) -> Result<Vec<Fact>> {
    let facts = book.facts()?.into_iter();
    Ok(facts.filter(|fact| fact.is_of_book() && fact.name() == Fact::COUNTS).collect())
}

/// Whether a journal can bring what a book holds to one with these archives: none of them may be there
/// already, and of one that is in slices only a new book makes one again.
///
/// # Errors
/// [`Error::DuplicateSource`]; [`Error::Shares`].
pub(crate) fn check_added<S: Bytes>(
    known: &Archives,
    book: &Book<S>,
    duplicates: Duplicates,
) -> Result<()> {
    let (sources, facts, path) = (book.sources()?, book.facts()?, book.path());
    let sliced = [slices(&known.facts), slices(&facts)];
    let meets = |source: &&Source| {
        known.sources.iter().any(|other| other.digest == source.digest)
            && sliced.iter().any(|slices| slices.contains_key(&source.digest))
    };
    if let Some(source) = sources.iter().find(meets) {
        let what = format!(
            "slices of the archive `{}` are in it or in the book that is there: a new book is made of both (`merge -o`)",
            source.name
        );
        return Err(Error::Shares { path: path.to_owned(), what });
    }
    known.clone().take(sources, facts, path, duplicates)
}

/// The archives that several books bring together, and what is known of these.
///
/// An archive that several of them brought in slices is one again.
///
/// ```
/// # use tabia::{Digest, Duplicates, Fact, Source};
/// use tabia::Archives;
///
/// let digest = Digest::of(b"1. e4");
/// let mut all = Archives::default();
/// for (slice, games) in [("1/2", 7), ("2/2", 5)] {
///     let source = Source { digest, games, name: "a.pgn".to_owned() };
///     let fact = Fact::new(digest, Fact::SLICE, slice)?;
///     all.take(vec![source], vec![fact], "a.tabia".as_ref(), Duplicates::Refuse)?;
/// }
/// let (sources, facts) = all.united();
/// assert_eq!((sources.len(), sources[0].games, facts.len()), (1, 12, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Archives {
    sources: Vec<Source>,
    facts: Vec<Fact>,
}

impl Archives {
    /// Takes those of the book at this path.
    ///
    /// # Errors
    /// [`Error::DuplicateSource`] for an archive that is there already, unless that may be;
    /// [`Error::Shares`] for one that is there or comes in slices, unless it comes in others of as many.
    pub fn take(
        &mut self,
        sources: Vec<Source>,
        facts: Vec<Fact>,
        path: &Path,
        duplicates: Duplicates,
    ) -> Result<()> {
        let (mine, theirs) = (slices(&self.facts), slices(&facts));
        let known: HashSet<_> = self.sources.iter().map(|source| source.digest).collect();
        for source in sources.iter().filter(|source| known.contains(&source.digest)) {
            let (mine, theirs) = (mine.get(&source.digest), theirs.get(&source.digest));
            let (path, name) = (path.to_owned(), source.name.clone());
            let are_others = match (mine, theirs) {
                (None, None) if duplicates == Duplicates::Allow => continue,
                (None, None) => {
                    return Err(Error::DuplicateSource { path, name, games: source.games });
                }
                (Some(mine), Some(theirs)) => {
                    let all: BTreeSet<_> = mine.union(theirs).map(|slice| slice.count()).collect();
                    all.len() == 1 && mine.is_disjoint(theirs)
                }
                _ => false,
            };
            if !are_others {
                let what = format!(
                    "of the archive `{name}` it holds slices that are in another of the books already, or are cut otherwise"
                );
                return Err(Error::Shares { path, what });
            }
        }
        self.sources.extend(sources);
        self.sources.sort();
        self.facts.extend(facts);
        self.facts.sort();
        self.facts.dedup();
        Ok(())
    }

    /// The sources and facts of a book made of all of them, in their order: those of slices of an
    /// archive are one source, and no slices any more once they are all there (M-10).
    #[must_use]
    pub fn united(mut self) -> (Vec<Source>, Vec<Fact>) {
        for (digest, slices) in slices(&self.facts) {
            let (parts, others): (Vec<_>, _) =
                self.sources.into_iter().partition(|source| source.digest == digest);
            self.sources = others;
            let games = parts.iter().map(|part| part.games).fold(0, u64::saturating_add);
            self.sources.extend(parts.into_iter().next().map(|first| Source { games, ..first }));
            if slices.iter().all(|slice| slice.count() as usize == slices.len()) {
                let is_of_it = |fact: &Fact| fact.subject() == digest && fact.name() == Fact::SLICE;
                self.facts.retain(|fact| !is_of_it(fact));
            }
        }
        self.sources.sort();
        (self.sources, self.facts)
    }
}

/// The slices of archives of which a book doesn't hold all.
fn slices(facts: &[Fact]) -> BTreeMap<Digest, BTreeSet<Slice>> {
    let mut slices: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for fact in facts.iter().filter(|fact| fact.name() == Fact::SLICE) {
        let slice = fact.value().parse::<Slice>().ok();
        slices.entry(fact.subject()).or_default().extend(slice);
    }
    slices.retain(|_, slices| !slices.is_empty());
    slices
}

/// What books hold together.
pub(crate) struct Joined {
    /// Their share.
    pub share: Share,
    /// The archives of all of them, before slices of one are united.
    archives: Archives,
    /// The sources of all of them, those of a whole once.
    pub sources: Vec<Source>,
    /// The facts of all of them.
    pub facts: Vec<Fact>,
}

/// What books of one kind hold together: the share that each of them holds, or the whole if there
/// is one at least for each share of it (S-2). Books of one share bring different archives; those
/// of different shares bring the same ones (S-1).
///
/// # Errors
/// [`Error::Shares`]; [`Error::DuplicateSource`]; those of reading their sources.
pub(crate) fn join_shares<'b, S: Bytes + 'b>(
    books: impl Iterator<Item = &'b Book<S>> + Clone,
    duplicates: Duplicates,
) -> Result<Joined> {
    let mut shares: BTreeMap<Share, Brought> = BTreeMap::new();
    for book in books.clone() {
        let brought = shares.entry(book.header().share).or_default();
        brought.archives.take(book.sources()?, book.facts()?, book.path(), duplicates)?;
        brought.take(book.header());
    }
    for brought in shares.values_mut() {
        (brought.sources, brought.facts) = brought.archives.clone().united();
    }
    let path = || books.clone().next().map(|book| book.path().to_owned()).unwrap_or_default();
    let error = |what: String| Error::Shares { path: path(), what };
    let Some((&first, brought)) = shares.first_key_value() else {
        return Err(error("there is no book".to_owned()));
    };
    let (archives, sources, facts) = (&brought.archives, &brought.sources, &brought.facts);
    let joined = |share| Joined {
        share,
        archives: archives.clone(),
        sources: sources.clone(),
        facts: facts.clone(),
    };
    if shares.len() == 1 {
        return Ok(joined(first));
    }
    if let Some((other, _)) = shares.iter().find(|(share, _)| share.bits() != first.bits()) {
        let what = format!(
            "it holds share {first} of the hashes, another book share {other}: these are not shares of one whole"
        );
        return Err(error(what));
    }
    let mut all = (0..first.count()).filter_map(|number| Share::new(first.bits(), number as u32));
    if let Some(missing) = all.find(|share| !shares.contains_key(share)) {
        return Err(error(format!(
            "there is no book of share {missing}, without which the others are no whole"
        )));
    }
    for (other, theirs) in &shares {
        let what = if theirs.sources != brought.sources {
            "made of other archives"
        } else if theirs.facts != brought.facts {
            "made in another way"
        } else if theirs.columns != brought.columns {
            "given other columns"
        } else if theirs.load != brought.load {
            "given another load"
        } else {
            continue;
        };
        return Err(error(format!(
            "share {first} was {what} than share {other}: these are not shares of one whole"
        )));
    }
    Ok(joined(Share::WHOLE))
}

/// As [`join_shares`], of books that are merged: beside shares, or all of them, there may be whole books,
/// of which the same share is taken then. That, or a share of it, has to be `wanted`: nothing is left out unasked.
pub(crate) fn join<S: Bytes>(
    books: &[Book<S>],
    wanted: Option<Share>,
    duplicates: Duplicates,
) -> Result<Joined> {
    let (whole, shares): (Vec<_>, Vec<_>) =
        books.iter().partition(|book| book.header().share.is_whole());
    let (Some(&first), false) = (shares.first(), whole.is_empty()) else {
        return join_shares(books.iter(), duplicates);
    };
    let Joined { share, mut archives, .. } = join_shares(shares.into_iter(), duplicates)?;
    if !share.contains(wanted.unwrap_or_default()) {
        let what = format!(
            "it holds share {share} of the hashes, and {} all of them: only share {share} can be merged of both",
            whole[0].path().display()
        );
        return Err(Error::Shares { path: first.path().to_owned(), what });
    }
    for book in whole {
        archives.take(book.sources()?, book.facts()?, book.path(), duplicates)?;
    }
    let (sources, facts) = archives.clone().united();
    Ok(Joined { share, archives, sources, facts })
}

/// What the books of one share bring.
#[derive(Default)]
struct Brought {
    archives: Archives,
    /// Those archives, slices united.
    sources: Vec<Source>,
    facts: Vec<Fact>,
    columns: Columns,
    /// The fullest of them, as a merge takes it.
    load: Option<Load>,
}

impl Brought {
    fn take(&mut self, header: &Header) {
        self.columns = self.columns.union(header.columns(TableKind::Moves));
        self.load = self.load.max(Some(header.load));
    }
}
