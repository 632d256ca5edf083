//! `import` and `export`: Arena's, ChessBase's and Edax's books.

use crate::stage::Stage;

/// An Arena book: e4 (10 games, White won 5 and lost 2), answered by e5 in 6 of them; d4, not to be
/// played.
fn arena() -> Vec<u8> {
    let nodes = [
        ([12u8, 28, 0, 5], [10u32, 5, 2, 0, 901, 902]),
        ([52, 36, 0, 5], [6, 2, 2, 0, u32::MAX, u32::MAX]),
        ([11, 27, 0, 0], [1, 0, 1, 0, u32::MAX, u32::MAX]),
    ];
    let mut bytes = vec![0; 25_200];
    bytes[..4].copy_from_slice(b"\x03ABK");
    for (squares, numbers) in nodes {
        bytes.extend(squares);
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes
}

/// An Edax book of the start and one leaf, which is worth two discs.
fn edax() -> Vec<u8> {
    let mut bytes = b"XADEKOOB\x04\x04".to_vec();
    bytes.extend([0; 28]);
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(
        [0x0000_0008_1000_0000u64, 0x0000_0010_0800_0000]
            .iter()
            .flat_map(|discs| discs.to_le_bytes()),
    );
    bytes.extend([3u32, 1, 0, 4].iter().flat_map(|lines| lines.to_le_bytes()));
    bytes.extend([2i16, 0, 4].iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend([0, 21, 2, 37]);
    bytes
}

#[test]
fn arena_books_come_in_and_go_out() {
    let stage = Stage::new();
    stage.write("small.abk", arena());
    let told = stage.json("import abk -o small.tabia small.abk");
    for (what, count) in [("nodes", 3), ("plies", 2), ("games", 11), ("positions", 4), ("moves", 3)]
    {
        assert_eq!(told[what].as_u64(), Some(count), "{what}: {told}");
    }
    stage.good("check small.tabia");
    let told = stage.json("export abk small.tabia -o out.abk");
    assert_eq!(
        (told["nodes"].as_u64(), told["bytes"].as_u64()),
        (Some(3), Some(25_200 + 3 * 28)),
        "{told}"
    );
    stage.good("import abk -o again.tabia out.abk");
    stage.good("diff small.tabia again.tabia");
    assert_eq!(
        stage.json("export abk --max-nodes 1 small.tabia -o one.abk")["lost"]["unwritten"].as_u64(),
        Some(2)
    );
    assert_eq!(
        stage.json("export abk --max-ply 1 small.tabia -o flat.abk")["nodes"].as_u64(),
        Some(2)
    );
    stage.good("import abk --keyed line -o lines.tabia small.abk");
    assert_eq!(stage.json("info lines.tabia")["keyed"].as_str(), Some("line"));
    stage.good("export abk lines.tabia -o lines.abk --breadth 9 --min-games 1");
    assert_eq!(stage.read("lines.abk")[25_200..], stage.read("out.abk")[25_200..]);
}

#[test]
fn edax_books_come_in() {
    let stage = Stage::new();
    stage.write("book.dat", edax());
    let told = stage.json("import edax -o othello.tabia book.dat");
    for (what, count) in [("records", 1), ("leaves", 1), ("positions", 2), ("moves", 1)] {
        assert_eq!(told[what].as_u64(), Some(count), "{what}: {told}");
    }
    stage.good("check othello.tabia");
    assert_eq!(stage.json("info othello.tabia")["keys"].as_str(), Some("zobrist-8"));
    stage.good("import edax --symmetry none -o plain.tabia book.dat");
    assert_eq!(stage.json("info plain.tabia")["keys"].as_str(), Some("zobrist"));
    assert!(
        stage
            .good("import edax --force -o othello.tabia book.dat")
            .contains("left out    1 positions with bounds")
    );
}

#[test]
fn what_cannot_be_read_or_written_is_said() {
    let stage = Stage::with_books();
    let whole = arena();
    stage.write("cut.abk", &whole[..whole.len() - 1]);
    stage.bad("import abk -o x.tabia cut.abk", &["cut.abk", "cut off"]);
    stage.write("cut.dat", &edax()[..60]);
    stage.bad("import edax -o x.tabia cut.dat", &["cut.dat", "position 1 at byte 42"]);
    stage.write("short.ctg", [0; 5000]);
    stage.bad("import ctg -o x.tabia short.ctg", &["short.ctg", "4096"]);
    stage.write("short.ctg", [0; 4096]);
    stage.write("short.cto", [0; 5]);
    stage.bad("import ctg -o x.tabia short.ctg", &["short.ctg", ".cto"]);
    stage.write("small.abk", &whole);
    stage.bad("import abk --game othello -o x.tabia small.abk", &["--game"]);
    stage.bad(
        "import polyglot -o x.tabia small.abk",
        &["small.abk: it begins as an Arena book does, not a Polyglot book"],
    );
    stage.bad("import abk --weight games -o x.tabia small.abk", &["--weight"]);
    stage.bad("import edax --keyed line -o x.tabia cut.dat", &["--key"]);
    stage.bad("export polyglot --breadth 3 club.tabia -o x.bin", &["--breadth"]);
    stage.write("book.dat", edax());
    stage.good("import edax -o othello.tabia book.dat");
    stage.bad("export abk othello.tabia -o x.abk", &["othello.tabia", "chess"]);
}
