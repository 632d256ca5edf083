//! Shares of the hashes and sets of them: however they are made, joined or probed, they are the
//! whole; what is no set is refused.

use crate::books::{
    Content, WON, answer, any_book, append_moves, append_positions, assert_sound, cells_of,
    checked, chess_book, chunk, collect, columns_of_bits, every_column, fact, folder,
    folder_in_memory, merge_new, merged, moves_of, of_bits, open, open_all, open_writer, rows_of,
    salvaged, sample, source, stream, write,
};
use crate::image::Image;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::bytes::Bytes;
use tabia::format::{Load, Results, Tag};
use tabia::stream::{RowSet, Rows};
use tabia::{
    Batch, Book, BookSet, Columns, Counts, Duplicates, Env, Error, Existing, Fact, Hash,
    MergeOptions, MoveRow, NewBook, PositionRow, Row, Rule, Share, TableKind, WithCells, Writer,
    journal_path, merge, merge_into, mix, unmix,
};
use tabia_testing::forge::{Forged, part, positions};
use tabia_testing::model::Model;

fn part_of(book: &Content, share: Share) -> Content {
    let mut part = book.clone();
    part.positions.retain(|row| share.holds(row.hash()));
    part.moves.retain(|row| share.holds(row.hash()));
    part
}

/// Writes a share of a book, built at once.
fn write_share(book: &Content, share: Share, path: &Path) {
    write(part_of(book, share).new_book().share(share), path);
}

fn all_shares(bits: u8) -> Vec<Share> {
    (0..1u32 << bits).map(|number| Share::new(bits, number).unwrap()).collect()
}

fn write_shares(book: &Content, bits: u8, folder: &Path) -> Vec<PathBuf> {
    let write = |share: Share| {
        let path = folder.join(format!("share-{bits}-{}.tabia", share.number()));
        write_share(book, share, &path);
        path
    };
    all_shares(bits).into_iter().map(write).collect()
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn s2_shares_merged_of_any_parts_and_joined_in_any_order_are_the_whole(
        a in any_book(), b in any_book(), c in any_book(), bits in 0u8..=3,
        order in Just((0..8).collect::<Vec<usize>>()).prop_shuffle()
    ) {
        let (folder, all) = folder();
        let path = |name: &str| folder.path().join(name);
        let parts = [path("a"), path("b"), path("c")];
        for (part, path) in [&a, &b, &c].into_iter().zip(&parts) {
            part.write(path);
        }
        let whole = a.with(&b).with(&c);
        whole.write(&all);
        let expected = fs::read(&all).unwrap();
        let mut shares = Vec::new();
        for share in all_shares(bits) {
            let output = path(&format!("share-{}", share.number()));
            let bytes = merged(&parts, Some(share), &output);
            write_share(&whole, share, &path("at-once"));
            prop_assert!(bytes == fs::read(path("at-once")).unwrap(), "share {} of the parts", share);
            prop_assert!(merged(std::slice::from_ref(&all), Some(share), &path("of-whole")) == bytes, "share {} of the whole", share);
            assert_sound(&output);
            merged(&parts[..2], Some(share), &path("two"));
            let with_whole = merged(&[path("two"), path("c")], Some(share), &path("three"));
            prop_assert!(with_whole == bytes, "share {} of a share and a whole part", share);
            fs::remove_file(path("at-once")).unwrap();
            shares.push(output);
        }
        let shuffled: Vec<_> = order.iter().filter(|&&place| place < shares.len()).map(|&place| shares[place].clone()).collect();
        prop_assert!(merged(&shuffled, None, &path("joined")) == expected);
        assert_answers_as(&BookSet::open(&shuffled).unwrap(), &open(&all), &whole);
        // Half of the whole, made of its own shares: not yet all of them are there.
        if bits == 1 {
            prop_assert!(merged(&shares[1..], None, &path("same")) == fs::read(&shares[1]).unwrap());
        }
    }

    #[test]
    fn a_share_of_a_share_is_that_of_the_whole(a in any_book(), bits in 0u8..=2, more in 1u8..=3, number: u32) {
        let (folder, all) = folder();
        let path = |name: &str| folder.path().join(name);
        a.write(&all);
        let fine = Share::new(bits + more, number % (1 << (bits + more))).unwrap();
        let coarse = Share::new(bits, fine.number() >> more).unwrap();
        prop_assert!(coarse.contains(fine) && (fine == coarse || !fine.contains(coarse)));
        merged(&[&all], Some(coarse), &path("coarse"));
        let direct = merged(&[&all], Some(fine), &path("fine"));
        prop_assert!(merged(&[path("coarse")], Some(fine), &path("by-way")) == direct);
        // What isn't in it can't be had of it.
        let other = Share::new(bits + more, fine.number() ^ 1 << more.min(31)).filter(|other| !coarse.contains(*other));
        for share in other.into_iter().chain([Share::WHOLE].into_iter().filter(|_| bits > 0)) {
            let options = MergeOptions { share: Some(share), ..MergeOptions::default() };
            let before = files(folder.path());
            let error = merge(&Env::default(), &path("none"), &open_all(&[path("coarse")]), options).unwrap_err();
            prop_assert!(matches!(error, Error::Shares { .. }), "{}", error);
            prop_assert!(files(folder.path()) == before);
        }
    }

    #[test]
    fn several_sets_are_merged_share_by_share_or_at_once(a in any_book(), b in any_book(), bits in 1u8..=2) {
        let (folder, all) = folder();
        let path = |name: &str| folder.path().join(name);
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let sets = [write_shares(&a, bits, one.path()), write_shares(&b, bits, two.path())];
        a.with(&b).write(&all);
        let expected = fs::read(&all).unwrap();
        let mut at_once = sets.concat();
        at_once.reverse();
        prop_assert!(merged(&at_once, None, &path("at-once")) == expected);
        let pairs: Vec<_> = all_shares(bits).into_iter().map(|share| {
            let number = share.number() as usize;
            let output = path(&format!("pair-{number}"));
            merged(&[&sets[0][number], &sets[1][number]], None, &output);
            output
        }).collect();
        prop_assert!(merged(&pairs, None, &path("share-by-share")) == expected);
    }
}

