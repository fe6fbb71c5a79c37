//! The population of every cohort in every geography, read from its file.

use std::path::Path;

use provenance::{Maturity, Resolution};
use uuid::Uuid;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::segment::{Segment, SegmentIndex};
use crate::cohorts::{CELLS, CellSet, Cells, Cohort, ShareSource};
use crate::geographies::GeographyIndex;
use crate::release::file::{FileWriter, Rows, SectionFile, Texts};
use crate::release::{Folder, Part, ReleaseError, WriteError};

const SEGMENTS: &str = "segments";
const PERSONS: &str = "persons";

/// The sections that contain one string per segment.
const TEXTS: [&str; 6] = ["keys", "kinds", "categories", "descriptions", "shares.sources", "shares.vintages"];

/// The possible maturities of shares. A segment's row stores a position in this list.
const MATURITIES: [Maturity; 3] = [Maturity::Production, Maturity::ResearchPreview, Maturity::SyntheticOnly];

/// The possible resolutions of shares. A segment's row stores a position in this list.
const RESOLUTIONS: [Resolution; 2] = [Resolution::Zip, Resolution::County];

/// The segments in a release, with the population of each segment in each geography.
///
/// The file contains the catalog of segments, so a program can also read releases with a different catalog.
#[derive(Clone, Debug)]
pub struct Population {
    segments: Rows<SegmentRow>,
    /// One list of strings for each section in [`TEXTS`].
    texts: [Texts; TEXTS.len()],
    /// The number of persons, with one column per segment and one row per geography.
    persons: Rows<U32>,
    pub(crate) geographies: usize,
    /// For each cell, the segment that consists only of that cell.
    cells: [SegmentIndex; CELLS],
}

impl Population {
    /// The segment that contains everyone, which is always the first one.
    pub const EVERYONE: SegmentIndex = SegmentIndex::from_raw(0);

    /// Opens the population in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Population)?)
    }

    /// Opens a population file that isn't listed in a manifest yet.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(&SectionFile::open(path)?)
    }

    pub(super) fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let segments = file.rows::<SegmentRow>(SEGMENTS)?;
        let [keys, kinds, categories, descriptions, sources, vintages] =
            TEXTS.map(|section| file.texts(section));
        let texts = [keys?, kinds?, categories?, descriptions?, sources?, vintages?];
        let persons = file.rows::<U32>(PERSONS)?;
        let geographies = persons.len().checked_div(segments.len()).unwrap_or(0);
        Ok(Self { texts, cells: cells_among(file, &segments)?, segments, persons, geographies })
    }

    /// Returns the segments, in catalog order.
    pub fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        self.indexes().map(|index| self.segment(index))
    }

    /// Returns the segment at the given position in the catalog.
    ///
    /// # Panics
    ///
    /// Panics if the position isn't in this release's catalog.
    pub fn segment(&self, index: SegmentIndex) -> Segment<'_> {
        let at = usize::from(index.raw());
        let row = &self.segments[at];
        let [key, kind, category, description, source, vintage] = self.texts.each_ref().map(|of| of.get(at));
        Segment {
            index,
            id: Uuid::from_bytes(row.id),
            key,
            kind,
            category,
            description,
            anytime: row.anytime != 0,
            shares: ShareSource {
                source,
                vintage,
                maturity: MATURITIES[usize::from(row.maturity)],
                resolution: RESOLUTIONS[usize::from(row.resolution)],
            },
        }
    }

    pub fn find(&self, id: &Uuid) -> Option<SegmentIndex> {
        self.indexes().find(|index| self.segments[usize::from(index.raw())].id == *id.as_bytes())
    }

    /// Returns the number of persons in a segment who live in a geography.
    ///
    /// # Panics
    ///
    /// Panics if the segment or the geography isn't in this release.
    pub fn persons(&self, segment: SegmentIndex, geography: GeographyIndex) -> u32 {
        self.column(segment)[geography.position()].get()
    }

    /// Returns the set of cells that make up a segment.
    pub(super) fn cells_of(&self, segment: SegmentIndex) -> CellSet {
        let bits = self.segments[usize::from(segment.raw())].cells.get();
        CellSet::from_bits(bits).unwrap_or(CellSet::EVERYONE)
    }

    /// Returns the number of persons in each cell of a geography.
    pub fn cells(&self, geography: GeographyIndex) -> Cells {
        Cells::from_array(self.cells.map(|segment| self.persons(segment, geography)))
    }

    /// Computes the number of persons in every segment, in catalog order, from the number in each cell and
    /// the total number.
    pub fn expand(&self, cells: &Cells, persons: u32) -> Vec<u32> {
        self.indexes().map(|segment| cells.persons_of(self.cells_of(segment), persons)).collect()
    }

    pub(super) fn indexes(&self) -> impl Iterator<Item = SegmentIndex> + use<> {
        // The number of segments was checked when the file was opened.
        (0..u16::try_from(self.segments.len()).unwrap_or(u16::MAX)).map(SegmentIndex::from_raw)
    }

    /// Creates a file with only the given geographies, in the format of [`write`].
    pub(super) fn to_file(&self, geographies: &[GeographyIndex]) -> FileWriter {
        let mut file = FileWriter::default();
        file.rows(SEGMENTS, &self.segments);
        TEXTS.iter().zip(&self.texts).for_each(|(section, texts)| file.texts(section, texts.iter()));
        let of_segment = |segment| geographies.iter().map(move |one| U32::new(self.persons(segment, *one)));
        file.rows(PERSONS, &self.indexes().flat_map(of_segment).collect::<Vec<U32>>());
        file
    }

    fn column(&self, segment: SegmentIndex) -> &[U32] {
        let start = usize::from(segment.raw()) * self.geographies;
        &self.persons[start..start + self.geographies]
    }
}

