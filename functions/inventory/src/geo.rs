use dataset::Position;
use dataset::inventory::{Circle, Rectangle};
use shared::input::wire::{At, Members, Violations, shown};

/// The units of a distance, each with its kilometres. Their case is as it is here; `NM` and `nmi` are nautical miles.
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

/// Reads `{lat, lon, distance}`.
pub(crate) fn circle(at: At<'_>, violations: &mut Violations) -> Option<Circle> {
    at.object(violations, |members, violations| {
        let center = position(members, violations);
        let km = members.required("distance", violations, distance);
        Some(Circle { center: center?, km: km? })
    })
}

/// Reads `{top_left: {lat, lon}, bottom_right: {lat, lon}}`. A left side east of the right one crosses the antimeridian.
pub(crate) fn rectangle(at: At<'_>, violations: &mut Violations) -> Option<Rectangle> {
    let corner = |at: At<'_>, violations: &mut Violations| at.object(violations, position);
    let rectangle = at.object(violations, |members, violations| {
        let top_left = members.required("top_left", violations, corner);
        let bottom_right = members.required("bottom_right", violations, corner);
        let (top_left, bottom_right) = (top_left?, bottom_right?);
        Some(Rectangle {
            north: top_left.latitude,
            south: bottom_right.latitude,
            west: top_left.longitude,
            east: bottom_right.longitude,
        })
    })?;
    let Rectangle { north, south, .. } = rectangle;
    if north < south {
        at.refuse(violations, format!("must have its top_left above its bottom_right, is from lat {north} to {south}"));
        return None;
    }
    Some(rectangle)
}

fn position(members: &mut Members<'_>, violations: &mut Violations) -> Option<Position> {
    let latitude = members.required("lat", violations, |at, violations| degrees(at, 90.0, violations));
    let longitude = members.required("lon", violations, |at, violations| degrees(at, 180.0, violations));
    Some(Position { latitude: latitude?, longitude: longitude? })
}

fn degrees(at: At<'_>, most: f64, violations: &mut Violations) -> Option<f64> {
    let degrees = at.number(violations)?;
    if !(-most..=most).contains(&degrees) {
        at.refuse(violations, format!("must be from -{most} to {most} degrees, is {degrees}"));
        return None;
    }
    Some(degrees)
}

/// Reads a distance in kilometres: a number with a unit, or metres.
fn distance(at: At<'_>, violations: &mut Violations) -> Option<f64> {
    let read = match at.number_or_text(violations)? {
        Ok(number) => Ok(number * METRE),
        Err(text) => kilometres(text.trim()),
    };
    let refusal = match read {
        Ok(km) if km >= 0.0 && km.is_finite() => return Some(km),
        Ok(_) => "must be a finite distance and not a negative one".to_owned(),
        Err(refusal) => refusal,
    };
    at.refuse(violations, refusal);
    None
}

/// Reads a number and its unit.
fn kilometres(text: &str) -> Result<f64, String> {
    let end = text.find(|character: char| !matches!(character, '0'..='9' | '.' | '+' | '-')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let names = || UNITS.map(|(name, _)| name).join(", ");
    let Ok(number) = number.parse::<f64>() else {
        return Err(format!("must be a number and a unit, such as 5km, is {}; units are {}", shown(text), names()));
    };
    match (unit.trim(), UNITS.iter().find(|(name, _)| *name == unit.trim())) {
        ("", _) => Ok(number * METRE),
        (_, Some((_, km))) => Ok(number * km),
        (unit, None) => Err(format!("has the unknown unit {}; units are {}", shown(unit), names())),
    }
}
