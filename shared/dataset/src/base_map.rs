//! The base map: vector tiles of land, water, boundaries, and names, and a gazetteer of the names.
//!
//! Everything is stored as it's served, compressed with gzip, because the response doesn't depend on the
//! caller. Tiles with the same content, such as the open sea, are stored only once.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use zerocopy::little_endian::U32;

use crate::release::file::{Ascending, FileWriter, Rows, Runs, SectionFile, Texts};
use crate::release::{Folder, Part, ReleaseError, RowCounts, WriteError};
use crate::tiles::TileId;

/// The names of the sections with the sorted keys of the tiles, the position of each tile's content in the
/// last section, and the distinct contents.
const KEYS: &str = "tile_keys";
const CONTENT_OF_TILES: &str = "content_of_tiles";
const CONTENTS: &str = "contents";

/// The names of the sections with the sorted initials of the gazetteer, and with the names that begin with
/// each initial.
const INITIALS: &str = "initials";
const NAMES: &str = "names";

/// The base map of a release.
#[derive(Clone, Debug)]
pub struct BaseMap {
    keys: Ascending,
    content_of_tiles: Rows<U32>,
    contents: Runs,
    initials: Texts,
    names: Runs,
}

impl BaseMap {
    /// The highest zoom level that has tiles. At higher levels, maps enlarge these tiles, because the sources
    /// contain no more detail.
    pub const MAX_ZOOM: u8 = 8;

    /// Opens the base map of a release.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::BaseMap)?)
    }

    /// Opens a base map file that isn't in a manifest yet.
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

    /// Returns a Mapbox Vector Tile, compressed with gzip, or `None` if the tile is outside the area that the
    /// sources cover.
    pub fn tile(&self, tile: TileId) -> Option<&[u8]> {
        let content = self.content_of_tiles.get(self.keys.find(key_of(tile))?)?;
        Some(self.contents.get(content.get() as usize))
    }

    /// Returns the names in the gazetteer whose normalized form begins with the character `initial`: a JSON
    /// array, compressed with gzip, in descending order of population. Returns `None` if there are none.
    pub fn names(&self, initial: &str) -> Option<&[u8]> {
        let at = self.initials.partition_point(|other| other < initial);
        (at < self.initials.len() && self.initials.get(at) == initial).then(|| self.names.get(at))
    }
}

/// Writes the part `BaseMap` into a folder. `names` maps each initial to a JSON array of the names that begin
/// with it. The tiles and the arrays must already be compressed with gzip. Returns the number of tiles.
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

/// Returns the sort key of a tile.
fn key_of(tile: TileId) -> u32 {
    const BITS: u32 = TileId::MAX_ZOOM as u32;
    // The key consists of 4 bits for the zoom level and 14 bits each for the column and the row.
    u32::from(tile.zoom()) << (2 * BITS) | tile.x() << BITS | tile.y()
}
