//! The geographic areas that a search can cover: circles and rectangles.

use deserr::{Deserr, IntoValue, Value, ValuePointerRef};

use super::violations::{InvalidValue, Violations, quoted};

/// The units of distance and their lengths in kilometers. Names are case-sensitive. `NM` and `nmi` both mean
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

/// The length of a meter in kilometers. Distances without a unit are in meters.
const METER: f64 = 0.001;

/// The name under which `fieldSet` and `sort` refer to the distance from a circle's center.
pub const DISTANCE: &str = "distance";

/// A circle on the globe.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct GeoDistance {
    lat: Degrees<90>,
    lon: Degrees<180>,
    distance: Kilometers,
}

/// A rectangle on the globe. It crosses the antimeridian if its left side is east of its right side.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields, validate = GeoBoundingBox::upright -> InvalidValue)]
pub struct GeoBoundingBox {
    top_left: GeoPoint,
    bottom_right: GeoPoint,
}

/// A point on the globe.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub struct GeoPoint {
    lat: Degrees<90>,
    lon: Degrees<180>,
}

/// An angle from -`MOST` to `MOST` degrees.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(f64) = Degrees::new -> InvalidValue)]
struct Degrees<const MOST: u16>(f64);

/// A distance. In requests, it's a number of meters, or a string with a number and a unit.
#[derive(Clone, Copy)]
pub struct Kilometers(f64);

impl GeoDistance {
    /// Returns the center's latitude and longitude, in degrees.
    pub fn center(&self) -> (f64, f64) {
        (self.lat.0, self.lon.0)
    }

    pub fn kilometers(&self) -> f64 {
        self.distance.0
    }
}

/// Returns a violation wherever a body requests distances without specifying a circle: in the member of
/// `sort` that `sorted_by` names, and in the items of `fieldSet`. `filters` lists the names that the body's
/// filter can have.
pub fn distances_without_circle(body: &strict_json::Value, filters: &[&str], sorted_by: &str) -> Violations {
    let circle = |filter| body.get(filter)?.get("geo_distance").filter(|circle| !circle.is_null());
    if filters.iter().any(|filter| circle(filter).is_some()) {
        return Violations::default();
    }
    requests_for(DISTANCE, body, sorted_by, "without a circle; add filter.geo_distance")
}

/// Returns a violation wherever a body requests `field`, which is computed: in the member of `sort` that
/// `sorted_by` names, and in the items of `fieldSet`. `without` is the end of the error message, which states
/// what the body lacks and how to add it.
pub fn requests_for(field: &str, body: &strict_json::Value, sorted_by: &str, without: &str) -> Violations {
    let mut violations = Violations::default();
    let is_field = |value: &strict_json::Value| value.as_str() == Some(field);
    let detail = format!("cannot be \"{field}\" {without}");
    if body.get("sort").and_then(|sort| sort.get(sorted_by)).is_some_and(is_field) {
        violations.add(format!("/sort/{sorted_by}"), detail.clone());
    }
    let paths = body.get("fieldSet").and_then(|paths| paths.as_array()).unwrap_or_default();
    for at in (0..paths.len()).filter(|at| is_field(&paths[*at])) {
        violations.add(format!("/fieldSet/{at}"), detail.clone());
    }
    violations
}

impl GeoPoint {
    /// Returns the latitude and longitude, in degrees.
    pub fn degrees(&self) -> (f64, f64) {
        (self.lat.0, self.lon.0)
    }
}

impl GeoBoundingBox {
    /// Returns the latitudes of the north and south sides, and the longitudes of the west and east sides, in
    /// degrees.
    pub fn sides(&self) -> [f64; 4] {
        let Self { top_left, bottom_right } = self;
        [top_left.lat.0, bottom_right.lat.0, top_left.lon.0, bottom_right.lon.0]
    }

    fn upright(self, _location: ValuePointerRef<'_>) -> Result<Self, InvalidValue> {
        let [north, south, _, _] = self.sides();
        if north < south {
            return Err(InvalidValue(format!(
                "must have top_left north of bottom_right, got latitudes {north} and {south}"
            )));
        }
        Ok(self)
    }
}

impl<const MOST: u16> Degrees<MOST> {
    fn new(degrees: f64) -> Result<Self, InvalidValue> {
        let most = f64::from(MOST);
        if !(-most..=most).contains(&degrees) {
            return Err(InvalidValue(format!("must be from -{most} to {most} degrees, got {degrees}")));
        }
        Ok(Self(degrees))
    }
}

impl Kilometers {
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Deserr<Violations> for Kilometers {
    fn deserialize_from_value<V: IntoValue>(
        value: Value<V>,
        location: ValuePointerRef<'_>,
    ) -> Result<Self, Violations> {
        let read = match &value {
            Value::Integer(meters) => Ok(*meters as f64 * METER),
            Value::NegativeInteger(meters) => Ok(*meters as f64 * METER),
            Value::Float(meters) => Ok(*meters * METER),
            Value::String(text) => kilometers(text.trim()),
            _ => return Err(Violations::mistyped(location, "a number or a string", &value)),
        };
        match read {
            Ok(km) if km >= 0.0 && km.is_finite() => Ok(Self(km)),
            Ok(km) => {
                Err(Violations::at(location, format!("must be a finite distance of 0 or more, got {km} km")))
            }
            Err(InvalidValue(detail)) => Err(Violations::at(location, detail)),
        }
    }
}

/// Parses a number with an optional unit. Returns the distance in kilometers.
fn kilometers(text: &str) -> Result<f64, InvalidValue> {
    let end =
        text.find(|character: char| !matches!(character, '0'..='9' | '.' | '+' | '-')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let names = || UNITS.map(|(name, _)| name).join(", ");
    let Ok(number) = number.parse::<f64>() else {
        let detail =
            format!("must be a number and a unit, such as 5km, got {}; units: {}", quoted(text), names());
        return Err(InvalidValue(detail));
    };
    match (unit.trim(), UNITS.iter().find(|(name, _)| *name == unit.trim())) {
        ("", _) => Ok(number * METER),
        (_, Some((_, km))) => Ok(number * km),
        (unit, None) => {
            Err(InvalidValue(format!("has the unknown unit {}; units: {}", quoted(unit), names())))
        }
    }
}