/// Whether a set says of everything what the whole says.
fn assert_answers_as<S: Bytes>(set: &BookSet<S>, whole: &Book, content: &Content) {
    let positions: Vec<PositionRow> = collect(whole);
    let moves = chunk::<MoveRow>(whole);
    assert_eq!(collect::<PositionRow>(set), positions);
    assert_eq!(chunk::<MoveRow>(set), moves);
    assert_eq!(RowSet::<MoveRow>::columns(set), moves.columns());
    assert_eq!(set.sources().unwrap(), whole.sources().unwrap());
    assert_eq!(set.facts().unwrap(), whole.facts().unwrap());
    assert!(TableKind::ALL.into_iter().all(|kind| set.has(kind)));
    assert!(RowSet::<PositionRow>::exactly(set).is_none_or(|all| all >= positions.len() as u64));
    assert!(RowSet::<PositionRow>::at_most(set) >= positions.len() as u64);
    assert!(RowSet::<MoveRow>::exactly(set).is_none_or(|count| count == moves.len() as u64));
    let (of_positions, of_moves) = (content.positions.iter(), content.moves.rows().iter());
    let of_content = of_positions.map(Row::key).chain(of_moves.map(Row::key));
    let edges = set.books().iter().flat_map(|book| {
        let hashes = book.header().share.hashes();
        [*hashes.start(), *hashes.end()]
    });
    let keys: Vec<u64> =
        of_content.chain(edges.map(Hash::key)).chain((0..100).map(|i| mix(i ^ 0x5555))).collect();
    let mut batch = vec![None; keys.len()];
    set.positions(&keys, &mut batch).unwrap();
    for (&key, in_batch) in keys.iter().zip(batch) {
        let expected = whole.position(key).unwrap();
        assert_eq!((set.position(key).unwrap(), in_batch), (expected, expected));
        assert_eq!(set.moves(key).unwrap(), whole.moves(key).unwrap());
        assert_eq!(set.moves_with_cells(key).unwrap(), whole.moves_with_cells(key).unwrap());
        assert!(set.book_of(key).header().share.holds(Hash::of(key)));
    }
    let picked = |at: usize| positions.get(at).map_or(1 << 60, |row| row.hash().get());
    let (low, high) = (picked(positions.len() / 3), picked(positions.len() * 2 / 3));
    let quarter = 1 << 62;
    let ranges = [
        0..=u64::MAX,
        low..=high,
        low..=low,
        0..=quarter - 1,
        quarter..=quarter,
        quarter - 1..=quarter,
        high..=u64::MAX,
        1..=0,
    ];
    for hashes in ranges.map(of_bits) {
        let of = |rows: tabia::Result<Box<dyn Rows<MoveRow> + '_>>| Rows::collect(rows?);
        let mine = of(set.rows_between(hashes.clone())).unwrap();
        assert_eq!(mine, of(whole.rows_between(hashes.clone())).unwrap(), "{hashes:?}");
        let within: Vec<_> =
            positions.iter().copied().filter(|row| hashes.contains(&row.hash())).collect();
        let mine = Rows::<PositionRow>::collect(set.rows_between(hashes).unwrap()).unwrap();
        assert_eq!(mine.rows(), within);
    }
}

