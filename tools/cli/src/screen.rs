//! The whole terminal, for a verb that people walk around in: its keys and its lines. However the
//! process ends, the terminal is then as it was before; only a process that is killed can't see to
//! it.

use crate::platform::{self, InputMode};
use crate::prelude::*;
use console::Term;
use signal_hook::flag;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tabia_play::text::Key;

/// How the terminal was before, while it is taken over.
static BEFORE: Mutex<Option<InputMode>> = Mutex::new(None);

/// Another screen of the terminal, without cursor; and back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &[u8] = b"\x1b[?25h\x1b[?1049l";

/// The terminal, taken over.
pub struct Screen {
    term: Term,
    /// Whether the terminal has another size than when it was drawn last.
    is_resized: Arc<AtomicBool>,
}

impl Screen {
    /// Takes the terminal over.
    pub fn open() -> Done<Self> {
        let term = Term::stdout();
        if !io::stdin().is_terminal() || !term.is_term() {
            return Err(failure!(
                "--interactive needs a terminal: standard input or output is none; leave it out"
            ));
        }
        interrupt::listen();
        let plain = platform::input_mode()?;
        let raw = platform::raw(&plain);
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(plain);
        let screen = Self { term, is_resized: Arc::default() };
        // Between keys nothing that is typed shows, or ends the process.
        platform::set_input_mode(&raw)?;
        if let Some(signal) = platform::RESIZED {
            flag::register(signal, Arc::clone(&screen.is_resized))?;
        }
        screen.term.write_str(ENTER)?;
        Ok(screen)
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        let (rows, columns) = self.term.size();
        (columns.into(), rows.into())
    }

    /// Shows these lines from the top, each cut off where the terminal ends.
    pub fn show(&self, lines: &[String]) -> Done<()> {
        self.is_resized.store(false, Ordering::SeqCst);
        let (columns, rows) = self.size();
        let lines = lines.iter().take(rows);
        let lines: Vec<_> =
            lines.map(|line| console::truncate_str(line, columns, "") + "\x1b[K").collect();
        Ok(self.term.write_str(&format!("\x1b[H{}\x1b[J", lines.join("\r\n")))?)
    }

    /// Waits for a key. None if it means nothing here, or if it is to be drawn again: the terminal has
    /// another size.
    pub fn key(&self) -> Done<Option<Key>> {
        let key = self.term.read_key_raw();
        if interrupt::wanted() {
            return Err(Failure::Interrupted);
        }
        // A signal looks like Ctrl-C.
        if self.is_resized.load(Ordering::SeqCst) {
            return Ok(None);
        }
        Ok(Some(match key.map_err(|_| Failure::Interrupted)? {
            console::Key::ArrowUp => Key::Up,
            console::Key::ArrowDown => Key::Down,
            console::Key::ArrowLeft => Key::Left,
            console::Key::ArrowRight => Key::Right,
            console::Key::Home => Key::Home,
            console::Key::End => Key::End,
            console::Key::PageUp => Key::PageUp,
            console::Key::PageDown => Key::PageDown,
            console::Key::Enter => Key::Enter,
            console::Key::Backspace => Key::Backspace,
            console::Key::Escape => Key::Escape,
            console::Key::CtrlC | console::Key::Char('\x04') => Key::Interrupt,
            console::Key::Char(letter) => Key::Letter(letter),
            _ => return Ok(None),
        }))
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
        platform::write_out(LEAVE);
        let _ = platform::set_input_mode(&before);
    }
}
