//! Place and place type IDs in requests. They are integers or strings of decimal digits as in search
//! results.

use std::ops::RangeInclusive;

use dataset::PlaceId;
use deserr::{Deserr, IntoValue, Value, ValuePointerRef};
use gateway::{InvalidValue, Violations, quoted};

/// The range of valid place IDs.
const PLACE_IDS: RangeInclusive<u64> = 1..=999_999_999_999;

/// A valid place ID, which the release may not contain.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(Digits) = RequestedPlace::new -> InvalidValue)]
pub struct RequestedPlace(pub PlaceId);

#[derive(Deserr)]
#[deserr(error = Violations, try_from(Digits) = RequestedPlaceType::new -> InvalidValue)]
pub struct RequestedPlaceType(pub u32);

/// An integer, which a request can also write as a string of decimal digits.
struct Digits(i64);

impl RequestedPlace {
    fn new(Digits(id): Digits) -> Result<Self, InvalidValue> {
        let (first, last) = (PLACE_IDS.start(), PLACE_IDS.end());
        let invalid = || InvalidValue(format!("must be a place id from {first} to {last}, got {id}"));
        let place = u64::try_from(id).ok().filter(|id| PLACE_IDS.contains(id));
        place.map(|id| Self(PlaceId::from_raw(id))).ok_or_else(invalid)
    }
}

impl RequestedPlaceType {
    fn new(Digits(id): Digits) -> Result<Self, InvalidValue> {
        let invalid = || InvalidValue(format!("must be a place type id from 0 to {}, got {id}", u32::MAX));
        u32::try_from(id).map(Self).map_err(|_| invalid())
    }
}

impl Deserr<Violations> for Digits {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        let parsed = match &value {
            Value::Integer(integer) => i64::try_from(*integer).ok(),
            Value::NegativeInteger(integer) => Some(*integer),
            Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        };
        let wanted = "an integer or a string of decimal digits";
        parsed.map(Self).ok_or_else(|| match &value {
            Value::String(text) => {
                Violations::at(location, format!("must be {wanted}, got {}", quoted(text)))
            }
            _ => Violations::mistyped(location, wanted, &value),
        })
    }
}
