//! Facts: what is known of how a book was made goes wherever its rows go, and is the same whatever
//! the order.

use crate::books::{
    Content, checked, fact, folder, folder_in_memory, merge_new, open, open_writer, rows_of,
    salvaged, sample,
};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tabia::format::{Digest, MAX_FACT_NAME, MAX_FACT_VALUE, Tag};
use tabia::{
    Batch, Book, Duplicates, Env, Error, Existing, Fact, MergeOptions, Rule, diff, journal_path,
    merge, merge_into,
};

fn any_fact() -> impl Strategy<Value = Fact> {
    let subject = prop_oneof![
        Just(Digest::NONE),
        any::<[u8; 16]>().prop_map(Digest),
        (0u8..2).prop_map(|byte| Digest([byte; 16]))
    ];
    // Names that are the beginnings of others, values with letters of more than one byte.
    let name = prop_oneof![
        Just("a".to_owned()),
        Just("a.".to_owned()),
        Just("evals".to_owned()),
        "[a-z0-9.-]{1,64}"
    ];
    let value =
        prop_oneof![Just(String::new()), Just("b".to_owned()), Just("ba".to_owned()), ".{0,9}"];
    (subject, name, value)
        .prop_map(|(subject, name, value)| Fact::new(subject, name, value).unwrap())
}

fn united(parts: &[&[Fact]]) -> Vec<Fact> {
    let all: std::collections::BTreeSet<_> = parts.concat().into_iter().collect();
    // The order of the specification, counted from bytes.
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|fact| {
        (fact.subject().0, fact.name().as_bytes().to_vec(), fact.value().as_bytes().to_vec())
    });
    all
}

fn write(path: &Path, seed: u64, facts: &[Fact]) -> Book {
    let content = Content { facts: facts.to_vec(), filter: false, ..sample(seed, 1) };
    content.new_book().write(&Env::default(), path, Existing::Refuse).unwrap();
    open(path)
}

fn facts_of(path: &Path) -> Vec<Fact> {
    open(path).facts().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn m8_facts_are_united_in_any_order_and_grouping(
        a in prop::collection::vec(any_fact(), 0..8), b in prop::collection::vec(any_fact(), 0..8), both in prop::collection::vec(any_fact(), 0..3)
    ) {
        let (folder, _) = folder();
        let path = |name: &str| folder.path().join(name);
        let (a, b) = ([a, both.clone()].concat(), [both, b].concat());
        let expected = united(&[&a, &b]);
        let books = || [open(path("a")), open(path("b"))];
        write(&path("a"), 1, &a);
        write(&path("b"), 2, &b);
        prop_assert_eq!(facts_of(&path("a")), united(&[&a]));
        let [first, second] = books();
        prop_assert_eq!(diff(&Env::default(), &first, &second, |_| ()).unwrap().same_facts, united(&[&a]) == united(&[&b]));
        merge_new(&path("ab"), &books()).unwrap();
        let mut turned = books();
        turned.reverse();
        merge_new(&path("ba"), &turned).unwrap();
        prop_assert_eq!(facts_of(&path("ab")), expected.clone());
        let merged = fs::read(path("ab")).unwrap();
        prop_assert!(merged == fs::read(path("ba")).unwrap());
        // By a journal, read and compacted.
        merge_into(&Env::default(), &path("a"), &books()[1..], Duplicates::Refuse).unwrap();
        prop_assert_eq!(facts_of(&path("a")), expected.clone());
        let mut writer = open_writer(path("a"));
        prop_assert_eq!(writer.facts(), &expected[..]);
        // Some once more.
        let mut batch = Batch::new();
        a.iter().chain(&b).rev().for_each(|fact| _ = batch.fact(fact.clone()).fact(fact.clone()));
        writer.append(&batch).unwrap();
        prop_assert_eq!(facts_of(&path("a")), expected.clone());
        prop_assert!(checked(&path("a")).ok());
        let [first, second] = [open(path("a")), open(path("ab"))];
        prop_assert!(diff(&Env::default(), &first, &second, |_| ()).unwrap().same_facts);
        writer.compact().unwrap();
        prop_assert_eq!(facts_of(&path("a")), expected);
        prop_assert_eq!(open(path("a")).digest(), second.digest());
    }
}

fn counts(value: &str) -> Fact {
    Fact::new(Digest::NONE, Fact::COUNTS, value).unwrap()
}

