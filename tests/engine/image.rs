//! Books changed by hand: sections as bytes, and a file made of them with every length, place and
//! checksum right, so that nothing but what was changed is wrong with it.

use std::fs;
use std::path::Path;
use tabia::format::{Header, PAGE, Section, Tag, blocks_of};
use tabia::{Book, Row, TableKind};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::FromBytes;

/// A book as its header and the bodies of its sections.
#[derive(Clone)]
pub struct Image {
    pub header: Header,
    /// Its sections without those of sums, each with its body.
    pub sections: Vec<(Section, Vec<u8>)>,
}

impl Image {
    /// That of a sound book.
    pub fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let header = Book::from_bytes(&bytes[..]).unwrap().header().clone();
        let sums: Vec<Tag> = header.sections.iter().map(|section| section.tag.sums()).collect();
        let bodies = header.sections.iter().filter(|section| !sums.contains(&section.tag));
        let body = |section: &Section| {
            bytes[section.offset as usize..(section.offset + section.length) as usize].to_vec()
        };
        let sections = bodies.map(|section| (*section, body(section))).collect();
        Self { header, sections }
    }

    pub fn section(&mut self, tag: Tag) -> &mut (Section, Vec<u8>) {
        self.sections.iter_mut().find(|(section, _)| section.tag == tag).unwrap()
    }

    pub fn body(&mut self, tag: Tag) -> &mut Vec<u8> {
        &mut self.section(tag).1
    }

    pub fn slots<R: Row>(&mut self) -> &mut [R] {
        <[R]>::mut_from_bytes(self.body(Tag::table(R::TABLE))).unwrap()
    }

    pub fn entry(&mut self, kind: TableKind) -> &mut Section {
        &mut self.section(Tag::table(kind)).0
    }

    /// Puts a section where it is to be, with a body; it has sums if it is beside a table.
    pub fn insert(&mut self, index: usize, section: Section, body: Vec<u8>) {
        self.sections.insert(index, (section, body));
    }

    /// The file, with all offsets, lengths and checksums right.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; PAGE as usize];
        let mut header = self.header.clone();
        header.sections.clear();
        let mut header_checksum = None;
        let mut add = |section: Section, body: &[u8]| {
            let (offset, length) = (bytes.len() as u64, body.len() as u64);
            let checksum = if section.has_sums() { 0 } else { xxh3_64(body) };
            header.sections.push(Section { offset, length, checksum, ..section });
            bytes.extend_from_slice(body);
            bytes.resize(bytes.len().next_multiple_of(PAGE as usize), 0);
        };
        for (section, body) in &self.sections {
            if section.tag == Tag::PAGE {
                let pack = &self.sections.iter().find(|(section, _)| section.tag == Tag::PACK);
                let (pages, checksum) = sealed_pages(body, pack.map_or(0, |pack| xxh3_64(&pack.1)));
                add(*section, &pages);
                header_checksum = Some(checksum);
                continue;
            }
            add(*section, body);
            if section.has_sums() {
                let sums: Vec<u8> =
                    body.chunks(4096).flat_map(|block| xxh3_64(block).to_le_bytes()).collect();
                assert_eq!(sums.len() as u64, 8 * blocks_of(body.len() as u64));
                add(Section { tag: section.tag.sums(), ..Section::default() }, &sums);
            }
        }
        for section in header.sections.iter_mut().filter(|section| section.tag == Tag::PAGE) {
            section.checksum = header_checksum.unwrap_or(section.checksum);
        }
        header.file_length = bytes.len() as u64 + PAGE;
        let (page, _) = header.seal();
        bytes[..PAGE as usize].copy_from_slice(&page);
        bytes.extend_from_slice(&page);
        bytes
    }

    pub fn write(&self, path: &Path) {
        fs::write(path, self.bytes()).unwrap();
    }
}

/// A book that is read and written again is the same.
#[test]
fn images_are_books() {
    let (_folder, path) = crate::books::folder();
    let content = crate::books::sample(1, 300);
    content.with_cells(crate::books::every_column(), 1).write(&path);
    let before = fs::read(&path).unwrap();
    assert!(Image::read(&path).bytes() == before);
}

/// The pages of a packed book, each with which one it is and its checksum, and the checksum of
/// those.
fn sealed_pages(body: &[u8], salt: u64) -> (Vec<u8>, u64) {
    let (mut pages, mut checksums) = (body.to_vec(), Vec::new());
    for (page, number) in pages.chunks_exact_mut(PAGE as usize).zip(0u32..) {
        page[4..8].copy_from_slice(&(salt as u32).wrapping_add(number).to_le_bytes());
        let (content, checksum) = page.split_at_mut(PAGE as usize - 8);
        checksum.copy_from_slice(&xxh3_64(content).to_le_bytes());
        checksums.extend_from_slice(checksum);
    }
    (pages, xxh3_64(&checksums))
}
