//! Every single bit of small books and of a journal, flipped: found, placed, and never a wrong answer.

use crate::books::{Content, collect, folder_in_memory, new_book, rate, sample, source};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tabia::format::{Header, Load, Section, Tag};
use tabia::{
    Batch, Book, Counts, Env, Error, MoveRow, NewBook, PositionRow, RatedMoveRow, Row, TableKind, Writer, check, home, journal_path, mix,
};

/// A book whose bits are flipped, and what is known of it.
struct Patient {
    path: PathBuf,
    file: File,
    header: Header,
    /// Its bytes; one bit of them may be flipped.
    bytes: Vec<u8>,
    /// All its keys, and one that it doesn't have.
    keys: Vec<u64>,
    answers: Vec<Answer>,
}

/// What a book says of a key: its position, and its moves with ratings, if they have them, and without.
type Answer = (Option<PositionRow>, Vec<RatedMoveRow>, Vec<MoveRow>);

/// Flips every bit of a book, one at a time.
fn flip_every_bit(book: NewBook<'_>, content: &Content) {
    let (_folder, path) = folder_in_memory();
    let header = book.write(&Env::default(), &path, false).unwrap();
    let mut keys: Vec<u64> = content.positions.iter().map(Row::key).chain(content.moves.iter().map(Row::key)).chain([12345]).collect();
    keys.sort_unstable();
    keys.dedup();
    let whole = Book::open(&path).unwrap();
    let answers = keys.iter().map(|&key| answer(&whole, key).unwrap()).collect();
    let file = File::options().write(true).open(&path).unwrap();
    let mut patient = Patient { bytes: fs::read(&path).unwrap(), path, file, header, keys, answers };
    let bits = patient.bytes.len() * 8;
    for bit in 0..bits {
        patient.flip(bit);
        patient.assert_placed(bit as u64 / 8);
        patient.assert_answers(bit);
        patient.flip(bit);
    }
    println!("{bits} bits of a book flipped: all found and placed, 0 wrong answers, 0 panics");
}

impl Patient {
    fn flip(&mut self, bit: usize) {
        self.bytes[bit / 8] ^= 1 << (bit % 8);
        self.file.write_all_at(&[self.bytes[bit / 8]], bit as u64 / 8).unwrap();
    }

    fn section_at(&self, at: u64) -> Option<&Section> {
        self.header.sections.iter().find(|section| (section.offset..section.end()).contains(&at))
    }

    /// The table and block whose checksum this byte is in or belongs to.
    fn block_at(&self, at: u64) -> Option<(TableKind, u64)> {
        let section = self.section_at(at)?;
        let within = at - section.offset;
        let kinds = [TableKind::Positions, TableKind::Moves];
        let sums = kinds.into_iter().find(|&kind| Tag::sums(kind) == section.tag);
        section.tag.kind().map(|kind| (kind, within / 4096)).or(sums.map(|kind| (kind, within / 8)))
    }

    /// Whether `check` finds damage at this byte, and names the section and block.
    fn assert_placed(&self, at: u64) {
        let report = check(&Env::default(), &self.path).unwrap();
        let place = self.section_at(at);
        let name = match place {
            Some(section) => section.tag.to_string(),
            None if at < 4096 => "header".to_owned(),
            None => "footer".to_owned(),
        };
        let block = place.filter(|section| section.tag.kind().is_some() && at < section.offset + section.length);
        let block = block.map(|section| (at - section.offset) / 4096);
        let placed = report.bad.iter().any(|finding| finding.section == name && finding.block.is_none_or(|found| Some(found) == block));
        // A sum that is damaged shows as a damaged block too.
        assert!(placed, "byte {at} of {name}: {:?}", report.bad);
    }

    /// Whether readers that verify refuse what is damaged, and all others come back without a panic.
    fn assert_answers(&self, bit: usize) {
        let at = bit as u64 / 8;
        let place = self.section_at(at).filter(|section| at < section.offset + section.length);
        if at < 4096 {
            assert!(Book::open(&self.path).is_err(), "byte {at}");
        }
        // No reader looks at padding, nor at the copy of the header.
        let Some(section) = place else { return };
        let book = Book::open(&self.path).unwrap();
        if section.tag == Tag::SOURCES {
            assert!(matches!(book.sources(), Err(Error::Damaged { rule: "B-14", .. })), "byte {at}");
        }
        let damaged = self.block_at(at);
        let touching = self.touching(damaged);
        let any = [bit % self.keys.len(), bit / 8 % self.keys.len()];
        for place in any.into_iter().chain(touching.get(bit % touching.len().max(1)).copied()) {
            let answer = answer(&book, self.keys[place]);
            let read = touching.contains(&place);
            // Every block that is read is verified: an error, or the right answer; an error for sure if the damaged block is read first.
            let fine = answer.as_ref().map_or(damaged.is_some(), |answer| !read && *answer == self.answers[place]);
            assert!(fine, "byte {at}, key {:016x}: {answer:?}", self.keys[place]);
        }
        // Nothing is verified here; whatever comes, it comes without a panic.
        let book = Book::from_bytes(&self.bytes[..]).unwrap();
        self.keys.iter().for_each(|&key| drop(answer(&book, key)));
    }

