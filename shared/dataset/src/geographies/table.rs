//! The table of all areas, in their file.

use std::path::Path;

use super::geography::{Geography, GeographyIndex};
use super::id::{GeographyId, GeographyType};
use super::row::GeographyRow;
use crate::release::file::{FileWriter, Rows, SectionFile, Texts};
use crate::release::{Folder, Part, ReleaseError, WriteError};

const ROWS: &str = "geographies";

const NAMES: &str = "names";

/// The geographies that exist: a market is made of these and no others.
///
/// ```no_run
/// use dataset::{Folder, Geographies};
///
/// let geographies = Geographies::open(&Folder::open("release".as_ref())?)?;
/// let new_york = geographies.find(&"US2020XDMA501".parse()?).expect("a market that exists");
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
    /// Opens the geographies of a release.
    ///
    /// # Errors
    ///
    /// When the file is missing, cut off or not of geographies.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Geographies)?)
    }

    /// Opens a file that no manifest describes yet.
    ///
    /// # Errors
    ///
    /// When the file is missing, cut off or not of geographies.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(&SectionFile::open(path)?)
    }

    fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let geographies = Self { rows: file.rows(ROWS)?, names: file.texts(NAMES)? };
        let (rows, names) = (geographies.rows.len(), geographies.names.len());
        if rows != names {
            return Err(file.inconsistent(format!("has {rows} geographies and {names} names")));
        }
        let first = geographies.rows.first().and_then(GeographyRow::id);
        if first.map(|id| id.geography_type()) != Some(GeographyType::Nation) {
            return Err(file.inconsistent("does not begin with the nation"));
        }
        Ok(geographies)
    }

    pub fn contains(&self, id: &GeographyId) -> bool {
        self.find(id).is_some()
    }

    pub fn find(&self, id: &GeographyId) -> Option<GeographyIndex> {
        let found =
            self.rows.binary_search_by_key(&(id.geography_type() as u8, id.code()), GeographyRow::key);
        found.ok().map(index)
    }

    /// # Panics
    ///
    /// When the position is of another release, or the file is not what [`check`](Self::check) accepts.
    pub fn get(&self, index: GeographyIndex) -> Geography<'_> {
        let geography = self.rows[index.position()].named(self.names.get(index.position()));
        geography.expect("a verified release holds types that exist")
    }

    /// Returns the geographies of a type, by ascending code.
    pub fn of_type(
        &self,
        geography_type: GeographyType,
    ) -> impl ExactSizeIterator<Item = GeographyIndex> + use<> {
        let kind = geography_type as u8;
        let start = self.rows.partition_point(|row| row.key().0 < kind);
        let end = self.rows.partition_point(|row| row.key().0 <= kind);
        (start..end).map(index)
    }

    /// Returns the whole, of which the others are parts.
    pub fn nation(&self) -> GeographyIndex {
        GeographyIndex::from_raw(0)
    }

    pub fn count(&self, geography_type: GeographyType) -> usize {
        self.of_type(geography_type).len()
    }

    #[expect(clippy::len_without_is_empty, reason = "the nation is always there")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Holds every row to what the others rely on: readable names, one order, and parents of the right type.
    ///
    /// # Errors
    ///
    /// The first thing that is otherwise.
    pub fn check(&self) -> Result<(), ReleaseError> {
        let refuse = |reason: String| Err(inconsistent(reason));
        if !self.names.are_sound() {
            return refuse("a name is not UTF-8".to_owned());
        }
        if let Some(at) = self.rows.windows(2).position(|pair| pair[0].key() >= pair[1].key()) {
            return refuse(format!("row {} is out of order", at + 1));
        }
        for (at, row) in self.rows.iter().enumerate() {
            let Some(geography) = row.named(self.names.get(at)) else {
                return refuse(format!("row {at} is of a type that does not exist"));
            };
            self.check_parents(&geography)?;
        }
        Ok(())
    }

    fn check_parents(&self, geography: &Geography<'_>) -> Result<(), ReleaseError> {
        use GeographyType::{County, Dma, Micropolitan, Msa, State, Zip};

        let kind = geography.id.geography_type();
        let is_part = matches!(kind, County | Zip);
        let parents = [
            ("state", geography.state, [State, State], is_part, is_part),
            ("county", geography.county, [County, County], kind == Zip, kind == Zip),
            ("cbsa", geography.cbsa, [Msa, Micropolitan], is_part, false),
            ("dma", geography.dma, [Dma, Dma], is_part, false),
        ];
        for (name, parent, types, may, must) in parents {
            let Some(parent) = parent else {
                if must {
                    return Err(inconsistent(format!("{}: has no {name}", geography.id)));
                }
                continue;
            };
            let id = self.rows.get(parent.position()).and_then(GeographyRow::id);
            if !may || !id.is_some_and(|id| types.contains(&id.geography_type())) {
                let row = parent.raw();
                return Err(inconsistent(format!(
                    "{}: its {name} is row {row}, which is none",
                    geography.id
                )));
            }
        }
        Ok(())
    }
}

/// Writes the part `Geographies` into a folder; the geographies are in the order of their ids.
///
/// # Errors
///
/// When the file cannot be written.
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

fn inconsistent(reason: String) -> ReleaseError {
    ReleaseError::inconsistent(Part::Geographies.file(), reason)
}

fn index(position: usize) -> GeographyIndex {
    GeographyIndex::from_raw(u32::try_from(position).expect("a file of at most 4 billion geographies"))
}
