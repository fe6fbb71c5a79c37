//! The table of geographies, read from its file.

use std::path::Path;

use super::geography::{Geography, GeographyIndex};
use super::id::{GeographyId, GeographyType};
use super::row::GeographyRow;
use crate::release::file::{FileWriter, Rows, SectionFile, Texts};
use crate::release::{Folder, Part, ReleaseError, WriteError};

const ROWS: &str = "geographies";

const NAMES: &str = "names";

/// The geographies in a release. The markets in a scenario must be geographies.
///
/// ```no_run
/// use dataset::{Folder, Geographies};
///
/// let geographies = Geographies::open(&Folder::open("release".as_ref())?)?;
/// let new_york = geographies.find(&"US2020XDMA501".parse()?).expect("the market exists");
/// assert_eq!(geographies.get(new_york).name, "New York");
/// assert!(!geographies.contains(&"US2020XDMA999".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Geographies {
    rows: Rows<GeographyRow>,
    names: Texts,
}

impl Geographies {
    /// Opens the geographies in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Geographies)?)
    }

    /// Opens a geographies file that isn't listed in a manifest yet.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(&SectionFile::open(path)?)
    }

    fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        Ok(Self { rows: file.rows(ROWS)?, names: file.texts(NAMES)? })
    }

    pub fn contains(&self, id: &GeographyId) -> bool {
        self.find(id).is_some()
    }

    pub fn find(&self, id: &GeographyId) -> Option<GeographyIndex> {
        let found =
            self.rows.binary_search_by_key(&(id.geography_type() as u8, id.code()), GeographyRow::key);
        found.ok().map(index)
    }

    /// Returns the geography at the given position.
    ///
    /// # Panics
    ///
    /// Panics if the position is out of range, which can happen if it's from a different release.
    pub fn get(&self, index: GeographyIndex) -> Geography<'_> {
        self.rows[index.position()].named(self.names.get(index.position()))
    }

    /// Returns the geographies of a type, sorted by code.
    pub fn of_type(
        &self,
        geography_type: GeographyType,
    ) -> impl ExactSizeIterator<Item = GeographyIndex> + use<> {
        let kind = geography_type as u8;
        let start = self.rows.partition_point(|row| row.key().0 < kind);
        let end = self.rows.partition_point(|row| row.key().0 <= kind);
        (start..end).map(index)
    }

    /// Returns the position of the nation, which contains all other geographies.
    pub fn nation(&self) -> GeographyIndex {
        GeographyIndex::from_raw(0)
    }

    pub fn count(&self, geography_type: GeographyType) -> usize {
        self.of_type(geography_type).len()
    }

    #[expect(clippy::len_without_is_empty, reason = "every release contains the nation")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

/// Writes the [`Part::Geographies`] file to a folder. The geographies must be sorted by ID.
pub fn write<'a>(
    folder: &Path,
    geographies: impl Iterator<Item = Geography<'a>> + Clone,
) -> Result<(), WriteError> {
    let rows: Vec<GeographyRow> =
        geographies.clone().map(|geography| GeographyRow::from(&geography)).collect();
    let mut file = FileWriter::default();
    file.rows(ROWS, &rows);
    file.texts(NAMES, geographies.map(|geography| geography.name));
    file.write_part(folder, Part::Geographies)
}

fn index(position: usize) -> GeographyIndex {
    GeographyIndex::from_raw(u32::try_from(position).expect("a file has at most 4 billion geographies"))
}
