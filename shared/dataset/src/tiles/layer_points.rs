//! The points of a layer, in a part of their own, from which its tiles are drawn.

use std::sync::OnceLock;

use super::attribute::Attribute;
use super::column::AttributeColumn;
use super::encode::{self, Tile};
use super::extent::Extent;
use super::layer::Layer;
use super::tile_id::TileId;
use crate::index::{PointKeys, Quadrant};
use crate::release::file::SectionFile;
use crate::release::{Folder, ReleaseError};

/// The section of the points' keys. All others have the names of attributes.
pub(super) const KEYS: &str = "point_keys";

/// The points of a layer in the order of the Z-order curve, with the attributes that its tiles show.
///
/// A tile's points lie side by side in the keys and in each column, and nothing else is in the part.
#[derive(Clone, Debug)]
pub struct LayerPoints {
    layer: Layer,
    keys: PointKeys,
    /// Where the points lie, once it was asked for: all keys are gone through.
    extent: OnceLock<Option<Extent>>,
    columns: Vec<(Attribute<()>, AttributeColumn)>,
}

impl LayerPoints {
    /// Opens the part of a layer.
    ///
    /// # Errors
    ///
    /// When the file is not there, or is not whole.
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

    /// Returns how many points there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes a tile of the points; `None` when it shows none.
    pub fn tile(&self, tile: TileId) -> Option<Tile> {
        encode::tile(&self.keys, tile, self.layer.name(), &|point, feature| {
            self.columns.iter().for_each(|(attribute, column)| feature.add(attribute, column.get(point)));
        })
    }

    /// Returns where the points lie; `None` when there are none.
    pub fn extent(&self) -> Option<Extent> {
        *self.extent.get_or_init(|| Extent::of(self.keys.iter().map(Quadrant::of_key)))
    }
}
