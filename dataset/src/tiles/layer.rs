//! The layers: what a map is told of them, and how their tiles are made.

use std::fmt::Write;
use std::sync::LazyLock;

use ring::digest::{SHA256, digest};

use super::attribute::{Attribute, CLUSTER, FACES, PLACES};
use super::encode::{self, Tile};
use super::place_feature::PlaceFeature;
use super::tile_id::TileId;
use crate::inventory::{Inventory, SpotIndex};
use crate::measures::Measures;
use crate::places::{PlaceIndex, Places};

/// A layer of a tile. A tile has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The faces of displays: the measured spots.
    Faces,
    Places,
}

impl Layer {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faces => "faces",
            Self::Places => "places",
        }
    }

    /// Returns the names of the attributes of the layer's features, and what each says, as TileJSON's
    /// `fields`.
    pub fn fields(self) -> Vec<(&'static str, String)> {
        fn described<Of>(attributes: &[Attribute<Of>]) -> impl Iterator<Item = (&'static str, String)> {
            attributes.iter().map(|attribute| (attribute.name, attribute.described()))
        }
        match self {
            Self::Faces => described(&CLUSTER).chain(described(&FACES)).collect(),
            Self::Places => described(&CLUSTER).chain(described(&PLACES)).collect(),
        }
    }

    /// Returns a digest of the way in which the layer's tiles are made: another way has another one. With the
    /// name of a release it tells one state of a tile from another.
    pub fn encoding(self) -> &'static str {
        static ENCODINGS: LazyLock<[String; 2]> = LazyLock::new(|| {
            let of_faces = encoding_of(Layer::Faces, &FACES);
            [of_faces, encoding_of(Layer::Places, &PLACES)]
        });
        match self {
            Self::Faces => &ENCODINGS[0],
            Self::Places => &ENCODINGS[1],
        }
    }
}

/// Makes a tile of the measured spots, in the layer `faces`; `None` when it shows none.
pub fn displays(inventory: &Inventory, tile: TileId) -> Option<Tile> {
    encode::tile(inventory.points(), tile, Layer::Faces.name(), &|spot, feature| {
        let face = inventory.map_face(SpotIndex::from_raw(spot));
        feature.id(face.spot_id.raw().into());
        FACES.iter().for_each(|attribute| feature.add(attribute, (attribute.of)(&face)));
    })
}

/// Makes a tile of the places, in the layer `places`; `None` when it shows none.
pub fn places(places: &Places, measures: &Measures, tile: TileId) -> Option<Tile> {
    encode::tile(places.points(), tile, Layer::Places.name(), &|place, feature| {
        let place = places.get(PlaceIndex::from_raw(place));
        let weekly_visits = measures.glance(place.id).map(|record| record.visits.into());
        let shown = PlaceFeature { place, weekly_visits };
        feature.id(place.id.raw());
        PLACES.iter().for_each(|attribute| feature.add(attribute, (attribute.of)(&shown)));
    })
}

fn encoding_of<Of>(layer: Layer, attributes: &[Attribute<Of>]) -> String {
    fn add<Of>(text: &mut String, attributes: &[Attribute<Of>]) {
        for Attribute { name, kind, about, from_zoom, .. } in attributes {
            let _ = writeln!(text, "{name} {kind:?} {from_zoom} {about}");
        }
    }
    let mut text = format!("{} {:?}\n", layer.name(), encode::LAYOUT);
    add(&mut text, &CLUSTER);
    add(&mut text, attributes);
    hex::encode(digest(&SHA256, text.as_bytes()))
}
