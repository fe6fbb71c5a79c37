//! The cohorts of a release and how many persons of each live in every geography.

use std::io;
use std::path::Path;

use uuid::Uuid;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::cohorts::{CELLS, CellSet, Cells, Cohort};
use crate::file::{FileWriter, Rows, SectionFile, Texts};
use crate::{Folder, Geographies, GeographyIndex, GeographyType, Part, ReleaseError};

const SEGMENTS: &str = "segments";
const KEYS: &str = "keys";
const KINDS: &str = "kinds";
const CATEGORIES: &str = "categories";
const DESCRIPTIONS: &str = "descriptions";
const PERSONS: &str = "persons";

/// A segment's position in its release's catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentIndex(u16);

impl SegmentIndex {
    /// Returns the position as a number.
    pub fn raw(self) -> u16 {
        self.0
    }

    /// Takes a position that a file of the same release holds.
    pub fn from_raw(raw: u16) -> Self {
        Self(raw)
    }
}

/// A cohort whose persons a release says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Its position in the catalogue.
    pub index: SegmentIndex,
    /// Its id, which is the same in every release.
    pub id: Uuid,
    /// Its name for programs, such as `age_18_34`.
    pub key: &'a str,
    /// `Demographics` or `Households`.
    pub kind: &'a str,
    /// What it divides people by, such as `Age`.
    pub category: &'a str,
    /// Its name for readers, such as `Adults 18-34`.
    pub description: &'a str,
    /// Whether the reports of places carry it too.
    pub anytime: bool,
}

/// A segment as the file holds it; its texts lie in sections of their own.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct SegmentRow {
    id: [u8; 16],
    /// The cells that it is the sum of, a bit each.
    cells: U64,
    anytime: u8,
    reserved: [u8; 7],
}

/// The segments of a release, and the persons of each in every geography.
///
/// The catalogue is in the file, so that a program reads releases of older and newer catalogues than its own.
#[derive(Clone, Debug)]
pub struct Population {
    segments: Rows<SegmentRow>,
    keys: Texts,
    kinds: Texts,
    categories: Texts,
    descriptions: Texts,
    /// A column per segment, each with a row per geography.
    persons: Rows<U32>,
    geographies: usize,
    /// The segments that are a single cell, by cell.
    cells: [SegmentIndex; CELLS],
}

impl Population {
    /// The segment of everyone, which the others are parts of.
    pub const EVERYONE: SegmentIndex = SegmentIndex(0);

