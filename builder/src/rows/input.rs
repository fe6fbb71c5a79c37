//! The bytes of a file, and the lines that they make.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use dataset::Progress;
use encoding_rs::WINDOWS_1252;

use super::error::{FileFault, RowFault};
use super::limits::ROW_BYTES;

/// How many bytes are read at once, and pass between two reports of progress.
const READ_AT_ONCE: usize = 256 * 1024;

/// What some programs write in front of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A file that is being read. It counts what was taken of it.
pub(crate) struct Input<'a> {
    file: BufReader<File>,
    task: String,
    progress: Progress<'a>,
    total: u64,
    taken: u64,
    lines: u64,
    /// Whether it is known to be UTF-8: by its mark, or by a character that only UTF-8 has.
    is_utf8: bool,
    windows_1252: Option<Windows1252>,
}

/// What was not UTF-8 in a file, and was read as Windows-1252.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows1252 {
    /// The first line of it; in GeoJSON the number of the feature.
    pub first: u64,
    /// How many there are.
    pub count: u64,
}

impl<'a> Input<'a> {
    /// Opens a file and passes over its byte order mark.
    pub(crate) fn open(path: &Path, progress: Progress<'a>) -> Result<Self, FileFault> {
        let file = File::open(path)?;
        let total = file.metadata()?.len();
        let task = format!("reading {}", path.file_name().unwrap_or_default().to_string_lossy());
        let file = BufReader::with_capacity(READ_AT_ONCE, file);
        let mut input =
            Self { file, task, progress, total, taken: 0, lines: 0, is_utf8: false, windows_1252: None };
        if input.available()?.starts_with(BYTE_ORDER_MARK) {
            input.take(BYTE_ORDER_MARK.len());
            input.is_utf8 = true;
        }
        Ok(input)
    }

    /// Takes the next line, without its end: LF, CR LF or CR. Only the beginning is kept of a line that is
    /// longer than a row may be.
    pub(crate) fn line(&mut self) -> Result<Option<Line>, FileFault> {
        if self.available()?.is_empty() {
            return Ok(None);
        }
        self.lines += 1;
        let mut line = Line { number: self.lines, bytes: Vec::new(), is_cut: false };
        loop {
            let available = self.available()?;
            let end = memchr::memchr2(b'\n', b'\r', available);
            let part = &available[..end.unwrap_or(available.len())];
            let room = ROW_BYTES - line.bytes.len();
            line.is_cut |= part.len() > room;
            line.bytes.extend_from_slice(&part[..part.len().min(room)]);
            let (taken, end) = (part.len(), end.map(|end| available[end]));
            self.take(taken + usize::from(end.is_some()));
            if end == Some(b'\r') && self.available()?.starts_with(b"\n") {
                self.take(1);
            }
            if end.is_some() || taken == 0 {
                if !line.is_cut {
                    line.bytes = self.decoded(line.bytes, line.number);
                }
                return Ok(Some(line));
            }
        }
    }

    /// Takes the next line that is not blank.
    pub(super) fn filled_line(&mut self) -> Result<Option<Line>, FileFault> {
        loop {
            match self.line()? {
                Some(line) if line.is_blank() => {}
                other => return Ok(other),
            }
        }
    }

    /// Takes all bytes that are left.
    pub(super) fn rest(&mut self) -> Result<Vec<u8>, FileFault> {
        let mut rest = Vec::new();
        loop {
            let available = self.available()?;
            if available.is_empty() {
                return Ok(rest);
            }
            rest.extend_from_slice(available);
            let taken = available.len();
            self.take(taken);
        }
    }

    /// Returns a line or a feature as UTF-8 where it is Windows-1252. What is not UTF-8 in a file that is
    /// known to be, or beside characters that are, is damaged; and neither encoding has a byte 0.
    pub(super) fn decoded(&mut self, bytes: Vec<u8>, number: u64) -> Vec<u8> {
        if let Ok(text) = str::from_utf8(&bytes) {
            self.is_utf8 |= !text.is_ascii();
            return bytes;
        }
        if self.is_utf8 || bytes.contains(&0) {
            return bytes;
        }
        let Some(text) = windows_1252(&bytes) else { return bytes };
        let text = text.into_owned().into_bytes();
        self.windows_1252.get_or_insert(Windows1252 { first: number, count: 0 }).count += 1;
        text
    }

    /// Returns what was not UTF-8 so far.
    pub(crate) fn windows_1252(&self) -> Option<Windows1252> {
        self.windows_1252
    }

    /// Returns bytes that are there to be taken; none only at the end.
    fn available(&mut self) -> io::Result<&[u8]> {
        if self.file.buffer().is_empty() {
            (self.progress)(&self.task, self.taken, self.total);
        }
        self.file.fill_buf()
    }

    /// Takes so many of the bytes that are available.
    fn take(&mut self, bytes: usize) {
        self.file.consume(bytes);
        self.taken += bytes as u64;
    }
}

/// Reads bytes that are not UTF-8 as Windows-1252; `None` when some of them are a character of UTF-8 beyond
/// ASCII, which makes the rest damaged UTF-8.
pub(super) fn windows_1252(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let is_damaged = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    (!is_damaged).then(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

/// A line without its end.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) bytes: Vec<u8>,
    /// Whether it is longer than what is kept.
    pub(crate) is_cut: bool,
}

impl Line {
    /// Returns what is in it.
    pub(crate) fn text(&self) -> Result<&str, RowFault> {
        if self.is_cut {
            return Err(RowFault::LineTooLong);
        }
        str::from_utf8(&self.bytes).map_err(|_| RowFault::LineNotUtf8)
    }

    /// Whether there is nothing to be read in it.
    pub(crate) fn is_blank(&self) -> bool {
        !self.is_cut && self.bytes.trim_ascii().is_empty()
    }
}
