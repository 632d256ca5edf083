//! Every single bit of small books and of a journal, flipped: found, placed, and never a wrong
//! answer.

use crate::books::{
    Content, WON, cells_of, checked, chess_book, chunk, collect, columns_of_bits, every_column,
    folder_in_memory, keys_of, name_at, open, open_writer, sample, source, stream,
};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tabia::bytes::Bytes;
use tabia::format::{Header, Load, Section, Tag};
use tabia::stream::Chunk;
use tabia::{
    Batch, Book, Columns, Counts, Env, Error, Existing, Hash, MoveRow, NewBook, PositionRow, Row,
    Rule, Share, TableKind, WithCells, journal_path, mix, unmix,
};
use tabia_testing::Sample;

/// A book whose bits are flipped, and what is known of it.
struct Patient {
    path: PathBuf,
    file: File,
    header: Header,
    /// Its bytes; one bit of them may be flipped.
    bytes: Vec<u8>,
    /// All its keys, and some that it doesn't have.
    keys: Vec<u64>,
    answers: Vec<Answer>,
    /// For each block the places of the keys for which it is read, however the search goes.
    read: HashMap<(Tag, u64), Vec<usize>>,
    /// For each table the homes of the keys, in order, and their places.
    homes: Vec<(TableKind, Vec<(u64, usize)>)>,
}

/// How many slots behind the last one that a search reads it may look at all the same: those of the
/// tags that it compares at once.
const AHEAD: u64 = 64;

/// What a book says of a key: its position, and its moves with cells and without.
type Answer = (Option<PositionRow>, Vec<WithCells<MoveRow>>, Vec<MoveRow>);

fn flip_every_bit(book: NewBook<'_>, share: Share) {
    let (_folder, path) = folder_in_memory();
    let header = book.share(share).write(&Env::default(), &path, Existing::Refuse).unwrap();
    let whole = open(&path);
    let mut keys = keys_of(&whole);
    // And keys that it doesn't have: one of any share, one of this one.
    keys.extend([mix(12345), share.hashes().start().get() | 0x1234_5678].map(unmix));
    keys.sort_unstable();
    keys.dedup();
    let answers = keys.iter().map(|&key| answer(&whole, key).unwrap()).collect();
    let file = File::options().write(true).open(&path).unwrap();
    let homes = homes_of(&header, &keys);
    let (bytes, read) = (fs::read(&path).unwrap(), HashMap::new());
    let mut patient = Patient { bytes, path, file, header, keys, answers, read, homes };
    for (place, &key) in patient.keys.iter().enumerate() {
        for block in patient.surely_read(mix(key)) {
            patient.read.entry(block).or_default().push(place);
        }
    }
    let (bits, mut sample) = (patient.bytes.len() * 8, Sample::one_in(16));
    for bit in 0..bits {
        if !sample.takes_of(patient.kind_of(bit)) {
            continue;
        }
        patient.flip(bit);
        patient.assert_placed(bit as u64 / 8);
        patient.assert_answers(bit);
        patient.flip(bit);
    }
    println!(
        "of {bits} bits of a book the sampled ones flipped: all found and placed, 0 wrong answers, 0 panics"
    );
}

fn homes_of(header: &Header, keys: &[u64]) -> Vec<(TableKind, Vec<(u64, usize)>)> {
    let tables =
        TableKind::ALL.into_iter().filter_map(|kind| Some((kind, header.table(kind)?.shape)));
    let homes = |homes| {
        let keys = keys.iter().enumerate().filter(|(_, key)| header.share.holds(Hash::of(**key)));
        let mut all: Vec<_> =
            keys.map(|(place, &key)| (header.share.home(Hash::of(key), homes), place)).collect();
        all.sort_unstable();
        all
    };
    tables.map(|(kind, shape)| (kind, homes(shape.homes))).collect()
}

impl Patient {
    fn flip(&mut self, bit: usize) {
        self.bytes[bit / 8] ^= 1 << (bit % 8);
        self.file.write_all_at(&[self.bytes[bit / 8]], bit as u64 / 8).unwrap();
    }

