//! The points of a layer, read from the layer's part of the release.

use std::sync::OnceLock;

use super::attribute::Attribute;
use super::column::AttributeColumn;
use super::encode::{self, Tile};
use super::extent::Extent;
use super::layer::{Layer, Visits};
use super::tile_id::TileId;
use crate::index::{PointKeys, Quadrant};
use crate::release::file::SectionFile;
use crate::release::{Folder, ReleaseError};

/// The section with the keys of the points. All other sections are named after attributes.
pub(super) const KEYS: &str = "point_keys";

/// The points of a layer and their attributes, sorted along the Z-order curve.
///
/// The points of a tile are therefore adjacent.
#[derive(Clone, Debug)]
pub struct LayerPoints {
    layer: Layer,
    keys: PointKeys,
    /// The extent of the points, which is computed on first use, because this requires reading all keys.
    extent: OnceLock<Option<Extent>>,
    columns: Vec<(Attribute<()>, AttributeColumn)>,
}

impl LayerPoints {
    /// Opens a layer's part of the release.
    pub fn open(folder: &Folder, layer: Layer) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(layer.part())?, layer)
    }

    fn from_file(file: &SectionFile, layer: Layer) -> Result<Self, ReleaseError> {
        let keys = PointKeys::open(file, KEYS)?;
        let points = keys.len();
        let open = |attribute| {
            let column = AttributeColumn::open(file, &attribute, points)?;
            Ok((attribute, column))
        };
        let columns = layer.attributes().into_iter().map(open).collect::<Result<_, ReleaseError>>()?;
        Ok(Self { layer, keys, extent: OnceLock::new(), columns })
    }

    /// Returns the number of points in the layer.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Encodes a tile. Returns `None` if the tile is empty.
    pub fn tile(&self, tile: TileId, visits: Visits) -> Option<Tile> {
        encode::tile(&self.keys, tile, self.layer.name(), &|point, feature| {
            let shown = self.columns.iter().filter(|(attribute, _)| attribute.is_shown(visits));
            shown.for_each(|(attribute, column)| feature.add(attribute, column.get(point)));
        })
    }

    /// Returns the extent of the points, or `None` if the layer is empty.
    pub fn extent(&self) -> Option<Extent> {
        *self.extent.get_or_init(|| Extent::of(self.keys.iter().map(Quadrant::of_key)))
    }
}
