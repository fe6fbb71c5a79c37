//! The parts of a release from which a layer is derived.

use super::attribute::{FACES, PLACES, Value};
use super::layer::Layer;
use super::place_feature::PlaceFeature;
use crate::index::ZOrder;
use crate::inventory::{Inventory, SpotIndex};
use crate::measures::Measures;
use crate::places::{PlaceIndex, Places};

/// The parts of a release from which a layer is derived. The layer's documents are the spots or places in
/// these parts, identified by position.
#[derive(Clone, Copy, Debug)]
pub enum LayerSource<'a> {
    Faces(&'a Inventory),
    Places(&'a Places, &'a Measures),
}

impl<'a> LayerSource<'a> {
    pub fn layer(self) -> Layer {
        match self {
            Self::Faces(_) => Layer::Faces,
            Self::Places(..) => Layer::Places,
        }
    }

    /// Returns the points of the layer: all measured spots or all places.
    pub(super) fn points(self) -> &'a ZOrder {
        match self {
            Self::Faces(inventory) => &inventory.points,
            Self::Places(places, _) => &places.points,
        }
    }

    /// Returns a document's value for the attribute at position `attribute` in the layer's table.
    pub(super) fn value(self, item: u32, attribute: usize) -> Option<Value<'a>> {
        match self {
            Self::Faces(inventory) => (FACES[attribute].of)(&inventory.map_face(SpotIndex::from_raw(item))),
            Self::Places(places, measures) => {
                let place = places.get(PlaceIndex::from_raw(item));
                (PLACES[attribute].of)(&PlaceFeature { place, record: measures.glance(place.id) })
            }
        }
    }
}
