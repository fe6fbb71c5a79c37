//! Reads the lines of a file and converts them to UTF-8 if necessary.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use dataset::Progress;
use encoding_rs::WINDOWS_1252;
use serde::{Deserialize, Serialize};

use super::error::{FileFault, RowFault};
use super::limits::ROW_BYTES;

/// The number of bytes to read at a time. Progress is reported before each read.
const READ_AT_ONCE: usize = 256 * 1024;

/// The byte order mark that some programs write at the start of UTF-8 files.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A file reader that reports its progress.
pub(crate) struct Input<'a> {
    file: BufReader<File>,
    task: String,
    progress: Progress<'a>,
    total: u64,
    taken: u64,
    lines: u64,
    /// Whether the file is known to be UTF-8, because it contains a byte order mark or a valid character
    /// outside ASCII.
    is_utf8: bool,
    windows_1252: Option<Windows1252>,
}

/// The lines in a file that aren't valid UTF-8 and were decoded as Windows-1252.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Windows1252 {
    /// The number of the first such line or, in GeoJSON, of the first such feature.
    pub first: u64,
    /// The number of such lines or features.
    pub count: u64,
}

impl<'a> Input<'a> {
    /// Opens a file and skips its byte order mark.
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

    /// Returns the next line without its line break, which can be LF, CR LF, or CR. Returns `None` at the end
    /// of the file. A line that exceeds the maximum row length is truncated.
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
                // If several files were concatenated, a line can start with a byte order mark.
                while line.bytes.starts_with(BYTE_ORDER_MARK) {
                    line.bytes.drain(..BYTE_ORDER_MARK.len());
                }
                if !line.is_cut {
                    line.bytes = self.decoded(line.bytes, line.number);
                }
                return Ok(Some(line));
            }
        }
    }

    /// Returns the next line that isn't blank, or `None` at the end of the file.
    pub(super) fn filled_line(&mut self) -> Result<Option<Line>, FileFault> {
        loop {
            match self.line()? {
                Some(line) if line.is_blank() => {}
                other => return Ok(other),
            }
        }
    }

    /// Returns all remaining bytes.
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

    /// Converts a line or feature from Windows-1252 to UTF-8 if necessary.
    ///
    /// Corrupt text isn't converted. Text is corrupt if it contains a null byte, or if it isn't valid UTF-8
    /// but the file or the line contains valid UTF-8 characters outside ASCII.
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

    /// Returns the lines that have been decoded as Windows-1252 so far, if any.
    pub(crate) fn windows_1252(&self) -> Option<Windows1252> {
        self.windows_1252
    }

    /// Returns the buffered bytes. Fills the buffer first if it's empty. The result is empty only at the end
    /// of the file.
    fn available(&mut self) -> io::Result<&[u8]> {
        if self.file.buffer().is_empty() {
            (self.progress)(&self.task, self.taken, self.total);
        }
        self.file.fill_buf()
    }

    /// Marks the first `bytes` buffered bytes as read.
    fn take(&mut self, bytes: usize) {
        self.file.consume(bytes);
        self.taken += bytes as u64;
    }
}

/// Decodes bytes as Windows-1252. Returns `None` if the bytes contain a valid UTF-8 character outside ASCII,
/// which indicates that they're corrupt UTF-8.
pub(super) fn windows_1252(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let is_damaged = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    (!is_damaged).then(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

/// A line in a file, without its line break.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) bytes: Vec<u8>,
    /// Whether the line was truncated because it's too long.
    pub(crate) is_cut: bool,
}

impl Line {
    /// Returns the line as a string, or an error if it was truncated or isn't UTF-8.
    pub(crate) fn text(&self) -> Result<&str, RowFault> {
        if self.is_cut {
            return Err(RowFault::LineTooLong);
        }
        str::from_utf8(&self.bytes).map_err(|_| RowFault::LineNotUtf8)
    }

    /// Returns whether the line contains only white space.
    pub(crate) fn is_blank(&self) -> bool {
        !self.is_cut && self.bytes.trim_ascii().is_empty()
    }
}
