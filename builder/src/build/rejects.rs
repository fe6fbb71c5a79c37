//! Rejected rows and the most common reasons for rejecting rows.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rows::{Layout, RowProblem};

/// The maximum number of reasons that a summary shows.
pub const MAX_REASONS: usize = 5;

/// The error for rejected rows that can't be written.
#[derive(Debug, Error)]
#[error("{}: cannot be written: {source}", file.display())]
pub struct RejectsError {
    file: PathBuf,
    source: io::Error,
}

/// A build's rejected rows. Each source file's rejected rows are written to a file next to it, with their
/// line numbers and the reasons. The new file has the same format, except that rows from a workbook are
/// written as CSV. It isn't created if no row is rejected.
#[derive(Debug, Default)]
pub struct Rejects {
    files: Vec<FileRejects>,
}

/// The number of rejected rows for each reason. Reasons that differ only in the values that they quote are
/// counted together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonCounts(BTreeMap<String, u64>);

/// One file's rejected rows.
#[derive(Debug)]
struct FileRejects {
    source: PathBuf,
    /// The file that is being written. It's renamed to its final name at the end of the build.
    begun: Option<Begun>,
}

#[derive(Debug)]
struct Begun {
    path: PathBuf,
    out: BufWriter<File>,
    extension: String,
    closing: &'static [u8],
}

/// A file's rejected rows, in the format in which they're written.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Written {
    source: PathBuf,
    extension: String,
    bytes: Vec<u8>,
}

/// The maximum size of a file's rejected rows in the cache, in bytes. A source isn't cached if one of its
/// files exceeds this size.
const MAX_CACHED_BYTES: usize = 8 << 20;

impl Rejects {
    /// Makes a source file the current one.
    pub(crate) fn begin(&mut self, source: &Path) {
        self.files.push(FileRejects { source: source.to_owned(), begun: None });
    }

    /// Writes a rejected row from the current file, with its line number and the reason.
    ///
    /// # Panics
    ///
    /// Panics if there is no current file.
    pub(crate) fn add(&mut self, layout: &Layout, problem: &RowProblem) -> Result<(), RejectsError> {
        let file = self.files.last_mut().expect("rows belong to a file");
        file.add(layout, problem).map_err(|source| RejectsError { file: file.source.clone(), source })
    }

    /// Returns the number of source files so far, including those without rejected rows.
    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns the rejected rows of all files after the first `count`. Returns `None` if a file is too large
    /// for the cache or can't be read.
    pub(super) fn written_since(&mut self, count: usize) -> Option<Vec<Written>> {
        let mut all = Vec::new();
        for FileRejects { source, begun } in &mut self.files[count..] {
            let Some(Begun { path, out, extension, closing }) = begun else { continue };
            out.flush().ok()?;
            let mut bytes = fs::read(path).ok().filter(|bytes| bytes.len() < MAX_CACHED_BYTES)?;
            bytes.extend_from_slice(closing);
            all.push(Written { source: source.clone(), extension: extension.clone(), bytes });
        }
        Some(all)
    }

    /// Adds a source file's cached rejected rows.
    pub(super) fn restore(&mut self, written: Written) -> Result<(), RejectsError> {
        let Written { source, extension, bytes } = written;
        self.begin(&source);
        let file = self.files.last_mut().expect("just begun");
        let begun = file.begin(extension, b"").and_then(|begun| begun.out.write_all(&bytes));
        begun.map_err(|error| RejectsError { file: source, source: error })
    }

    /// Completes the files and returns their paths. If an earlier build left a file with different contents,
    /// a number is added to the new file's name.
    pub fn finish(self) -> Result<Vec<PathBuf>, RejectsError> {
        let mut written = Vec::new();
        for mut file in self.files {
            let Some(Begun { path: begun, mut out, extension, closing }) = file.begun.take() else {
                continue;
            };
            let target = (|| {
                out.write_all(closing)?;
                out.flush()?;
                let target = free(|number| beside(&file.source, &extension, number), &begun)?;
                fs::rename(&begun, &target)?;
                Ok(target)
            })();
            written.push(target.map_err(|source| RejectsError { file: begun, source })?);
        }
        Ok(written)
    }
}

impl ReasonCounts {
    /// Counts the reasons for rejecting a row.
    pub(crate) fn add(&mut self, problem: &RowProblem) {
        for reason in without_values(&problem.reason).split("; ") {
            *self.0.entry(reason.to_owned()).or_default() += 1;
        }
    }

    /// Returns the `count` most common reasons, each with its number of rows.
    pub fn most_common(&self, count: usize) -> Vec<(&str, u64)> {
        let mut reasons: Vec<(&str, u64)> =
            self.0.iter().map(|(reason, rows)| (reason.as_str(), *rows)).collect();
        reasons.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        reasons.truncate(count);
        reasons
    }
}

impl FileRejects {
    fn add(&mut self, layout: &Layout, problem: &RowProblem) -> io::Result<()> {
        let is_first = self.begun.is_none();
        if is_first {
            let extension =
                self.source.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
            let is_workbook = matches!(layout, Layout::Csv(_)) && extension == "xlsx";
            let extension = if is_workbook { "csv".to_owned() } else { extension };
            self.begin(extension, layout.closing())?.out.write_all(&layout.opening())?;
        }
        let begun = self.begun.as_mut().expect("just begun");
        begun.out.write_all(&layout.row(problem, is_first))
    }

    fn begin(&mut self, extension: String, closing: &'static [u8]) -> io::Result<&mut Begun> {
        let path = suffixed(&self.source, &format!(".rejects.new-{}", std::process::id()));
        let out = BufWriter::new(File::create(&path)?);
        Ok(self.begun.insert(Begun { path, out, extension, closing }))
    }
}

impl Drop for FileRejects {
    /// Deletes the file if it's incomplete.
    fn drop(&mut self) {
        if let Some(Begun { path, .. }) = self.begun.take() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns the path of the file for a source file's rejected rows. The file name includes `number` if it's
/// greater than 1.
fn beside(source: &Path, extension: &str, number: u32) -> PathBuf {
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    suffixed(source, &format!(".rejects{number}.{extension}"))
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Returns the first path where no file exists or where the file has the same contents as `begun`.
fn free(name: impl Fn(u32) -> PathBuf, begun: &Path) -> io::Result<PathBuf> {
    let new = fs::read(begun)?;
    let is_free = |path: &PathBuf| !path.exists() || fs::read(path).is_ok_and(|old| old == new);
    Ok((1..).map(name).find(is_free).expect("one of the names is free"))
}

/// Replaces the values in a reason with placeholders: `"…"` for quoted strings and `N` for numbers.
fn without_values(reason: &str) -> String {
    let (mut text, mut rest) = (String::new(), reason);
    while let Some(first) = rest.chars().next() {
        let value = match first {
            '"' => quoted_length(rest).map(|length| (length, "\"…\"")),
            '0'..='9' => {
                let is_number =
                    |character: char| character.is_ascii_digit() || character == '.' || character == ',';
                let end = rest.find(|character| !is_number(character)).unwrap_or(rest.len());
                let length = rest[..end].trim_end_matches(['.', ',']).len();
                Some((length, "N"))
            }
            _ => None,
        };
        let (length, shown) = value.unwrap_or((first.len_utf8(), &rest[..first.len_utf8()]));
        text.push_str(shown);
        rest = &rest[length..];
    }
    text.replace("-N", "N")
}

/// Returns the length of the quoted string that `text` starts with, including the quotes, or `None` if the
/// closing quote is missing.
fn quoted_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map(|end| end + 2)
}
