//! The whole terminal, for a verb that people walk around in: its keys and its lines. However the
//! process ends, the terminal is then as it was before; only a process that is killed can't see to
//! it.

use crate::failure::{Done, Failure, failure};
use crate::interrupt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr};
use std::io;
use std::sync::Mutex;

/// How the terminal was before, while it isn't so.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// How long nothing is looked at but keys, in milliseconds: then the size of the terminal and the
/// wish to stop are.
const TICK: i64 = 200;

/// Another screen of the terminal, without cursor; and back.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";
const LEAVE: &[u8] = b"\x1b[?25h\x1b[?1049l";

/// A key, as terminals send them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Backspace,
    Escape,
    /// Ctrl-C, or Ctrl-D.
    Interrupt,
    Letter(char),
}

/// The terminal, taken over.
pub struct Screen {
    /// Columns and rows when it was drawn last.
    size: (usize, usize),
    /// Keys that were read and not yet given out, the last first.
    keys: Vec<Key>,
}

impl Screen {
    /// Takes the terminal over.
    pub fn open() -> Done<Self> {
        let (input, output) = (rustix::stdio::stdin(), rustix::stdio::stdout());
        if !isatty(input) || !isatty(output) {
            return Err(failure!(
                "--interactive needs a terminal: standard input or output is none; leave it out"
            ));
        }
        interrupt::listen();
        let before = tcgetattr(input).map_err(failed)?;
        let mut raw = before.clone();
        raw.make_raw();
        *BEFORE.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(before);
        let screen = Self { size: (0, 0), keys: Vec::new() };
        tcsetattr(input, OptionalActions::Flush, &raw).map_err(failed)?;
        write(ENTER)?;
        Ok(screen)
    }

    /// Columns and rows.
    pub fn size() -> (usize, usize) {
        let size = tcgetwinsize(rustix::stdio::stdout()).ok();
        let size = size.filter(|size| size.ws_col > 0 && size.ws_row > 0);
        size.map_or((80, 24), |size| (size.ws_col.into(), size.ws_row.into()))
    }

    /// Shows these lines from the top, each cut off where the terminal ends.
    pub fn show(&mut self, lines: &[String]) -> Done<()> {
        self.size = Self::size();
        let (columns, rows) = self.size;
        let mut text = String::from("\x1b[H");
        for (number, line) in lines.iter().take(rows).enumerate() {
            text += if number > 0 { "\r\n" } else { "" };
            text += &cut(line, columns);
            text += "\x1b[K";
        }
        text += "\x1b[J";
        write(text.as_bytes())
    }

    /// Waits for a key. None if it is to be drawn again: the terminal has another size.
    pub fn key(&mut self) -> Done<Option<Key>> {
        loop {
            if let Some(key) = self.keys.pop() {
                return Ok(Some(key));
            }
            if interrupt::wanted() {
                return Err(Failure::Interrupted);
            }
            if Self::size() != self.size {
                return Ok(None);
            }
            self.read()?;
        }
    }