fn whole_sample() -> Content {
    let content = Content { facts: (0..4).map(fact).collect(), filter: true, ..sample(1, 1000) };
    content.with_cells(every_column(), 1)
}

#[test]
fn a_set_is_probed_as_the_whole_by_file_and_by_map_with_tags_and_without() {
    for (bits, filter) in [(0, true), (1, false), (3, true), (5, false), (5, true)] {
        let (folder, path) = folder();
        let mut content = whole_sample();
        content.filter = filter;
        content.write(&path);
        let paths = write_shares(&content, bits, folder.path());
        assert_answers_as(&BookSet::open(&paths).unwrap(), &open(&path), &content);
        // SAFETY: nobody writes to these files.
        #[expect(unsafe_code, reason = "maps are another way to the same rows")]
        let mapped = unsafe { BookSet::map(&paths) }.unwrap();
        assert_answers_as(&mapped, &open(&path), &content);
        let memory = |path| Book::from_bytes(fs::read(path).unwrap()).unwrap();
        let memory = BookSet::of(paths.iter().map(memory).rev().collect()).unwrap();
        assert_answers_as(&memory, &open(&path), &content);
    }
}

#[test]
fn large_shares_which_threads_share_give_the_same_bytes() {
    let (folder, all) = folder_in_memory();
    let path = |name: &str| folder.path().join(name);
    let parts = [sample(1, 500_000).with_cells(columns_of_bits(0b010), 1), sample(2, 500_000)];
    let paths = [path("a"), path("b")];
    parts.iter().zip(&paths).for_each(|(part, path)| _ = part.write(path));
    let expected = merged(&paths, None, &all);
    let shares = all_shares(1).into_iter().map(|share| {
        let output = path(&format!("share-{}", share.number()));
        merged(&paths, Some(share), &output);
        let report = checked(&output);
        assert!(report.ok() && report.crowded.is_empty(), "{:?}", report.bad);
        output
    });
    let shares: Vec<_> = shares.collect();
    assert!(merged(&shares, None, &path("joined")) == expected);
}

