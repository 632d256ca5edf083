//! `import` and `export`: trees as text to books and back.

use crate::stage::Stage;
use std::path::Path;

/// E5 of nine games, answered three ways, two of which are images of each other; A1 and the image
/// of it in another corner.
const TREE: &str = "\
{0 7 15
{+41 4 9
{-31 1 2} {-33 1 3} {-pass 0 1}}
{+1 2 4 {-81 1 2}}
{+9 2 2 {-73 0 1}}}
";

/// The same with images added, each line in its canonical form, in the order of games.
const CANONICAL: &str = "\
{0 7 15
{+41 4 9
{-33 2 5}
{-pass 0 1}}
{+9 4 6
{-73 1 3}}}
";

fn stage() -> Stage {
    let stage = Stage::new();
    stage.write("tree.mcst", TREE);
    stage.good("import mcst -o go.tabia tree.mcst");
    stage
}

#[test]
fn a_tree_becomes_a_book_and_comes_back() {
    let stage = stage();
    stage.good("check go.tabia");
    assert_eq!(stage.good("export mcst go.tabia"), CANONICAL);
    let made = stage.json("export mcst go.tabia -o out.mcst");
    assert_eq!(
        (made["nodes"].as_u64(), made["plies"].as_u64(), made["bytes"].as_u64()),
        (Some(6), Some(2), Some(CANONICAL.len() as u64))
    );
    assert_eq!(stage.read("out.mcst"), CANONICAL.as_bytes());
    stage.good("import mcst -o again.tabia out.mcst");
    stage.good("diff go.tabia again.tabia");
    // But for the source, which is another file, it is the same book: the same text gives the same
    // bytes.
    stage.good("import mcst --force -o go.tabia out.mcst");
    assert!(stage.read("go.tabia") == stage.read("again.tabia"));
    assert_eq!(stage.run_with("import mcst -o piped.tabia -", CANONICAL.as_bytes()).code, Some(0));
    assert_eq!(stage.good("export mcst piped.tabia -o -"), CANONICAL);
}

#[test]
fn what_was_imported_is_told() {
    let stage = stage();
    let told = stage.json("import mcst -o x.tabia tree.mcst");
    for (what, count) in [("nodes", 9), ("plies", 2), ("games", 15), ("positions", 6), ("moves", 5)]
    {
        assert_eq!(told[what].as_u64(), Some(count), "{what}: {told}");
    }
    let info = stage.json("info x.tabia");
    assert_eq!(
        (info["game"].as_str(), info["keyed"].as_str()),
        (Some("go-9"), Some("line")),
        "{info}"
    );
    assert!(stage.good("info x.tabia").contains("tree.mcst"), "the file is a source");
    let packed = zstd::encode_all(TREE.as_bytes(), 3).unwrap();
    stage.write("tree.mcst.zst", packed);
    stage.good("import mcst --memory 16M --load 0.9 --filter -o y.tabia tree.mcst.zst");
    assert_eq!(stage.good("export mcst y.tabia"), CANONICAL);
}

#[test]
fn an_imported_book_is_a_book_like_any_other() {
    let stage = stage();
    let shown = stage.good("explore go.tabia");
    assert!(shown.contains("E5") && shown.contains('9'), "{shown}");
    let behind = stage.good("explore go.tabia --moves E5");
    assert!(behind.contains("pass"), "{behind}");
    stage.good("trim go.tabia -o black.tabia --solution black --min-games 2");
    assert_eq!(stage.good("export mcst black.tabia"), "{0 7 15\n{+9 4 6\n{-73 1 3}}}\n");
    stage.write("other.mcst", "{0 0 1 {5 1 1}}");
    stage.good("import mcst -o other.tabia other.mcst");
    stage.good("merge -o both.tabia go.tabia other.tabia");
    assert!(stage.good("export mcst both.tabia").starts_with("{0 7 16\n{+41 4 9\n"));
}