    /// What a bit is: of which section, and of which byte of a cell there.
    fn kind_of(&self, bit: usize) -> (Option<Tag>, u64) {
        let at = bit as u64 / 8;
        let section = self.section_at(at);
        let within = section.map_or(0, |section| (at - section.offset) % section.cell.max(8));
        (section.map(|section| section.tag), within)
    }

    fn section_at(&self, at: u64) -> Option<&Section> {
        self.header.sections.iter().find(|section| (section.offset..section.end()).contains(&at))
    }

    /// The section and block whose checksum this byte is in or belongs to.
    fn block_at(&self, at: u64) -> Option<(Tag, u64)> {
        let section = self.section_at(at)?;
        let within = at - section.offset;
        let of_sums =
            self.header.sections.iter().find(|of| of.has_sums() && of.tag.sums() == section.tag);
        if section.has_sums() {
            Some((section.tag, within / 4096))
        } else {
            of_sums.map(|of| (of.tag, within / 8))
        }
    }

    /// Whether `check` finds damage at this byte, and names the section and block.
    fn assert_placed(&self, at: u64) {
        let report = checked(&self.path);
        let place = self.section_at(at);
        let name = name_at(&self.header, at);
        let block =
            place.filter(|section| section.has_sums() && at < section.offset + section.length);
        let block = block.map(|section| (at - section.offset) / 4096);
        let placed = report.bad.iter().any(|finding| {
            let starts = |found| place.is_some_and(|of| finding.offset == of.offset + found * 4096);
            let is_it = |found| Some(found) == block && starts(found);
            finding.section == name && finding.block.is_none_or(is_it)
        });
        // A sum that is damaged shows as a damaged block too.
        assert!(placed, "byte {at} of {name}: {:?}", report.bad);
    }

    /// Whether readers that verify refuse what is damaged, and all others come back without a
    /// panic.
    fn assert_answers(&self, bit: usize) {
        let at = bit as u64 / 8;
        let place = self.section_at(at).filter(|section| at < section.offset + section.length);
        if at < 4096 {
            assert!(Book::open(&self.path).is_err(), "byte {at}");
        }
        // No reader looks at padding, nor at the copy of the header.
        let Some(section) = place else { return };
        let book = open(&self.path);
        for (tag, read) in
            [(Tag::SOURCES, book.sources().map(drop)), (Tag::FACTS, book.facts().map(drop))]
        {
            let damaged = matches!(read, Err(Error::Damaged { rule: Rule::B14, .. }));
            assert_eq!(damaged, section.tag == tag, "byte {at} of {}: {read:?}", section.tag);
        }
        let damaged = self.block_at(at);
        // What streams verify depends on no bit alone.
        if bit as u64 % 8 == at % 8 {
            self.assert_streams(&book, damaged, at);
            self.assert_streams(&Book::from_bytes(&self.bytes[..]).unwrap(), damaged, at);
        }
        let reading = damaged.and_then(|bad| self.read.get(&bad)).map_or(&[][..], Vec::as_slice);
        let any = [bit % self.keys.len(), bit / 8 % self.keys.len()];
        for place in any.into_iter().chain(reading.get(bit % reading.len().max(1)).copied()) {
            let answer = answer(&book, self.keys[place]);
            let read = reading.contains(&place);
            // Every block that is read is verified: an error, or the right answer; an error for
            // sure if the damaged block is read.
            let right = |answer: &Answer| !read && *answer == self.answers[place];
            let fine = answer.as_ref().map_or(damaged.is_some(), right);
            assert!(fine, "byte {at}, key {:016x}: {answer:?}", self.keys[place]);
        }
        // Nothing is verified here; whatever comes, it comes without a panic.
        let book = Book::from_bytes(&self.bytes[..]).unwrap();
        if bit.is_multiple_of(61) {
            self.keys.iter().for_each(|&key| drop(answer(&book, key)));
        }
        // For all other keys it reads what it reads of the sound book.
        self.near(section, at).iter().for_each(|&(_, place)| drop(answer(&book, self.keys[place])));
    }

