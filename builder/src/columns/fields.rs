//! Reads and validates the fields of a row.

use std::borrow::Cow;

use dataset::Position;

use super::dates::DateForm;
use super::map::{ColumnMap, Notation};
use crate::dates::{is_date, is_digits};
use crate::location::{SWAPPED, is_position, swapped};
use crate::rows::Reasons;
use crate::rows::{SourceRow, quoted};

/// The maximum length of text values other than URLs, in characters.
const CHARACTERS: usize = 200;

/// The maximum length of a URL, in characters.
const URL_CHARACTERS: usize = 2_000;

/// Reads a row's fields and collects the errors in them.
pub(crate) struct Fields<'a> {
    row: &'a SourceRow,
    map: &'a ColumnMap,
    reasons: Reasons,
    unkept: Vec<Unkept>,
}

/// A value in an accepted row that its record can't store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unkept {
    pub target: &'static str,
    pub text: String,
    /// The reason for dropping the value. In messages, it follows the value.
    pub reason: &'static str,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(row: &'a SourceRow, map: &'a ColumnMap) -> Self {
        Self { row, map, reasons: Reasons::default(), unkept: Vec::new() }
    }

    pub(crate) fn reject(&mut self, reason: String) {
        self.reasons.add(reason);
    }

    /// Drops a value that the record can't store, and notes the reason. The row is still accepted.
    pub(crate) fn leave_out(&mut self, target: &'static str, reason: &'static str) {
        let text = self.text(target).unwrap_or_default();
        self.unkept.push(Unkept { target, text, reason });
    }

    pub(crate) fn notation(&self) -> &'a Notation {
        self.map.notation()
    }

    /// Returns whether the map sets the target to a constant.
    pub(crate) fn is_constant(&self, target: &str) -> bool {
        self.map.is_constant(target)
    }

    /// Returns whether the fields read so far are free of errors.
    pub(crate) fn is_right(&self) -> bool {
        self.reasons.is_empty()
    }

    pub(crate) fn into_reasons(self) -> Reasons {
        self.reasons
    }

    /// Returns the reasons for rejecting the row, and the values that were dropped.
    pub(crate) fn into_parts(self) -> (Reasons, Vec<Unkept>) {
        (self.reasons, self.unkept)
    }

    /// Returns a target's text as a single line, or `None` if it's missing or unreadable. Adds an error if
    /// the text is unreadable or too long, or if it contains a control character.
    pub(crate) fn text(&mut self, target: &str) -> Option<String> {
        self.text_up_to(target, CHARACTERS)
    }

    fn text_up_to(&mut self, target: &str, characters: usize) -> Option<String> {
        let text = match self.map.value(self.row, target) {
            Ok(text) => text?,
            Err(reason) => {
                self.reject(format!("{target} {reason}"));
                return None;
            }
        };
        let text = on_one_line(text);
        if text.chars().nth(characters).is_some() {
            self.reject(format!("{target} is longer than {characters} characters"));
        }
        if text.chars().any(char::is_control) {
            self.reject(format!("{target} contains a control character, such as a tab"));
        }
        Some(text.into_owned())
    }

    /// Returns a target's text with decimal commas replaced by points. The text can contain several numbers.
    pub(crate) fn number(&mut self, target: &str) -> Option<String> {
        self.text(target).map(|text| self.map.number(text))
    }

    /// Returns a required target's text. If it's missing, adds an error and returns an empty string.
    pub(crate) fn required(&mut self, target: &str) -> String {
        let before = self.reasons.len();
        let text = self.text(target);
        if text.is_none() && self.reasons.len() == before {
            self.reject(format!("{target} is missing"));
        }
        text.unwrap_or_default()
    }

    /// Returns the position of the place or display. A GeoJSON feature's position is used unless the map
    /// names columns for coordinates. If the position is missing or invalid, adds an error and returns
    /// `None`.
    pub(crate) fn position(&mut self) -> Option<Position> {
        let is_mapped = self.map.names("latitude") || self.map.names("longitude");
        let (latitude, longitude) = match self.row.position {
            Some(Position { latitude, longitude }) if !is_mapped => (Some(latitude), Some(longitude)),
            _ => (self.degrees("latitude"), self.degrees("longitude")),
        };
        for (target, degrees, bound) in [("latitude", latitude, 90.0), ("longitude", longitude, 180.0)] {
            if let Some(degrees) = degrees.filter(|degrees| !(-bound..=bound).contains(degrees)) {
                self.reject(format!("{target} {degrees} is not between -{bound} and {bound} degrees"));
            }
        }
        let position = Position { latitude: latitude?, longitude: longitude? };
        if is_position(swapped(position)) && !is_position(position) {
            self.reject(SWAPPED.to_owned());
        }
        if position == (Position { latitude: 0.0, longitude: 0.0 }) {
            self.reject(
                "latitude and longitude are both 0, which means that the position is missing".to_owned(),
            );
            return None;
        }
        is_position(position).then_some(position)
    }

    /// Returns a date as `YYYY-MM-DD`, or `None` if it's missing or invalid. Adds an error if it's invalid.
    pub(crate) fn date(&mut self, target: &str) -> Option<String> {
        let text = self.text(target)?;
        let form = self.map.notation().dates.get(target);
        let date = iso_date(&text).or_else(|| form?.read(&text));
        if date.is_none() {
            let expected = form.map_or("YYYY-MM-DD", DateForm::text);
            let is_other_form = form.is_none() && text.contains(['/', '.']);
            let hint =
                if is_other_form { "; a column map can specify the date format in [dates]" } else { "" };
            self.reject(format!("{target} {} is not a calendar date ({expected}){hint}", quoted(&text)));
        }
        date
    }

    /// Returns a URL without validating it. A URL can be longer than other strings.
    pub(crate) fn url(&mut self, target: &str) -> Option<String> {
        self.text_up_to(target, URL_CHARACTERS)
    }

    /// Returns the five digits of a ZIP code. If it's invalid, adds an error and returns `None`.
    pub(crate) fn zip_code(&mut self, text: &str) -> Option<String> {
        let digits = five_digits(text);
        if digits.is_none() {
            self.reject(format!("zip_code {} is not 5 digits or ZIP+4", quoted(text)));
        }
        digits
    }

    fn degrees(&mut self, target: &str) -> Option<f64> {
        let text = self.required(target);
        if text.is_empty() {
            return None;
        }
        let degrees = self.map.number(text.clone()).parse().ok();
        if degrees.is_none() {
            self.reject(format!("{target} {} is not in decimal degrees", quoted(&text)));
        }
        degrees
    }
}