#[test]
fn the_finest_shares_hold_a_row_each() {
    let (_folder, path) = folder();
    let key = unmix(0xdead_beef_0123_4567);
    let share = Share::new(32, 0xdead_beef).unwrap();
    let row = PositionRow::new(key, WON);
    for (load, rows) in [(500, 1), (980, 1), (980, 40)] {
        let hash = |i: u64| Hash::from_bits(row.hash().get() + i * (1 << 20));
        let rows: Vec<_> = (0..rows).map(|i| PositionRow::of_hash(hash(i), WON)).collect();
        let new = chess_book().positions(&rows).filter(true).share(share);
        let new = new.load(Load::from_thousandths(load).unwrap());
        new.write(&Env::default(), &path, Existing::Replace).unwrap();
        let book = Book::from_bytes(fs::read(&path).unwrap()).unwrap();
        assert_eq!(book.position(key).unwrap(), Some(row));
        assert_eq!(book.position_table().unwrap().get(key), Some(&row));
        assert_eq!(book.position(12345).unwrap(), None);
        assert_eq!(open(&path).position(key).unwrap(), Some(row));
        let report = checked(&path);
        assert!(report.ok() && report.crowded.is_empty());
    }
}

/// Something that is done to a set of two shares, after which it is none.
type Spoil<'a> = (&'a str, Box<dyn Fn(&mut Vec<PathBuf>) + 'a>);

#[test]
fn s1_s2_what_is_no_set_is_refused_and_stays_as_it_was() {
    let (folder, _) = folder();
    let content = whole_sample();
    let path = |name: &str| folder.path().join(name);
    let set = write_shares(&content, 1, folder.path());
    let quarters = write_shares(&content, 2, folder.path());
    let share = |number| Share::new(1, number).unwrap();
    content.write(path("whole"));
    let second = part_of(&content, share(1));
    let write = |name: &str, new: NewBook<'_>| {
        new.share(share(1)).write(&Env::default(), &path(name), Existing::Refuse).unwrap();
        path(name)
    };
    let changed = |change: &dyn Fn(&mut Content)| {
        let mut changed = second.clone();
        change(&mut changed);
        changed
    };
    let of_game = |game: &str| {
        let new = NewBook::new(game.parse().unwrap(), "polyglot".parse().unwrap());
        let new = new.sources(second.sources.clone()).facts(second.facts.clone());
        new.positions(&second.positions)
    };
    let learned = changed(&|book| {
        book.facts.push(Fact::new(Default::default(), Fact::COUNTS, "learned").unwrap())
    });
    let counted = changed(&|book| {
        let draws = |counts: Counts| Counts::new(0, counts.draws, 0);
        let rows = book.positions.iter_mut();
        rows.for_each(|row| *row = PositionRow::of_hash(row.hash(), draws(row.counts())));
    });
    let no_moves: Vec<MoveRow> = Vec::new();
    let others = [
        ("learned counts", write("learned", learned.new_book())),
        (
            "without results",
            write("results", counted.new_book().moves(&no_moves).results(Results::Unknown)),
        ),
        ("another game", write("game", of_game("othello").moves(&second.moves))),
        ("one table", write("table", of_game("chess"))),
    ];
    let whole = path("whole");
    let mut spoilt: Vec<Spoil<'_>> = Vec::new();
    for (what, other) in &others {
        spoilt.push((what, Box::new(move |set| set[1] = other.clone())));
    }
    spoilt.push(("a share is missing", Box::new(|set| drop(set.remove(0)))));
    spoilt.push(("a share is there twice", Box::new(|set| set.push(set[0].clone()))));
    spoilt.push(("two of one share", Box::new(|set| set[1] = set[0].clone())));
    // Together they have every hash once.
    spoilt.push((
        "shares of different sizes",
        Box::new(|set| set.splice(1..2, quarters[2..].iter().cloned()).for_each(drop)),
    ));
    spoilt.push(("a whole beside a share", Box::new(|set| set[1] = whole.clone())));
    spoilt.push(("a whole beside a set", Box::new(|set| set.push(whole.clone()))));
    let before = files(folder.path());
    for (what, spoil) in &spoilt {
        let mut paths = set.clone();
        spoil(&mut paths);
        for _ in 0..2 {
            let told =
                |error: &Error| matches!(error, Error::Shares { .. } | Error::Incompatible { .. });
            let error = BookSet::open(&paths).map(drop).unwrap_err();
            assert!(told(&error), "{what}: {error}");
            // One share alone is merged as any book, into one of the same share; and of two the
            // archives would count twice.
            if *what != "a share is missing" {
                let error = merge_new(&path("output"), &open_all(&paths)).unwrap_err();
                let twice = matches!(error, Error::DuplicateSource { .. });
                assert!(told(&error) || twice, "{what}: {error}");
            }
            assert!(files(folder.path()) == before, "{what}");
            paths.reverse();
        }
    }
    assert!(matches!(BookSet::<tabia::bytes::Pread>::of(Vec::new()), Err(Error::Limit { .. })));
    BookSet::open(&set).unwrap();
}

