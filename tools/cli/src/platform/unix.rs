//! Linux, macOS and other Unix systems.

use rustix::stdio::{stderr, stdin, stdout};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH, SIGXFSZ};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

/// The signals that ask the process to end; the terminal's end is the first.
pub const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];
/// The signal that the terminal has another size.
pub const RESIZED: Option<i32> = Some(SIGWINCH);
/// The signal that a file would become larger than it may.
pub const TOO_LARGE: Option<i32> = Some(SIGXFSZ);

/// How the terminal hands over what is typed.
pub type InputMode = Termios;

/// The mode of the terminal that is standard input.
pub fn input_mode() -> io::Result<InputMode> {
    Ok(tcgetattr(stdin())?)
}

/// This mode, but each key comes at once, doesn't show, and ends nothing.
pub fn raw(mode: &InputMode) -> InputMode {
    let mut raw = mode.clone();
    raw.make_raw();
    raw
}

/// Gives the terminal this mode. Allocates no memory and never waits.
pub fn set_input_mode(mode: &InputMode) -> io::Result<()> {
    Ok(tcsetattr(stdin(), OptionalActions::Flush, mode)?)
}

/// Writes to standard output, as far as it goes; allocates no memory and never waits for a lock.
pub fn write_out(bytes: &[u8]) {
    let _ = rustix::io::write(stdout(), bytes);
}

/// Writes to standard error, as [`write_out`].
pub fn write_error(bytes: &[u8]) {
    let _ = rustix::io::write(stderr(), bytes);
}

/// The signals that this process ignores, the first in the lowest bit; none if the system doesn't
/// say.
pub fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The end of a pipe that can be read from.
pub type Told = UnixStream;
/// The other end.
pub type Teller = UnixStream;

/// Two ends of a pipe, of which each of these signals has a byte written to the second.
pub fn pipe_of(signals: impl Iterator<Item = i32>) -> io::Result<(Told, Teller)> {
    let (told, teller) = UnixStream::pair()?;
    for signal in signals {
        signal_hook::low_level::pipe::register(signal, teller.try_clone()?)?;
    }
    Ok((told, teller))
}

/// Bytes that are free on the disk of a folder, if that can be asked.
pub fn free_bytes(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(u64::MAX, |disk| disk.f_bavail * disk.f_frsize)
}