pub(super) fn is_iso_date(text: &str) -> bool {
    iso_date(text).is_some()
}

/// Converts a date with or without hyphens to `YYYY-MM-DD`, dropping the time of day. Returns `None` for
/// other formats.
pub(super) fn iso_date(text: &str) -> Option<String> {
    let day = text.split_once([' ', 'T']).map_or(text, |(day, _)| day);
    let date = match day.as_bytes() {
        digits if digits.len() == 8 && is_digits(day) => {
            format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..])
        }
        _ => day.to_owned(),
    };
    is_date(&date).then_some(date)
}

/// Returns the five digits of a ZIP code, or `None` if it's invalid. Drops the extension of ZIP+4 codes and
/// restores a leading zero that a spreadsheet removed.
pub(crate) fn five_digits(text: &str) -> Option<String> {
    let (zip, extension) = match text.split_once('-') {
        Some((zip, extension)) => (zip, extension),
        None if text.len() == 9 && text.is_char_boundary(5) => text.split_at(5),
        None => (text, ""),
    };
    let has_form = is_digits(zip) && matches!(zip.len(), 4 | 5);
    let is_extended = text.len() > zip.len();
    if !has_form || is_extended && !(extension.len() == 4 && is_digits(extension)) {
        return None;
    }
    Some(format!("{zip:0>5}"))
}

/// Replaces line breaks within a cell with spaces.
fn on_one_line(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(['\n', '\r']) {
        return text;
    }
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    Cow::Owned(lines.collect::<Vec<&str>>().join(" "))
}
