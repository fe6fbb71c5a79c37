//! The ids of places and of their types: numbers that follow from what they name, so that they are the same in every
//! release.

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use ring::digest::{Context, SHA256};

use super::text::fold;

/// Twelve digits.
const IDS: Range<u64> = 100_000_000_000..1_000_000_000_000;

/// Nine digits: enough that hardly any two types of places share an id.
const TYPE_IDS: Range<u64> = 100_000_000..1_000_000_000;

/// The id of a place.
///
/// ```
/// use dataset::PlaceId;
///
/// let id = PlaceId::of("Taco Bell", "2351 E. 5th Ave", "99501");
/// assert_eq!(id, PlaceId::of("TACO BELL", "2351 E.  5th Ave", "99501"));
/// assert_eq!(id.to_string().parse(), Ok(id));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(u64);

impl PlaceId {
    /// Takes a number; whether there is such a place, [`Places`](crate::Places) tells.
    pub const fn from_raw(number: u64) -> Self {
        Self(number)
    }

    /// Returns the number.
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// Returns the id of the place of this name at this address.
    pub fn of(name: &str, street_address: &str, zip_code: &str) -> Self {
        Self(number_of(&[&fold(name), &fold(street_address), &fold(zip_code)], IDS))
    }
}

impl FromStr for PlaceId {
    type Err = ParsePlaceIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `parse` alone would also take a leading plus sign.
        let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if all_digits { text.parse().ok() } else { None };
        number.map(Self).ok_or(ParsePlaceIdError)
    }
}

impl fmt::Display for PlaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is no place id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsePlaceIdError;

impl fmt::Display for ParsePlaceIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a place id: expected a number")
    }
}

impl Error for ParsePlaceIdError {}

/// Returns the id of a type of places, by its folded name.
pub(super) fn place_type_id(folded_name: &str) -> u32 {
    u32::try_from(number_of(&[folded_name], TYPE_IDS)).expect("nine digits fit")
}

/// Reduces the SHA-256 of texts to a range.
pub fn number_of(texts: &[&str], range: Range<u64>) -> u64 {
    let mut context = Context::new(&SHA256);
    for text in texts {
        context.update(text.as_bytes());
        // None of the texts holds a line end.
        context.update(b"\n");
    }
    let sum = context.finish();
    let first = sum.as_ref().first_chunk().expect("the sum has 32 bytes");
    range.start + u64::from_be_bytes(*first) % (range.end - range.start)
}
