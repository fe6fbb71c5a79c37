//! The parts of a release from which a layer is derived.

use super::layer::Layer;
use crate::index::ZOrder;
use crate::inventory::Inventory;
use crate::measures::Measures;
use crate::places::Places;

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
}
