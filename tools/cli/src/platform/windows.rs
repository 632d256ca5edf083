//! Windows. It has no signals but Ctrl-C and being asked to end, and asking for free space or
//! another mode of the terminal would need calls that no dependency makes yet.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Write};
use std::path::Path;

pub const ENDING: [i32; 2] = [SIGINT, SIGTERM];
pub const RESIZED: Option<i32> = None;
pub const TOO_LARGE: Option<i32> = None;

/// There is none yet: what needs one is refused.
pub struct InputMode(());

pub fn input_mode() -> io::Result<InputMode> {
    Err(io::Error::new(ErrorKind::Unsupported, "--interactive isn't there on Windows yet"))
}

pub fn raw(_mode: &InputMode) -> InputMode {
    InputMode(())
}

pub fn set_input_mode(_mode: &InputMode) -> io::Result<()> {
    Ok(())
}

pub fn write_out(bytes: &[u8]) {
    let _ = io::stdout().write_all(bytes);
}

pub fn write_error(bytes: &[u8]) {
    let _ = io::stderr().write_all(bytes);
}

pub fn ignored() -> u64 {
    0
}

pub type Told = PipeReader;
pub type Teller = PipeWriter;

/// A thread looks for the signals, which can't write to pipes here.
pub fn pipe_of(_signals: impl Iterator<Item = i32>) -> io::Result<(Told, Teller)> {
    let (told, teller) = io::pipe()?;
    let mut writer = teller.try_clone()?;
    std::thread::spawn(move || {
        while !crate::interrupt::wanted() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let _ = writer.write_all(&[0]);
    });
    Ok((told, teller))
}

pub fn free_bytes(_folder: &Path) -> u64 {
    u64::MAX
}
