//! Journals that a crash tore, that were damaged, or that somebody made: what was acknowledged is
//! kept or refused, never lost in silence.

use crate::books::{
    Content, assert_sound, checked, folder, folder_in_memory, journaled, journaled_books, open,
    open_writer, rows_of, salvaged, sample, sample_book, small_books, source, won,
};
use proptest::prelude::*;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tabia::format::{Digest, Fact};
use tabia::{
    Batch, Book, Counts, Env, Error, Existing, MoveRow, PositionRow, Row, Rule, View, Writer,
    check, journal_path, salvage, stray_journals,
};
use tabia_testing::forge::{FRAME_HEADER, Forged, HEADER, part, positions, reseal_header};

/// What comes of a book with its journal as it is now: how many frames count and how many bytes are
/// torn; or the rule that is broken. Readers, writers, `check` and `salvage` have to agree.
fn outcome(path: &Path) -> Result<(u64, u64), Rule> {
    let length = || fs::metadata(journal_path(path)).unwrap().len();
    let before = length();
    let report = checked(path);
    let output = path.with_extension("salvaged");
    let kept = salvaged(path, &output);
    match Book::open(path) {
        Ok(book) => {
            let info = book.journal().clone();
            assert!(report.ok(), "{:?}", report.bad);
            assert_eq!((report.frames, report.torn), (info.frames, info.torn));
            assert_eq!((kept.frames, rows_of(&output)), (info.frames, rows_of(path)));
            assert_eq!(length(), before, "reading never writes");
            Ok((info.frames, info.torn))
        }
        Err(Error::Damaged { rule, .. }) => {
            let found = report.bad;
            assert!(found.iter().any(|finding| finding.rule == rule), "{rule}: {found:?}");
            let refused = Writer::open(Env::default(), path).map(drop);
            assert!(matches!(refused, Err(Error::Damaged { rule: got, .. }) if got == rule));
            assert_eq!(length(), before, "a refusal changes nothing");
            Err(rule)
        }
        Err(error) => panic!("{error}"),
    }
}

fn outcome_of(path: &Path, journal: &[u8]) -> Result<(u64, u64), Rule> {
    fs::write(journal_path(path), journal).unwrap();
    outcome(path)
}

#[test]
fn frames_made_by_hand_are_the_engines() {
    for (_folder, path, journal, ends) in journaled_books() {
        let mut forged = Forged::beside(&path);
        (0..3).for_each(|key| _ = forged.frame(&[positions(&[key])]));
        assert!(forged.bytes == journal);
        assert_eq!(Forged::after(&journal).previous, forged.previous);
        assert_eq!(ends[1], (HEADER + FRAME_HEADER + 16 + 24) as u64);
    }
}

#[test]
fn d6_a_frame_header_that_stands_in_a_torn_tail_by_chance_or_by_design_is_no_frame() {
    for (_folder, path, journal, ends) in journaled_books() {
        let own = Forged::after(&journal);
        let other = Forged::new(Digest(journal[32..48].try_into().unwrap()), 2);
        let unsalted = {
            // As the format had it before there was a salt, and with a salt of zero.
            let rest = [&0u64.to_le_bytes()[..], &4u64.to_le_bytes(), &[0; 8]].concat();
            let old = [&b"FRAM"[..], &crc32fast::hash(&rest).to_le_bytes(), &rest].concat();
            [old, Forged { salt: 0, ..own.clone() }.header(0, 4, 0, 0, own.previous).0.to_vec()]
        };
        let earlier = (0..3).map(|frame| journal[ends[frame] as usize..][..FRAME_HEADER].to_vec());
        let foreign =
            (1..9).map(|sequence| other.header(0, sequence, 0, 0, own.previous).0.to_vec());
        let follows_another = [own.header(0, 4, 0, 0, own.previous ^ 1).0.to_vec()];
        let planted: Vec<Vec<u8>> =
            earlier.chain(foreign).chain(unsalted).chain(follows_another).collect();
        let behind = |tail: &[u8]| outcome_of(&path, &[&journal, tail].concat());
        for (number, header) in planted.iter().enumerate() {
            for at in 0..24 {
                // A frame whose rows were written and whose header was not.
                let torn = [
                    &vec![0; FRAME_HEADER][..],
                    &positions(&[50, 51])[..16 + at],
                    header,
                    &[7; 30],
                ]
                .concat();
                assert_eq!(behind(&torn), Ok((3, torn.len() as u64)), "header {number} at {at}");
            }
            // One that stands where the next frame should.
            let mut at_place = header.clone();
            at_place.resize(FRAME_HEADER, 0);
            assert_eq!(behind(&at_place), Ok((3, FRAME_HEADER as u64)), "header {number}");
        }
    }
}

