//! The base map: vector tiles with land, water, boundaries, and place names, and a gazetteer of the names.
//!
//! Tiles and names are stored gzip-compressed, exactly as they're served, because the responses don't depend
//! on the caller. Identical tiles, such as open sea, are stored only once.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use zerocopy::little_endian::U32;

use crate::release::file::{Ascending, FileWriter, Rows, Runs, SectionFile, Texts};
use crate::release::{Folder, Part, ReleaseError, RowCounts, WriteError};
use crate::tiles::TileId;

/// The section with the sorted tile keys.
const KEYS: &str = "tile_keys";
/// The section with each tile's index in [`CONTENTS`].
const CONTENT_OF_TILES: &str = "content_of_tiles";
/// The section with the distinct tile contents.
const CONTENTS: &str = "contents";

/// The section with the sorted first characters of the gazetteer's names.
const INITIALS: &str = "initials";
/// The section with the names that start with each of these characters.
const NAMES: &str = "names";

/// A release's base map, read from its file on demand.
#[derive(Clone, Debug)]
pub struct BaseMap {
    keys: Ascending,
    content_of_tiles: Rows<U32>,
    contents: Runs,
    initials: Texts,
    names: Runs,
}

impl BaseMap {
    /// The highest zoom level with tiles. Beyond it, map clients scale these tiles up, because the sources
    /// contain no more detail.
    pub const MAX_ZOOM: u8 = 8;

    /// Opens the base map in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::BaseMap)?)
    }

    /// Opens a base map file that isn't listed in a manifest yet.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(&SectionFile::open(path)?)
    }

    fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        Ok(Self {
            keys: file.ascending(KEYS)?,
            content_of_tiles: file.rows(CONTENT_OF_TILES)?,
            contents: Runs::open(file, CONTENTS)?,
            initials: file.texts(INITIALS)?,
            names: Runs::open(file, NAMES)?,
        })
    }

    /// Returns a tile as a gzip-compressed Mapbox Vector Tile, or `None` if the tile is outside the area that
    /// the sources cover.
    pub fn tile(&self, tile: TileId) -> Option<&[u8]> {
        let content = self.content_of_tiles.get(self.keys.find(key_of(tile))?)?;
        Some(self.contents.get(content.get() as usize))
    }

    /// Returns the gazetteer's names whose normalized form starts with `initial`, as a gzip-compressed JSON
    /// array in descending order of population. Returns `None` if there are no such names.
    pub fn names(&self, initial: &str) -> Option<&[u8]> {
        let at = self.initials.partition_point(|other| other < initial);
        (at < self.initials.len() && self.initials.get(at) == initial).then(|| self.names.get(at))
    }
}

/// Writes the [`Part::BaseMap`] file to a folder, and returns the number of tiles. `names` maps each initial
/// to a JSON array of the names that start with it. The tiles and the arrays must already be gzip-compressed.
pub fn write(
    folder: &Path,
    tiles: &[(TileId, Vec<u8>)],
    names: &BTreeMap<char, Vec<u8>>,
) -> Result<RowCounts, WriteError> {
    let tiles: BTreeMap<u32, &[u8]> =
        tiles.iter().map(|(tile, content)| (key_of(*tile), content.as_slice())).collect();
    let (mut contents, mut positions) = (Vec::new(), HashMap::new());
    let content_of_tiles: Vec<U32> = tiles
        .values()
        .map(|content| {
            U32::new(*positions.entry(*content).or_insert_with(|| {
                contents.push(*content);
                u32::try_from(contents.len() - 1).expect("there are fewer tiles")
            }))
        })
        .collect();
    let mut file = FileWriter::default();
    file.ascending(KEYS, &tiles.keys().copied().collect::<Vec<_>>());
    file.rows(CONTENT_OF_TILES, &content_of_tiles);
    Runs::write(&mut file, CONTENTS, contents);
    let initials: Vec<String> = names.keys().map(char::to_string).collect();
    file.texts(INITIALS, initials.iter().map(String::as_str));
    Runs::write(&mut file, NAMES, names.values().map(Vec::as_slice));
    file.write_part(folder, Part::BaseMap)?;
    Ok([("base_map_tiles".to_owned(), tiles.len() as u64)].into())
}

/// Packs a tile ID into a sort key: 4 bits for the zoom level, then 14 bits each for the column and the row.
fn key_of(tile: TileId) -> u32 {
    const BITS: u32 = TileId::MAX_ZOOM as u32;
    u32::from(tile.zoom()) << (2 * BITS) | tile.x() << BITS | tile.y()
}
