//! How are the layouts of a million records kept, which are nearly the same?
//!
//! As the JSON that is answered, cut up. What records share is a form, kept once: pieces of JSON with gaps
//! between them. What a record has alone fills the gaps: the ids of its layouts, faces and spots, mostly
//! close to the record's own, and the texts by which its operator knows them. Writing layouts out is copying.
//!
//! Decided in `docs/decisions/0048-inventory-records.md`.

use std::ops::Range;

/// The distances from the record's id at which an id is part of the form.
pub(super) const NEAR: u32 = 64;

/// How many digits a text has at most that is kept as a number: those of the largest `u64`.
const MAX_DIGITS: usize = 20;

/// What a form is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Token {
    /// The next number of the record: its distance from the one before, or from the record's id.
    OwnNumber,
    /// The next text of the record.
    OwnText,
    /// The last text of the record once more.
    SameText,
    /// The record's id, and less than [`NEAR`] more.
    NearId(u32),
    /// JSON, by its number.
    Piece(u32),
}

impl Token {
    const FIRST_NEAR: u32 = 3;
    const FIRST_PIECE: u32 = Self::FIRST_NEAR + NEAR;

    pub(super) fn from_raw(raw: u32) -> Self {
        match raw {
            0 => Self::OwnNumber,
            1 => Self::OwnText,
            2 => Self::SameText,
            near @ 3..Self::FIRST_PIECE => Self::NearId(near - Self::FIRST_NEAR),
            piece => Self::Piece(piece - Self::FIRST_PIECE),
        }
    }

    pub(super) fn raw(self) -> u32 {
        match self {
            Self::OwnNumber => 0,
            Self::OwnText => 1,
            Self::SameText => 2,
            Self::NearId(distance) => distance + Self::FIRST_NEAR,
            Self::Piece(piece) => piece + Self::FIRST_PIECE,
        }
    }
}

/// What fills the gaps of a record's form: numbers and texts, in the order of the gaps.
#[derive(Debug)]
pub(super) struct OwnValues<'a>(pub(super) &'a [u8]);

impl OwnValues<'_> {
    /// Appends a number by its distance from the one before.
    pub(super) fn push_number(own: &mut Vec<u8>, distance: i64) {
        push(own, distance);
    }

    /// Appends a text: up to [`MAX_DIGITS`] digits as a number.
    pub(super) fn push_text(own: &mut Vec<u8>, text: &str) {
        let length = text.len() as u64;
        let is_number = text.len() <= MAX_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<u64>() {
            Ok(number) if is_number => {
                push(own, length << 1 | 1);
                push(own, number);
            }
            _ => {
                push(own, length << 1);
                own.extend_from_slice(text.as_bytes());
            }
        }
    }

    pub(super) fn number(&mut self) -> Option<i64> {
        let (number, rest) = postcard::take_from_bytes(self.0).ok()?;
        self.0 = rest;
        Some(number)
    }

    /// Appends the next text to what is written, and returns where it is there.
    pub(super) fn text(&mut self, out: &mut Vec<u8>) -> Option<Range<usize>> {
        let (tag, rest): (u64, _) = postcard::take_from_bytes(self.0).ok()?;
        let (start, length) = (out.len(), usize::try_from(tag >> 1).ok()?);
        if tag & 1 == 0 {
            let (text, rest) = rest.split_at_checked(length)?;
            out.extend_from_slice(text);
            self.0 = rest;
        } else {
            let (number, rest): (u64, _) = postcard::take_from_bytes(rest).ok()?;
            push_digits(number, length, out)?;
            self.0 = rest;
        }
        Some(start..out.len())
    }
}

/// Appends the last so many digits of a number; `None` for more than a number has.
fn push_digits(number: u64, length: usize, out: &mut Vec<u8>) -> Option<()> {
    let mut digits = [b'0'; MAX_DIGITS];
    let digits = digits.get_mut(..length)?;
    let mut rest = number;
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(digits);
    Some(())
}

fn push(own: &mut Vec<u8>, value: impl serde::Serialize) {
    *own = postcard::to_extend(&value, std::mem::take(own)).expect("written into memory");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_of_zeros_are_read_as_they_were_written() {
        for length in 0..=2 * MAX_DIGITS {
            let text = "0".repeat(length);
            let mut own = Vec::new();
            OwnValues::push_text(&mut own, &text);
            let mut out = Vec::new();
            assert_eq!(OwnValues(&own).text(&mut out), Some(0..length), "{length} zeros");
            assert_eq!(out, text.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn tokens_and_own_values_are_read_as_they_were_written(
            raw in any::<u32>(),
            number in any::<i64>(),
            text in prop_oneof!["[0-9]{0,24}", ".*"],
        ) {
            prop_assert_eq!(Token::from_raw(raw).raw(), raw);
            let mut own = Vec::new();
            OwnValues::push_text(&mut own, &text);
            OwnValues::push_number(&mut own, number);
            let (mut values, mut out) = (OwnValues(&own), b"x".to_vec());
            let range = values.text(&mut out).unwrap();
            prop_assert_eq!(&out[range], text.as_bytes());
            prop_assert_eq!(values.number(), Some(number));
            prop_assert_eq!(values.number(), None);
        }
    }
}