#[test]
fn j4_j5_a_frame_that_was_taken_out_is_missed() {
    for (_folder, path, journal, ends) in journaled_books() {
        let frame = |number: usize| &journal[ends[number] as usize..ends[number + 1] as usize];
        for (frames, rule) in [
            (&[frame(0), frame(2)][..], Rule::J4),
            (&[frame(1), frame(2)], Rule::J4),
            (&[frame(2)], Rule::J4),
            (&[frame(1), frame(0), frame(2)], Rule::J4),
            // One took another's place.
            (&[frame(0), frame(0), frame(2)], Rule::J5),
            // The next is torn.
            (&[frame(0), &frame(2)[..60]], Rule::J4),
            // A frame that stands there twice says nothing new, but the one behind it is not where
            // it was.
            (&[frame(0), frame(0), frame(1)], Rule::J4),
        ] {
            let changed = [&journal[..HEADER], &frames.concat()].concat();
            assert_eq!(outcome_of(&path, &changed), Err(rule), "{frames:?}");
        }
        assert_eq!(outcome_of(&path, &[&journal, frame(2)].concat()), Ok((3, 80)));
        // One that follows on the last one, but with another sequence, was written so.
        let mut jump = Forged::after(&journal);
        jump.sequence = 3;
        assert_eq!(outcome_of(&path, &jump.frame(&[positions(&[9])]).bytes), Err(Rule::J4));
    }
}

#[test]
fn d6_frames_left_over_from_an_earlier_journal_are_a_torn_tail() {
    for (_folder, path, first, _) in journaled_books() {
        let backup = fs::read(&path).unwrap();
        let mut writer = open_writer(&path);
        writer.compact().unwrap();
        for key in 10..20 {
            let row = PositionRow::new(key, Counts::default());
            writer.append(Batch::new().add_position(row)).unwrap();
        }
        drop(writer);
        let grown = fs::read(journal_path(&path)).unwrap();
        // The book comes back from a backup, and its journal is written anew on the blocks of the one
        // that went on from there.
        fs::write(&path, backup).unwrap();
        for len in (HEADER..first.len()).step_by(8) {
            let journal = [&first[..len], &grown[len..]].concat();
            let ends = [304, 224, 144, HEADER];
            let end = ends.into_iter().find(|&end| journal.starts_with(&first[..end])).unwrap();
            let expected = Ok((((end - HEADER) / 80) as u64, (journal.len() - end) as u64));
            assert_eq!(outcome_of(&path, &journal), expected, "{len}");
        }
    }
}

