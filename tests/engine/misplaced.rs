//! Units of all files of a book in the wrong place: blocks, pages, sections of a book, frames and
//! parts of its journal, moved, exchanged, repeated, dropped, of another book, of an earlier state.
//! Whoever is asked refuses, or gives the right answer; salvage keeps no row that wasn't there.

use crate::books::{
    Answer, Content, by_rank, checked, chunk, collect, every_column, folder_in_memory, journaled,
    merge_new, open, rows_of, sample, streamed,
};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tabia::bytes::Bytes;
use tabia::format::{Fact, Source};
use tabia::stream::Chunk;
use tabia::{
    BestGame, Book, Cell, Cells, Columns, Counts, Env, Error, Existing, MoveRow, NewBook,
    PositionRow, Ratings, Result, Row, TableKind, WithCells, Years, check, journal_path, salvage,
};
use tabia_testing::{Sample, misplaced};

/// Positions with so many moves that their groups are large ones.
pub fn with_large_groups(mut content: Content, keys: &[u64], moves: u16) -> Content {
    let counts = Counts::new(1, 2, 3);
    for &key in keys {
        (0..moves).for_each(|code| content.push_move(MoveRow::new(key, code, counts)));
    }
    content.settled()
}

/// What a book says of some keys: of their positions, then of their moves.
fn answers<S: Bytes>(book: &Book<S>, keys: &[u64]) -> Vec<Result<Answer>> {
    let position = |&key: &u64| Ok((book.position(key)?, Vec::new()));
    let moves = |&key: &u64| Ok((None, book.moves_with_cells(key)?));
    keys.iter().map(position).chain(keys.iter().map(moves)).collect()
}

/// A book that is sound, and all that is to be had of it.
struct Sound {
    bytes: Vec<u8>,
    keys: Vec<u64>,
    answers: Vec<Answer>,
    positions: Vec<PositionRow>,
    moves: Chunk<MoveRow>,
    lists: (Vec<Source>, Vec<Fact>),
    made: [Vec<u8>; 2],
    /// Whether a reader that compares no checksums sees it, too: all of it is in pages.
    is_mapped: bool,
}

/// What is made of a book: the other form of it, and another book merged with it.
fn make(path: &Path, out: &Path) -> [Result<Vec<u8>>; 2] {
    let other = path.with_file_name("other.tabia");
    let written = |result: Result<tabia::format::Header>| {
        result.map(|_| {
            let bytes = fs::read(out).unwrap();
            fs::remove_file(out).unwrap();
            bytes
        })
    };
    let turned = Book::open(path).and_then(|book| {
        let new = NewBook::copy_of(&book)?.packed(!book.header().packed);
        new.write(&Env::default(), out, Existing::Refuse)
    });
    let turned = written(turned);
    let merged = Book::open(path).and_then(|book| {
        let books = [book, Book::open(other)?];
        merge_new(out, &books)
    });
    [turned, written(merged)]
}

impl Sound {
    fn of(path: &Path, is_mapped: bool) -> Self {
        let book = open(path);
        let (positions, moves) = (collect::<PositionRow>(&book), chunk::<MoveRow>(&book));
        let mut keys: Vec<u64> = positions.iter().step_by(7).map(Row::key).collect();
        keys.extend([77, 99, 5]);
        let answers = answers(&book, &keys).into_iter().map(Result::unwrap).collect();
        let lists = (book.sources().unwrap(), book.facts().unwrap());
        let made = make(path, &path.with_file_name("made.tabia")).map(Result::unwrap);
        let bytes = fs::read(path).unwrap();
        Self { bytes, keys, answers, positions, moves, lists, made, is_mapped }
    }

