//! Inventory records, as documented for `InventoryRecord` in openapi.yaml.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::field::Field;
use super::id::SpotId;

/// A string that's either borrowed from the input or owned.
pub type Text<'a> = Cow<'a, str>;

/// A spot and its display, in the format that both imports and search results use. Every member is optional.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record<'a> {
    /// The spot's ID, from 1 to 4,294,967,295.
    #[serde(alias = "id")]
    pub spot_id: Option<SpotId>,
    /// Whether the display is a screen.
    pub digital: Option<bool>,
    /// Whether the display can play sound.
    pub audio: Option<bool>,
    /// Whether the display can show full-motion video.
    pub full_motion: Option<bool>,
    /// Whether the display can show partial motion.
    pub partial_motion: Option<bool>,
    /// Whether the display reacts to people nearby.
    pub interactive: Option<bool>,
    /// Whether the display rotates among several spots.
    pub rotating: Option<bool>,
    /// The media owner's name for the display.
    pub media_name: Option<Text<'a>>,
    /// The type of lighting.
    pub illumination_type: Option<Named<'a>>,
    /// The time at which the lighting is turned on, as `HH:MM:SS`.
    pub illumination_start_time: Option<Text<'a>>,
    /// The time at which the lighting is turned off, as `HH:MM:SS`.
    pub illumination_end_time: Option<Text<'a>>,
    /// The display's environment, `Roadside` or `Place Based`.
    pub classification_type: Option<Named<'a>>,
    /// The structure that the display is mounted on.
    pub construction: Option<Construction<'a>>,
    /// The type of the display, such as a bulletin.
    pub media_type: Option<Named<'a>>,
    /// The position of the display relative to the road, such as curbside.
    pub placement_type: Option<Named<'a>>,
    /// The status of the spot's measurement.
    pub status_type: Option<Named<'a>>,
    /// The location of the display.
    pub location: Option<Location<'a>>,
    /// The layouts. Each layout divides the display's faces into spots.
    pub layouts: Option<Vec<Layout<'a>>>,
    /// The companies that sell the display, in groups.
    pub representations: Option<Vec<Vec<Representation<'a>>>>,
    /// The place that the display belongs to, such as an airport.
    pub place: Option<PlaceRef<'a>>,
    /// The impressions in an average week, from 0 to 1,000,000,000,000.
    pub weekly_impressions: Option<i64>,
    /// The publisher of the impressions.
    pub impressions_source: Option<Text<'a>>,
    /// The day that the impressions describe, as `YYYY-MM-DD`.
    pub impressions_vintage: Option<Text<'a>>,
    /// The age group whose impressions are counted: `all`, `5+`, or `18+`.
    pub persons: Option<Text<'a>>,
    /// Whether the impressions are for the whole `display` or for each `spot`.
    pub impressions_of: Option<Text<'a>>,
    /// The media owner's price.
    pub rate: Option<Rate<'a>>,
    /// The `https` address of a photo of the display.
    pub photo_url: Option<Text<'a>>,
    /// The first day on which the display is available, as `YYYY-MM-DD`.
    pub available_from: Option<Text<'a>>,
    /// The side of the road from which the display is read: `left`, `right`, or `center`.
    pub read_side: Option<Text<'a>>,
    /// The OpenOOH 1.1 venue type. See [`is_venue_type`](super::is_venue_type).
    pub venue_type: Option<Text<'a>>,
    /// The paths of the modelled members, such as `location.orientation`, in the same order as the record's
    /// members. If the list is empty or missing, no member is modelled.
    pub modelled: Option<Vec<Text<'a>>>,
}

/// An object whose only member is a name.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named<'a> {
    pub name: Option<Text<'a>>,
}

/// The structure that a display is mounted on.
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

/// The location of a display.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location<'a> {
    /// The abbreviation of the state, such as `NY`.
    pub state: Option<Text<'a>>,
    /// The code of the county.
    pub county_id: Option<Text<'a>>,
    /// The name of the county.
    pub county_name: Option<Text<'a>>,
    /// The code of the television market.
    pub dma_id: Option<Text<'a>>,
    /// The name of the television market.
    pub dma_name: Option<Text<'a>>,
    /// The code of the metropolitan or micropolitan area.
    pub cbsa_code: Option<Text<'a>>,
    /// The name of the metropolitan or micropolitan area.
    pub cbsa_name: Option<Text<'a>>,
    pub zip_code: Option<Text<'a>>,
    /// The road or intersection.
    pub primary_artery: Option<Text<'a>>,
    pub geometry: Option<Geometry>,
    /// The coordinates as `latitude,longitude`, in degrees.
    pub geo_point: Option<Text<'a>>,
    /// The places that the display is in or near.
    pub places: Option<Vec<NamedPlace<'a>>>,
    /// The type of the places in `places`.
    pub place_types: Option<Named<'a>>,
    /// The direction that the display faces, in degrees clockwise from north.
    #[serde(serialize_with = "whole_or_not")]
    pub orientation: Option<f64>,
}

/// The name of a place.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPlace<'a> {
    pub place_name: Option<Text<'a>>,
}

/// The ID and the name of a place. Both are empty strings if the display doesn't belong to a place.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceRef<'a> {
    pub place_id: Option<Text<'a>>,
    pub place_name: Option<Text<'a>>,
}