#[test]
fn j5_a_whole_frame_with_wrong_contents_is_damage_though_it_is_the_last() {
    for (_folder, path) in small_books() {
        let good = positions(&[5]);
        let fact = |name: &[u8]| {
            let lengths = [(name.len() as u32).to_le_bytes(), 0u32.to_le_bytes()].concat();
            let mut entry = [&[1; 16][..], &lengths, name].concat();
            entry.resize(entry.len().next_multiple_of(8), 0);
            part(5, 0, 0, 1, &entry)
        };
        let mut padded = part(5, 0, 0, 1, &[7; 20]);
        *padded.last_mut().unwrap() = 1;
        let unordered = [positions(&[5]), positions(&[5])];
        let bodies: [(&str, &[Vec<u8>]); 9] = [
            ("a part cut off", &[good[..8].to_vec()]),
            ("an unknown operation", &[part(6, 1, 24, 1, &good[16..])]),
            ("rows that are not there", &[part(1, 1, 24, 2, &good[16..])]),
            ("an empty slot", &[part(1, 1, 24, 1, &[0xff; 24])]),
            ("rows out of order", &unordered),
            ("a fact with a bad name", &[fact(b"A b")]),
            ("facts of a table", &[part(5, 1, 0, 1, &fact(b"a")[16..])]),
            ("facts that are cut off", &[part(5, 0, 0, 2, &fact(b"a")[16..])]),
            ("padding that is not zero", &[padded]),
        ];
        for (what, body) in bodies {
            let mut forged = Forged::beside(&path);
            forged.frame(std::slice::from_ref(&good)).frame(body).lay(&path);
            assert_eq!(outcome(&path), Err(Rule::J5), "{what}");
        }
        let mut forged = Forged::beside(&path);
        forged.frame(&[good.clone(), fact(b"a"), fact(b"a")]).lay(&path);
        assert_eq!(outcome(&path), Ok((1, 0)), "facts may come in any order");
        // A header that was sealed with what cannot be.
        let mut forged = Forged::beside(&path);
        let (length, crc) = (good.len() as u64, crc32fast::hash(&good));
        let (header, _) = forged.header(length, forged.sequence, crc, 2, forged.previous);
        forged.bytes.extend([&header[..], &good].concat());
        assert_eq!(outcome_of(&path, &forged.bytes), Err(Rule::J5), "a part too few");
    }
}

#[test]
fn facts_go_through_a_journal() {
    for (_folder, path) in small_books() {
        let (mut batch, fact) = (Batch::new(), Fact::new(Digest([1; 16]), "plan.max-ply", "40"));
        assert!(batch.is_empty() && !batch.fact(fact.unwrap()).is_empty());
        assert_eq!(open_writer(&path).append(&batch).unwrap(), 1);
        assert_eq!(outcome(&path), Ok((1, 0)));
        let bytes = fs::read(journal_path(&path)).unwrap();
        let (header, entry) = bytes[HEADER + FRAME_HEADER..].split_at(16);
        assert_eq!(header, [5, 0, 0, 0, 1, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0]);
        let lengths = [12, 0, 0, 0, 2, 0, 0, 0];
        assert_eq!(entry, [&[1; 16], &lengths[..], b"plan.max-ply40\0\0"].concat());
    }
}

/// A file as long as this whose beginning is these bytes, and of which nothing else is there.
fn lay_sparse(path: &Path, bytes: &[u8], len: u64) -> File {
    let file = File::create(journal_path(path)).unwrap();
    file.write_all_at(bytes, 0).unwrap();
    file.set_len(len).unwrap();
    file
}

/// The CRC-32 of these bytes and zeros up to a length behind them.
fn crc_with_zeros(bytes: &[u8], len: u64) -> u32 {
    let (mut crc, mut zeros) = (crc32fast::Hasher::new(), crc32fast::Hasher::new());
    crc.update(bytes);
    zeros.update(&[0]);
    let mut left = len - bytes.len() as u64;
    while left > 0 {
        if left & 1 == 1 {
            crc.combine(&zeros);
        }
        zeros.combine(&zeros.clone());
        left >>= 1;
    }
    crc.finalize()
}

