//! The IDs of places and place types. Derived IDs depend only on names and addresses, so they're the same in
//! every release.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use crate::derived_id::derived_id;
use crate::index::normalize;

/// The range of place type IDs. They have 9 digits, so collisions between types are rare.
const TYPE_IDS: Range<u64> = 100_000_000..1_000_000_000;

/// The ID of a place. It's a number that's either assigned by the data source or derived by [`PlaceId::of`].
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
    /// The range of derived IDs, which have 12 digits.
    pub const DERIVED: Range<u64> = 100_000_000_000..1_000_000_000_000;

    /// Creates an ID. The place doesn't need to exist. To check whether it does, use
    /// [`Places::find`](crate::Places::find).
    pub const fn from_raw(number: u64) -> Self {
        Self(number)
    }

    pub const fn raw(self) -> u64 {
        self.0
    }

    /// Derives an ID from the normalized name, street address, and ZIP code of a place.
    pub fn of(name: &str, street_address: &str, zip_code: &str) -> Self {
        Self(derived_id(&[&normalize(name), &normalize(street_address), &normalize(zip_code)], Self::DERIVED))
    }
}

impl FromStr for PlaceId {
    type Err = ParsePlaceIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `parse` also accepts a leading plus sign, so check for digits first.
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

/// The error for a string that isn't a place ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be a place ID, such as 825250465966")]
pub struct ParsePlaceIdError;

/// Derives the ID of a place type from its normalized name.
pub(super) fn place_type_id(normalized_name: &str) -> u32 {
    u32::try_from(derived_id(&[normalized_name], TYPE_IDS)).expect("a nine-digit number fits in 32 bits")
}