/// TAGS, unknown sections and lineage may differ.
#[test]
fn s1_members_of_a_set_may_differ_in_what_says_nothing() {
    let (folder, path) = folder();
    let content = whole_sample();
    content.write(&path);
    let mut set = write_shares(&content, 1, folder.path());
    let mut other = part_of(&content, Share::new(1, 1).unwrap());
    other.filter = false;
    set[1] = folder.path().join("other");
    write(other.new_book().share(Share::new(1, 1).unwrap()), &set[1]);
    let mut image = Image::read(&set[1]);
    image.insert(0, tabia::Section { tag: Tag(*b"ABCD"), ..Default::default() }, vec![7; 100]);
    image.header.sequence = 9;
    image.write(&set[1]);
    assert_answers_as(&BookSet::open(&set).unwrap(), &open(&path), &content);
    assert!(merged(&set, None, &folder.path().join("joined")) == fs::read(&path).unwrap());
}

/// A book of one share with 500 rows of it, and a key of it and one of another.
fn one_share(path: &Path, columns: Columns) -> (Content, Share, [u64; 2]) {
    let share = Share::new(2, 1).unwrap();
    let content = Content { filter: true, ..sample(1, 500) }.with_cells(columns, 1);
    let mine = part_of(&content, share);
    write_share(&content, share, path);
    (mine, share, [unmix(1 << 62 | 5), unmix(3 << 62 | 5)])
}

#[test]
fn b24_no_book_of_a_share_is_made_of_rows_of_another() {
    let (folder, path) = folder_in_memory();
    let share = Share::new(2, 1).unwrap();
    let all = Content { filter: true, ..sample(1, 500) };
    let refused = |book: NewBook<'_>| {
        let error = book.share(share).write(&Env::default(), &path, Existing::Refuse).unwrap_err();
        assert!(matches!(error, Error::Share { share: of, .. } if of == share), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    };
    refused(all.new_book());
    let empty = || chess_book();
    let of_key = |key| MoveRow::new(key, 1, WON);
    let [first, last] = [share.hashes().start().key(), share.hashes().end().key()];
    let [before, behind] = [mix(first) - 1, mix(last) + 1].map(unmix);
    // One row before the share, one behind it; the least and the greatest hash of it are in it.
    for moves in [vec![of_key(before), of_key(first)], vec![of_key(last), of_key(behind)]] {
        refused(empty().moves(&moves));
    }
    let moves = vec![of_key(first), of_key(last)];
    empty().share(share).moves(&moves).write(&Env::default(), &path, Existing::Refuse).unwrap();
    assert_eq!(moves_of(&path).rows(), moves);
}

