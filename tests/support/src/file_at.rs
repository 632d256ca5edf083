//! Writing and reading at an offset of an open file, whatever the system.

#[cfg(unix)]
pub use std::os::unix::fs::FileExt as FileAt;

/// What Unix has in its standard library; only with calls that are made in one go.
#[cfg(windows)]
pub trait FileAt {
    /// Writes all of these bytes at this offset.
    ///
    /// # Errors
    /// The system's; [`std::io::ErrorKind::WriteZero`] if not all were written.
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> std::io::Result<()>;

    /// Fills all of these bytes from this offset on.
    ///
    /// # Errors
    /// The system's; [`std::io::ErrorKind::UnexpectedEof`] if the file ends before.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()>;
}

#[cfg(windows)]
impl FileAt for std::fs::File {
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> std::io::Result<()> {
        let written = std::os::windows::fs::FileExt::seek_write(self, bytes, offset)?;
        if written == bytes.len() { Ok(()) } else { Err(std::io::ErrorKind::WriteZero.into()) }
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
        let read = std::os::windows::fs::FileExt::seek_read(self, bytes, offset)?;
        if read == bytes.len() { Ok(()) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
    }
}
