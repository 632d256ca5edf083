//! The big archive of master games is built within the memory that is given, if `../shared/data` is
//! there. What its book holds is compared in the tests of `tools/build`.

use crate::stage::Stage;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn a_large_archive_is_built_in_little_memory() {
    let Some(archive) = tabia_testing::data("chess/masters.pgn.zst") else { return };
    let stage = Stage::new();
    let args = crate::stage::words("build -o m.tabia --memory 64M --errors skipped.tsv --json");
    let mut command = stage.command(args);
    command.arg(archive).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let resident = text
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(resident.unwrap_or(0u64));
        std::thread::sleep(Duration::from_millis(50));
    }
    let built = child.wait_with_output().unwrap().stdout;
    let built: serde_json::Value = serde_json::from_slice(&built).unwrap();
    println!("{built}, at most {most} kB resident");
    assert!(most < 160_000, "--memory 64M took {most} kB");
    assert_eq!(built["games_read"], 415_536 - 275);
}
