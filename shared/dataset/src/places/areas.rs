//! The places in each area of one type, such as television markets or counties.

use zerocopy::little_endian::U32;

use crate::geographies::GeographyIndex;
use crate::index::{DocumentsByValue, Postings, Set};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile};

/// The areas of one type that contain places, in ascending order, with the places in each area.
#[derive(Clone, Debug)]
pub(super) struct Areas {
    areas: Rows<U32>,
    places: Postings,
}

impl Areas {
    /// Opens the areas in a section. `places` is the number of places in the file.
    pub(super) fn open(file: &SectionFile, section: &str, places: usize) -> Result<Self, ReleaseError> {
        Ok(Self { areas: file.rows(section)?, places: Postings::open(file, section, places)? })
    }

    /// Writes the areas that contain places. `of_places` contains the area of each place.
    pub(super) fn write(file: &mut FileWriter, section: &str, of_places: &[Option<GeographyIndex>]) {
        let mut areas: Vec<GeographyIndex> = of_places.iter().flatten().copied().collect();
        areas.sort_unstable();
        areas.dedup();
        let position = |area: GeographyIndex| {
            areas.binary_search(&area).expect("`areas` contains the area of every place")
        };
        let numbers: Vec<u32> =
            of_places.iter().map(|area| area.map_or(0, |area| position(area) as u32 + 1)).collect();
        file.rows(section, &areas.iter().map(|area| U32::new(area.raw())).collect::<Vec<U32>>());
        Postings::write(file, section, of_places.len(), DocumentsByValue::of(&numbers, areas.len()).lists());
    }

    /// Returns the places in any of the given areas.
    pub(super) fn of_any(&self, areas: &[GeographyIndex]) -> Set<'_> {
        let any = areas.iter().map(|area| area.raw()).collect();
        of_any(any, &self.areas, &self.places)
    }
}

/// Returns the documents with any of the values in `any`. `values` contains the value of each postings list,
/// in ascending order.
pub(super) fn of_any<'a>(mut any: Vec<u32>, values: &[U32], postings: &'a Postings) -> Set<'a> {
    any.sort_unstable();
    let having = (0..).zip(values).filter(|(_, value)| any.binary_search(&value.get()).is_ok());
    postings.of_any(having.map(|(at, _)| at))
}