#[test]
fn j10_rows_of_another_share_are_not_appended() {
    let (folder, path) = folder();
    let (content, share, [mine, other]) = one_share(&path, Columns::NONE);
    let counts = WON;
    let before = files(folder.path());
    let refused = |error: Error| {
        assert!(matches!(error, Error::Share { share: of, .. } if of == share), "{error}")
    };
    let mut batches = vec![Batch::new(); 6];
    batches[0].add_position(PositionRow::new(other, counts));
    batches[1].put_position(PositionRow::new(other, counts));
    batches[2].delete_position(other);
    batches[3].add_move(MoveRow::new(other, 1, counts));
    batches[4].put_move(MoveRow::new(other, 1, counts));
    batches[5].delete_move(other, 1);
    for beside in [1, 4] {
        batches[beside].add_position(PositionRow::new(mine, counts));
    }
    let mut writer = open_writer(&path);
    batches.iter().for_each(|batch| refused(writer.append(batch).unwrap_err()));
    // A batch that can't be taken is no failure of the disk.
    assert!(files(folder.path()) == before);
    writer.append(&Batch::new()).unwrap();
    let settled = fs::read(journal_path(&path)).unwrap();
    // A stream is seen only as it is written: the batch is taken back, and the writer does nothing
    // more.
    let positions = vec![PositionRow::new(mine, counts), PositionRow::new(other, counts)];
    refused(append_positions(&mut writer, &positions).unwrap_err());
    assert!(matches!(writer.append(&Batch::new()), Err(Error::Poisoned { .. })));
    drop(writer);
    assert!(fs::read(journal_path(&path)).unwrap() == settled);
    let moves = vec![MoveRow::new(other, 1, counts)];
    let mut writer = open_writer(&path);
    refused(append_moves(&mut writer, &moves).unwrap_err());
    drop(writer);
    // A book of another share has none of its rows; of a whole book those of the share come.
    let (whole, brought) = (sample(2, 100), folder.path().join("brought"));
    let next = Share::new(share.bits(), share.number() ^ 1).unwrap();
    write_share(&whole, next, &brought);
    let into = |book| merge_into(&Env::default(), &path, &open_all(&[book]), Duplicates::Refuse);
    let error = into(&brought).unwrap_err();
    assert!(matches!(error, Error::Shares { .. }), "{error}");
    assert!(fs::read(journal_path(&path)).unwrap() == settled);
    let all = folder.path().join("all");
    whole.write(&all);
    into(&all).unwrap();
    let both = content.with(&part_of(&whole, share));
    assert_eq!(rows_of(&path), both.rows());
}

#[test]
fn j10_a_journal_with_rows_of_another_share_is_refused() {
    let (folder, path) = folder();
    let (_, _, [mine, other]) = one_share(&path, Columns::NONE);
    let moves = |key: u64| part(1, 2, 24, 1, &[&mix(key).to_le_bytes()[..], &[0; 16]].concat());
    let deletes = |key: u64| part(3, 1, 24, 1, &[&mix(key).to_le_bytes()[..], &[0; 16]].concat());
    let fine = [vec![positions(&[mine])], vec![moves(mine)], vec![deletes(mine)]];
    let wrong = [
        vec![positions(&[other])],
        vec![moves(other)],
        vec![deletes(other)],
        vec![positions(&[mine, other])],
        vec![moves(mine), positions(&[other])],
    ];
    let mut good = Forged::beside(&path);
    fine.iter().for_each(|parts| _ = good.frame(parts));
    good.lay(&path);
    assert_eq!(open(&path).journal().frames, 3);
    for (number, parts) in wrong.iter().enumerate() {
        let mut journal = Forged::beside(&path);
        journal.frame(&fine[1]).frame(parts).frame(&fine[0]);
        journal.lay(&path);
        let is_j10 = |error: Error| {
            assert!(matches!(error, Error::Damaged { rule: Rule::J10, .. }), "{number}: {error}")
        };
        is_j10(Book::open(&path).map(drop).unwrap_err());
        is_j10(Writer::open(Env::default(), &path).map(drop).unwrap_err());
        is_j10(BookSet::open(&[&path]).map(drop).unwrap_err());
        let rules: Vec<_> = checked(&path).bad.iter().map(|finding| finding.rule).collect();
        assert!(rules.contains(&Rule::J10), "{number}: {rules:?}");
        let output = folder.path().join(format!("salvaged-{number}"));
        let report = salvaged(&path, &output);
        assert_eq!((report.frames, report.bad.len()), (2, 1), "{number}");
        assert_eq!(report.bad[0].rule, Rule::J10, "{number}");
        assert!(checked(&output).ok());
    }
}