    /// The keys whose search may come to this byte of a section.
    fn near(&self, section: &Section, at: u64) -> &[(u64, usize)] {
        let of = |kind| {
            let mut strips = self.header.table(kind).into_iter().chain(self.header.beside(kind));
            strips.any(|strip| strip.tag == section.tag)
        };
        let Some((kind, homes)) = self.homes.iter().find(|(kind, _)| of(*kind)) else { return &[] };
        let slot = (at - section.offset) / section.cell;
        let most = self.header.table(*kind).unwrap().shape.max_displacement + AHEAD;
        let before = |end: u64| homes.partition_point(|&(home, _)| home < end);
        &homes[before(slot.saturating_sub(most))..before(slot + 1)]
    }

    /// Whether the rows of a table stream exactly if neither it nor a column beside it is damaged.
    fn assert_streams<S: Bytes>(&self, book: &Book<S>, damaged: Option<(Tag, u64)>, at: u64) {
        for kind in TableKind::ALL.into_iter().filter(|&kind| book.has(kind)) {
            let beside = self.header.beside(kind).map(|section| section.tag);
            let mut read = beside.filter(|&tag| tag != Tag::TAGS).chain([Tag::table(kind)]);
            let bad = read.any(|tag| damaged.is_some_and(|bad| bad.0 == tag));
            let streamed = stream(book, kind);
            let refused = matches!(streamed, Err(Error::Damaged { rule: Rule::B13, .. }));
            assert!(refused == bad && streamed.is_err() == bad, "byte {at}: {streamed:?}");
        }
    }

    /// The blocks that every search for this hash reads: that of its home, or with tags that of its
    /// home's tag; and of each row that is found those of its slot in the table and in all columns.
    fn surely_read(&self, h: u64) -> HashSet<(Tag, u64)> {
        let mut read = HashSet::new();
        if !self.header.share.holds(Hash::from_bits(h)) {
            return read;
        }
        for kind in TableKind::ALL {
            let Some(table) = self.header.table(kind) else { continue };
            let home = self.header.share.home(Hash::from_bits(h), table.shape.homes);
            let has_tags = kind == TableKind::Positions && table.shape.max_displacement <= 126;
            let tags = self.header.section(Tag::TAGS).filter(|_| has_tags);
            let first = tags.unwrap_or(table);
            read.insert((first.tag, home * first.cell / 4096));
            let slots = self.bytes[table.offset as usize..][..table.length as usize].chunks(24);
            let found =
                (0..).zip(slots).filter(|(_, row)| row[..8] == h.to_le_bytes() && row[23] != 0xff);
            for (slot, _) in found {
                let columns = self.header.beside(kind).filter(|section| section.tag != Tag::TAGS);
                for section in columns.chain([table]) {
                    read.insert((section.tag, slot * section.cell / 4096));
                    read.insert((section.tag, (slot * section.cell + section.cell - 1) / 4096));
                }
            }
        }
        read
    }
}

/// What a book says of a key; none if it finds damage.
fn answer<S: Bytes>(book: &Book<S>, key: u64) -> Option<Answer> {
    let found = book.position(key).and_then(|position| {
        Ok((position, book.moves_with_cells(key)?, book.moves(key)?.into_owned()))
    });
    found
        .inspect_err(|error| {
            assert!(matches!(error, Error::Damaged { rule: Rule::B13, .. }), "{error}")
        })
        .ok()
}

/// Whole tables, loose and full ones, several blocks, and nothing.
#[test]
fn every_bit_of_books_of_both_tables() {
    for (content, load) in [
        (sample(1, 40), 800),
        (sample(2, 60), 980),
        (sample(3, 30), 500),
        (sample(4, 200), 800),
        (Content::default(), 800),
    ] {
        let new = content.new_book().load(Load::from_thousandths(load).unwrap());
        flip_every_bit(new, Share::WHOLE);
    }
}

/// Of ratings there are two blocks.
#[test]
fn every_bit_of_a_book_with_all_columns() {
    let content = Content { facts: (0..3).map(crate::books::fact).collect(), ..sample(7, 60) };
    flip_every_bit(content.with_cells(every_column(), 1).new_book(), Share::WHOLE);
}