#[test]
fn d6_a_sparse_journal_of_256_gigabytes_is_neither_read_nor_held_in_memory() {
    let (_folder, path) = sample_book(1, 20);
    let length = (256 << 30) - (HEADER + FRAME_HEADER) as u64;
    let rows = (length - 16) / 24;
    let entries = (length - 16) / 32;
    let content = |operation, table, row_size: u16, count: u64, size: u64| {
        let mut header = part(operation, table, row_size, count as u32, &[]);
        header[8..].copy_from_slice(&(count.min(u64::from(u32::MAX)) * size).to_le_bytes());
        header
    };
    let cases = [
        ("zeros", Vec::new()),
        ("positions", content(1, 1, 24, rows.min(u64::from(u32::MAX)), 24)),
        ("moves to be put", content(2, 2, 24, rows.min(u64::from(u32::MAX)), 24)),
        ("sources", content(4, 0, 0, entries.min(u64::from(u32::MAX)), 32)),
        ("facts", content(5, 0, 0, entries.min(u64::from(u32::MAX)), 32)),
    ];
    for (what, start) in &cases {
        let forged = Forged::beside(&path);
        for (crc, expected) in [
            (crc_with_zeros(start, length), Err(Rule::J5)),
            (1, Ok((0, length + FRAME_HEADER as u64))),
        ] {
            let (header, _) = forged.header(length, 1, crc, 1, forged.previous);
            lay_sparse(&path, &[&forged.bytes[..], &header, start].concat(), 256 << 30);
            assert_eq!(outcome(&path), expected, "{what}");
        }
    }
    // A length beyond all files.
    let forged = Forged::beside(&path);
    let (header, _) = forged.header(u64::MAX - 7, 1, 0, 1, forged.previous);
    lay_sparse(&path, &[&forged.bytes[..], &header].concat(), 256 << 30);
    assert_eq!(outcome(&path), Ok((0, (256 << 30) - HEADER as u64)));
}

#[test]
fn d6_a_terabyte_of_zeros_behind_the_frames_is_passed_over() {
    let (_folder, path) = folder();
    let (journal, _) = journaled(&path, false);
    let file = lay_sparse(&path, &journal, 1 << 40);
    assert_eq!(outcome(&path), Ok((3, (1 << 40) - journal.len() as u64)));
    // What stands behind the zeros is found all the same.
    let own = Forged::after(&journal);
    file.write_all_at(&own.header(0, 5, 0, 0, 1).0, (1 << 39) + 4095).unwrap();
    assert_eq!(outcome(&path), Err(Rule::J5));
    file.set_len(0).unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(outcome(&path), Ok((0, 0)), "nothing but zeros: a journal that was never begun");
    lay_sparse(&path, &journal, 1 << 40);
    assert_eq!(open_writer(&path).cut(), (1 << 40) - journal.len() as u64);
    assert!(fs::read(journal_path(&path)).unwrap() == journal);
}

#[test]
fn t8_check_looks_into_every_frame() {
    for (_folder, path) in small_books() {
        let mut forged = Forged::beside(&path);
        let mut offsets = Vec::new();
        for body in [
            vec![part(9, 1, 24, 0, &[])],
            vec![positions(&[5])],
            vec![positions(&[6]), positions(&[6])],
            vec![part(1, 2, 24, 1, &[0xff; 24])],
        ] {
            offsets.push(forged.bytes.len() as u64);
            forged.frame(&body);
        }
        forged.lay(&path);
        let report = checked(&path);
        let found: Vec<_> =
            report.bad.iter().map(|finding| (finding.offset, finding.rule)).collect();
        assert_eq!(found, [(offsets[0], Rule::J5), (offsets[2], Rule::J5), (offsets[3], Rule::J5)]);
        assert_eq!(report.frames, 4);
    }
}

/// A journal of nothing but damage isn't searched for ever: after a thousand bad frames nothing more is
/// looked for.
#[test]
fn t8_check_gives_up_after_a_thousand_bad_frames() {
    let (_folder, path) = folder();
    sample(1, 20).write(&path);
    let mut forged = Forged::beside(&path);
    let mut ends = Vec::new();
    for key in 0..1010 {
        forged.frame(&[positions(&[100 + key])]);
        ends.push(forged.bytes.len());
    }
    ends.iter().for_each(|&end| forged.bytes[end - 9] ^= 1);
    forged.lay(&path);
    let report = checked(&path);
    assert_eq!((report.bad.len(), report.unlisted, report.frames), (1000, 0, 0));
}