#[test]
fn a_share_that_is_added_to_and_compacted_stays_the_share() {
    let (folder, path) = folder();
    let columns = every_column();
    let (content, share, _) = one_share(&path, columns);
    let more = part_of(&sample(3, 300).with_cells(columns, 3), share);
    let brought = folder.path().join("brought");
    write(more.new_book().share(share), &brought);
    merge_into(&Env::default(), &path, &open_all(&[&brought]), Duplicates::Refuse).unwrap();
    let both = content.with(&more);
    assert_eq!(moves_of(&path), both.moves);
    let mut writer = open_writer(&path);
    assert!(writer.compact().unwrap());
    assert_eq!(writer.header().share, share);
    drop(writer);
    let expected = folder.path().join("expected");
    write(both.new_book().share(share), &expected);
    assert_eq!(open(&path).digest(), open(&expected).digest());
    let report = checked(&path);
    assert!(report.ok() && report.crowded.is_empty(), "{:?}", report.bad);
    // And it is salvaged as the share that it is.
    let rescued = folder.path().join("salvaged");
    salvaged(&path, &rescued);
    assert_eq!(open(&rescued).digest(), open(&expected).digest());
}

#[test]
fn a_set_whose_members_have_journals_is_the_whole_with_all_of_them() {
    let (folder, all) = folder();
    let content = whole_sample();
    let columns = content.moves.columns();
    let paths = write_shares(&content, 2, folder.path());
    let counts = Counts::new(1, 2, 3);
    let mut model = Model::of(&content.positions, &content.moves);
    for key in (0..200).map(mix).chain(content.moves.rows().iter().map(Row::key).step_by(50)) {
        // The last share gets no journal.
        let Some(share) = all_shares(2)[..3].iter().position(|share| share.holds(Hash::of(key)))
        else {
            continue;
        };
        let row = MoveRow::new(key, 3, counts);
        let cells = cells_of(columns, &row, 9);
        let (mut batch, position) = (Batch::new(), PositionRow::new(key, counts));
        batch.add_position(position).put_move_with(row, cells);
        open_writer(&paths[share]).append(&batch).unwrap();
        model.moves.insert((key, row.code()), (&WithCells { row, cells }).into());
        model.add_position(key, (&position).into());
    }
    let (positions, moves) = model.rows(columns);
    let whole = Content { positions, moves, ..content };
    whole.write(&all);
    let mut set = BookSet::open(&paths).unwrap();
    assert_eq!(set.books().iter().filter(|book| book.journal().frames > 0).count(), 3);
    assert_answers_as(&set, &open(&all), &whole);
    assert!(merged(&paths, None, &folder.path().join("joined")) == fs::read(&all).unwrap());
    for path in &paths {
        open_writer(path).compact().unwrap();
    }
    set = BookSet::open(&paths).unwrap();
    assert_answers_as(&set, &open(&all), &whole);
    assert!(merged(&paths, None, &folder.path().join("again")) == fs::read(&all).unwrap());
    // An archive that only one of them has been given makes them another set, until all have it.
    let mut batch = Batch::new();
    batch.source(source(77));
    for (number, path) in paths.iter().enumerate() {
        open_writer(path).append(&batch).unwrap();
        let opened = BookSet::open(&paths);
        assert_eq!(opened.is_ok(), number == 3);
        assert!(opened.err().is_none_or(|error| matches!(error, Error::Shares { .. })));
    }
}

