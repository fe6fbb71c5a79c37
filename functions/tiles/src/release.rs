//! What tiles are made of: the points of a data release.

use dataset::tiles::{Extent, Layer, LayerPoints, TileId};
use dataset::{Figures, Folder, Part, ReleaseError};
use ring::digest::{Context, SHA256};
use store::TileProduct;

/// What this function reads of a data release.
#[derive(Debug)]
pub struct Release {
    name: String,
    displays: LayerPoints,
    places: LayerPoints,
    about_displays: String,
    about_places: String,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 2] = [Part::DisplayTiles, Part::PlaceTiles];

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
            displays: LayerPoints::open(folder, layer(TileProduct::Displays))?,
            places: LayerPoints::open(folder, layer(TileProduct::Places))?,
            about_displays: about(Figures::Inventory)?,
            about_places: about(Figures::Places)?,
        })
    }

    /// Makes a tile; `None` when it is empty.
    pub(crate) fn tile(&self, product: TileProduct, tile: TileId) -> Option<Vec<u8>> {
        self.points(product).tile(tile).map(|made| made.bytes)
    }

    /// Returns where a product's points lie; `None` when there are none.
    pub(crate) fn extent(&self, product: TileProduct) -> Option<Extent> {
        self.points(product).extent()
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

    fn points(&self, product: TileProduct) -> &LayerPoints {
        match product {
            TileProduct::Displays => &self.displays,
            TileProduct::Places => &self.places,
        }
    }
}

/// Returns the layer that a product's tiles have.
pub(crate) fn layer(product: TileProduct) -> Layer {
    match product {
        TileProduct::Displays => Layer::Faces,
        TileProduct::Places => Layer::Places,
    }
}