#[test]
fn t8_salvage_takes_nothing_of_a_bad_frame() {
    for (_folder, path) in small_books() {
        let source = |name: &[u8; 8]| {
            let numbers = [1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
            part(4, 0, 0, 1, &[&[3; 16], &numbers[..], name].concat())
        };
        let played = part(1, 2, 24, 1, &[&tabia::mix(101).to_le_bytes()[..], &[0; 16]].concat());
        // A part that nobody knows behind the others, or a wrong checksum.
        for (unknown, flipped) in [(vec![part(9, 1, 24, 0, &[])], 0), (Vec::new(), 1)] {
            let mut forged = Forged::beside(&path);
            forged.frame(&[positions(&[100]), source(b"good.pgn")]);
            let body = forged.bytes.len() + FRAME_HEADER;
            let parts = vec![positions(&[101]), played.clone(), source(b"half.pgn")];
            forged.frame(&[parts, unknown].concat());
            forged.bytes[body] ^= flipped;
            forged.frame(&[positions(&[102])]).lay(&path);
            let output = path.with_extension("salvaged");
            let report = salvaged(&path, &output);
            assert_eq!((report.frames, report.bad.len()), (2, 1));
            let book = open(&output);
            let there = [100, 101, 102].map(|key| book.position(key).unwrap().is_some());
            assert_eq!(there, [true, false, true]);
            assert!(book.moves(101).unwrap().is_empty());
            let sources = book.sources().unwrap();
            let has = |name| sources.iter().any(|source| source.name == name);
            assert!(has("good.pgn") && !has("half.pgn"));
        }
    }
}

#[test]
fn t8_j7_frames_that_the_book_holds_are_not_applied_again() {
    for (folder, path, ..) in journaled_books() {
        open_writer(&path).compact().unwrap();
        let book = open(&path);
        assert_eq!(book.header().sequence, 3);
        let wins =
            |path: &Path, key| open(path).position(key).unwrap().map_or(0, |row| row.counts().wins);
        for first in 1..=4 {
            let mut forged = Forged::new(book.digest(), first);
            (first..=5).for_each(|sequence| _ = forged.frame(&[positions(&[sequence - 1])]));
            forged.lay(&path);
            let output = folder.path().join(format!("salvaged-{first}.tabia"));
            let report = salvaged(&path, &output);
            assert_eq!((report.frames, report.bad.len()), (2, 0));
            for path in [&path, &output] {
                let counted: Vec<u32> = (0..6).map(|key| wins(path, key)).collect();
                assert_eq!(counted, [1, 1, 1, 1, 1, 0], "from {first} on");
            }
            assert_eq!(open(&path).journal().frames, 6 - first);
        }
    }
}

#[test]
fn j1_features_that_a_reader_may_pass_over_stay() {
    for (_folder, path) in small_books() {
        let mut forged = Forged::beside(&path);
        forged.bytes[24..28].copy_from_slice(&[1, 0, 0, 0x80]);
        forged.previous = reseal_header(&mut forged.bytes);
        let header = forged.bytes.clone();
        assert_eq!(outcome_of(&path, &forged.frame(&[positions(&[5])]).bytes), Ok((1, 0)));
        open_writer(&path).append(&won(6)).unwrap();
        assert!(fs::read(journal_path(&path)).unwrap() == forged.frame(&[positions(&[6])]).bytes);
        // Without frames: the header is written again as it is.
        assert_eq!(outcome_of(&path, &[&header[..], &[7; 9]].concat()), Ok((0, 9)));
        open_writer(&path).append(&won(6)).unwrap();
        assert!(fs::read(journal_path(&path)).unwrap().starts_with(&header));
        assert_eq!(outcome(&path), Ok((1, 0)));
    }
}

#[derive(Clone, Debug)]
enum Damage {
    Flip(usize, u8),
    Cut(usize),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    /// Lays a part of the journal, or of another one, over it.
    Copy {
        from: usize,
        to: usize,
        len: usize,
        foreign: bool,
    },
    Zero(usize, usize),
    Append(Vec<u8>),
}

fn any_damage() -> impl Strategy<Value = Damage> {
    let at = || 0usize..1 << 20;
    let bytes = || prop::collection::vec(prop_oneof![Just(0), Just(b'F'), any::<u8>()], 1..200);
    prop_oneof![
        (at(), 0u8..8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        at().prop_map(Damage::Cut),
        (at(), bytes()).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at(), 1usize..200).prop_map(|(at, len)| Damage::Remove(at, len)),
        (at(), at(), 1usize..400, any::<bool>())
            .prop_map(|(from, to, len, foreign)| Damage::Copy { from, to, len, foreign }),
        (at(), 1usize..400).prop_map(|(at, len)| Damage::Zero(at, len)),
        bytes().prop_map(Damage::Append),
    ]
}

impl Damage {
    /// The journal after it; where it begins, and where what is as before goes on, in the journal
    /// as it was.
    fn inflict(&self, journal: &[u8], other: &[u8]) -> (Vec<u8>, usize, usize) {
        let len = journal.len();
        let put = |at: usize, end: usize, with: &[u8]| {
            ([&journal[..at], with, &journal[end..]].concat(), at, end)
        };
        match *self {
            Self::Flip(at, bit) => put(at % len, at % len + 1, &[journal[at % len] ^ 1 << bit]),
            Self::Cut(at) => put(at % len, len, &[]),
            Self::Insert(at, ref bytes) => put(at % (len + 1), at % (len + 1), bytes),
            Self::Remove(at, count) => put(at % len, len.min(at % len + count), &[]),
            Self::Copy { from, to, len: count, foreign } => {
                let of = if foreign { other } else { journal };
                let (from, to) = (from % of.len(), to % len);
                let count = count.min(of.len() - from).min(len - to);
                put(to, to + count, &of[from..from + count])
            }
            Self::Zero(at, count) => {
                let end = len.min(at % len + count);
                put(at % len, end, &vec![0; end - at % len])
            }
            Self::Append(ref bytes) => put(len, len, bytes),
        }
    }
}

fn batch_of(changes: &[(u8, u64, u8)]) -> Batch {
    let mut batch = Batch::new();
    for &(kind, key, count) in changes {
        let counts = Counts::new(count.into(), 1, 0);
        match kind % 7 {
            0 => _ = batch.add_position(PositionRow::new(key, counts)),
            1 => _ = batch.put_position(PositionRow::new(key, counts)),
            2 => _ = batch.delete_position(key),
            3 => _ = batch.add_move(MoveRow::new(key, count.into(), counts)),
            4 => _ = batch.put_move(MoveRow::new(key, count.into(), counts)),
            5 => _ = batch.source(source(key)),
            _ => {
                _ = batch
                    .fact(Fact::new(Digest::of(&[count]), "plan.max-ply", key.to_string()).unwrap())
            }
        }
    }
    batch
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn j5_a_damaged_journal_shows_its_frames_up_to_the_damage_or_is_refused(
        batches in prop::collection::vec(prop::collection::vec((any::<u8>(), 0u64..30, 0u8..5), 0..12), 1..7),
        damage in any_damage(),
        packed: bool,
    ) {
        let (_folder, path) = folder_in_memory();
        Content { packed, ..sample(1, 20) }.write(&path);
        let (mut states, mut ends) = (vec![rows_of(&path)], vec![HEADER]);
        let mut writer = open_writer(&path);
        for changes in &batches {
            writer.append(&batch_of(changes)).unwrap();
            states.push(rows_of(&path));
            ends.push(writer.journal().bytes as usize);
        }
        drop(writer);
        let journal = fs::read(journal_path(&path)).unwrap();
        let mut other = Forged::new(Digest(journal[32..48].try_into().unwrap()), 2);
        (0..6).for_each(|key| _ = other.frame(&[positions(&[key])]));
        let (damaged, start, rest) = damage.inflict(&journal, &other.bytes);
        if damaged == journal {
            return Ok(());
        }
        fs::write(journal_path(&path), &damaged).unwrap();
        // Where it differs first: what is put in may be what stood there.
        let start = start.max(journal.iter().zip(&damaged).take_while(|(one, other)| one == other).count());
        let before = ends.iter().filter(|&&end| end <= start).count().saturating_sub(1);
        let header_gone = start < HEADER;
        let later_is_there = (before + 1..batches.len()).any(|frame| ends[frame] >= rest);
        // The frame itself, but not in its place.
        let moved = before < batches.len() && ends[before] >= rest && damaged.len() - journal.len().min(damaged.len()) > 0;
        match Book::open(&path) {
            Ok(book) => {
                let frames = book.journal().frames as usize;
                // A journal that is cut within its header, or to nothing but zeros, was never
                // begun.
                prop_assert!(!header_gone || damaged.len() <= HEADER || damaged.iter().all(|&byte| byte == 0));
                prop_assert!(header_gone || frames == before, "{} frames shown, {} before the damage", frames, before);
                prop_assert!(header_gone || !later_is_there && !moved, "frames behind the damage were lost in silence");
                prop_assert!(rows_of(&path) == states[frames], "other rows than those of {} frames", frames);
                assert_sound(&path);
                let mut writer = open_writer(&path);
                writer.append(&Batch::new()).unwrap();
                prop_assert!(rows_of(&path) == states[frames]);
            }
            Err(Error::Damaged { .. }) => {
                prop_assert!(!checked(&path).ok());
                prop_assert!(Writer::open(Env::default(), &path).is_err());
                prop_assert!(fs::read(journal_path(&path)).unwrap() == damaged);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}

#[test]
fn a_journal_left_behind_by_a_move_is_found_and_no_other_file_is() {
    let (folder, _) = folder();
    let at = |name: &str| folder.path().join(name);
    let book = at("a.tabia");
    journaled(&book, false);
    let digest = open(&book).header().digest;
    // Its own journal, and that of a book that is there, are not astray.
    assert_eq!(stray_journals(&book, digest).unwrap(), [] as [PathBuf; 0]);
    fs::copy(&book, at("copy.tabia")).unwrap();
    assert_eq!(stray_journals(&at("copy.tabia"), digest).unwrap(), [] as [PathBuf; 0]);
    fs::remove_file(at("copy.tabia")).unwrap();

    fs::rename(&book, at("b.tabia")).unwrap();
    fs::create_dir(at("folder-journal")).unwrap();
    fs::write(at("short-journal"), "TABI").unwrap();
    fs::write(at("words-journal"), "dear diary ".repeat(20)).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(at("pipe-journal")).status().unwrap();
    assert!(pipe.success());
    let moved = at("b.tabia");
    assert_eq!(stray_journals(&moved, digest).unwrap(), [journal_path(&book)]);
    assert_eq!(stray_journals(&moved, Digest::NONE).unwrap(), [] as [PathBuf; 0]);
    fs::rename(journal_path(&book), journal_path(&moved)).unwrap();
    assert_eq!(stray_journals(&moved, digest).unwrap(), [] as [PathBuf; 0]);
}

#[test]
fn a_pipe_in_the_place_of_a_book_or_its_journal_is_refused_and_not_waited_for() {
    let (folder, path) = folder();
    sample(1, 20).write(&path);
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Both ends are open, so that whoever opens it fails instead of waiting.
    let _ends = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let is_refused = |done: tabia::Result<()>| {
        let why = done.unwrap_err().to_string();
        assert!(why.contains("this is no regular file"), "{why}");
    };
    let salvaged = |from: &Path| {
        salvage(&Env::default(), from, &folder.path().join("salvaged"), Existing::Refuse).map(drop)
    };
    is_refused(Book::open(&pipe).map(drop));
    is_refused(salvaged(&pipe));
    fs::rename(&pipe, journal_path(&path)).unwrap();
    is_refused(Book::open(&path).map(drop));
    is_refused(salvaged(&path));
    is_refused(check(&Env::default(), &path).map(drop));
    assert!(Writer::open(Env::default(), &path).is_err());
    assert!(Book::open_view(&path, View::Bare).is_ok());
}