/// Writes the [`Part::Population`] file to a folder. `columns` must contain one column per cohort, with one
/// row per geography.
pub fn write(folder: &Path, cohorts: &[Cohort], columns: &[Vec<u32>]) -> Result<(), WriteError> {
    assert_eq!(cohorts.len(), columns.len(), "there must be one column per cohort");
    let segments: Vec<SegmentRow> = cohorts
        .iter()
        .map(|cohort| SegmentRow {
            id: cohort.id().into_bytes(),
            cells: U64::new(cohort.cells.bits()),
            anytime: cohort.anytime.into(),
            maturity: cohort.shares.maturity as u8,
            resolution: cohort.shares.resolution as u8,
            reserved: [0; 5],
        })
        .collect();
    let persons: Vec<U32> = columns.iter().flatten().map(|persons| U32::new(*persons)).collect();
    let mut file = FileWriter::default();
    file.rows(SEGMENTS, &segments);
    for (at, section) in TEXTS.into_iter().enumerate() {
        let texts = |cohort: &Cohort| {
            let Cohort { key, kind, category, description, shares, .. } = cohort;
            [*key, *kind, *category, *description, shares.source, shares.vintage][at]
        };
        file.texts(section, cohorts.iter().map(texts));
    }
    file.rows(PERSONS, &persons);
    file.write_part(folder, Part::Population)
}

/// A stored segment. Its strings are in separate sections.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct SegmentRow {
    id: [u8; 16],
    /// The cells that make up the segment, with one bit per cell.
    cells: U64,
    anytime: u8,
    /// The maturity of the shares, as a position in [`MATURITIES`].
    maturity: u8,
    /// The resolution of the shares, as a position in [`RESOLUTIONS`].
    resolution: u8,
    reserved: [u8; 5],
}

/// For each cell, finds the segment that consists only of that cell. Returns an error if there's no such
/// segment, because an area's cells are read from these segments.
fn cells_among(file: &SectionFile, segments: &[SegmentRow]) -> Result<[SegmentIndex; CELLS], ReleaseError> {
    let Ok(count) = u16::try_from(segments.len()) else {
        let reason = format!("has {} segments; the limit is {}", segments.len(), u16::MAX);
        return Err(file.inconsistent(reason));
    };
    let sets: Option<Vec<CellSet>> = segments.iter().map(|row| CellSet::from_bits(row.cells.get())).collect();
    let unknown = || file.inconsistent("a segment contains an unknown cell");
    let sets = sets.ok_or_else(unknown)?;
    if sets.first() != Some(&CellSet::EVERYONE) {
        return Err(file.inconsistent("does not begin with the Everyone segment"));
    }
    let mut found = [Population::EVERYONE; CELLS];
    for (cell, segment) in found.iter_mut().enumerate() {
        let at = (0..count).find(|at| sets[usize::from(*at)] == CellSet::single(cell));
        let missing = || file.inconsistent(format!("has no segment that contains only cell {cell}"));
        *segment = SegmentIndex::from_raw(at.ok_or_else(missing)?);
    }
    Ok(found)
}
