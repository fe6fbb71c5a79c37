//! Proposes a column map, for a person to review and correct.

use std::collections::BTreeMap;
use std::fmt::Write;

use dataset::{Progress, normalize};

use super::candidates::{Candidate, Reason};
use super::error::MatchFault;
use super::matching::Matching;
use super::target::{Schema, Target};
use crate::rows::{Dialect, FileError, RowReader, shortened};

/// The maximum number of unreadable values to list per target.
const STUBS: usize = 20;

/// The maximum length of an example value, in characters.
const SHOWN: usize = 40;

/// Proposes a column map for a file, as TOML. The proposal also lists unused columns, the alternatives if
/// several columns match a target, and unreadable values.
///
/// # Errors
///
/// Fails if the file can't be read.
pub fn propose(
    path: &std::path::Path,
    dialect: &Dialect,
    schema: &Schema,
    progress: Progress<'_>,
) -> Result<String, FileError> {
    let mut file = RowReader::open(path, dialect, progress)?;
    let matching = Matching::of(&mut file, schema)?;
    Ok(text(&matching))
}

fn text(matching: &Matching) -> String {
    let mut text =
        format!("# A proposed column map for {}. Review and correct it.\n", comment(&matching.file));
    columns(matching, &mut text);
    unused(matching, &mut text);
    constants(matching, &mut text);
    for target in matching.schema.targets {
        values(matching, target, &mut text);
    }
    dates(matching, &mut text);
    format(matching, &mut text);
    text
}

/// Adds a line to a map. Writing to a string can't fail.
fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(line);
    text.push('\n');
}

fn columns(matching: &Matching, text: &mut String) {
    line(text, format_args!("\n[columns]"));
    for target in matching.schema.targets {
        if let Some(Candidate { column, reason, .. }) = matching.chosen.get(target.name) {
            let reason = match reason {
                Reason::OwnName => "the target's name",
                Reason::SameName => "the target's name, except for case and punctuation",
                Reason::Synonym => "a common name for the target",
                Reason::Values => "matched by its values, not by its name",
            };
            line(text, format_args!("{} = {}  # {reason}", target.name, quoted(column)));
        }
    }
    for fault in &matching.faults {
        match fault {
            MatchFault::Ambiguous { target, columns } => {
                line(text, format_args!("# Several columns could be {target}. Choose one:"));
                for column in columns {
                    let example = example(matching, column);
                    line(text, format_args!("# {target} = {}{example}", quoted(column)));
                }
            }
            MatchFault::Missing(targets) => {
                line(text, format_args!("# No column looks like {targets}, which is required."));
            }
            MatchFault::Unreadable { target, column, .. } => {
                line(
                    text,
                    format_args!(
                        "# {} could be {target}, but some of its values can't be read.",
                        quoted(column)
                    ),
                );
            }
            MatchFault::Header { row } => {
                line(text, format_args!("# The first row doesn't look like a header, but row {row} does."));
                line(text, format_args!("# Run this command with --header-row {row}."));
            }
            MatchFault::Dates { .. } | MatchFault::Units { .. } | MatchFault::SeveralUnits(_) => {}
        }
    }
}

fn unused(matching: &Matching, text: &mut String) {
    let is_alternative = |column: &String| {
        matching.faults.iter().any(|fault| match fault {
            MatchFault::Ambiguous { columns, .. } => columns.contains(column),
            _ => false,
        })
    };
    let mut columns = matching.map().unread(matching.samples.columns());
    columns.retain(|column| !is_alternative(column));
    if columns.is_empty() {
        return;
    }
    line(text, format_args!("\n# Columns that aren't used:"));
    for column in columns {
        line(text, format_args!("# {}{}", quoted(&column), example(matching, &column)));
    }
}

fn example(matching: &Matching, column: &str) -> String {
    match matching.samples.values(column).first() {
        Some(value) => format!("  # for example {}", quoted(&shortened(value, SHOWN))),
        None => "  # no values in the first rows".to_owned(),
    }
}

