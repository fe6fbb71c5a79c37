//! Writes a file of named sections.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use zerocopy::IntoBytes;
use zerocopy::little_endian::{U32, U64};

use super::ascending::{Ascending, PACKED};
use super::directory::{ALIGNMENT, Entry, Header, MAGIC, NAME_BYTES, padded};
use super::rows::Row;
use super::section_file::subsection;
use super::texts::ENDS;
use crate::release::error::WriteError;
use crate::release::manifest::Part;

/// Collects the sections of a file and then writes the file. Equal sections in the same order always produce
/// the same bytes.
#[derive(Debug, Default)]
pub(crate) struct FileWriter {
    /// The padded name and the contents of each section.
    sections: Vec<([u8; NAME_BYTES], Vec<u8>)>,
}

impl FileWriter {
    /// Adds a section with fixed-size rows.
    pub(crate) fn rows<T: Row>(&mut self, section: &str, rows: &[T]) {
        self.bytes(section, rows.as_bytes().to_vec());
    }

    /// Adds a section with arbitrary bytes. Panics if the section name is longer than 64 bytes.
    pub(crate) fn bytes(&mut self, section: &str, bytes: Vec<u8>) {
        let name = padded(section);
        let name =
            name.unwrap_or_else(|| panic!("{section}: a section's name has at most {NAME_BYTES} bytes"));
        self.sections.push((name, bytes));
    }

    /// Moves all sections of another writer to the end of this one.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.sections.append(&mut other.sections);
    }

    /// Adds a section with ascending numbers.
    ///
    /// # Panics
    ///
    /// Panics if the numbers aren't in ascending order.
    pub(crate) fn ascending(&mut self, section: &str, numbers: &[u32]) {
        let (blocks, packed) = Ascending::blocks(numbers);
        self.rows(section, &blocks);
        self.bytes(&subsection(section, PACKED), packed);
    }

    /// Adds a section with strings.
    ///
    /// # Panics
    ///
    /// Panics if the total length is 4 GiB or more.
    pub(crate) fn texts<'a>(&mut self, section: &str, texts: impl IntoIterator<Item = &'a str>) {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for text in texts {
            bytes.extend_from_slice(text.as_bytes());
            ends.push(U32::new(u32::try_from(bytes.len()).expect("the strings take less than 4 GiB")));
        }
        self.bytes(section, bytes);
        self.rows(&subsection(section, ENDS), &ends);
    }

    /// Writes the file to a folder, under the part's file name.
    pub(crate) fn write_part(&self, folder: &Path, part: Part) -> Result<(), WriteError> {
        self.write(&folder.join(part.file())).map_err(|source| WriteError::new(part.file(), source))
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        self.write_to(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    /// Returns the bytes of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes).expect("writing to memory doesn't fail");
        bytes
    }

    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let header = Header { magic: MAGIC, sections: U64::new(self.sections.len() as u64) };
        out.write_all(header.as_bytes())?;
        let mut offset = size_of::<Header>() + self.sections.len() * size_of::<Entry>();
        for (name, bytes) in &self.sections {
            offset = offset.next_multiple_of(ALIGNMENT);
            let (start, length) = (U64::new(offset as u64), U64::new(bytes.len() as u64));
            out.write_all(Entry { name: *name, offset: start, bytes: length }.as_bytes())?;
            offset += bytes.len();
        }
        let mut written = size_of::<Header>() + self.sections.len() * size_of::<Entry>();
        for (_, bytes) in &self.sections {
            let padding = written.next_multiple_of(ALIGNMENT) - written;
            out.write_all(&[0; ALIGNMENT][..padding])?;
            out.write_all(bytes)?;
            written += padding + bytes.len();
        }
        Ok(())
    }

    /// Writes the sections to a temporary file, opens it, and deletes it.
    #[cfg(test)]
    pub(crate) fn opened(&self) -> super::section_file::SectionFile {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("dataset-file-{}-{number}", std::process::id()));
        self.write(&path).expect("the temporary folder is writable");
        let file = super::section_file::SectionFile::open(&path).expect("the file was just written");
        std::fs::remove_file(path).expect("the file exists");
        file
    }
}
