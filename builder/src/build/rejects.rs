//! The rows that were not accepted.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

use crate::rows::{Layout, RowProblem};

/// Why rejected rows are not written.
#[derive(Debug, Error)]
pub enum RejectsError {
    #[error("{}: the rejected rows cannot be written over the rows that are read", .0.display())]
    IsSource(PathBuf),
    #[error(
        "{}: rejected rows are written as their file has them; let the name end in .{extension}",
        file.display()
    )]
    OtherFormat { file: PathBuf, extension: &'static str },
    #[error("{}: the rejected rows of several files do not fit into one; leave it out", .0.display())]
    SeveralFiles(PathBuf),
    #[error("{}: is the same file as {}; name it once", file.display(), other.display())]
    SameSource { file: PathBuf, other: PathBuf },
    #[error("{}: cannot be written: {source}", file.display())]
    Unwritable { file: PathBuf, source: io::Error },
}

/// The rows of an import's files that were not accepted: for each file one of the same format, with the rows
/// as they are, their lines and the reasons. A file without such rows has none.
#[derive(Debug, Default)]
pub struct Rejects {
    /// Where to write them; beside each file otherwise.
    path: Option<PathBuf>,
    files: Vec<FileRejects>,
    count: u64,
}

/// The rejected rows of one file.
#[derive(Debug)]
struct FileRejects {
    source: PathBuf,
    /// Begun with the first row, beside where it is going to be.
    begun: Option<Begun>,
}

#[derive(Debug)]
struct Begun {
    path: PathBuf,
    out: BufWriter<File>,
    layout: Layout,
}

impl Rejects {
    /// Writes them beside the files that they come from.
    pub fn beside_sources() -> Self {
        Self::default()
    }

    /// Writes them into a file.
    pub fn into_file(path: PathBuf) -> Self {
        Self { path: Some(path), ..Self::default() }
    }

    /// Checks the files of an import before the first of them is read.
    ///
    /// # Errors
    ///
    /// When two of them are the same, or their rejected rows would be written over one of them, together into
    /// one file, or into one whose name says another format.
    pub(crate) fn check(&self, sources: &[PathBuf]) -> Result<(), RejectsError> {
        if let Some(path) = &self.path {
            if sources.iter().any(|source| is_same(path, source)) {
                return Err(RejectsError::IsSource(path.clone()));
            }
            if sources.len() > 1 {
                return Err(RejectsError::SeveralFiles(path.clone()));
            }
            let other = sources.iter().find(|source| format(path) != format(source));
            if let Some(extension) = other.and_then(|source| format(source)) {
                return Err(RejectsError::OtherFormat { file: path.clone(), extension });
            }
        }
        let mut known = BTreeMap::new();
        for file in sources {
            let path = file.canonicalize().unwrap_or_else(|_| file.clone());
            if let Some(other) = known.insert(path, file) {
                return Err(RejectsError::SameSource { file: file.clone(), other: other.clone() });
            }
        }
        Ok(())
    }

    /// Goes on with the rows of a file.
    pub(crate) fn begin(&mut self, source: &Path) {
        self.files.push(FileRejects { source: source.to_owned(), begun: None });
    }

    /// Adds a row of the file that was gone on with, which has a layout.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    ///
    /// # Panics
    ///
    /// When there is no such file.
    pub(crate) fn add(&mut self, layout: &Layout, problem: &RowProblem) -> Result<(), RejectsError> {
        let file = self.files.last_mut().expect("rows are those of a file");
        let target = self.path.clone().unwrap_or_else(|| beside(&file.source, 1));
        self.count += 1;
        let added = file.add(layout, problem, &target);
        added.map_err(|source| RejectsError::Unwritable { file: target, source })
    }

    /// Returns how many rows there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Ends the files and returns their names. What was there before an import stays: beside a source, and
    /// where no release was written, the rows go into a file of another name.
    ///
    /// # Errors
    ///
    /// When the last rows cannot be written.
    pub fn finish(self, is_refused: bool) -> Result<Vec<PathBuf>, RejectsError> {
        let Self { path, files, .. } = self;
        let mut written = Vec::new();
        for mut file in files {
            let Some(Begun { path: begun, mut out, layout }) = file.begun.take() else { continue };
            let unwritable = |at: &Path| {
                let file = at.to_owned();
                |source| RejectsError::Unwritable { file, source }
            };
            out.write_all(layout.closing()).and_then(|()| out.flush()).map_err(unwritable(&begun))?;
            let target = match &path {
                Some(path) if !is_refused => path.clone(),
                Some(path) => free(|number| numbered(path, number), &begun),
                None => free(|number| beside(&file.source, number), &begun),
            };
            fs::rename(&begun, &target).map_err(unwritable(&target))?;
            written.push(target);
        }
        Ok(written)
    }
}

impl FileRejects {
    fn add(&mut self, layout: &Layout, problem: &RowProblem, target: &Path) -> io::Result<()> {
        let is_first = self.begun.is_none();
        let begun = match &mut self.begun {
            Some(begun) => begun,
            None => {
                let path = suffixed(target, &format!(".new-{}", std::process::id()));
                let mut out = BufWriter::new(File::create(&path)?);
                out.write_all(&layout.opening())?;
                self.begun.insert(Begun { path, out, layout: layout.clone() })
            }
        };
        begun.out.write_all(&layout.row(problem, is_first))
    }
}

impl Drop for FileRejects {
    /// Leaves nothing half written.
    fn drop(&mut self) {
        if let Some(Begun { path, .. }) = self.begun.take() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns how names of a file's format end; `None` when its name says none.
fn format(file: &Path) -> Option<&'static str> {
    match file.extension()?.to_ascii_lowercase().to_str()? {
        "csv" | "tsv" | "tab" | "txt" | "xlsx" => Some("csv"),
        "jsonl" | "ndjson" => Some("jsonl"),
        "geojson" | "json" => Some("geojson"),
        _ => None,
    }
}

fn is_same(path: &Path, source: &Path) -> bool {
    match (path.canonicalize(), source.canonicalize()) {
        (Ok(path), Ok(source)) => path == source,
        _ => false,
    }
}

/// Names the file of rejected rows that lies beside their source.
fn beside(source: &Path, number: u32) -> PathBuf {
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    let extension = source.extension().unwrap_or_default().to_string_lossy();
    let extension = if extension.eq_ignore_ascii_case("xlsx") { "csv" } else { &extension };
    suffixed(source, &format!(".rejects{number}.{extension}"))
}

/// Names a file beside another one that is in the way.
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return path.to_owned();
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    suffixed(&path.with_extension(""), &format!("-{number}.{extension}"))
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Returns the first name that is free, or that a file of the same rows has.
fn free(name: impl Fn(u32) -> PathBuf, begun: &Path) -> PathBuf {
    let is_free = |path: &PathBuf| {
        !path.exists() || fs::read(path).is_ok_and(|old| fs::read(begun).is_ok_and(|new| old == new))
    };
    (1..).map(name).find(is_free).expect("one of the names is free")
}
