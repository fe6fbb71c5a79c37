//! The number of spots in each geography. This is a separate part, so that a function that needs only counts
//! doesn't have to load the inventory.

use std::collections::BTreeMap;
use std::path::Path;

use zerocopy::little_endian::U32;

use super::field::Field;
use crate::geographies::{Geographies, GeographyId, GeographyIndex, GeographyType};
use crate::index::SortedColumn;
use crate::release::file::{FileWriter, Rows};
use crate::release::{Folder, Part, ReleaseError, WriteError};

const SECTION: &str = "spots";

/// The number of measured spots in each geography of a release.
#[derive(Clone, Debug)]
pub struct SpotCounts(Rows<U32>);

impl SpotCounts {
    /// Opens the counts of a release.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        folder.open_part(Part::SpotCounts)?.rows(SECTION).map(Self)
    }

    /// Returns the count for a geography; 0 if the geography comes from another release.
    pub fn of(&self, geography: GeographyIndex) -> u32 {
        self.0.get(geography.raw() as usize).map_or(0, |count| count.get())
    }

    /// Checks that the counts match a release with `geographies` geographies.
    ///
    /// # Errors
    ///
    /// Fails if the number of counts differs.
    pub fn check(&self, geographies: usize) -> Result<(), ReleaseError> {
        let counted = self.0.len();
        if counted == geographies {
            return Ok(());
        }
        let reason = format!("counts {counted} geographies, but the release has {geographies}");
        Err(ReleaseError::inconsistent(Part::SpotCounts.file(), reason))
    }
}

/// Writes the part `SpotCounts` into a folder, with one count per geography.
pub(super) fn write(folder: &Path, counts: &[u32]) -> Result<(), WriteError> {
    let mut file = FileWriter::default();
    file.rows(SECTION, &counts.iter().copied().map(U32::new).collect::<Vec<U32>>());
    file.write_part(folder, Part::SpotCounts)
}

/// Counts measured spots by the area codes of their records.
#[derive(Debug, Default)]
pub(super) struct AreaCounts(BTreeMap<(GeographyType, Box<str>), u32>);

impl AreaCounts {
    /// Counts the measured spots by the values of a column. Does nothing if the field isn't an area code.
    pub(super) fn add(&mut self, field: Field, column: &SortedColumn, measured: &[bool]) {
        let types: &[GeographyType] = match field {
            Field::CountyId => &[GeographyType::County],
            Field::DmaId => &[GeographyType::Dma],
            Field::CbsaCode => &[GeographyType::Msa, GeographyType::Micropolitan],
            Field::ZipCode => &[GeographyType::Zip],
            _ => return,
        };
        let SortedColumn { texts, numbers, .. } = column;
        let mut counts = vec![0; texts.len() + 1];
        for (number, _) in numbers.iter().zip(measured).filter(|(_, is_measured)| **is_measured) {
            counts[*number as usize] += 1;
        }
        for (code, count) in texts.iter().zip(counts.into_iter().skip(1)) {
            self.0.extend(types.iter().map(|of| ((*of, code.into()), count)));
        }
    }

    /// Returns one count per geography. The counts of states and of the nation are the sums over their
    /// counties.
    pub(super) fn counts(&self, geographies: &Geographies) -> Vec<u32> {
        let mut counts = vec![0; geographies.len()];
        for ((of, code), count) in &self.0 {
            let id = GeographyId::from_national_id(*of, code);
            let Some(found) = id.and_then(|id| geographies.find(&id)) else { continue };
            counts[found.position()] = *count;
            if *of == GeographyType::County {
                counts[geographies.nation().position()] += count;
                if let Some(state) = geographies.get(found).state {
                    counts[state.position()] += count;
                }
            }
        }
        counts
    }
}
