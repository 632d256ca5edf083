//! Bad input gets one clear line that names the file and says what to do, exit code 2, and leaves
//! every file as it was.

use crate::stage::Stage;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn no_permission() {
    let stage = Stage::with_books();
    fs::create_dir(stage.path("locked")).unwrap();
    fs::set_permissions(stage.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    // Who may write anywhere gives that up.
    let prefix = match fs::write(stage.path("locked/probe"), "") {
        Err(_) => "",
        Ok(()) => "setpriv --inh-caps=-all --bounding-set=-all ",
    };
    if !prefix.is_empty() && stage.shell(&format!("{prefix}true")).code != Some(0) {
        return tabia_testing::skip("this user may write anywhere, and setpriv can't change that");
    }
    let refused = |line: &str, said: &[&str]| {
        let before = stage.files();
        stage.shell(&format!("{prefix}tabia {line}")).is_refusal(said);
        assert!(stage.files() == before, "tabia {line} changed files");
    };
    let club = |mode| {
        fs::set_permissions(stage.path("club.tabia"), fs::Permissions::from_mode(mode)).unwrap();
    };
    refused("build -o locked/new.tabia odd.pgn", &["locked", "check the permissions"]);
    refused("merge -o locked/new.tabia club.tabia", &["locked", "check the permissions"]);
    club(0o444);
    refused("add club.tabia odd.pgn", &["club.tabia", "check the permissions"]);
    club(0o000);
    let ran = stage.shell(&format!("{prefix}tabia info club.tabia"));
    ran.is_refusal(&["club.tabia", "check the permissions"]);
}

/// Issue 34, item 6: what is to be known of a sound book changes no exit code.
#[test]
fn sound_books_are_ok_by_their_exit_code() {
    let stage = Stage::new();
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../format-spec/golden");
    let index = fs::read_to_string(golden.join("INDEX.tsv")).unwrap();
    let mut notes = 0;
    for line in index.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, expect, _, _, base, _] = fields[..] else { panic!("{line}") };
        let is_sound = matches!(expect, "valid" | "copy-refused" | "set-refused");
        if !is_sound || base != "-" || !name.ends_with(".tabia") {
            continue;
        }
        stage.write("golden.tabia", fs::read(golden.join(name)).unwrap());
        let said = stage.run("check golden.tabia");
        assert_eq!(said.code, Some(0), "{name}: {}", said.out);
        assert!(said.out.contains("ok: "), "{name}: {}", said.out);
        notes += u32::from(said.out.contains("without a deviation"));
        assert_eq!(stage.run("check -q golden.tabia").out, "", "{name}");
    }
    assert!(notes >= 8, "{notes}");
}
