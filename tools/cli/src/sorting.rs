//! What sorting may take of memory, and where what doesn't fit goes.

use crate::disk;
use crate::prelude::*;
use tabia_build::Memory;

/// What sorting may take.
#[derive(clap::Args)]
pub struct SortArgs {
    /// Memory to work with
    ///
    /// What doesn't fit is sorted on disk, beside the book or in --temp.
    #[arg(long, value_name = "SIZE", default_value = "2G", help_heading = headings::MEMORY)]
    memory: Memory,
    /// Sort what doesn't fit there, not beside the book
    ///
    /// Of several folders, as on several disks, each scratch file goes to the next one.
    #[arg(long, value_name = "FOLDER", help_heading = headings::MEMORY)]
    temp: Vec<PathBuf>,
}

impl SortArgs {
    /// From now on what doesn't fit goes where it is to go. A folder that can't be written to is an error
    /// now, not after hours of work.
    pub fn begin(&self) -> Done<()> {
        self.temp.iter().try_for_each(|folder| place::check_folder(folder))?;
        disk::scratch_in(&self.temp);
        Ok(())
    }

    /// Bytes that one of so many sorters may hold.
    pub fn share(&self, sorters: usize) -> usize {
        self.memory.share(sorters)
    }

    /// The folders for that, if not beside the book.
    pub fn temp(&self) -> &[PathBuf] {
        &self.temp
    }
}
