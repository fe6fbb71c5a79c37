//! The members of a record: `InventoryRecord` in openapi.yaml.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::id::SpotId;

/// A text that a record borrows from its release, or owns when it was imported.
pub type Text<'a> = Cow<'a, str>;

/// A spot of the inventory with its display, as it was imported and as a search returns it. Any member may be
/// absent.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record<'a> {
    /// Identifies the spot: 1 to 4,294,967,295.
    #[serde(alias = "id")]
    pub spot_id: Option<SpotId>,
    /// Whether the display shows its spots in turn on a screen.
    pub digital: Option<bool>,
    /// Whether it can play sound.
    pub audio: Option<bool>,
    /// Whether it can show moving pictures.
    pub full_motion: Option<bool>,
    /// Whether it can show pictures that move in part.
    pub partial_motion: Option<bool>,
    /// Whether it reacts to people.
    pub interactive: Option<bool>,
    /// Whether the display rotates its spots.
    pub rotating: Option<bool>,
    /// What its operator calls it.
    pub media_name: Option<Text<'a>>,
    /// How it is lit.
    pub illumination_type: Option<Named<'a>>,
    /// When it is lit from, `HH:MM:SS`.
    pub illumination_start_time: Option<Text<'a>>,
    /// When it is lit until, `HH:MM:SS`.
    pub illumination_end_time: Option<Text<'a>>,
    /// Roadside or Place Based.
    pub classification_type: Option<Named<'a>>,
    /// What it is built on.
    pub construction: Option<Construction<'a>>,
    /// What kind of display it is.
    pub media_type: Option<Named<'a>>,
    /// How it stands to the road.
    pub placement_type: Option<Named<'a>>,
    /// How far its measurement is.
    pub status_type: Option<Named<'a>>,
    /// Where it is.
    pub location: Option<Location<'a>>,
    /// How its faces are divided among spots.
    pub layouts: Option<Vec<Layout<'a>>>,
    /// Who offers it.
    pub representations: Option<Vec<Vec<Representation<'a>>>>,
    /// The place that it belongs to.
    pub place: Option<PlaceRef<'a>>,
}

/// Something that has a name.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named<'a> {
    pub name: Option<Text<'a>>,
}

/// What a display is built on.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Construction<'a> {
    pub construction_type: Option<ConstructionType<'a>>,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstructionType<'a> {
    pub id: Option<Text<'a>>,
    pub name: Option<Text<'a>>,
}

/// Where a display is.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location<'a> {
    /// The state's abbreviation.
    pub state: Option<Text<'a>>,
    /// The county's code.
    pub county_id: Option<Text<'a>>,
    /// The county's name.
    pub county_name: Option<Text<'a>>,
    /// The television market's code.
    pub dma_id: Option<Text<'a>>,
    /// The television market's name.
    pub dma_name: Option<Text<'a>>,
    /// The code of the metropolitan or micropolitan area.
    pub cbsa_code: Option<Text<'a>>,
    /// The name of the metropolitan or micropolitan area.
    pub cbsa_name: Option<Text<'a>>,
    pub zip_code: Option<Text<'a>>,
    /// The road or intersection.
    pub primary_artery: Option<Text<'a>>,
    pub geometry: Option<Geometry>,
    /// Its point as a text.
    pub geo_point: Option<Text<'a>>,
    /// What it is near, or in.
    pub places: Option<Vec<NamedPlace<'a>>>,
    /// What kind of places those are.
    pub place_types: Option<Named<'a>>,
    /// Where it faces, in degrees clockwise from north.
    #[serde(serialize_with = "whole_or_not")]
    pub orientation: Option<f64>,
}

/// A place by its name.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPlace<'a> {
    pub place_name: Option<Text<'a>>,
}

/// A place by its id and name, both of them empty where there is none.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceRef<'a> {
    pub place_id: Option<Text<'a>>,
    pub place_name: Option<Text<'a>>,
}

/// How a display's faces are divided among spots.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout<'a> {
    pub id: Option<i64>,
    /// Whether it plays sound.
    pub audio: Option<bool>,
    /// Whether it shows moving pictures.
    pub full_motion: Option<bool>,
    /// Whether it reacts to people.
    pub interactive: Option<bool>,
    /// Whether its pictures move in part.
    pub partial_motion: Option<bool>,
    /// Whether it rotates its spots.
    pub rotating: Option<bool>,
    /// One spot's share of the time, a decimal.
    pub spot_share_of_voice: Option<Text<'a>>,
    pub faces: Option<Vec<Face<'a>>>,
}

/// A face of a display.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face<'a> {
    pub id: Option<i64>,
    /// Its width, in inches.
    pub width: Option<i64>,
    /// Its height, in inches.
    pub height: Option<i64>,
    /// What is sold of it.
    pub spots: Option<Vec<Spot<'a>>>,
}

/// A spot of a face.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot<'a> {
    pub id: Option<i64>,
    /// The operator's own id of it.
    pub plant_spot_id: Option<Text<'a>>,
    /// Its share of the time, a decimal.
    pub spot_share_of_voice: Option<Text<'a>>,
    /// How long it is shown, in seconds; `Some(None)` says that it is not known.
    #[serde(default, deserialize_with = "serde_with::rust::double_option::deserialize")]
    pub spot_length: Option<Option<i64>>,
    /// The most frames that it may have.
    pub max_frames: Option<Text<'a>>,
    pub rotating: Option<bool>,
    /// Whether it plays sound.
    pub audio: Option<bool>,
    /// Whether it shows moving pictures.
    pub full_motion: Option<bool>,
    /// Whether its pictures move in part.
    pub partial_motion: Option<bool>,
    /// Whether it reacts to people.
    pub interactive: Option<bool>,
    /// Its measurements: names, and the vintages `YYYYMMDD` of their values.
    pub measures: Option<Vec<BTreeMap<Text<'a>, Text<'a>>>>,
}

/// Who offers a display, and as what.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Representation<'a> {
    pub account: Option<Account<'a>>,
    pub representation_type: Option<Named<'a>>,
}

/// An operator of displays.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account<'a> {
    pub name: Option<Text<'a>>,
    /// The name of what it belongs to.
    pub parent_account_name: Option<Text<'a>>,
}

/// The point at which a display stands, as GeoJSON has it.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// What it is: a point.
    #[serde(rename = "type")]
    pub kind: Option<GeometryKind>,
    /// Degrees east, and degrees north.
    pub coordinates: Option<[f64; 2]>,
}

/// The one kind of geometry that a display has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GeometryKind {
    Point,
}

impl Record<'_> {
    /// Returns who offers it: the account of its first representation.
    pub fn operator(&self) -> Option<&str> {
        let mut representations = self.representations.iter().flatten().flatten();
        representations.next()?.account.as_ref()?.name.as_deref()
    }

    /// Tells whether any of its spots has a measurement with a vintage: only such records are found.
    pub fn is_measured(&self) -> bool {
        let faces = self.layouts.iter().flatten().flat_map(|layout| layout.faces.iter().flatten());
        let mut measures = faces
            .flat_map(|face| face.spots.iter().flatten())
            .flat_map(|spot| spot.measures.iter().flatten());
        measures.any(|measure| measure.values().any(|vintage| !vintage.is_empty()))
    }
}

/// Writes whole numbers without a fraction, as they mostly come.
pub(super) fn whole_or_not<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) if number.fract() == 0.0 && number.abs() < 1e9 => {
            serializer.serialize_i64(*number as i64)
        }
        number => number.serialize(serializer),
    }
}
