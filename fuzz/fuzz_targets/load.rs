//! Any text where the command takes text: rows as `tabia load` reads them, names, loads, amounts of
//! memory, positions and moves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::stream::Chunk;
use tabia::{Book, Env, Existing, Load, MoveRow, Name, NewBook, PositionRow, Results, Row, Share};
use tabia_build::Memory;
use tabia_fuzz::{folder, open, settle, sound, table};
use tabia_games::{Chess, Game};
use tabia_interop::AnyRow;
use tabia_interop::rows::{self, Metadata, RowFormat};

fuzz_target!(|bytes: &[u8]| {
    rows(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for word in text.split_whitespace().take(64) {
        values(word);
    }
    game(text);
});

/// The rows and the metadata of a text or of JSON Lines, or what is wrong with it.
fn read(bytes: &[u8]) -> Result<(Vec<AnyRow>, Metadata), String> {
    let mut reader = rows::of_stream(bytes).map_err(|error| error.to_string())?;
    let mut entries = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(entry)) => entries.push(entry),
            Ok(None) => return Ok((entries, reader.into_metadata())),
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// Text to rows, rows to a book, the book to text and to JSON Lines and back.
fn rows(text: &[u8]) {
    let (entries, head) = match read(text) {
        Ok(read) => read,
        Err(line) => {
            assert!(line.starts_with("line ") || line.starts_with("this is a "), "{line}");
            assert!(line.len() < 50_000, "the whole text is quoted");
            return;
        }
    };
    let (mut positions, mut moves) =
        (Vec::<PositionRow>::new(), Chunk::<MoveRow>::new(head.columns));
    for entry in entries {
        match entry {
            AnyRow::Position(row) => positions.push(row),
            AnyRow::Move(played) => {
                assert!(played.cells.columns().without(head.columns).is_empty());
                moves.push(played.row, &played.cells);
            }
        }
    }
    assert!((head.positions || positions.is_empty()) && (head.moves || moves.is_empty()));
    if !head.positions && !head.moves {
        return;
    }
    settle(&mut positions);
    moves.sort_and_merge();
    let name =
        |name: Option<Name>, other: &str| name.unwrap_or_else(|| other.parse().expect("a name"));
    let mut new = NewBook::new(name(head.game, "chess"), name(head.keys, "polyglot"));
    new = new
        .keyed(head.keyed.unwrap_or_default())
        .load(head.load.unwrap_or_default())
        .sources(head.sources)
        .facts(head.facts);
    let share = head.share.unwrap_or_default();
    new = new.share(share);
    if head.positions {
        new = new.positions(&positions);
    }
    if head.moves {
        new = new.moves(&moves);
    }
    let results = head.results.unwrap_or_default();
    let allowed = |counts| results.allow(counts);
    let sound_counts = positions.iter().all(|row| allowed(row.counts()))
        && moves.rows().iter().all(|row| allowed(row.counts()));
    let of_share = positions
        .iter()
        .map(Row::hash)
        .chain(moves.rows().iter().map(Row::hash))
        .all(|hash| share.holds(hash));
    new = new.results(results).filter(head.filter);
    let folder = folder();
    let path = folder.path().join("book.tabia");
    match new.write(&Env::default(), &path, Existing::Refuse) {
        Err(tabia::Error::Results { .. }) if !sound_counts => return,
        Err(tabia::Error::Share { .. }) if !of_share => return,
        written => drop(written.expect("rows make a book")),
    }
    assert!(sound_counts && of_share);
    assert!(sound(&path));
    comes_back(&open(&path));
}

/// What `dump` writes of a book, `load` reads as it was.
fn comes_back(book: &Book) {
    let metadata = Metadata::of_book(book, &rows::tables(book)).expect("a sound book");
    write_and_read(book, &metadata, RowFormat::Tsv);
    write_and_read(book, &metadata, RowFormat::Jsonl);
}

fn write_and_read(book: &Book, metadata: &Metadata, format: RowFormat) {
    let (positions, moves) = (table::<PositionRow, _>(book), table::<MoveRow, _>(book));
    let (positions, moves) = (positions.unwrap_or_default(), moves.unwrap_or_default());
    let expected = positions.rows().iter().copied().map(AnyRow::Position);
    let expected: Vec<_> = expected.chain(moves.iter().map(AnyRow::Move)).collect();
    let written = rows::write(book, &rows::tables(book), format, Vec::new(), &()).expect("memory");
    assert_eq!(written.rows, expected.len() as u64);
    let (entries, read) =
        read(&written.out).unwrap_or_else(|line| panic!("what dump writes is refused: {line}"));
    // Text says nothing of results that are known, nor of the share that is the whole.
    let read = Metadata {
        results: read.results.or(Some(Results::Known)),
        share: read.share.or(Some(Share::WHOLE)),
        ..read
    };
    assert_eq!(&read, metadata);
    assert!(entries == expected, "a dump does not come back");
}

fn values(word: &str) {
    match word.parse::<Name>() {
        Ok(name) => assert_eq!(name.as_str(), word),
        Err(error) => assert!(error.to_string().contains(word)),
    }
    if let Ok(load) = word.parse::<Load>() {
        assert!((500..=980).contains(&load.thousandths()));
        assert_eq!(load.to_string().parse(), Ok(load));
    }
    if let Ok(memory) = word.parse::<Memory>() {
        assert!(memory.share(1) > 0 && memory.share(3) <= memory.share(1));
    }
    if let Some(key) = rows::key(word.as_bytes()) {
        assert_eq!(format!("{key:016x}"), word.to_ascii_lowercase());
    }
}

/// The first line as a position, what follows as moves, as `explore` takes them.
fn game(text: &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (mut board, words) = match Chess::from_setup(first) {
        Ok(board) => (board, rest),
        Err(error) => {
            assert_eq!(error.text, first.trim());
            (Chess::start(), text)
        }
    };
    let mut legal = Vec::new();
    for word in words.split_whitespace().take(100) {
        let played = match board.parse_move(word) {
            Ok(played) => played,
            Err(error) => {
                assert!(error.to_string().contains(word));
                continue;
            }
        };
        board.legal_moves(&mut legal);
        let here = || board.setup();
        assert!(legal.contains(&played), "`{word}` is taken for {played:?}, illegal in {}", here());
        let again = board.parse_move(&board.notation(&played));
        assert_eq!(again.as_ref(), Ok(&played), "SAN of {played:?} in {}", here());
        let again = board.parse_move(&board.coordinates(&played));
        assert_eq!(again.as_ref(), Ok(&played), "UCI of {played:?} in {}", here());
        let of_code = board.move_of_code(board.code(&played));
        assert_eq!(of_code.map(|found| board.code(&found)), Some(board.code(&played)));
        board.play(&played);
        let again = Chess::from_setup(&board.setup())
            .unwrap_or_else(|error| panic!("its own set-up is refused: {error}"));
        assert_eq!(again.key(), board.key(), "the key went astray at {}", board.setup());
        assert_eq!(again.side(), board.side());
        let _ = (board.diagram(), board.outcome());
    }
}