/// A layout, which divides a display's faces into spots.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout<'a> {
    pub id: Option<i64>,
    /// Whether the layout plays sound.
    pub audio: Option<bool>,
    /// Whether the layout shows full-motion video.
    pub full_motion: Option<bool>,
    /// Whether the layout reacts to people nearby.
    pub interactive: Option<bool>,
    /// Whether the layout shows partial motion.
    pub partial_motion: Option<bool>,
    /// Whether the layout rotates among several spots.
    pub rotating: Option<bool>,
    /// The share of the display time for each spot, as a decimal number.
    pub spot_share_of_voice: Option<Text<'a>>,
    pub faces: Option<Vec<Face<'a>>>,
}

/// One face of a display.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face<'a> {
    pub id: Option<i64>,
    /// The width in inches.
    pub width: Option<i64>,
    /// The height in inches.
    pub height: Option<i64>,
    /// The direction that the face points in, in degrees clockwise from north.
    #[serde(serialize_with = "whole_or_not")]
    pub orientation: Option<f64>,
    /// The spots that are sold on the face.
    pub spots: Option<Vec<Spot<'a>>>,
}

/// A spot on a face.
#[serde_with::serde_as]
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spot<'a> {
    pub id: Option<i64>,
    /// The media owner's own ID for the spot.
    pub plant_spot_id: Option<Text<'a>>,
    /// The spot's share of the display time, as a decimal number.
    pub spot_share_of_voice: Option<Text<'a>>,
    /// The display time, in seconds. `Some(None)` represents `null`, which means that the time is unknown.
    #[serde(default, deserialize_with = "serde_with::rust::double_option::deserialize")]
    pub spot_length: Option<Option<i64>>,
    /// The maximum number of frames.
    pub max_frames: Option<Text<'a>>,
    pub rotating: Option<bool>,
    /// Whether the spot plays sound.
    pub audio: Option<bool>,
    /// Whether the spot shows full-motion video.
    pub full_motion: Option<bool>,
    /// Whether the spot shows partial motion.
    pub partial_motion: Option<bool>,
    /// Whether the spot reacts to people nearby.
    pub interactive: Option<bool>,
    /// The measurements of the spot. Each one maps its name to its vintage, as `YYYYMMDD`.
    #[serde_as(as = "Option<Vec<serde_with::MapPreventDuplicates<_, _>>>")]
    pub measures: Option<Vec<BTreeMap<Text<'a>, Text<'a>>>>,
}

/// A company that sells a display, and the company's role.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Representation<'a> {
    pub account: Option<Account<'a>>,
    pub representation_type: Option<Named<'a>>,
}

/// The account of a media owner or its agent.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account<'a> {
    pub name: Option<Text<'a>>,
    /// The name of the parent account.
    pub parent_account_name: Option<Text<'a>>,
}

/// The price of a display, or of each of its spots, for a number of weeks.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate<'a> {
    #[serde(serialize_with = "whole_or_not")]
    pub amount: Option<f64>,
    /// The ISO 4217 currency code, such as `USD`.
    pub currency: Option<Text<'a>>,
    /// The number of weeks that the price covers.
    pub weeks: Option<i64>,
}

/// The location of a display as a GeoJSON point.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// The geometry type, which is always a point.
    #[serde(rename = "type")]
    pub kind: Option<GeometryKind>,
    /// The longitude and the latitude, in degrees.
    pub coordinates: Option<[f64; 2]>,
}

/// The geometry types for displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GeometryKind {
    Point,
}

impl<'a> Record<'a> {
    /// Returns the name of the media owner, which is the account in the first representation.
    pub fn operator(&self) -> Option<&str> {
        let mut representations = self.representations.iter().flatten().flatten();
        representations.next()?.account.as_ref()?.name.as_deref()
    }

    /// Returns the media owner's own ID for the display: the first nonempty `plant_spot_id` of its spots.
    pub fn plant_spot_id(&self) -> Option<&str> {
        self.spots().find_map(|spot| spot.plant_spot_id.as_deref().filter(|id| !id.is_empty()))
    }

    /// Returns whether the spot is measured: the record has weekly impressions, or one of its spots has a
    /// measurement with a vintage. Either can be modelled. Searches return only measured spots.
    pub fn has_measures(&self) -> bool {
        if self.weekly_impressions.is_some() {
            return true;
        }
        let mut measures = self.spots().flat_map(|spot| spot.measures.iter().flatten());
        measures.any(|measure| measure.values().any(|vintage| !vintage.is_empty()))
    }

    /// Returns the spot in the layouts that has the record's ID. If there is no such spot, returns the only
    /// spot in the layouts, or `None` if there isn't exactly one. Returns `None` if the record has no ID.
    pub fn own_spot(&self) -> Option<&Spot<'a>> {
        let id = i64::from(self.spot_id?.raw());
        let own = self.spots().find(|spot| spot.id == Some(id));
        own.or_else(|| self.spots().next().filter(|_| self.spots().count() == 1))
    }

    /// Returns whether a field is modelled.
    pub fn is_modelled(&self, field: Field) -> bool {
        self.modelled.iter().flatten().any(|path| path == field.path())
    }

    /// Returns the faces in all layouts.
    pub fn faces(&self) -> impl Iterator<Item = &Face<'a>> {
        self.layouts.iter().flatten().flat_map(|layout| layout.faces.iter().flatten())
    }

    fn spots(&self) -> impl Iterator<Item = &Spot<'a>> {
        self.faces().flat_map(|face| face.spots.iter().flatten())
    }
}

/// Serializes a number. Whole numbers below one billion are written without a fraction (`90`, not `90.0`), as
/// in most sources.
pub fn whole_or_not<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) if number.fract() == 0.0 && number.abs() < 1e9 => {
            serializer.serialize_i64(*number as i64)
        }
        number => number.serialize(serializer),
    }
}
