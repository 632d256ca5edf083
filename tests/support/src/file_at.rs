//! Writing at an offset of an open file, whatever the system.

#[cfg(unix)]
pub use std::os::unix::fs::FileExt as FileAt;

/// What Unix has in its standard library.
#[cfg(windows)]
pub trait FileAt {
    /// Writes all of these bytes at this offset, in one go.
    ///
    /// # Errors
    /// The system's; [`std::io::ErrorKind::WriteZero`] if not all were written.
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> std::io::Result<()>;
}

#[cfg(windows)]
impl FileAt for std::fs::File {
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> std::io::Result<()> {
        let written = std::os::windows::fs::FileExt::seek_write(self, bytes, offset)?;
        if written == bytes.len() { Ok(()) } else { Err(std::io::ErrorKind::WriteZero.into()) }
    }
}
