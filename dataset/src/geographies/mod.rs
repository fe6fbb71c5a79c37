//! The geographies of a release.

mod row;

use std::io;
use std::path::Path;

use crate::file::{FileWriter, Rows, SectionFile, Texts};
use crate::{Folder, GeographyId, GeographyType, Part, ReleaseError};

use row::GeographyRow;

const ROWS: &str = "geographies";

const NAMES: &str = "names";

/// A geography's position in its release's table, which is sorted by type and code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeographyIndex(u32);

impl GeographyIndex {
    /// Returns the position as a number.
    pub fn raw(self) -> u32 {
        self.0
    }

    /// Takes a position that a file of the same release holds.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// A point on the globe, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// North of the equator.
    pub latitude: f64,
    /// East of Greenwich.
    pub longitude: f64,
}

/// An area and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geography<'a> {
    /// Its id.
    pub id: GeographyId,
    /// Its name; a county and a ZIP code's place carry their state: `Suffolk County, NY`, `Holtsville, NY`.
    pub name: &'a str,
    /// The persons who live there.
    pub population: u32,
    /// The households there.
    pub households: u32,
    /// Its middle: where the sources say, or the mean of its counties weighted by their persons. `None` where nobody is
    /// counted, as in the areas of Puerto Rico.
    pub position: Option<Position>,
    /// The state of a county or ZIP code.
    pub state: Option<GeographyIndex>,
    /// The county of a ZIP code.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area of a county or ZIP code that lies in one.
    pub cbsa: Option<GeographyIndex>,
    /// The television market of a county or ZIP code that lies in one.
    pub dma: Option<GeographyIndex>,
}

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

    /// Takes the geographies of an open file.
    pub fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let geographies = Self { rows: file.rows(ROWS)?, names: file.texts(NAMES)? };
        let (rows, names) = (geographies.rows.len(), geographies.names.len());
        if rows != names {
            return Err(file.refuse(format!("has {rows} geographies and {names} names")));
        }
        let first = geographies.rows.first().and_then(GeographyRow::id);
        if first.map(|id| id.geography_type()) != Some(GeographyType::Nation) {
            return Err(file.refuse("does not begin with the nation"));
        }
        Ok(geographies)
    }

    /// Whether the geography exists.
    pub fn contains(&self, id: &GeographyId) -> bool {
        self.find(id).is_some()
    }

    /// Finds a geography by its id.
    pub fn find(&self, id: &GeographyId) -> Option<GeographyIndex> {
        let found = self.rows.binary_search_by_key(&(id.geography_type() as u8, id.code()), GeographyRow::key);
        found.ok().map(index)
    }

    /// Returns a geography.
    ///
    /// # Panics
    ///
    /// When the position is of another release, or the file is not what [`check`](Self::check) accepts.
    pub fn get(&self, index: GeographyIndex) -> Geography<'_> {
        let geography = self.rows[index.position()].named(self.names.get(index.position()));
        geography.expect("a verified release holds types that exist")
    }

    /// Returns the geographies of a type, by ascending code.
    pub fn of_type(&self, geography_type: GeographyType) -> impl ExactSizeIterator<Item = GeographyIndex> + use<> {
        let kind = geography_type as u8;
        let start = self.rows.partition_point(|row| row.key().0 < kind);
        let end = self.rows.partition_point(|row| row.key().0 <= kind);
        (start..end).map(index)
    }

    /// Returns the whole, of which the others are parts.
    pub fn nation(&self) -> GeographyIndex {
        GeographyIndex(0)
    }

    /// Returns how many geographies of a type there are.
    pub fn count(&self, geography_type: GeographyType) -> usize {
        self.of_type(geography_type).len()
    }

    /// Returns how many geographies there are.
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
        let refuse = |reason: String| Err(ReleaseError::new(Part::Geographies.file(), reason));
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
            if let Err(reason) = self.check_parents(&geography) {
                return refuse(format!("{}: {reason}", geography.id));
            }
        }
        Ok(())
    }

    fn check_parents(&self, geography: &Geography<'_>) -> Result<(), String> {
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
                    return Err(format!("has no {name}"));
                }
                continue;
            };
            let id = self.rows.get(parent.position()).and_then(GeographyRow::id);
            if !may || !id.is_some_and(|id| types.contains(&id.geography_type())) {
                return Err(format!("its {name} is row {}, which is none", parent.raw()));
            }
        }
        Ok(())
    }
}

/// Writes the file of the geographies, which are in the order of their ids.
pub fn write<'a>(path: &Path, geographies: impl Iterator<Item = Geography<'a>> + Clone) -> io::Result<()> {
    let rows: Vec<GeographyRow> = geographies.clone().map(|geography| GeographyRow::from(&geography)).collect();
    let mut file = FileWriter::default();
    file.rows(ROWS, &rows);
    file.texts(NAMES, geographies.map(|geography| geography.name));
    file.write(path)
}

fn index(position: usize) -> GeographyIndex {
    GeographyIndex(u32::try_from(position).expect("a file of at most 4 billion geographies"))
}
