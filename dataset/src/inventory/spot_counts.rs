use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use zerocopy::little_endian::U32;

use super::{Field, number};
use crate::file::{FileWriter, Rows};
use crate::{Folder, Geographies, GeographyId, GeographyIndex, GeographyType, Part, ReleaseError};

const SECTION: &str = "spots";

/// How many measured spots lie in each geography of a release: a part of its own, so that whoever counts need not have
/// the inventory.
#[derive(Clone, Debug)]
pub struct SpotCounts(Rows<U32>);

impl SpotCounts {
    /// Opens the counts of a release.
    ///
    /// # Errors
    ///
    /// When the file is not there, or is not whole.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        folder.open_part(Part::SpotCounts)?.rows(SECTION).map(Self)
    }

    /// Returns the count of a geography; 0 for one of another release.
    pub fn of(&self, geography: GeographyIndex) -> u32 {
        self.0.get(geography.raw() as usize).map_or(0, |count| count.get())
    }

    /// Returns how many geographies are counted.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Writes the count of each geography.
pub(super) fn write(path: &Path, counts: &[usize]) -> io::Result<()> {
    let mut file = FileWriter::default();
    file.rows(SECTION, &counts.iter().map(|count| number(*count)).collect::<Vec<U32>>());
    file.write(path)
}

/// Counts measured spots by the codes of the areas that they say they lie in.
#[derive(Debug, Default)]
pub(super) struct Markets(BTreeMap<(GeographyType, Box<str>), usize>);

impl Markets {
    /// Counts the spots of each value of a column, where it is one of codes.
    pub(super) fn add(&mut self, field: Field, values: &[(String, Box<str>)], numbers: &[u32], measured: &[bool]) {
        let types: &[GeographyType] = match field {
            Field::CountyId => &[GeographyType::County],
            Field::DmaId => &[GeographyType::Dma],
            Field::CbsaCode => &[GeographyType::Msa, GeographyType::Micropolitan],
            Field::ZipCode => &[GeographyType::Zip],
            _ => return,
        };
        let mut counts = vec![0; values.len() + 1];
        for (number, _) in numbers.iter().zip(measured).filter(|(_, is_measured)| **is_measured) {
            counts[*number as usize] += 1;
        }
        for ((_, code), count) in values.iter().zip(counts.into_iter().skip(1)) {
            self.0.extend(types.iter().map(|of| ((*of, code.clone()), count)));
        }
    }

    /// Returns the count of each geography; those of states and of the nation are the sums of their counties'.
    pub(super) fn counts(&self, geographies: &Geographies) -> Vec<usize> {
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