#[test]
fn m8_learned_counts_and_games_are_kept_apart() {
    let (folder, path) = folder();
    let other = folder.path().join("other");
    let games = || {
        let files = fs::read_dir(folder.path()).unwrap().count();
        write(&folder.path().join(format!("games-{files}")), 2, &[fact(3)])
    };
    let learned = write(&path, 1, &[counts("learned"), fact(1)]);
    write(&other, 4, &[counts("learned")]);
    let output = folder.path().join("output");
    let refused = |error: Error| {
        assert!(matches!(error, Error::Incompatible { .. }) && !output.exists(), "{error}")
    };
    let env = Env::default();
    let games_book = games();
    let games_path = games_book.path().to_owned();
    refused(diff(&env, &learned, &games_book, |_| ()).unwrap_err());
    refused(merge(&env, &output, &[learned, games_book], MergeOptions::default()).unwrap_err());
    refused(merge(&env, &output, &[games(), open(&path)], MergeOptions::default()).unwrap_err());
    refused(merge_into(&env, &path, &[games()], Duplicates::Refuse).unwrap_err());
    refused(merge_into(&env, &games_path, &[open(&path)], Duplicates::Refuse).unwrap_err());
    assert!(!journal_path(&path).exists() && !journal_path(&games_path).exists());
    // Of another kind, and of an archive: that says nothing of the book.
    let strange = write(&folder.path().join("strange"), 6, &[counts("guessed")]);
    refused(merge(&env, &output, &[open(&path), strange], MergeOptions::default()).unwrap_err());
    let archive = Fact::new(Digest([1; 16]), Fact::COUNTS, "learned").unwrap();
    let of_archive = write(&folder.path().join("archive"), 8, std::slice::from_ref(&archive));
    let allowed = MergeOptions { duplicates: Duplicates::Allow, ..MergeOptions::default() };
    merge(&env, &output, &[games(), of_archive], allowed).unwrap();
    assert!(facts_of(&output).contains(&archive));
    fs::remove_file(&output).unwrap();
    // Their like they are merged with.
    merge(&env, &output, &[open(&path), open(&other)], MergeOptions::default()).unwrap();
    assert_eq!(facts_of(&output), united(&[&[counts("learned"), fact(1)]]));
    merge_into(&env, &path, &[open(&other)], Duplicates::Refuse).unwrap();
    assert_eq!(facts_of(&path), facts_of(&output));
}

#[test]
fn salvage_keeps_the_rows_where_facts_are_damaged_and_says_so() {
    let (folder, path) = folder();
    let content = Content { facts: (0..5).map(fact).collect(), ..sample(1, 50) };
    let header = content.write(&path);
    let clean = fs::read(&path).unwrap();
    open_writer(&path).append(Batch::new().fact(fact(50))).unwrap();
    for (tag, rule) in [(Tag::FACTS, Rule::B14), (Tag::SOURCES, Rule::B14)] {
        let section = *header.section(tag).unwrap();
        for at in [0, section.length / 2, section.length - 1] {
            let mut bytes = clean.clone();
            bytes[(section.offset + at) as usize] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let book = open(&path);
            let damaged = |error: Error| matches!(error, Error::Damaged { rule: Rule::B14, offset, .. } if offset == section.offset);
            assert_eq!(book.facts().is_err_and(damaged), tag == Tag::FACTS);
            assert_eq!(book.sources().is_err_and(damaged), tag == Tag::SOURCES);
            let report = checked(&path);
            let found: Vec<_> =
                report.bad.iter().map(|bad| (bad.rule, bad.section.clone())).collect();
            assert_eq!(found, [(rule, tag.to_string())]);
            let output = folder.path().join("salvaged");
            let report = salvaged(&path, &output);
            assert_eq!(report.facts, tag != Tag::FACTS);
            assert_eq!((report.sources, report.bad.len()), (tag != Tag::SOURCES, 1));
            assert_eq!(rows_of(&output), content.rows());
            let expected =
                if report.facts { united(&[&content.facts, &[fact(50)]]) } else { vec![fact(50)] };
            assert_eq!(facts_of(&output), expected, "those of the journal are sound");
            assert_eq!(open(&output).sources().unwrap().len(), usize::from(report.sources));
        }
    }
}

/// The longest name and the longest value there can be, and many of them.
#[test]
fn the_largest_facts_come_back() {
    let (folder, path) = folder_in_memory();
    let value = |letter: char| letter.to_string().repeat(MAX_FACT_VALUE / letter.len_utf8());
    let name = "z".repeat(MAX_FACT_NAME);
    let fact_of = |letter| Fact::new(Digest([9; 16]), name.clone(), value(letter)).unwrap();
    let large: Vec<Fact> = ['a', 'é', '€'].map(fact_of).into();
    assert!(Fact::new(Digest::NONE, "a", value('a') + "b").is_err());
    let small = |i| Fact::new(Digest::of(&[i as u8]), format!("n.{i}"), format!("{i}")).unwrap();
    let many: Vec<Fact> = (0..2000).map(small).collect();
    let book = write(&path, 1, &many);
    assert_eq!(book.facts().unwrap(), united(&[&many]));
    let brought = write(&folder.path().join("brought"), 2, &large);
    merge_into(&Env::default(), &path, &[brought], Duplicates::Refuse).unwrap();
    assert_eq!(facts_of(&path), united(&[&many, &large]));
    open_writer(&path).compact().unwrap();
    assert_eq!(facts_of(&path), united(&[&many, &large]));
    assert!(checked(&path).ok());
}
