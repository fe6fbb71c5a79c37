//! Writes layouts by splitting each record's layouts into a template and the values for its gaps.

use serde::{Deserialize, Serialize};

use super::id::SpotId;
use super::layout_forms::{Gap, NEAR, OwnValues};
use super::layouts::{OWN, SECTION};
use super::record::Layout;
use crate::index::{ColumnWriter, Indexing, Normalization};
use crate::release::file::{FileWriter, Runs};

/// The maximum length, in bytes, of the suffix that follows the common prefix in each of a record's strings.
/// Suffixes are part of the template, so long suffixes would lead to too many distinct templates.
const LONGEST_REST: usize = 3;

/// Collects the layouts of records, in the order in which the records are pushed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LayoutsWriter {
    forms: ColumnWriter,
    /// The encoded values for the gaps of all records, concatenated.
    own: Vec<u8>,
    /// The end of each record's values in `own`.
    own_ends: Vec<usize>,
}

/// A segment of a record's layouts: JSON between two gaps, or the value for a gap.
enum Part<'a> {
    Json(&'a str),
    Number(i64),
    Text(&'a str),
    /// A JSON number that isn't an ID.
    Token(&'a str),
}

/// The end of the name of each member that contains an ID. It can't match inside a JSON string, because
/// quotation marks are escaped there.
const ID: &str = "id\":";
/// The name of the member with a face's orientation. It can't match inside a JSON string, for the same
/// reason.
const ORIENTATION: &str = "\"orientation\":";

impl LayoutsWriter {
    pub(super) fn push(&mut self, id: SpotId, layouts: Option<&[Layout<'_>]>) {
        let form = layouts.map(|layouts| {
            let json = serde_json::to_string(layouts).expect("writing to memory doesn't fail");
            self.form(id, &cut(&json))
        });
        self.forms.push(form.as_deref());
        self.own_ends.push(self.own.len());
    }

    /// Appends the layouts of the given records from another writer.
    pub(super) fn append(&mut self, other: &Self, records: &[u32]) {
        self.forms.append(&other.forms, records);
        for record in records {
            self.own.extend_from_slice(other.own_of(*record));
            self.own_ends.push(self.own.len());
        }
    }

    /// Writes the templates and the values, with the records in the given order.
    pub(super) fn write(self, file: &mut FileWriter, order: &[u32]) {
        Runs::write(file, OWN, order.iter().map(|record| self.own_of(*record)));
        let forms = self.forms.sorted(Normalization::AsIs, order.iter().copied());
        forms.write(file, SECTION, Indexing::Stored);
    }

    /// Returns the encoded values for a record's gaps.
    fn own_of(&self, record: u32) -> &[u8] {
        let start = record.checked_sub(1).map_or(0, |before| self.own_ends[before as usize]);
        &self.own[start..self.own_ends[record as usize]]
    }

    /// Creates the template for a record's layouts and appends the values for its gaps to `own`.
    fn form(&mut self, id: SpotId, parts: &[Part<'_>]) -> String {
        let stem = stem(parts);
        let (mut form, mut before, mut is_said) = (String::new(), i64::from(id.raw()), false);
        for part in parts {
            match part {
                Part::Json(json) => form.push_str(json),
                Part::Number(number) => match distance(id, *number) {
                    Some(distance) => Gap::NearId(distance).push(&mut form),
                    None => {
                        OwnValues::push(&mut self.own, number.wrapping_sub(before));
                        before = *number;
                        Gap::OwnNumber.push(&mut form);
                    }
                },
                Part::Token(token) => {
                    OwnValues::push_text(&mut self.own, token);
                    Gap::OwnToken.push(&mut form);
                }
                Part::Text(text) => {
                    let said = stem.unwrap_or(text);
                    if is_said && stem.is_some() {
                        Gap::SameText.push(&mut form);
                    } else {
                        OwnValues::push_text(&mut self.own, said);
                        Gap::OwnText.push(&mut form);
                    }
                    is_said = true;
                    form.push_str(&text[said.len()..]);
                }
            }
        }
        form
    }
}

/// Splits JSON at the values of members whose names end in `id`, and at face orientations.
fn cut(json: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest, mut from) = (Vec::new(), json, 0);
    while let Some(found) = rest[from..].find(ID) {
        let value = from + found + ID.len();
        let is_text = rest[value..].starts_with('"');
        let start = value + usize::from(is_text);
        let end = start + if is_text { text_length(&rest[start..]) } else { number_length(&rest[start..]) };
        let inside = &rest[start..end];
        let part = if is_text { Some(Part::Text(inside)) } else { inside.parse().ok().map(Part::Number) };
        let Some(part) = part else {
            from = end;
            continue;
        };
        cut_orientations(&rest[..start], &mut parts);
        parts.push(part);
        (rest, from) = (&rest[end..], 0);
    }
    cut_orientations(rest, &mut parts);
    parts
}

/// Splits JSON at face orientations. If they were part of the template, nearly every record would need its
/// own template.
fn cut_orientations<'a>(mut json: &'a str, parts: &mut Vec<Part<'a>>) {
    while let Some(found) = json.find(ORIENTATION) {
        let (before, value) = json.split_at(found + ORIENTATION.len());
        let (number, rest) = value.split_at(value.find([',', '}']).unwrap_or(0));
        parts.extend([Part::Json(before), Part::Token(number)]);
        json = rest;
    }
    parts.push(Part::Json(json));
}

fn text_length(json: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: u8| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    };
    json.bytes().position(is_end).unwrap_or(json.len())
}

fn number_length(json: &str) -> usize {
    json.bytes().position(|byte| byte != b'-' && !byte.is_ascii_digit()).unwrap_or(json.len())
}

/// Returns the number minus the record's ID if the difference is at least 0 and less than `NEAR`.
fn distance(id: SpotId, number: i64) -> Option<u8> {
    let distance = u8::try_from(number.checked_sub(i64::from(id.raw()))?).ok()?;
    (distance < NEAR).then_some(distance)
}

/// Returns the common prefix of all strings. Returns `None` if it's empty, or if a string continues for more
/// than `LONGEST_REST` bytes after it.
fn stem<'a>(parts: &[Part<'a>]) -> Option<&'a str> {
    let mut texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(*text),
        _ => None,
    });
    let (first, mut longest) = (texts.next()?, 0);
    let stem = texts.fold(first, |stem, text| {
        longest = longest.max(text.len());
        common_start(stem, text)
    });
    let longest = longest.max(first.len());
    (!stem.is_empty() && longest - stem.len() <= LONGEST_REST).then_some(stem)
}

fn common_start<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b).last();
    same.map_or("", |((at, character), _)| &one[..at + character.len_utf8()])
}