    /// Asks a book, in which something is in the wrong place, for all.
    fn ask(&self, path: &Path, bytes: &[u8], what: &str) {
        fs::write(path, bytes).unwrap();
        let out = path.with_file_name("made.tabia");
        let found = check(&Env::default(), path).map_or(true, |report| !report.bad.is_empty());
        assert!(found, "{what}: check finds nothing");
        let right = |got: Vec<Result<Answer>>, how: &str| {
            for (got, expected) in got.into_iter().zip(&self.answers) {
                assert!(got.is_err() || got.is_ok_and(|got| got == *expected), "{what}: {how}");
            }
        };
        if let Ok(book) = Book::open(path) {
            right(answers(&book, &self.keys), "get");
            let positions = streamed::<PositionRow>(&book);
            let positions = positions.ok().map(|rows| rows.rows().to_vec());
            assert!(positions.is_none_or(|rows| rows == self.positions), "{what}: positions");
            let moves = streamed::<MoveRow>(&book);
            assert!(moves.is_err() || moves.is_ok_and(|rows| rows == self.moves), "{what}: moves");
            let (sources, facts) = (book.sources().ok(), book.facts().ok());
            assert!(sources.is_none_or(|list| list == self.lists.0), "{what}: sources");
            assert!(facts.is_none_or(|list| list == self.lists.1), "{what}: facts");
        }
        if self.is_mapped
            && let Ok(book) = Book::from_bytes(bytes)
        {
            right(answers(&book, &self.keys), "get from memory");
        }
        for (made, expected) in make(path, &out).into_iter().zip(&self.made) {
            assert!(made.is_err() || made.is_ok_and(|made| made == *expected), "{what}: copy");
        }
        if salvage(&Env::default(), path, &out, Existing::Refuse).is_ok() {
            let saved = open(&out);
            let positions = collect::<PositionRow>(&saved);
            let known = by_rank(&self.positions);
            let is_known = |row: &PositionRow| known.get(&row.rank()) == Some(row);
            assert!(positions.iter().all(is_known), "{what}: salvaged positions");
            let known: std::collections::BTreeMap<_, _> =
                self.moves.iter().map(|row| (row.row.rank(), row)).collect();
            // Cells that were lost say nothing.
            let is_known = |row: WithCells<MoveRow>| {
                let known = known.get(&row.row.rank()).filter(|known| known.row == row.row);
                known.is_some_and(|known| {
                    let (new, old) = (&row.cells, &known.cells);
                    is_kept::<Ratings>(new, old)
                        && is_kept::<BestGame>(new, old)
                        && is_kept::<Years>(new, old)
                })
            };
            assert!(chunk::<MoveRow>(&saved).iter().all(is_known), "{what}: salvaged moves");
            drop(saved);
            fs::remove_file(&out).unwrap();
        }
    }
}

/// Whether a cell is what it was, or says nothing.
fn is_kept<T: Cell + Default + PartialEq>(new: &Cells, old: &Cells) -> bool {
    new.get::<T>() == old.get() || new.get() == Some(T::default())
}

/// Asks books in which blocks are in the wrong place: of themselves, of another book of the same
/// size, of an earlier state.
fn misplace_blocks(content: impl Fn(u64) -> Content, columns: Columns, packed: bool, mapped: bool) {
    let (_folder, path) = folder_in_memory();
    let write = |seed, path: &PathBuf, changed: bool| {
        let mut content = Content { packed, ..content(seed) };
        if changed {
            let row = &mut content.positions[40];
            *row = PositionRow::new(row.key(), Counts::new(900, 0, 0));
        }
        let content = content.with_cells(columns, seed);
        content.write(path);
    };
    let mut others = Vec::new();
    for (seed, changed) in [(4, false), (3, true)] {
        write(seed, &path, changed);
        others.push(fs::read(&path).unwrap());
        fs::remove_file(&path).unwrap();
    }
    write(3, &path, false);
    sample(9, 20).write(path.with_file_name("other.tabia"));
    let sound = Sound::of(&path, mapped);
    let blocks: Vec<Range<usize>> =
        (0..sound.bytes.len()).step_by(4096).map(|at| at..at + 4096).collect();
    let others: Vec<&[u8]> = others.iter().map(Vec::as_slice).collect();
    let (mut tried, mut sample) = (0, Sample::one_in(40));
    misplaced(&sound.bytes, &blocks, &others, &mut sample, |what, bytes| {
        sound.ask(&path, bytes, what);
        tried += 1;
    });
    println!("{} blocks, {tried} times in the wrong place: refused, or right", blocks.len());
}

#[test]
fn pages_of_a_packed_book_in_the_wrong_place() {
    misplace_blocks(|seed| sample(seed, 700), Columns::NONE, true, true);
}

#[test]
fn blocks_of_large_groups_in_the_wrong_place() {
    misplace_blocks(
        |seed| with_large_groups(sample(seed, 300), &[77, 99], 300),
        every_column(),
        true,
        false,
    );
}