    /// Opens the population of a release.
    ///
    /// # Errors
    ///
    /// When the file is missing, cut off or not of a population.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Population)?)
    }

    /// Takes the population of an open file.
    pub fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let segments = file.rows::<SegmentRow>(SEGMENTS)?;
        let texts = |section: &str| {
            let texts = file.texts(section)?;
            // They are few, and a segment is then always readable.
            let sound = texts.len() == segments.len() && texts.are_sound();
            if sound { Ok(texts) } else { Err(file.refuse(format!("the section {section} is no text per segment"))) }
        };
        let persons = file.rows::<U32>(PERSONS)?;
        let geographies = persons.len().checked_div(segments.len()).unwrap_or(0);
        if geographies == 0 || geographies * segments.len() != persons.len() {
            return Err(file.refuse("the section persons is no column per segment"));
        }
        Ok(Self {
            keys: texts(KEYS)?,
            kinds: texts(KINDS)?,
            categories: texts(CATEGORIES)?,
            descriptions: texts(DESCRIPTIONS)?,
            cells: cells_among(&segments).map_err(|reason| file.refuse(reason))?,
            segments,
            persons,
            geographies,
        })
    }

    /// Returns the segments in the order of the catalogue.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        self.indexes().map(|index| self.segment(index))
    }

    /// Returns a segment.
    ///
    /// # Panics
    ///
    /// When the position is of another release.
    pub fn segment(&self, index: SegmentIndex) -> Segment<'_> {
        let at = usize::from(index.0);
        let row = &self.segments[at];
        Segment {
            index,
            id: Uuid::from_bytes(row.id),
            key: self.keys.get(at),
            kind: self.kinds.get(at),
            category: self.categories.get(at),
            description: self.descriptions.get(at),
            anytime: row.anytime != 0,
        }
    }

    /// Finds a segment by its id.
    pub fn find(&self, id: &Uuid) -> Option<SegmentIndex> {
        self.indexes().find(|index| self.segments[usize::from(index.0)].id == *id.as_bytes())
    }

    /// Returns how many persons of a segment live in a geography.
    ///
    /// # Panics
    ///
    /// When a position is of another release.
    pub fn persons(&self, segment: SegmentIndex, geography: GeographyIndex) -> u32 {
        self.column(segment)[geography.position()].get()
    }

    /// Holds the figures to each other and to the geographies: segments are the sums of their cells, and counties sum to
    /// their states and to the nation.
    ///
    /// # Errors
    ///
    /// The first figure that is otherwise.
    ///
    /// # Panics
    ///
    /// When the geographies do not pass their own [check](Geographies::check).
    pub fn check(&self, geographies: &Geographies) -> Result<(), ReleaseError> {
        let refuse = |reason: String| ReleaseError::new(Part::Population.file(), reason);
        if self.geographies != geographies.len() {
            let reason = format!("has {} geographies; there are {}", self.geographies, geographies.len());
            return Err(refuse(reason));
        }
        for kind in GeographyType::ALL {
            geographies.of_type(kind).try_for_each(|index| self.check_cells(geographies, index)).map_err(refuse)?;
        }
        self.indexes().try_for_each(|segment| self.check_sums(geographies, segment)).map_err(refuse)
    }

    /// Returns the persons of each cell in a geography. They are also its shares.
    pub fn cells(&self, geography: GeographyIndex) -> Cells {
        Cells::from_array(self.cells.map(|segment| self.persons(segment, geography)))
    }

    /// Returns the persons of every segment, in the order of the release's own catalogue.
    pub fn expand(&self, cells: &Cells, persons: u32) -> Vec<u32> {
        let sets = self.segments.iter().map(|row| CellSet::from_bits(row.cells.get()).unwrap_or(CellSet::EVERYONE));
        sets.map(|set| cells.persons_of(set, persons)).collect()
    }

    fn check_cells(&self, geographies: &Geographies, index: GeographyIndex) -> Result<(), String> {
        let geography = geographies.get(index);
        let everyone = self.persons(Self::EVERYONE, index);
        if everyone != geography.population {
            return Err(format!(
                "{}: has {everyone} persons; its population is {}",
                geography.id, geography.population
            ));
        }
        let cells = self.cells(index);
        for (name, part) in [("age and sex", &cells.age_sex[..]), ("income", &cells.income[..])] {
            let sum: u64 = part.iter().map(|persons| u64::from(*persons)).sum();
            if sum != u64::from(everyone) {
                return Err(format!("{}: its cells of {name} sum to {sum} of {everyone} persons", geography.id));
            }
        }
        let expected = self.expand(&cells, everyone);
        match self.indexes().zip(expected).find(|(segment, persons)| self.persons(*segment, index) != *persons) {
            Some((segment, persons)) => {
                let key = self.segment(segment).key;
                Err(format!("{}: {key} is not the {persons} persons of its cells", geography.id))
            }
            None => Ok(()),
        }
    }

    fn check_sums(&self, geographies: &Geographies, segment: SegmentIndex) -> Result<(), String> {
        let mut sums = vec![0_u64; self.geographies];
        for county in geographies.of_type(GeographyType::County) {
            let state = geographies.get(county).state.map(GeographyIndex::position);
            let persons = u64::from(self.persons(segment, county));
            sums[geographies.nation().position()] += persons;
            if let Some(sum) = state.and_then(|state| sums.get_mut(state)) {
                *sum += persons;
            }
        }
        for whole in geographies.of_type(GeographyType::State).chain([geographies.nation()]) {
            let (persons, sum) = (self.persons(segment, whole), sums[whole.position()]);
            if u64::from(persons) != sum {
                let (id, key) = (geographies.get(whole).id, self.segment(segment).key);
                return Err(format!("{id}: {key} is {persons} persons; those of its counties are {sum}"));
            }
        }
        Ok(())
    }

    fn indexes(&self) -> impl Iterator<Item = SegmentIndex> + use<> {
        // The catalogue was found to have at most as many rows.
        (0..u16::try_from(self.segments.len()).unwrap_or(u16::MAX)).map(SegmentIndex)
    }

    fn column(&self, segment: SegmentIndex) -> &[U32] {
        let start = usize::from(segment.0) * self.geographies;
        &self.persons[start..start + self.geographies]
    }
}

/// Writes the file of the population: a column of persons per cohort.
pub fn write(path: &Path, cohorts: &[Cohort], columns: &[Vec<u32>]) -> io::Result<()> {
    assert_eq!(cohorts.len(), columns.len(), "a column per cohort");
    let segments: Vec<SegmentRow> = cohorts
        .iter()
        .map(|cohort| SegmentRow {
            id: cohort.id().into_bytes(),
            cells: U64::new(cohort.cells.bits()),
            anytime: cohort.anytime.into(),
            reserved: [0; 7],
        })
        .collect();
    let persons: Vec<U32> = columns.iter().flatten().map(|persons| U32::new(*persons)).collect();
    let mut file = FileWriter::default();
    file.rows(SEGMENTS, &segments);
    file.texts(KEYS, cohorts.iter().map(|cohort| cohort.key));
    file.texts(KINDS, cohorts.iter().map(|cohort| cohort.kind));
    file.texts(CATEGORIES, cohorts.iter().map(|cohort| cohort.category));
    file.texts(DESCRIPTIONS, cohorts.iter().map(|cohort| cohort.description));
    file.rows(PERSONS, &persons);
    file.write(path)
}

/// Finds the segment of each cell. A catalogue without one could not say how an area's persons divide.
fn cells_among(segments: &[SegmentRow]) -> Result<[SegmentIndex; CELLS], String> {
    let count = segments.len();
    if count > usize::from(u16::MAX) {
        return Err(format!("has {count} segments; at most {} can be numbered", u16::MAX));
    }
    let sets: Option<Vec<CellSet>> = segments.iter().map(|row| CellSet::from_bits(row.cells.get())).collect();
    let sets = sets.ok_or("a segment is made of cells that this program does not know")?;
    if sets.first() != Some(&CellSet::EVERYONE) {
        return Err("does not begin with the segment of everyone".to_owned());
    }
    let mut found = [Population::EVERYONE; CELLS];
    for (cell, segment) in found.iter_mut().enumerate() {
        let at = sets.iter().position(|set| *set == CellSet::single(cell));
        let at = at.ok_or_else(|| format!("has no segment of the cell {cell} alone"))?;
        *segment = SegmentIndex::from_raw(u16::try_from(at).map_err(|error| error.to_string())?);
    }
    Ok(found)
}
