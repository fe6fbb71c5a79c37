//! The names of columns whose header cell is empty.

/// Returns the name of a column without a name. Columns are counted from 1.
pub(super) fn unnamed(column: usize) -> String {
    format!("{START}{column}{END}")
}

/// Returns whether a name is one of [`unnamed`].
pub(crate) fn is_unnamed(name: &str) -> bool {
    name.starts_with(START) && name.ends_with(END)
}

const START: &str = "column ";
const END: &str = " (no name)";
