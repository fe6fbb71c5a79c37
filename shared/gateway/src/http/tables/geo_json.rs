//! Writes rows as a GeoJSON FeatureCollection of points (RFC 7946).

use serde::Serialize;
use serde_json::value::RawValue;

use super::json::{JsonMembers, at};
use super::table::{Feature, PointMembers, is_within};

/// A GeoJSON feature for one row.
#[derive(Serialize)]
struct MapFeature<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    /// The position. Null if the row has none.
    geometry: Option<Point<'a>>,
    properties: Box<RawValue>,
}

#[derive(Serialize)]
struct Point<'a> {
    r#type: &'static str,
    /// The longitude and latitude, in degrees.
    coordinates: [&'a RawValue; 2],
}

/// Writes the FeatureCollection. `bytes` is the buffer's initial capacity.
pub(super) fn write(rows: &[&RawValue], feature: &Feature, bytes: usize) -> Vec<u8> {
    let mut collection = Vec::with_capacity(bytes);
    collection.extend_from_slice(b"{\"type\":\"FeatureCollection\",\"features\":[");
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            collection.push(b',');
        }
        let point = coordinates(row, feature.point).map(|coordinates| Point { r#type: "Point", coordinates });
        // Keep an incomplete position in the properties, because the feature has no geometry.
        let cut = if point.is_some() { feature.position } else { &[] };
        let properties = RawValue::from_string(without(row, cut, "")).expect("the properties are valid JSON");
        let shown = MapFeature { r#type: "Feature", id: at(row, feature.id), geometry: point, properties };
        serde_json::to_writer(&mut collection, &shown).expect("writing to memory doesn't fail");
    }
    collection.extend_from_slice(b"]}");
    collection
}

fn coordinates(row: &RawValue, members: PointMembers) -> Option<[&RawValue; 2]> {
    let coordinates = match members {
        PointMembers::Pair(path) => serde_json::from_str(at(row, path)?.get()).ok()?,
        PointMembers::Each { longitude, latitude } => [at(row, longitude)?, at(row, latitude)?],
    };
    let are_there = coordinates.iter().all(|degrees| degrees.get() != "null");
    are_there.then_some(coordinates)
}

/// Returns an object's JSON without the members at `paths`, and without nested objects that become empty.
/// `above` is the object's own path and a dot, or empty for the outermost object.
fn without(object: &RawValue, paths: &[&str], above: &str) -> String {
    let mut written = String::from("{");
    for (name, value) in JsonMembers::of(object).0 {
        let path = format!("{above}{name}");
        let is_cut = value.get().starts_with('{') && paths.iter().any(|other| is_within(other, &path));
        let rest = if is_cut { without(value, paths, &format!("{path}.")) } else { value.get().to_owned() };
        if paths.contains(&path.as_str()) || (is_cut && rest == "{}") {
            continue;
        }
        if written.len() > 1 {
            written.push(',');
        }
        written += &format!("\"{name}\":{rest}");
    }
    written.push('}');
    written
}
