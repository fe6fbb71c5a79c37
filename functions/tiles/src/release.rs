//! What tiles are made of: the points of a data release.

use std::sync::OnceLock;

use dataset::inventory::Inventory;
use dataset::tiles::{self, Extent, Layer, TileId};
use dataset::{Figures, Folder, Measures, Part, Places, ReleaseError};
use ring::digest::{Context, SHA256};
use shared::types::TileProduct;

/// What this function reads of a data release.
#[derive(Debug)]
pub struct Release {
    name: String,
    inventory: Inventory,
    places: Places,
    measures: Measures,
    about_displays: String,
    about_places: String,
    /// Where the points lie, from when somebody asks: that goes through all of them.
    extent_of_displays: OnceLock<Option<Extent>>,
    extent_of_places: OnceLock<Option<Extent>>,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 3] = [Part::Places, Part::Measures, Part::Inventory];

    /// Opens a release.
    ///
    /// # Errors
    ///
    /// The file that cannot be used, and why.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let manifest = folder.manifest();
        // Map libraries take it for HTML.
        let about = |figures| manifest.provenance(figures).map(|about| about.source.replace('<', "&lt;"));
        Ok(Self {
            name: manifest.name.clone(),
            inventory: Inventory::open(folder)?,
            places: Places::open(folder)?,
            measures: Measures::open(folder)?,
            about_displays: about(Figures::Inventory)?,
            about_places: about(Figures::Places)?,
            extent_of_displays: OnceLock::new(),
            extent_of_places: OnceLock::new(),
        })
    }

    /// Makes a tile; `None` when it is empty.
    pub(crate) fn tile(&self, product: TileProduct, tile: TileId) -> Option<Vec<u8>> {
        let made = match product {
            TileProduct::Displays => tiles::displays(&self.inventory, tile),
            TileProduct::Places => tiles::places(&self.places, &self.measures, tile),
        };
        made.map(|made| made.bytes)
    }

    /// Returns where a product's points lie; `None` when there are none.
    pub(crate) fn extent(&self, product: TileProduct) -> Option<Extent> {
        match product {
            TileProduct::Displays => {
                *self.extent_of_displays.get_or_init(|| tiles::extent_of_displays(&self.inventory))
            }
            TileProduct::Places => {
                *self.extent_of_places.get_or_init(|| tiles::extent_of_places(&self.places))
            }
        }
    }

    /// Returns what a map must show beside a product's points.
    pub(crate) fn attribution(&self, product: TileProduct) -> &str {
        match product {
            TileProduct::Displays => &self.about_displays,
            TileProduct::Places => &self.about_places,
        }
    }

    /// Returns a tile's entity tag, without making the tile: releases do not change, and another way of making
    /// tiles of them has another encoding.
    pub(crate) fn entity_tag(&self, product: TileProduct, [z, x, y]: [u32; 3]) -> String {
        let encoding = layer(product).encoding();
        let mut digest = Context::new(&SHA256);
        digest.update(format!("{}\n{encoding}\n{product}/{z}/{x}/{y}", self.name).as_bytes());
        let digits =
            digest.finish().as_ref().iter().take(12).map(|byte| format!("{byte:02x}")).collect::<String>();
        format!("\"{digits}\"")
    }
}

/// Returns the layer that a product's tiles have.
pub(crate) fn layer(product: TileProduct) -> Layer {
    match product {
        TileProduct::Displays => Layer::Faces,
        TileProduct::Places => Layer::Places,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layers_of_tiles_have_the_names_that_their_addresses_have() {
        for product in [TileProduct::Displays, TileProduct::Places] {
            assert_eq!(layer(product).name(), product.layer());
        }
    }
}