/// What a dump says of rows.
fn rows(stage: &Stage, book: &str) -> Vec<String> {
    stage
        .good(&format!("dump {book}"))
        .lines()
        .filter(|line| !line.starts_with("#source") && !line.starts_with("#fact"))
        .map(str::to_owned)
        .collect()
}

/// Games one a line, of which images are one line; the tree of their book is the book once more.
#[test]
fn a_book_of_games_becomes_a_tree_and_comes_back() {
    let stage = Stage::new();
    stage.write(
        "games.lines",
        "# ours\nE5 C3 G7 1-0\nE5 G7 C3 0-1\nE5 C3 pass pass 0-1\nC3 E5 1-0\ng7 e5 0-1\nD4 *\n",
    );
    let built = stage.json("build -q -o games.tabia --game go-9 --keyed line games.lines");
    assert_eq!(
        (built["games"].as_u64(), built["skipped"]["no_result"].as_u64()),
        (Some(5), Some(1)),
        "{built}"
    );
    let tree = stage.good("export mcst games.tabia");
    assert_eq!(
        tree,
        "{0 3 5\n{+41 1 3\n{-25 2 3\n{+57 1 2}\n{+pass 0 1\n{-pass 1 1}}}}\n{+25 1 2\n{-41 1 2}}}\n"
    );
    stage.write("games.mcst", tree);
    stage.good("import mcst -o again.tabia games.mcst");
    assert_eq!(rows(&stage, "again.tabia"), rows(&stage, "games.tabia"));
    stage.good("diff games.tabia again.tabia");
    stage.copy("games.lines", "games.txt");
    stage.good("build -q -o told.tabia --game go-9 --keyed line --lines games.txt");
    assert_eq!(rows(&stage, "told.tabia"), rows(&stage, "games.tabia"));
}

/// Engine games of the shared data, to the depth of the paper's books; drawn ones left out.
#[test]
fn a_book_of_real_games_comes_back() {
    let archive =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/go9/cgos.tar.zst");
    if !archive.exists() {
        println!("skipped: {} is not there", archive.display());
        return;
    }
    let stage = Stage::new();
    let build = format!(
        "build -q -o cgos.tabia --game go-9 --keyed line --max-ply 16 --result white --result black {}",
        archive.display()
    );
    stage.good(&build);
    stage.good("export mcst cgos.tabia -o cgos.mcst");
    let told = stage.json("import mcst -o again.tabia cgos.mcst");
    assert!(told["nodes"].as_u64() > Some(20_000), "{told}");
    assert_eq!(rows(&stage, "again.tabia"), rows(&stage, "cgos.tabia"));
    stage.good("export mcst again.tabia -o again.mcst");
    assert!(stage.read("again.mcst") == stage.read("cgos.mcst"));
}

#[test]
fn trees_of_other_games_and_sizes_are_read() {
    let stage = Stage::new();
    stage.write("large.mcst", "{0 1 2 {+181 1 2 {-pass 0 1}}}");
    stage.good("import mcst --game go-19 -o large.tabia large.mcst");
    assert_eq!(stage.good("export mcst large.tabia"), "{0 1 2\n{+181 1 2\n{-pass 0 1}}}\n");
    stage.bad(
        "import mcst -o small.tabia large.mcst",
        &["large.mcst: line 1, column 9: `+181` is not legal here (Black to move)"],
    );
    stage.bad(
        "import mcst --game chess -o chess.tabia large.mcst",
        &["a move of chess is no point of a board"],
    );
}