    /// The places of the keys whose home is in this block.
    fn touching(&self, block: Option<(TableKind, u64)>) -> Vec<usize> {
        let Some((kind, block)) = block else { return Vec::new() };
        let (homes, size) = (self.header.table(kind).unwrap().shape.homes, self.header.row_size(kind));
        (0..self.keys.len()).filter(|&place| home(mix(self.keys[place]), homes) * size / 4096 == block).collect()
    }
}

/// What a book says of a key; none if it finds damage.
fn answer<S: tabia::bytes::Bytes>(book: &Book<S>, key: u64) -> Option<Answer> {
    let moves = || if book.header().is_rated() { book.rated_moves(key).map(|moves| moves.into_owned()) } else { Ok(Vec::new()) };
    let found = book.position(key).and_then(|position| Ok((position, moves()?, book.moves(key)?.into_owned())));
    found.inspect_err(|error| assert!(matches!(error, Error::Damaged { rule: "B-13", .. }), "{error}")).ok()
}

fn both_tables(content: &Content, load: u32) {
    flip_every_bit(new_book(content, Load::from_thousandths(load).unwrap()), content);
}

#[test]
fn every_bit_of_a_book_of_both_tables() {
    both_tables(&sample(1, 40), 800);
}

#[test]
fn every_bit_of_a_book_with_a_full_table() {
    both_tables(&sample(2, 60), 980);
}

#[test]
fn every_bit_of_a_book_with_a_loose_table() {
    both_tables(&sample(3, 30), 500);
}

#[test]
fn every_bit_of_a_book_of_several_blocks() {
    both_tables(&sample(4, 200), 800);
}

#[test]
fn every_bit_of_an_empty_book() {
    both_tables(&Content::default(), 800);
}

/// Its moves with ratings.
fn rated_moves(content: &Content) -> Vec<RatedMoveRow> {
    content.moves.iter().map(|&row| rate(row, 1)).collect()
}

#[test]
fn every_bit_of_a_book_with_ratings() {
    let content = sample(7, 60);
    flip_every_bit(new_book(&content, Load::default()).rated_moves(&rated_moves(&content)), &content);
}

fn one_table(content: &Content) -> NewBook<'static> {
    NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap()).sources(content.sources.clone())
}

#[test]
fn every_bit_of_a_book_of_positions_alone() {
    let content = Content { moves: Vec::new(), ..sample(5, 600) };
    flip_every_bit(one_table(&content).positions(&content.positions), &content);
}

#[test]
fn every_bit_of_a_book_of_moves_alone() {
    let content = Content { positions: Vec::new(), ..sample(6, 300) };
    flip_every_bit(one_table(&content).moves(&content.moves), &content);
}

/// A book and its journal of many frames, which change positions and moves in every way.
struct Journaled {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
    /// Where the header and each frame end.
    ends: Vec<u64>,
    /// The rows of the book with all frames but the last.
    before_last: (Vec<PositionRow>, Vec<RatedMoveRow>),
}

const FRAMES: u64 = 26;

impl Journaled {
    fn new(path: &Path) -> Self {
        sample(1, 20).write(path, Load::default());
        Self::grown(path, changes)
    }

    /// The same with ratings.
    fn rated(path: &Path) -> Self {
        let content = sample(1, 20);
        new_book(&content, Load::default()).rated_moves(&rated_moves(&content)).write(&Env::default(), path, false).unwrap();
        Self::grown(path, |number| {
            let mut batch = changes(number);
            let row = |i: u64| rate(MoveRow::new(mix(number << 8 | i), i as u16, Counts { wins: 1, draws: 0, losses: 0 }), number);
            batch.add_rated_move(row(3)).put_rated_move(row(4));
            batch
        })
    }

    fn grown(path: &Path, changes: impl Fn(u64) -> Batch) -> Self {
        let mut writer = Writer::open(Env::default(), path).unwrap();
        let (mut ends, mut before_last) = (vec![64], Default::default());
        for number in 0..FRAMES {
            let book = Book::open(path).unwrap();
            before_last = (collect(&book), collect(&book));
            writer.append(&changes(number)).unwrap();
            ends.push(writer.journal().bytes);
        }
        let file = File::options().write(true).open(journal_path(path)).unwrap();
        Self { path: path.to_owned(), file, bytes: fs::read(journal_path(path)).unwrap(), ends, before_last }
    }

