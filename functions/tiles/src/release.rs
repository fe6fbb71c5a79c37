//! The release data for tiles: points that represent displays and places, and the base map.

use accounting::sha256_hex;
use dataset::tiles::{Layer, LayerPoints, TileId, Visits};
use dataset::{BaseMap, Figures, Folder, Maturity, Part, ReleaseError};
use store::{TileGrant, TileProduct};

/// The release data that this function reads.
#[derive(Debug)]
pub struct Release {
    name: String,
    displays: ProductTiles,
    places: ProductTiles,
    pub(crate) base_map: BaseMap,
}

/// The release data for one product's tiles.
#[derive(Debug)]
pub(crate) struct ProductTiles {
    pub(crate) points: LayerPoints,
    /// The attribution that maps must show along with the points.
    pub(crate) attribution: String,
    /// The lowest maturity of the points' data, not counting visits.
    maturity: Maturity,
    /// The lowest maturity of the visits. For displays, it equals `maturity`.
    maturity_of_visits: Maturity,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 3] = [Part::DisplayTiles, Part::PlaceTiles, Part::BaseMap];

    /// Opens a release. The error names the unusable file and states the reason.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let manifest = folder.manifest();
        let tiles = |product, figures, visits| {
            let points = LayerPoints::open(folder, layer(product))?;
            let about = manifest.provenance(figures)?;
            Ok(ProductTiles {
                points,
                // Map libraries interpret the attribution as HTML.
                attribution: about.source.replace('<', "&lt;"),
                maturity: about.data_maturity,
                maturity_of_visits: manifest.provenance(visits)?.data_maturity,
            })
        };
        Ok(Self {
            name: manifest.name.clone(),
            displays: tiles(TileProduct::Displays, Figures::Inventory, Figures::Inventory)?,
            places: tiles(TileProduct::Places, Figures::Places, Figures::ModelledMeasures)?,
            base_map: BaseMap::open(folder)?,
        })
    }

    /// Returns the release data for a product's tiles.
    pub(crate) fn of(&self, product: TileProduct) -> &ProductTiles {
        match product {
            TileProduct::Displays => &self.displays,
            TileProduct::Places => &self.places,
        }
    }

    /// Returns a tile's entity tag without creating the tile. The tag is derived from the tile's address, the
    /// name of the release, the version of the encoding, and whether the tile shows visits. A release never
    /// changes.
    pub(crate) fn entity_tag(&self, product: TileProduct, tile: TileId, visits: Visits) -> String {
        let encoding = layer(product).encoding();
        self.tag_of(&format!("{encoding}\n{visits:?}\n{product}/{tile:?}"))
    }

    /// Returns the entity tag that all base map resources share. They're served exactly as the release stores
    /// them.
    pub(crate) fn base_map_tag(&self) -> String {
        self.tag_of("base map")
    }

    fn tag_of(&self, described: &str) -> String {
        let digits = &sha256_hex(&[self.name.as_bytes(), b"\n", described.as_bytes()])[..24];
        format!("\"{digits}\"")
    }
}

impl ProductTiles {
    /// Returns the lowest maturity of the data in tiles. Points with a higher maturity have a `maturity`
    /// attribute.
    pub(crate) fn maturity(&self, visits: Visits) -> Maturity {
        match visits {
            Visits::Omitted => self.maturity,
            Visits::Included => self.maturity_of_visits,
        }
    }
}

/// Returns the layer that a product's tiles contain.
pub(crate) fn layer(product: TileProduct) -> Layer {
    match product {
        TileProduct::Displays => Layer::Faces,
        TileProduct::Places => Layer::Places,
    }
}

/// Returns whether a grant's tiles show visits.
pub(crate) fn visits(grant: &TileGrant) -> Visits {
    if grant.include_visits { Visits::Included } else { Visits::Omitted }
}