/// A row keeps its home when only the bits of its share change: it stands where it should, but
/// isn't the share's.
#[test]
fn b24_a_row_of_another_share_is_found() {
    let (_folder, path) = folder();
    let share = Share::new(2, 1).unwrap();
    // Each table of a share has more than two pieces.
    let content = part_of(&sample(2, 100_000), share);
    write(content.new_book().share(share), &path);
    let image = Image::read(&path);
    let (below, above) = (0u64 << 62, 2u64 << 62);
    fn change<R: Row>(image: &Image, slot: usize, number: u64) -> Image {
        let mut image = image.clone();
        let row = &mut image.body(Tag::table(R::TABLE))[24 * slot..24 * slot + 8];
        let h = u64::from_le_bytes((&*row).try_into().unwrap());
        row.copy_from_slice(&(h & u64::MAX >> 2 | number).to_le_bytes());
        image
    }
    let occupied = |kind| -> Vec<usize> {
        let mut image = image.clone();
        let body = image.body(Tag::table(kind));
        (0..body.len() / 24).filter(|slot| body[24 * slot + 23] != 0xff).collect()
    };
    for kind in TableKind::ALL {
        let slots = occupied(kind);
        let border = slots.partition_point(|&slot| slot < 12_288);
        assert!(border > 0 && *slots.last().unwrap() > 2 * 12_288);
        let (first, last) = (slots[0], *slots.last().unwrap());
        for (slot, number) in [
            (first, below),
            (last, above),
            (slots[border - 1], above),
            (slots[border], below),
            (slots[border / 2], above),
        ] {
            let changed = match kind {
                TableKind::Positions => change::<PositionRow>(&image, slot, number),
                TableKind::Moves => change::<MoveRow>(&image, slot, number),
            };
            changed.write(&path);
            let found = checked(&path).bad;
            let (block, section) = (Some((slot * 24 / 4096) as u64), Tag::table(kind).to_string());
            let is_it = found
                .iter()
                .any(|bad| bad.rule == Rule::B24 && bad.block == block && bad.section == section);
            assert!(is_it, "{slot}: {found:?}");
            // No stream of rows passes it, and no new book has it. In the middle it may be out of
            // order first.
            let is_told = |error: Error| {
                let is_b24 =
                    matches!(error, Error::Damaged { rule: Rule::B24, .. } | Error::Share { .. });
                is_b24 || ![first, last].contains(&slot)
            };
            let (copy, output) = (path.with_extension("copy"), path.with_extension("salvaged"));
            let book = open(&path);
            assert!(stream(&book, kind).is_err_and(is_told), "{slot}");
            assert!(merge_new(&copy, &[book]).is_err_and(is_told) && !copy.exists(), "{slot}");
            let report = salvaged(&path, &output);
            assert_eq!(report.positions.unwrap().lost() + report.moves.unwrap().lost(), 1);
            assert!(checked(&output).ok());
        }
    }
    // All of them.
    let mut all = image.clone();
    all.header.share = Share::new(2, 2).unwrap();
    all.write(&path);
    let report = checked(&path);
    let rows = content.positions.len() + content.moves.len();
    assert_eq!(report.bad.len() as u64 + report.unlisted, rows as u64);
    assert!(report.bad.iter().all(|finding| finding.rule == Rule::B24));
}

/// A share answers only for what it holds, whatever its bytes say.
#[test]
fn a_share_says_nothing_of_the_hashes_of_others() {
    let (_folder, path) = folder();
    let (content, share, _) = one_share(&path, every_column());
    // With the other bits on top, each has the home of a row that is there.
    let others = content.positions.iter().flat_map(|row| {
        [0, 2, 3].map(|number| unmix(row.hash().get() & u64::MAX >> 2 | number << 62))
    });
    let keys: Vec<u64> = others.collect();
    let book = open(&path);
    let memory = Book::from_bytes(fs::read(&path).unwrap()).unwrap();
    let mut found = vec![None; keys.len()];
    memory.positions(&keys, &mut found).unwrap();
    assert!(found.iter().all(Option::is_none));
    for &key in &keys {
        assert!(!share.holds(Hash::of(key)));
        assert_eq!(answer(&book, key).unwrap(), (None, vec![]));
        assert_eq!(answer(&memory, key).unwrap(), (None, vec![]));
        assert!(book.moves(key).unwrap().is_empty() && memory.moves(key).unwrap().is_empty());
        assert!(memory.position_table().unwrap().get(key).is_none());
        assert!(memory.move_table().unwrap().moves(key).is_empty());
    }
}