    /// Which frame this byte is of; 0 is the header.
    fn frame_at(&self, at: u64) -> u64 {
        self.ends.iter().position(|&end| at < end).map_or(FRAMES, |frame| frame as u64)
    }

    /// Whether the journal, as it is after something was done to this frame, is found damaged or torn, and no batch is half applied.
    /// Whether the journal can be read is returned.
    fn assert_found(&self, frame: u64, what: &str) -> bool {
        let report = check(&Env::default(), &self.path).unwrap();
        match Book::open(&self.path) {
            // Only the last frame can be taken for torn.
            Ok(book) => {
                assert_eq!(frame, FRAMES, "{what}");
                assert!(report.ok() && report.torn == book.journal().torn && report.torn > 0, "{what}: {report:?}");
                assert_eq!(book.journal().frames, FRAMES - 1, "{what}");
                assert_eq!((collect(&book), collect(&book)), self.before_last, "{what}");
                true
            }
            Err(error) => {
                assert!(!report.ok(), "{what}");
                assert!(matches!(error, Error::Damaged { .. }), "{what}: {error}");
                false
            }
        }
    }
}

/// Additions, replacements and removals of positions and moves, and now and then a source.
fn changes(number: u64) -> Batch {
    let counts = Counts { wins: number as u32, draws: 1, losses: 2 };
    let key = |i: u64| mix(number << 8 | i);
    let mut batch = Batch::new();
    (0..9).for_each(|i| _ = batch.add_position(PositionRow::new(key(i % 5 + i * 16), counts).with_eval(i as i16, 4)));
    (0..9).for_each(|i| _ = batch.add_move(MoveRow::new(key(i % 5), i as u16, counts)));
    batch.put_position(PositionRow::new(key(200), counts)).delete_position(mix(number.saturating_sub(1) << 8));
    batch.put_move(MoveRow::new(key(201), 7, counts)).delete_move(mix(number.saturating_sub(1) << 8 | 1), 1);
    if number.is_multiple_of(4) {
        batch.source(source(number));
    }
    batch
}

#[test]
fn j5_every_flipped_bit_of_a_journal_is_found_and_no_batch_is_half_applied() {
    let (_folder, path) = folder_in_memory();
    flip_every_bit_of_a_journal(&Journaled::new(&path));
}

#[test]
fn j5_every_flipped_bit_of_a_journal_with_ratings_is_found() {
    let (_folder, path) = folder_in_memory();
    flip_every_bit_of_a_journal(&Journaled::rated(&path));
}

fn flip_every_bit_of_a_journal(journal: &Journaled) {
    let bits = journal.bytes.len() * 8;
    assert!(bits >= 100_000, "{bits}");
    for bit in 0..bits {
        let (at, byte) = (bit as u64 / 8, journal.bytes[bit / 8]);
        journal.file.write_all_at(&[byte ^ 1 << (bit % 8)], at).unwrap();
        let frame = journal.frame_at(at);
        assert_eq!(journal.assert_found(frame, &format!("bit {bit}")), frame == FRAMES, "bit {bit}");
        journal.file.write_all_at(&[byte], at).unwrap();
    }
    println!("{bits} bits of a journal of {FRAMES} frames flipped: all found, 0 batches half applied");
}

#[test]
fn d6_what_is_put_into_a_journal_or_taken_out_of_it_is_found() {
    let (_folder, path) = folder_in_memory();
    let journal = Journaled::new(&path);
    let mut count = 0;
    for at in 0..journal.bytes.len() {
        let (before, after) = journal.bytes.split_at(at);
        let put = |bytes: &[u8]| [before, bytes, after].concat();
        // Of one frame: where the end of one and the header of the last are gone nothing tells that there was more.
        let within = |bytes: usize| journal.frame_at((at + bytes - 1) as u64) == journal.frame_at(at as u64);
        let take = |bytes: usize| [before, &after[if within(bytes) { bytes.min(after.len()) } else { 1 }..]].concat();
        let also = if at % 8 == 3 { vec![put(b"F"), put(&after[..1]), take(3), put(&[0; 8]), take(8)] } else { Vec::new() };
        for changed in [put(&[0]), take(1)].into_iter().chain(also) {
            fs::write(journal_path(&path), &changed).unwrap();
            count += 1;
            let what = format!("{} bytes, changed at {at}", changed.len());
            // What was put in may be what stands there.
            let first = journal.bytes.iter().zip(&changed).take_while(|(one, other)| one == other).count();
            if first == journal.bytes.len() {
                let book = Book::open(&path).unwrap();
                let more = (changed.len() - journal.bytes.len()) as u64;
                assert_eq!((book.journal().frames, book.journal().torn), (FRAMES, more), "{what}");
            } else {
                journal.assert_found(journal.frame_at(first as u64), &what);
            }
        }
    }
    println!("{count} times bytes put into a journal or taken out: all found, 0 batches half applied");
}
