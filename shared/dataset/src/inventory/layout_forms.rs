//! The storage format of layouts, which differ little between records.
//!
//! Layouts are stored as templates, which are JSON with gaps and are shared between records. Each record
//! stores only the values for its gaps: the IDs of its layouts, faces, and spots (usually close to the
//! record's own ID), the media owner's IDs, and the orientations of the faces. Writing layouts as JSON is
//! therefore mostly copying.
//!
//! See `docs/decisions/0048-inventory-records.md`.

use std::io::Write;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The byte that marks a gap in a template. The next byte is the kind of gap. JSON can't contain this byte
/// unescaped.
pub(super) const GAP: u8 = 1;

/// If an ID exceeds the record's ID by less than `NEAR`, the template contains the difference, so no value is
/// stored.
pub(super) const NEAR: u8 = 64;

/// The kind of gap for the record's own ID. The next byte is the kind of gap for that ID plus 1, and so on.
const FIRST_NEAR: u8 = b' ';

/// The maximum length of a string of digits that's stored as a number, which is the number of digits of the
/// largest `u64`.
const MAX_DIGITS: usize = 20;

/// The kind of gap, which determines where its value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// The next number in the record's values. Numbers are stored as the difference from the previous number,
    /// and the first one as the difference from the record's ID.
    OwnNumber,
    /// The next string in the record's values.
    OwnText,
    /// A repetition of the record's previous string.
    SameText,
    /// The next JSON number in the record's values, such as the orientation of a face.
    OwnToken,
    /// The record's ID plus a number less than [`NEAR`].
    NearId(u8),
}

impl Gap {
    pub(super) fn from_byte(byte: u8) -> Self {
        match byte {
            b'n' => Self::OwnNumber,
            b't' => Self::OwnText,
            b's' => Self::SameText,
            b'v' => Self::OwnToken,
            near => Self::NearId(near - FIRST_NEAR),
        }
    }

    /// Appends the gap to a template.
    pub(super) fn push(self, form: &mut String) {
        let byte = match self {
            Self::OwnNumber => b'n',
            Self::OwnText => b't',
            Self::SameText => b's',
            Self::OwnToken => b'v',
            Self::NearId(distance) => distance + FIRST_NEAR,
        };
        form.extend([GAP, byte].map(char::from));
    }
}

/// The encoded values for a record's gaps: numbers and strings, in the same order as the gaps.
#[derive(Debug)]
pub(super) struct OwnValues<'a>(pub(super) &'a [u8]);

impl<'a> OwnValues<'a> {
    /// Appends a string. A string of up to [`MAX_DIGITS`] digits is stored as a number if it fits in a `u64`.
    pub(super) fn push_text(own: &mut Vec<u8>, text: &str) {
        let length = text.len() as u64;
        let is_number = text.len() <= MAX_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<u64>() {
            Ok(number) if is_number => {
                Self::push(own, length << 1 | 1);
                Self::push(own, number);
            }
            _ => {
                Self::push(own, length << 1);
                own.extend_from_slice(text.as_bytes());
            }
        }
    }

    /// Appends a number.
    pub(super) fn push(own: &mut Vec<u8>, number: impl Serialize) {
        *own = postcard::to_extend(&number, std::mem::take(own)).expect("writing to memory doesn't fail");
    }

    /// Reads and consumes the next number.
    pub(super) fn number<T: Deserialize<'a>>(&mut self) -> T {
        let (number, rest) = postcard::take_from_bytes(self.0).expect("every gap has a value");
        self.0 = rest;
        number
    }

    /// Reads the next string, appends it to `out`, and returns its range in `out`.
    pub(super) fn text(&mut self, out: &mut Vec<u8>) -> Range<usize> {
        let (start, tag) = (out.len(), self.number::<u64>());
        let length = (tag >> 1) as usize;
        if tag & 1 == 0 {
            let (text, rest) = self.0.split_at(length);
            out.extend_from_slice(text);
            self.0 = rest;
        } else {
            write!(out, "{:0length$}", self.number::<u64>()).expect("writing to memory doesn't fail");
        }
        start..out.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_of_zeros_round_trip() {
        for length in 0..=2 * MAX_DIGITS {
            let text = "0".repeat(length);
            let mut own = Vec::new();
            OwnValues::push_text(&mut own, &text);
            let mut out = Vec::new();
            assert_eq!(OwnValues(&own).text(&mut out), 0..length, "{length} zeros");
            assert_eq!(out, text.as_bytes());
        }
    }

    #[test]
    fn gaps_round_trip() {
        let near = (0..NEAR).map(Gap::NearId);
        for gap in [Gap::OwnNumber, Gap::OwnText, Gap::SameText, Gap::OwnToken].into_iter().chain(near) {
            let mut form = String::new();
            gap.push(&mut form);
            assert_eq!((form.len(), form.as_bytes()[0]), (2, GAP));
            assert_eq!(Gap::from_byte(form.as_bytes()[1]), gap);
        }
    }

    proptest! {
        #[test]
        fn own_values_round_trip(
            number in any::<i64>(),
            text in prop_oneof!["[0-9]{0,24}", ".*"],
        ) {
            let mut own = Vec::new();
            OwnValues::push_text(&mut own, &text);
            OwnValues::push(&mut own, number);
            let (mut values, mut out) = (OwnValues(&own), b"x".to_vec());
            let range = values.text(&mut out);
            prop_assert_eq!(&out[range], text.as_bytes());
            prop_assert_eq!(values.number::<i64>(), number);
            prop_assert!(values.0.is_empty());
        }
    }
}