#[test]
fn what_is_wrong_with_a_tree_is_one_line() {
    let stage = Stage::with_books();
    for (text, said) in [
        ("", "line 1, column 1: the end of the text stands where `{`"),
        ("{0 1 1 {+41 2 1}}", "line 1, column 15: 2 wins are more than 1 games"),
        ("{0 1 1\n{+41 1 1}", "line 2, column 10: the end of the text"),
        ("{0 1 1\n{-41 1 1}}", "line 2, column 2: `-41` is a move of White, who is not to move"),
        ("{0 1 1\n{41 1 1{-41 1 1}}}", "line 2, column 9: `-41` is not legal here (White to move)"),
    ] {
        stage.write("bad.mcst", text);
        stage.bad("import mcst -o x.tabia bad.mcst", &["bad.mcst: ", said]);
    }
    stage.write("tree.mcst", TREE);
    stage.bad("import mcst -o x.tabia nothing.mcst", &["nothing.mcst"]);
    stage.bad("import mcst -o club.tabia tree.mcst", &["club.tabia", "--force"]);
    stage.bad("import mcst --force -o tree.mcst tree.mcst", &["names the same file"]);
    stage.copy("tree.mcst", "tree");
    stage.good("import mcst -o any-name.tabia tree");
    stage.write("tree", "what is it?");
    stage.bad("import mcst -o x.tabia tree", &["tree: line 1, column 1"]);
    stage.bad("import -o x.tabia tree.mcst", &["polyglot, abk, ctg, edax or mcst"]);
    stage.bad("import tree.mcst", &["polyglot, abk, ctg, edax or mcst"]);
    stage.bad("import", &["polyglot, abk, ctg, edax or mcst"]);
    stage.bad("export any-name.tabia", &["polyglot, abk, mcst or suite"]);
    stage.good("export mcst any-name.tabia -o any-name.mcst");
    let packed = zstd::encode_all("{0 1 1".repeat(30_000).as_bytes(), 3).unwrap();
    stage.write("cut.mcst.zst", &packed[..packed.len() - 7]);
    stage.bad("import mcst -o x.tabia cut.mcst.zst", &["cut.mcst.zst"]);
}

#[test]
fn what_a_tree_cannot_say_is_left_out_only_if_asked() {
    let stage = stage();
    let rows = stage.good("dump go.tabia");
    let drawn: Vec<String> = rows.lines().map(draw_one).collect();
    stage.write("rows.tsv", drawn.join("\n") + "\n");
    stage.good("load -o drawn.tabia rows.tsv");
    stage.bad(
        "export mcst drawn.tabia -o out.mcst",
        &["drawn.tabia: a tree can't say all of it", "6 draws", "--lossy"],
    );
    stage.bad("export mcst drawn.tabia", &["--lossy"]);
    let made = stage.json("export mcst drawn.tabia --lossy -o out.mcst");
    assert_eq!(made["lost"]["draws"].as_u64(), Some(6), "{made}");
    assert_eq!(
        stage.read("out.mcst"),
        CANONICAL.as_bytes(),
        "drawn games are not among a node's games"
    );
}

/// A row of a dump with a draw more.
fn draw_one(row: &str) -> String {
    if row.starts_with('#') {
        return row.to_owned();
    }
    let mut fields: Vec<&str> = row.split('\t').collect();
    assert_eq!(fields[2], "0", "key, wins, draws ...: {row}");
    fields[2] = "1";
    fields.join("\t")
}

#[test]
fn books_that_are_no_trees_are_refused() {
    let stage = stage();
    stage.good("build -q -o club.tabia club.pgn");
    stage.bad("export mcst club.tabia", &["a move of chess is no point of a board"]);
    stage.write("rows.tsv", stage.good("dump go.tabia").replace("line", "position"));
    stage.good("load -o flat.tabia rows.tsv");
    stage.bad(
        "export mcst flat.tabia -o x.mcst",
        &["flat.tabia: it is keyed by position", "--keyed line"],
    );
    stage.bad("export mcst go.tabia -o go.tabia --force", &["names the same file"]);
    stage.bad("export mcst go.tabia --force", &["--output"]);
    stage.good("export mcst go.tabia -o x.mcst");
    stage.bad("export mcst go.tabia -o x.mcst", &["x.mcst", "--force"]);
    stage.good("export mcst go.tabia -o x.mcst --force");
    stage.write("rows.tsv", stage.good("dump go.tabia --table positions"));
    stage.good("load -o positions.tabia rows.tsv");
    stage.bad("export mcst positions.tabia", &["positions.tabia", "moves"]);
}
