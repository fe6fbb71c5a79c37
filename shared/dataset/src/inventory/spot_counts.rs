//! The number of measured spots in each geography. These counts are a separate part of a release, so a
//! function that needs only the counts doesn't have to load the inventory.

use std::collections::BTreeMap;
use std::path::Path;

use zerocopy::little_endian::U32;

use super::field::Field;
use crate::geographies::{Geographies, GeographyId, GeographyIndex, GeographyType};
use crate::index::SortedColumn;
use crate::release::file::{FileWriter, Rows};
use crate::release::{Folder, Part, ReleaseError, WriteError};

const SECTION: &str = "spots";

/// The number of measured spots in each geography.
#[derive(Clone, Debug)]
pub struct SpotCounts(Rows<U32>);

impl SpotCounts {
    /// Opens the spot counts in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        folder.open_part(Part::SpotCounts)?.rows(SECTION).map(Self)
    }

    /// Returns the number of measured spots in a geography, or 0 if the release doesn't contain a count for
    /// it.
    pub fn of(&self, geography: GeographyIndex) -> u32 {
        self.0.get(geography.raw() as usize).map_or(0, |count| count.get())
    }

    /// Checks that there is one count per geography. `geographies` is the number of geographies in the
    /// release.
    ///
    /// # Errors
    ///
    /// Returns an error if the numbers differ.
    pub fn check(&self, geographies: usize) -> Result<(), ReleaseError> {
        let counted = self.0.len();
        if counted == geographies {
            return Ok(());
        }
        let reason = format!("counts {counted} geographies, but the release has {geographies}");
        Err(ReleaseError::inconsistent(Part::SpotCounts.file(), reason))
    }
}

/// Writes the [`Part::SpotCounts`] file to a folder. `counts` must contain one count per geography.
pub(super) fn write(folder: &Path, counts: &[u32]) -> Result<(), WriteError> {
    let mut file = FileWriter::default();
    file.rows(SECTION, &counts.iter().copied().map(U32::new).collect::<Vec<U32>>());
    file.write_part(folder, Part::SpotCounts)
}

/// The number of measured spots, by geography type and geography code.
#[derive(Debug, Default)]
pub(super) struct AreaCounts(BTreeMap<(GeographyType, Box<str>), u32>);

impl AreaCounts {
    /// Counts the measured spots for each value of a field. Does nothing if the field isn't a
    /// geography's code.
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

    /// Returns one count per geography. The counts for states and the nation are the sums of their counties'
    /// counts.
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