fn constants(matching: &Matching, text: &mut String) {
    line(text, format_args!("\n# Values that are the same in all rows."));
    line(text, format_args!("[constants]"));
    for (target, (constant, column)) in &matching.constants {
        line(
            text,
            format_args!("{target} = {}  # from the column name {}", quoted(constant), quoted(column)),
        );
    }
    for target in ["operator", "place_type", "brand"] {
        let is_known = matching.schema.targets.iter().any(|known| known.name == target);
        if is_known && !matching.chosen.contains_key(target) {
            line(text, format_args!("# {target} = \"\""));
        }
    }
}

/// Adds a target's unreadable values. Each value is mapped to itself, so rows with this value are rejected
/// until a person corrects the map.
fn values(matching: &Matching, target: &Target, text: &mut String) {
    let Some(Candidate { column, .. }) = matching.chosen.get(target.name) else { return };
    let mut unknown: BTreeMap<String, (&str, usize)> = BTreeMap::new();
    for value in matching.samples.values(column) {
        if !matching.understands(target, value) {
            unknown.entry(normalize(value)).or_insert((value, 0)).1 += 1;
        }
    }
    if unknown.is_empty() {
        return;
    }
    let mut unknown: Vec<(&str, usize)> = unknown.into_values().collect();
    unknown.sort_by_key(|(value, rows)| (std::cmp::Reverse(*rows), *value));
    let omitted = unknown.len().saturating_sub(STUBS);
    line(text, format_args!("\n# On the right, write the value to use, or \"\" if the value is missing."));
    line(text, format_args!("[values.{}]", target.name));
    for (value, rows) in unknown.into_iter().take(STUBS) {
        let value = quoted(value);
        let rows = if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") };
        line(text, format_args!("{value} = {value}  # {rows}"));
    }
    if omitted > 0 {
        line(text, format_args!("# and {omitted} more"));
    }
}

fn dates(matching: &Matching, text: &mut String) {
    let dates = &matching.notation.dates;
    let ambiguous = matching.faults.iter().filter_map(|fault| match fault {
        MatchFault::Dates { target, forms, .. } => Some((target, forms)),
        _ => None,
    });
    let ambiguous: Vec<_> = ambiguous.collect();
    if dates.is_empty() && ambiguous.is_empty() {
        return;
    }
    line(text, format_args!("\n[dates]"));
    for (target, form) in dates {
        line(text, format_args!("{target} = {}", quoted(form.text())));
    }
    for (target, forms) in ambiguous {
        line(text, format_args!("# Choose the date format for {target}:"));
        for form in forms {
            line(text, format_args!("# {target} = {}", quoted(form.text())));
        }
    }
}

fn format(matching: &Matching, text: &mut String) {
    let notation = &matching.notation;
    line(text, format_args!("\n[format]"));
    if notation.has_decimal_commas {
        line(text, format_args!("decimal_comma = true"));
    }
    if notation.is_width_first {
        line(text, format_args!("size = \"width first\""));
    }
    if let Some(unit) = notation.units {
        line(text, format_args!("units = {}", quoted(unit.name())));
    }
    for fault in &matching.faults {
        match fault {
            MatchFault::Units { column } => {
                line(text, format_args!("# The numbers in {} have no unit. Choose one:", quoted(column)));
                line(text, format_args!("# units = \"ft\"\n# units = \"in\""));
            }
            MatchFault::SeveralUnits(units) => {
                let units = units.join(", ");
                line(text, format_args!("# The names of the size columns contain several units: {units}."));
                line(
                    text,
                    format_args!("# A map can specify only one unit. Convert the columns to the same unit."),
                );
            }
            MatchFault::Ambiguous { .. }
            | MatchFault::Missing(_)
            | MatchFault::Unreadable { .. }
            | MatchFault::Header { .. }
            | MatchFault::Dates { .. } => {}
        }
    }
}

/// Formats a string as a single-line TOML basic string.
fn quoted(text: &str) -> String {
    // TOML accepts the escapes that JSON uses, but requires DEL to be escaped, too.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn comment(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}
