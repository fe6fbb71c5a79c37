//! Derives the environment of a display from its record.

use strum::VariantArray;

use crate::inventory::Record;
use crate::inventory::record::Named;

/// The surroundings of a display, which determine how far away its viewers live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum Environment {
    /// Along a road, such as billboards and bulletins.
    Roadside,
    /// On a sidewalk, such as kiosks, bus shelters, and other street furniture.
    Street,
    /// On a vehicle, or in a station or airport.
    Transit,
    /// In or at a building, such as a store, gym, or office.
    Indoor,
}

impl Environment {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    /// Derives the environment from the venue type or, if the record doesn't have one, from the construction,
    /// the classification, and the media type. If these are inconclusive, the display is assumed to be along
    /// a road.
    pub(super) fn of(record: &Record<'_>) -> Self {
        if let Some(venue_type) = record.venue_type.as_deref() {
            return Self::of_venue_type(venue_type);
        }
        let construction = record.construction.as_ref().and_then(|one| one.construction_type.as_ref());
        let construction = construction.and_then(|one| one.name.as_deref()).unwrap_or_default();
        let is = |named: &Option<Named<'_>>, text: &str| {
            let name = named.as_ref().and_then(|named| named.name.as_deref()).unwrap_or_default();
            name.replace('-', " ").eq_ignore_ascii_case(text)
        };
        if construction.eq_ignore_ascii_case("Bus Exterior") {
            Self::Transit
        } else if is(&record.classification_type, "Place Based") {
            Self::Indoor
        } else if construction.eq_ignore_ascii_case("Furniture") || is(&record.media_type, "Panel") {
            Self::Street
        } else {
            Self::Roadside
        }
    }

    fn of_venue_type(venue_type: &str) -> Self {
        let mut parts = venue_type.split('.');
        match (parts.next(), parts.next()) {
            (Some("transit"), _) => Self::Transit,
            (Some("outdoor"), Some("bus_shelters" | "urban_panels")) => Self::Street,
            (Some("outdoor"), _) => Self::Roadside,
            _ => Self::Indoor,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn venue_type_decides_before_classification_construction_and_media_type() {
        let built = |name: &str| json!({ "construction": { "construction_type": { "name": name } } });
        let cases: [(Value, Environment); 11] = [
            (json!({ "venue_type": "outdoor.billboards.roadside" }), Environment::Roadside),
            (json!({ "venue_type": "outdoor" }), Environment::Roadside),
            (json!({ "venue_type": "outdoor.bus_shelters" }), Environment::Street),
            (json!({ "venue_type": "outdoor.urban_panels" }), Environment::Street),
            (json!({ "venue_type": "transit.airports.gates" }), Environment::Transit),
            (json!({ "venue_type": "retail.malls", "media_type": { "name": "Panel" } }), Environment::Indoor),
            (built("Bus Exterior"), Environment::Transit),
            (built("furniture"), Environment::Street),
            (json!({ "media_type": { "name": "Panel" } }), Environment::Street),
            (
                json!({ "classification_type": { "name": "Place-based" }, "media_type": { "name": "Panel" } }),
                Environment::Indoor,
            ),
            (json!({}), Environment::Roadside),
        ];
        for (record, expected) in cases {
            let parsed: Record<'static> = serde_json::from_value(record.clone()).expect("a record");
            assert_eq!(Environment::of(&parsed), expected, "{record}");
        }
    }
}