    /// Reads keys for a while.
    fn read(&mut self) -> Done<()> {
        let input = rustix::stdio::stdin();
        let time = Timespec { tv_sec: 0, tv_nsec: TICK * 1_000_000 };
        match poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&time)) {
            Ok(0) | Err(Errno::INTR) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(failed(error)),
        }
        let mut bytes = [0; 256];
        match rustix::io::read(input, &mut bytes) {
            // The terminal has gone.
            Ok(0) => Err(Failure::Interrupted),
            Ok(length) => {
                self.keys = keys(&bytes[..length]);
                self.keys.reverse();
                Ok(())
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back as it was, if it was taken over. Allocates no memory and never waits.
pub fn restore() {
    let Ok(mut before) = BEFORE.try_lock() else { return };
    if let Some(before) = before.take() {
        // If that fails there is nobody to tell.
        let _ = rustix::io::write(rustix::stdio::stdout(), LEAVE);
        let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Flush, &before);
    }
}

fn failed(error: Errno) -> Failure {
    Failure::Output(io::Error::from(error))
}

fn write(mut bytes: &[u8]) -> Done<()> {
    while !bytes.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(())
}

/// The keys behind what a terminal sent in one go.
fn keys(mut bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    while let Some((key, rest)) = first_key(bytes) {
        keys.extend(key);
        bytes = rest;
    }
    keys
}

/// The first key, none if it means nothing here, and what comes after it.
fn first_key(bytes: &[u8]) -> Option<(Option<Key>, &[u8])> {
    Some(match bytes {
        [] => return None,
        [0x1b, b'[' | b'O', rest @ ..] => sequence(rest),
        [0x1b, rest @ ..] => (Some(Key::Escape), rest),
        [3 | 4, rest @ ..] => (Some(Key::Interrupt), rest),
        [b'\r' | b'\n', rest @ ..] => (Some(Key::Enter), rest),
        [8 | 0x7f, rest @ ..] => (Some(Key::Backspace), rest),
        [0..0x20, rest @ ..] => (None, rest),
        _ => {
            let length = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
            match str::from_utf8(&bytes[..length]).unwrap_or_default().chars().next() {
                Some(letter) => (Some(Key::Letter(letter)), &bytes[letter.len_utf8()..]),
                None => (None, &bytes[1..]),
            }
        }
    })
}

/// A key that is sent as a sequence, from behind its introduction.
fn sequence(bytes: &[u8]) -> (Option<Key>, &[u8]) {
    let parameters = bytes.iter().take_while(|byte| matches!(byte, b'0'..=b'?')).count();
    let Some(&last) = bytes.get(parameters) else { return (None, &[]) };
    let key = match (last, &bytes[..parameters]) {
        (b'A', _) => Some(Key::Up),
        (b'B', _) => Some(Key::Down),
        (b'C', _) => Some(Key::Right),
        (b'D', _) => Some(Key::Left),
        (b'H', _) | (b'~', b"1" | b"7") => Some(Key::Home),
        (b'F', _) | (b'~', b"4" | b"8") => Some(Key::End),
        (b'~', b"5") => Some(Key::PageUp),
        (b'~', b"6") => Some(Key::PageDown),
        (b'M', _) => Some(Key::Enter),
        _ => None,
    };
    (key, &bytes[parameters + 1..])
}

/// A line of at most so many characters; colors are none.
fn cut(line: &str, columns: usize) -> String {
    let (mut text, mut shown, mut is_color) = (String::with_capacity(line.len()), 0, false);
    for letter in line.chars() {
        if letter == '\x1b' || is_color {
            is_color = letter != 'm';
            text.push(letter);
        } else if shown < columns {
            shown += 1;
            text.push(letter);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_what_terminals_send() {
        let cases: [(&[u8], &[Key]); 13] = [
            (b"", &[]),
            (b"q", &[Key::Letter('q')]),
            (b"\x1b", &[Key::Escape]),
            (b"\x1b[A\x1b[B\x1bOC\x1bOD", &[Key::Up, Key::Down, Key::Right, Key::Left]),
            (b"\x1b[H\x1b[F\x1b[1~\x1b[4~", &[Key::Home, Key::End, Key::Home, Key::End]),
            (b"\x1b[5~\x1b[6~", &[Key::PageUp, Key::PageDown]),
            (b"\x1b[1;5C", &[Key::Right]),
            (b"\x1b[200~e4\x1b[201~", &[Key::Letter('e'), Key::Letter('4')]),
            (b"\r\n", &[Key::Enter, Key::Enter]),
            (b"\x7f\x08", &[Key::Backspace, Key::Backspace]),
            (b"\x03\x04", &[Key::Interrupt, Key::Interrupt]),
            ("\u{e9}\u{265e}".as_bytes(), &[Key::Letter('\u{e9}'), Key::Letter('\u{265e}')]),
            (b"\xff\x00a\x1b[", &[Key::Letter('a')]),
        ];
        for (bytes, expected) in cases {
            assert_eq!(keys(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn any_bytes_are_read_to_their_end() {
        for first in 0..=255 {
            for second in 0..=255 {
                assert!(keys(&[first, second, b'x']).len() <= 3);
            }
        }
    }

    #[test]
    fn lines_are_cut_by_what_is_seen_of_them() {
        assert_eq!(cut("abcdef", 4), "abcd");
        assert_eq!(cut("\x1b[32mabc\x1b[0mdef", 4), "\x1b[32mabc\x1b[0md");
        assert_eq!(cut("\x1b[32mabcdef\x1b[0m", 4), "\x1b[32mabcd\x1b[0m");
    }
}
