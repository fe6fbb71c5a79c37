//! What tiles are made of: the points of a data release.

use accounting::sha256_hex;
use dataset::tiles::{Layer, LayerPoints};
use dataset::{Figures, Folder, Part, ReleaseError};
use store::TileProduct;

/// What this function reads of a data release.
#[derive(Debug)]
pub struct Release {
    name: String,
    displays: ProductTiles,
    places: ProductTiles,
}

/// What the tiles of one product are made of.
#[derive(Debug)]
pub(crate) struct ProductTiles {
    pub(crate) points: LayerPoints,
    /// What a map must show beside the points.
    pub(crate) attribution: String,
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
        let tiles = |product, figures| {
            let points = LayerPoints::open(folder, layer(product))?;
            // Map libraries take it for HTML.
            let attribution = manifest.provenance(figures)?.source.replace('<', "&lt;");
            Ok(ProductTiles { points, attribution })
        };
        Ok(Self {
            name: manifest.name.clone(),
            displays: tiles(TileProduct::Displays, Figures::Inventory)?,
            places: tiles(TileProduct::Places, Figures::Places)?,
        })
    }

    /// Returns what the tiles of a product are made of.
    pub(crate) fn of(&self, product: TileProduct) -> &ProductTiles {
        match product {
            TileProduct::Displays => &self.displays,
            TileProduct::Places => &self.places,
        }
    }

    /// Returns a tile's entity tag, without making the tile: releases do not change, and another way of making
    /// tiles of them has another encoding.
    pub(crate) fn entity_tag(&self, product: TileProduct, [z, x, y]: [u32; 3]) -> String {
        let encoding = layer(product).encoding();
        let described = format!("{}\n{encoding}\n{product}/{z}/{x}/{y}", self.name);
        let digits = &sha256_hex(&[described.as_bytes()])[..24];
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
