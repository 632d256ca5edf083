//! Eight readers in processes of their own, while a writer appends and compacts thousands of times:
//! they see whole versions only.

use super::child::{heard, start};
use super::versions::{create, next, version_of};
use crate::books::{open, open_writer};
use std::fs;
use tabia_testing::Sample;

const READERS: usize = 8;

#[test]
fn readers_see_whole_versions_only() {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let path = folder.path().join("book.tabia");
    create(&path, 0, false);
    let versions = Sample::one_in(10).count(4_000) as u32;
    let readers: Vec<_> = (0..READERS).map(|_| start("reader", &path)).collect();
    let mut writer = open_writer(&path);
    let acknowledged = path.with_extension("acknowledged");
    let mut swaps = 0;
    for version in 1..=versions {
        writer.append(&next()).unwrap();
        let new = path.with_extension("acknowledged-new");
        fs::write(&new, version.to_string()).unwrap();
        fs::rename(&new, &acknowledged).unwrap();
        if version % 2 == 0 {
            // Every other swap changes the layout.
            swaps += u32::from(writer.compact_as(version % 8 >= 4).unwrap());
        }
    }
    fs::write(path.with_extension("stop"), "").unwrap();
    let mut reads = 0;
    for reader in readers {
        let output = reader.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        reads += heard(&output.stdout)[0].split(' ').next().unwrap().parse::<u64>().unwrap();
    }
    assert_eq!(version_of(&open(&path)), versions);
    println!(
        "{READERS} readers, {swaps} swaps, {versions} versions, {reads} whole versions read, 0 mixtures, 0 stale"
    );
}
