//! Tests reading workbooks and other files, and mapping their columns.

mod contradictions;
mod displays;
mod maps;
mod matching;
mod proposals;
mod workbooks;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use builder::rows::{Dialect, FileError, Row, RowReader, SourceRow};

/// Returns an unused path in the target folder.
fn path(extension: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("columns-{}-{number}.{extension}", std::process::id());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn file(extension: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = path(extension);
    std::fs::write(&path, content).expect("a file in the target folder");
    path
}

/// Returns a file's column names and rows.
fn rows(path: &Path, dialect: &Dialect) -> Result<(Vec<String>, Vec<Row>), FileError> {
    let mut reader = RowReader::open(path, dialect, &|_, _, _| ())?;
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row()? {
        rows.push(row);
    }
    Ok((reader.columns(), rows))
}

/// Returns the values of a readable row as strings, in column order.
fn values(row: &Row, columns: &[String]) -> Vec<String> {
    let row = readable(row);
    let value = |column: &String| row.text(column).expect("a single value").unwrap_or_default().into_owned();
    columns.iter().map(value).collect()
}

fn readable(row: &Row) -> &SourceRow {
    match row {
        Row::Read(row) => row,
        Row::Unreadable(problem) => panic!("row {}: {}", problem.line, problem.reason),
    }
}