#[test]
fn every_bit_of_a_book_with_one_column() {
    let content = Content { positions: Vec::new(), ..sample(7, 30) };
    let columns = content.clone().with_cells(columns_of_bits(0b010), 1);
    flip_every_bit(one_table(&content).moves(&columns.moves), Share::WHOLE);
}

#[test]
fn every_bit_of_a_book_with_tags() {
    let content = Content { moves: Chunk::default(), ..sample(8, 300) };
    let new = one_table(&content).filter(true).load(Load::from_thousandths(900).unwrap());
    flip_every_bit(new.positions(&content.positions), Share::WHOLE);
}

/// A share with all that is optional.
#[test]
fn every_bit_of_a_share() {
    let share: Share = "3/4".parse().unwrap();
    let mine = |h| share.holds(h);
    let content = sample(9, 160);
    let positions: Vec<_> =
        content.positions.iter().copied().filter(|row| mine(row.hash())).collect();
    let moves = content.moves.iter().filter(|row| mine(row.row.hash())).collect();
    assert!(positions.len() > 20);
    let columns = Content { moves, ..Content::default() }.with_cells(columns_of_bits(0b100), 1);
    let new = one_table(&content).filter(true).positions(&positions);
    flip_every_bit(new.moves(&columns.moves), share);
}

fn one_table(content: &Content) -> NewBook<'static> {
    chess_book().sources(content.sources.clone())
}

#[test]
fn every_bit_of_books_of_one_table() {
    let content = Content { moves: Chunk::default(), ..sample(5, 600) };
    flip_every_bit(one_table(&content).positions(&content.positions), Share::WHOLE);
    let content = Content { positions: Vec::new(), ..sample(6, 300) };
    flip_every_bit(one_table(&content).moves(&content.moves), Share::WHOLE);
}

/// A book and its journal of many frames, which change positions and moves in every way.
struct Journaled {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
    /// Where the header and each frame end.
    ends: Vec<u64>,
    /// The rows of the book with all frames but the last.
    before_last: (Vec<PositionRow>, Chunk<MoveRow>),
}

const FRAMES: u64 = 26;
const FRAME_HEAD: u64 = 40;

impl Journaled {
    /// With moves that have cells of these columns.
    fn new(path: &Path, columns: Columns) -> Self {
        sample(1, 20).with_cells(columns, 1).write(path);
        let mut writer = open_writer(path);
        let (mut ends, mut before_last) = (vec![64], Default::default());
        for number in 0..FRAMES {
            let book = open(path);
            before_last = (collect(&book), chunk(&book));
            let mut batch = changes(number);
            let row = |i: u64| MoveRow::new(mix(number << 8 | i), i as u16, WON);
            let cells = |row: MoveRow| cells_of(columns, &row, number);
            batch.add_move_with(row(3), cells(row(3))).put_move_with(row(4), cells(row(4)));
            // Of some columns only.
            batch.add_move_with(row(5), cells(row(5)).to(columns.iter().take(1).collect()));
            writer.append(&batch).unwrap();
            ends.push(writer.journal().bytes);
        }
        let file = File::options().write(true).open(journal_path(path)).unwrap();
        let (path, bytes) = (path.to_owned(), fs::read(journal_path(path)).unwrap());
        Self { path, file, bytes, ends, before_last }
    }

    /// Which frame this byte is of; 0 is the header.
    fn frame_at(&self, at: u64) -> u64 {
        self.ends.iter().position(|&end| at < end).map_or(FRAMES, |frame| frame as u64)
    }

