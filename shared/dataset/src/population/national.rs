//! The national population of every cohort. It's a separate part of a release, so a function that only
//! compares audiences with the nation doesn't have to load the population of all areas.

use std::path::Path;

use super::composed::{ComposeError, ComposedCohort};
use super::segment::{Segment, SegmentIndex};
use super::table::Population;
use crate::geographies::GeographyIndex;
use crate::release::file::FileWriter;
use crate::release::{Folder, Part, ReleaseError, RowCounts, WriteError};

/// The position of the nation. It's the only geography in this file, and the first one in the table of
/// geographies.
const NATION: GeographyIndex = GeographyIndex::from_raw(0);

/// The segments in a release, with the national population of each.
#[derive(Clone, Debug)]
pub struct NationalPopulation(Population);

impl NationalPopulation {
    /// Opens the national population in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Population::from_file(&folder.open_part(Part::NationalPopulation)?).map(Self)
    }

    /// Returns the segment at the given position in the catalog.
    ///
    /// # Panics
    ///
    /// Panics if the position isn't in this release's catalog, as does [`share`](Self::share).
    pub fn segment(&self, index: SegmentIndex) -> Segment<'_> {
        self.0.segment(index)
    }

    /// Finds a cohort by its ID, as described for [`ComposedCohort::find`].
    ///
    /// # Errors
    ///
    /// Returns an error if an ID is unknown, or if the cohorts can't be combined.
    pub fn compose(&self, id: &str) -> Result<ComposedCohort, ComposeError> {
        ComposedCohort::find(&self.0, id)
    }

    /// Returns a segment's share of the national population, from 0 to 1.
    pub fn share(&self, segment: SegmentIndex) -> f64 {
        let persons = |segment| f64::from(self.0.persons(segment, NATION));
        persons(segment) / persons(Population::EVERYONE)
    }
}

/// Writes the [`Part::NationalPopulation`] file to a folder, with the national figures from the same
/// release's population. Returns the number of segments.
pub fn write_national(folder: &Path, population: &Population) -> Result<RowCounts, WriteError> {
    national_to_file(population).write_part(folder, Part::NationalPopulation)?;
    Ok([("segments".to_owned(), population.segments().count() as u64)].into())
}

pub(crate) fn national_to_file(population: &Population) -> FileWriter {
    population.to_file(&[NATION])
}
