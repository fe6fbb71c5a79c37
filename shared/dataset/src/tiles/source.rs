//! What a layer shows of a release: the one answer by which its part is written and checked.

use super::attribute::{FACES, PLACES, Value};
use super::layer::Layer;
use super::place_feature::PlaceFeature;
use crate::index::ZOrder;
use crate::inventory::{Inventory, SpotIndex};
use crate::measures::Measures;
use crate::places::{PlaceIndex, Places};

/// The parts of a release that a layer is made of. An item is a spot or a place, by its position in its part.
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

    /// Returns where the items lie that a map shows: all places, and the spots that are measured.
    pub(super) fn points(self) -> &'a ZOrder {
        match self {
            Self::Faces(inventory) => &inventory.points,
            Self::Places(places, _) => &places.points,
        }
    }

    /// Returns an item's value of an attribute, by the attribute's place among the layer's.
    pub(super) fn value(self, item: u32, attribute: usize) -> Option<Value<'a>> {
        match self {
            Self::Faces(inventory) => (FACES[attribute].of)(&inventory.map_face(SpotIndex::from_raw(item))),
            Self::Places(places, measures) => {
                let place = places.get(PlaceIndex::from_raw(item));
                let weekly_visits = measures.glance(place.id).map(|record| record.visits.into());
                (PLACES[attribute].of)(&PlaceFeature { place, weekly_visits })
            }
        }
    }
}