    /// Whether the journal, as it is after something was done to this frame, is found damaged or
    /// torn, and no batch is half applied. Whether the journal can be read is returned.
    fn assert_found(&self, frame: u64, what: &str) -> bool {
        let report = checked(&self.path);
        match Book::open(&self.path) {
            // Only the last frame can be taken for torn.
            Ok(book) => {
                let torn = book.journal().torn;
                assert_eq!(frame, FRAMES, "{what}");
                assert!(report.ok() && report.torn == torn && torn > 0, "{what}: {report:?}");
                assert_eq!(book.journal().frames, FRAMES - 1, "{what}");
                assert_eq!((collect(&book), chunk(&book)), self.before_last, "{what}");
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
    let counts = Counts::new(number as u32, 1, 2);
    let key = |i: u64| mix(number << 8 | i);
    let mut batch = Batch::new();
    (0..9).for_each(|i| {
        _ = batch.add_position(PositionRow::new(key(i % 5 + i * 16), counts).with_eval(i as i16, 4))
    });
    (0..9).for_each(|i| _ = batch.add_move(MoveRow::new(key(i % 5), i as u16, counts)));
    let before = number.saturating_sub(1) << 8;
    batch.put_position(PositionRow::new(key(200), counts)).delete_position(mix(before));
    batch.put_move(MoveRow::new(key(201), 7, counts)).delete_move(mix(before | 1), 1);
    if number.is_multiple_of(4) {
        batch.source(source(number)).fact(crate::books::fact(number));
    }
    batch
}

/// With rows of 28 bytes parts end between multiples of eight, and are padded.
#[test]
fn j5_every_flipped_bit_of_a_journal_is_found_and_no_batch_is_half_applied() {
    for columns in [Columns::NONE, every_column(), columns_of_bits(0b100)] {
        let (_folder, path) = folder_in_memory();
        flip_every_bit_of_a_journal(&Journaled::new(&path, columns));
    }
}

fn flip_every_bit_of_a_journal(journal: &Journaled) {
    let bits = journal.bytes.len() * 8;
    assert!(bits >= 100_000, "{bits}");
    let mut sample = Sample::one_in(64);
    for bit in 0..bits {
        let (at, byte) = (bit as u64 / 8, journal.bytes[bit / 8]);
        let frame = journal.frame_at(at);
        // Of each frame some bits of its header, and some of its parts.
        let start = frame.checked_sub(1).map_or(0, |before| journal.ends[before as usize]);
        if !sample.takes_of((frame, (at - start).min(FRAME_HEAD))) {
            continue;
        }
        journal.file.write_all_at(&[byte ^ 1 << (bit % 8)], at).unwrap();
        let what = format!("bit {bit}");
        assert_eq!(journal.assert_found(frame, &what), frame == FRAMES, "{what}");
        journal.file.write_all_at(&[byte], at).unwrap();
    }
    println!(
        "of {bits} bits of a journal of {FRAMES} frames the sampled ones flipped: all found, 0 batches half applied"
    );
}

#[test]
fn d6_what_is_put_into_a_journal_or_taken_out_of_it_is_found() {
    let (_folder, path) = folder_in_memory();
    let journal = Journaled::new(&path, Columns::NONE);
    let mut count = 0;
    let mut sample = Sample::one_in(12);
    for at in (0..journal.bytes.len()).filter(|&at| sample.takes_of(journal.frame_at(at as u64))) {
        let (before, after) = journal.bytes.split_at(at);
        let put = |bytes: &[u8]| [before, bytes, after].concat();
        // Of one frame: where the end of one and the header of the last are gone nothing tells that
        // there was more.
        let within =
            |bytes: usize| journal.frame_at((at + bytes - 1) as u64) == journal.frame_at(at as u64);
        let take = |bytes: usize| {
            [before, &after[if within(bytes) { bytes.min(after.len()) } else { 1 }..]].concat()
        };
        let also = if at % 8 == 3 {
            vec![put(b"F"), put(&after[..1]), take(3), put(&[0; 8]), take(8)]
        } else {
            Vec::new()
        };
        for changed in [put(&[0]), take(1)].into_iter().chain(also) {
            fs::write(journal_path(&path), &changed).unwrap();
            count += 1;
            let what = format!("{} bytes, changed at {at}", changed.len());
            // What was put in may be what stands there.
            let first =
                journal.bytes.iter().zip(&changed).take_while(|(one, other)| one == other).count();
            if first == journal.bytes.len() {
                let book = open(&path);
                let more = (changed.len() - journal.bytes.len()) as u64;
                assert_eq!((book.journal().frames, book.journal().torn), (FRAMES, more), "{what}");
            } else {
                journal.assert_found(journal.frame_at(first as u64), &what);
            }
        }
    }
    println!(
        "{count} times bytes put into a journal or taken out: all found, 0 batches half applied"
    );
}
