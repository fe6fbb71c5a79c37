//! What a layer shows of a release: the one answer by which its part is written and checked.

use super::attribute::{FACES, PLACES, Value};
use super::layer::Layer;
use super::place_feature::PlaceFeature;
use crate::inventory::{Inventory, SpotId, SpotIndex};
use crate::measures::Measures;
use crate::places::{PlaceId, PlaceIndex, Places};
use crate::position::Position;

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

    /// Returns the items that have a point, each with where it lies.
    pub(super) fn points(self) -> impl Iterator<Item = (u32, Position)> {
        let items = match self {
            Self::Faces(inventory) => inventory.len(),
            Self::Places(places, _) => places.len(),
        };
        (0..).take(items).filter_map(move |item| Some((item, self.position(item)?)))
    }

    /// Returns where an item lies; `None` for a spot that is not measured, of which maps show nothing.
    pub(super) fn position(self, item: u32) -> Option<Position> {
        match self {
            Self::Faces(inventory) => {
                let spot = SpotIndex::from_raw(item);
                inventory.is_measured(spot).then(|| inventory.position(spot))
            }
            Self::Places(places, _) => {
                let place = places.get(PlaceIndex::from_raw(item));
                Some(Position { latitude: place.latitude, longitude: place.longitude })
            }
        }
    }

    /// Finds the item of an id.
    pub(super) fn find(self, id: u64) -> Option<u32> {
        match self {
            Self::Faces(inventory) => Some(inventory.find(SpotId::from_raw(u32::try_from(id).ok()?))?.raw()),
            Self::Places(places, _) => Some(places.find(PlaceId::from_raw(id))?.raw()),
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
