//! Areas to search in: a circle and a rectangle.

use dataset::Position;
use dataset::inventory::{Circle, Rectangle};
use deserr::{Deserr, IntoValue, Value, ValuePointerRef};
use shared::input::{InvalidValue, Violations, shown};

/// The units of a distance, each with its kilometres. Their case is as it is here; `NM` and `nmi` are
/// nautical miles.
const UNITS: [(&str, f64); 11] = [
    ("mi", 1.609_344),
    ("miles", 1.609_344),
    ("yd", 0.000_914_4),
    ("ft", 0.000_304_8),
    ("in", 0.000_025_4),
    ("km", 1.0),
    ("m", 0.001),
    ("cm", 0.000_01),
    ("mm", 0.000_001),
    ("nmi", 1.852),
    ("NM", 1.852),
];

/// The unit of a distance that is a number alone.
const METRE: f64 = 0.001;

#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct GeoDistance {
    lat: Degrees<90>,
    lon: Degrees<180>,
    distance: Kilometres,
}

/// A rectangle. A left side east of the right one crosses the antimeridian.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields, validate = GeoBoundingBox::upright -> InvalidValue)]
pub(crate) struct GeoBoundingBox {
    top_left: Corner,
    bottom_right: Corner,
}

#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct Corner {
    lat: Degrees<90>,
    lon: Degrees<180>,
}

/// A number from -`MOST` to `MOST`.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(f64) = Degrees::new -> InvalidValue)]
struct Degrees<const MOST: u16>(f64);

/// A distance, sent as a number and its unit in a text, or as metres.
struct Kilometres(f64);

impl GeoDistance {
    pub(crate) fn into_circle(self) -> Circle {
        let Self { lat, lon, distance } = self;
        Circle { center: Position { latitude: lat.0, longitude: lon.0 }, km: distance.0 }
    }
}

impl GeoBoundingBox {
    pub(crate) fn into_rectangle(self) -> Rectangle {
        let Self { top_left, bottom_right } = self;
        Rectangle {
            north: top_left.lat.0,
            south: bottom_right.lat.0,
            west: top_left.lon.0,
            east: bottom_right.lon.0,
        }
    }

    fn upright(self, _location: ValuePointerRef<'_>) -> Result<Self, InvalidValue> {
        let (north, south) = (self.top_left.lat.0, self.bottom_right.lat.0);
        if north < south {
            let detail =
                format!("must have its top_left above its bottom_right, is from lat {north} to {south}");
            return Err(InvalidValue(detail));
        }
        Ok(self)
    }
}

impl<const MOST: u16> Degrees<MOST> {
    fn new(degrees: f64) -> Result<Self, InvalidValue> {
        let most = f64::from(MOST);
        if !(-most..=most).contains(&degrees) {
            return Err(InvalidValue(format!("must be from -{most} to {most} degrees, is {degrees}")));
        }
        Ok(Self(degrees))
    }
}

impl Deserr<Violations> for Kilometres {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        let read = match &value {
            Value::Integer(metres) => Ok(*metres as f64 * METRE),
            Value::NegativeInteger(metres) => Ok(*metres as f64 * METRE),
            Value::Float(metres) => Ok(*metres * METRE),
            Value::String(text) => kilometres(text.trim()),
            _ => return Err(Violations::mistyped(location, "a number or a string", &value)),
        };
        match read {
            Ok(km) if km >= 0.0 && km.is_finite() => Ok(Self(km)),
            Ok(_) => Err(Violations::at(location, "must be a finite distance and not a negative one")),
            Err(InvalidValue(detail)) => Err(Violations::at(location, detail)),
        }
    }
}

/// Reads a number and its unit.
fn kilometres(text: &str) -> Result<f64, InvalidValue> {
    let end =
        text.find(|character: char| !matches!(character, '0'..='9' | '.' | '+' | '-')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let names = || UNITS.map(|(name, _)| name).join(", ");
    let Ok(number) = number.parse::<f64>() else {
        let detail =
            format!("must be a number and a unit, such as 5km, is {}; units are {}", shown(text), names());
        return Err(InvalidValue(detail));
    };
    match (unit.trim(), UNITS.iter().find(|(name, _)| *name == unit.trim())) {
        ("", _) => Ok(number * METRE),
        (_, Some((_, km))) => Ok(number * km),
        (unit, None) => {
            Err(InvalidValue(format!("has the unknown unit {}; units are {}", shown(unit), names())))
        }
    }
}
