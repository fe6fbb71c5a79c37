//! Date formats in imported files.

use chrono::{Datelike, NaiveDate};

/// A date format such as `MM/DD/YYYY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateForm {
    text: String,
    /// The format as a chrono format string.
    chrono: String,
}

/// The parts of a date format and the corresponding chrono specifiers. A part that starts with another part
/// is listed before it.
const PARTS: [(&str, &str); 8] = [
    ("YYYY", "%Y"),
    ("YY", "%y"),
    ("MMMM", "%B"),
    ("MMM", "%B"),
    ("MM", "%m"),
    ("M", "%m"),
    ("DD", "%d"),
    ("D", "%d"),
];

impl DateForm {
    /// Parses a date format, which must contain exactly one year, one month, and one day. Returns `None` if
    /// it's invalid.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (mut chrono, mut rest) = (String::new(), text);
        while let Some(first) = rest.chars().next() {
            if let Some((part, code)) = PARTS.iter().find(|(part, _)| rest.starts_with(part)) {
                chrono += code;
                rest = &rest[part.len()..];
                continue;
            }
            if first.is_alphanumeric() || first == '%' {
                return None;
            }
            chrono.push(first);
            rest = &rest[first.len_utf8()..];
        }
        let has = |codes: &[&str]| codes.iter().map(|code| chrono.matches(code).count()).sum::<usize>() == 1;
        let is_whole = has(&["%Y", "%y"]) && has(&["%m", "%B"]) && has(&["%d"]);
        is_whole.then(|| Self { text: text.to_owned(), chrono })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Parses a date from 1900 to 2100 in this format and returns it as `YYYY-MM-DD`.
    pub(crate) fn read(&self, text: &str) -> Option<String> {
        let date = NaiveDate::parse_from_str(text, &self.chrono).ok()?;
        (1900..=2100).contains(&date.year()).then(|| date.format("%Y-%m-%d").to_string())
    }
}

/// The common date formats that match a column's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DateForms {
    /// There are no values.
    NoValues,
    /// No format fits all dates, or none of the values is a date.
    None,
    One(DateForm),
    Several(Vec<DateForm>),
}

/// The date formats that can be detected. No date matches both a format with `YYYY` and one with `YY`.
const COMMON: [&str; 9] = [
    "MM/DD/YYYY",
    "DD/MM/YYYY",
    "MM/DD/YY",
    "DD/MM/YY",
    "MM-DD-YYYY",
    "DD-MM-YYYY",
    "DD.MM.YYYY",
    "MMM D, YYYY",
    "D MMM YYYY",
];

/// Returns the common formats that match all of the dates. Values that aren't dates, such as `now`, are
/// ignored if other values are dates.
pub(super) fn date_forms<'a>(values: impl Iterator<Item = &'a str>) -> DateForms {
    let all: Vec<DateForm> = COMMON.iter().filter_map(|form| DateForm::parse(form)).collect();
    let mut forms = all.clone();
    let (mut has_values, mut has_dates) = (false, false);
    for value in values {
        has_values = true;
        if all.iter().any(|form| form.read(value).is_some()) {
            has_dates = true;
            forms.retain(|form| form.read(value).is_some());
        }
    }
    match (has_dates, forms.len()) {
        (false, _) if !has_values => DateForms::NoValues,
        (false, _) | (true, 0) => DateForms::None,
        (true, 1) => DateForms::One(forms.remove(0)),
        (true, _) => DateForms::Several(forms),
    }
}
