//! A look at the sizes that a file claims, before the crate `parquet` allocates what they say: a
//! failed allocation is no panic, it ends the process.
//!
//! Field numbers are those of `parquet.thrift` of the Parquet format.

use super::Parsed;
use super::thrift::{Compact, LIST, STRUCT};

/// The longest footer, in bytes: ten billion rows in groups of a million take a quarter.
pub const LONGEST_FOOTER: u64 = 64 << 20;
/// The most elements of a list in a footer, row groups above all.
const LONGEST_LIST: u64 = 1 << 20;
/// The most elements of a schema: it is built by recursion.
const MOST_COLUMNS: u64 = 1000;
/// The largest page, packed or not, in bytes: writers cut them at 1 MB as a rule, and some at 100
/// MB.
pub const LARGEST_PAGE: u64 = 128 << 20;
const LEAST_VALUE: u64 = 4;

/// Whether a footer can be decoded in bounded memory.
pub fn footer(bytes: &[u8]) -> Parsed<()> {
    let mut footer = Compact::new(bytes);
    let mut before = 0;
    while let Some(field) = footer.field(before)? {
        // Field 2 of FileMetaData is the schema.
        if field.id == 2 && field.kind == LIST {
            let (count, _) = Compact::new(footer.rest()).list()?;
            if count > MOST_COLUMNS {
                return Err(format!("its schema has {count} elements; a table of a book has few"));
            }
        }
        footer.skip(field.kind, LONGEST_LIST)?;
        before = field.id;
    }
    Ok(())
}

/// Whether a page, of whose header these are the first bytes, can be decoded in bounded memory.
pub fn page(bytes: &[u8]) -> Parsed<()> {
    let mut header = Compact::new(bytes);
    let mut before = 0;
    let mut unpacked = 0;
    while let Some(field) = header.field(before)? {
        match field.id {
            2 | 3 => {
                let size = header.signed()?;
                if !(0..=LARGEST_PAGE.cast_signed()).contains(&size) {
                    let most = LARGEST_PAGE >> 20;
                    return Err(format!(
                        "a page says that it has {size} bytes; at most {most} MB are read"
                    ));
                }
                if field.id == 2 {
                    unpacked = size.cast_unsigned();
                }
            }
            7 if field.kind == STRUCT => dictionary(&mut header, unpacked)?,
            // Statistics may go on beyond the bytes at hand; what matters of a data page stands
            // before.
            5 | 8 => return Ok(()),
            _ => header.skip(field.kind, 0)?,
        }
        before = field.id;
    }
    Ok(())
}

/// Whether a dictionary has no more values than its page has room for.
fn dictionary(header: &mut Compact<'_>, unpacked: u64) -> Parsed<()> {
    let mut before = 0;
    while let Some(field) = header.field(before)? {
        if field.id == 1 {
            let values = header.signed()?;
            if !(0..=(unpacked / LEAST_VALUE).cast_signed()).contains(&values) {
                return Err(format!(
                    "a dictionary of {unpacked} bytes says that it has {values} values"
                ));
            }
        } else {
            header.skip(field.kind, 0)?;
        }
        before = field.id;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footer_of_absurd_sizes_is_refused() {
        // Version 1; a schema of 1,001 elements, or row groups (field 4), of which there are 2^21.
        for (bytes, what) in [
            (&[0x15, 2, 0x19, 0xfc, 0xe9, 0x07][..], "1001 elements"),
            (&[0x15, 2, 0x39, 0xfc, 0x80, 0x80, 0x80, 0x01], "2097152"),
        ] {
            assert!(footer(bytes).unwrap_err().contains(what));
        }
        assert!(footer(&[0x15]).is_err());
        assert_eq!(footer(&[0x15, 2, 0]), Ok(()));
    }

    #[test]
    fn a_page_of_absurd_sizes_is_refused() {
        let sizes = |unpacked: &[u8], packed: &[u8]| {
            [&[0x15, 4, 0x15], unpacked, &[0x15], packed, &[0x4c, 0x15, 0x14, 0, 0]].concat()
        };
        assert_eq!(page(&sizes(&[80], &[80])), Ok(()));
        let error = page(&sizes(&[78], &[80])).unwrap_err();
        assert!(error.contains("39 bytes says that it has 10 values"));
        for huge in [&[0x82, 0x80, 0x80, 0x80, 0x01][..], &[0xfe, 0xff, 0xff, 0xff, 0x0f], &[1]] {
            assert!(page(&sizes(huge, &[80])).unwrap_err().contains("at most 128 MB"));
            assert!(page(&sizes(&[80], huge)).unwrap_err().contains("at most 128 MB"));
        }
    }
}