#[test]
fn blocks_of_a_plain_book_in_the_wrong_place() {
    misplace_blocks(|seed| sample(seed, 400), every_column(), false, false);
}

/// A journal with frames and parts in the wrong place is refused, or its end is torn: the state of
/// fewer frames, which is told from the rest of the frames if there is any.
#[test]
fn frames_and_parts_of_a_journal_in_the_wrong_place() {
    let (_folder, path) = folder_in_memory();
    let (bytes, ends) = journaled(&path, true);
    let journal = journal_path(&path);
    let state = |frames: usize| {
        fs::write(&journal, &bytes[..ends[frames] as usize]).unwrap();
        rows_of(&path)
    };
    let states: Vec<_> = (0..ends.len()).map(state).collect();
    let frames: Vec<Range<usize>> =
        ends.windows(2).map(|ends| ends[0] as usize..ends[1] as usize).collect();
    // A frame's header, and its part.
    let pieces = frames
        .iter()
        .flat_map(|frame| [frame.start..frame.start + 40, frame.start + 40..frame.end]);
    let pieces: Vec<Range<usize>> = pieces.collect();
    let other = path.with_file_name("other.tabia");
    let (of_another, _) = journaled(&other, false);
    let mut tried = 0;
    for units in [&frames, &pieces] {
        misplaced(&bytes, units, &[&of_another], &mut Sample::one_in(1), |what, changed| {
            fs::write(&journal, changed).unwrap();
            tried += 1;
            let Ok(book) = Book::open(&path) else { return };
            let rows = (collect::<PositionRow>(&book), collect::<MoveRow>(&book));
            let frames = states.iter().rposition(|state| *state == rows);
            let frames = frames.unwrap_or_else(|| panic!("{what}: rows that never were"));
            // What is behind the frames that count isn't as it was, up to the end.
            let last = frames_left(&bytes, changed, &ends);
            assert!(frames == states.len() - 1 || !last, "{what}: {frames} frames");
        });
    }
    assert!(tried > 30, "{tried}");
}

/// Whether the last frame stands where it stood.
fn frames_left(bytes: &[u8], changed: &[u8], ends: &[u64]) -> bool {
    let last = ends[ends.len() - 2] as usize..;
    changed.get(last.clone()) == bytes.get(last)
}

/// Rows of large groups that no group has are refused by streams: in front of the first group, between
/// two, and behind the last one.
#[test]
fn b32_rows_that_no_large_group_has_are_refused() {
    use crate::image::Image;
    use tabia::format::Tag;
    let (_folder, path) = folder_in_memory();
    let content = Content { packed: true, ..with_large_groups(sample(3, 60), &[77, 99], 2000) };
    content.write(&path);
    let sound = Image::read(&path);
    for (place, moved) in [[1, 1], [0, 1], [0, 0]].into_iter().enumerate() {
        let mut image = sound.clone();
        // The large groups, in order: 255, and their first rows in POSN and MOVE.
        let pages = image.body(Tag::PAGE);
        let half = &|at: usize| usize::from(u16::from_le_bytes([pages[at], pages[at + 1]]));
        let starts = (0..pages.len()).step_by(4096).flat_map(|page| {
            (0..half(page + 2)).map(move |place| page + half(page + 8 + 2 * place))
        });
        let groups: Vec<usize> = starts.filter(|&at| pages[at] == 255).collect();
        assert_eq!(groups.len(), 2);
        let second = u64::from_le_bytes(pages[groups[1] + 9..][..8].try_into().unwrap()) as usize;
        for (at, moved) in groups.into_iter().zip(moved) {
            let first = u64::from_le_bytes(pages[at + 9..at + 17].try_into().unwrap()) + moved;
            pages[at + 9..at + 17].copy_from_slice(&first.to_le_bytes());
        }
        let rows = image.body(Tag::table(TableKind::Moves));
        let at = [0, 24 * second, rows.len()][place];
        let row = rows[..24].to_vec();
        rows.splice(at..at, row);
        image.write(&path);
        let book = open(&path);
        let error = streamed::<MoveRow>(&book).map(drop).unwrap_err();
        assert!(matches!(error, Error::Damaged { rule: tabia::Rule::B32, .. }), "{error}");
        assert!(streamed::<PositionRow>(&book).is_err());
        assert!(!checked(&path).ok());
    }
}
