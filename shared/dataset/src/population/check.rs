//! Holds the persons to the geographies and to each other.

use super::segment::SegmentIndex;
use super::table::Population;
use crate::geographies::{Geographies, GeographyIndex, GeographyType};
use crate::release::{Part, ReleaseError};

impl Population {
    /// Holds the figures to each other and to the geographies: segments are the sums of their cells, and
    /// counties sum to their states and to the nation.
    ///
    /// # Errors
    ///
    /// The first figure that is otherwise.
    ///
    /// # Panics
    ///
    /// When the geographies do not pass their own [check](Geographies::check).
    pub fn check(&self, geographies: &Geographies) -> Result<(), ReleaseError> {
        if self.geographies != geographies.len() {
            let reason = format!("has {} geographies; there are {}", self.geographies, geographies.len());
            return Err(inconsistent(reason));
        }
        for kind in GeographyType::ALL {
            geographies.of_type(kind).try_for_each(|index| self.check_cells(geographies, index))?;
        }
        self.indexes().try_for_each(|segment| self.check_sums(geographies, segment))
    }

    fn check_cells(&self, geographies: &Geographies, index: GeographyIndex) -> Result<(), ReleaseError> {
        let geography = geographies.get(index);
        let everyone = self.persons(Self::EVERYONE, index);
        if everyone != geography.population {
            return Err(inconsistent(format!(
                "{}: has {everyone} persons; its population is {}",
                geography.id, geography.population
            )));
        }
        let cells = self.cells(index);
        for (name, part) in [("age and sex", &cells.age_sex[..]), ("income", &cells.income[..])] {
            let sum: u64 = part.iter().map(|persons| u64::from(*persons)).sum();
            if sum != u64::from(everyone) {
                return Err(inconsistent(format!(
                    "{}: its cells of {name} sum to {sum} of {everyone} persons",
                    geography.id
                )));
            }
        }
        let expected = self.expand(&cells, everyone);
        match self
            .indexes()
            .zip(expected)
            .find(|(segment, persons)| self.persons(*segment, index) != *persons)
        {
            Some((segment, persons)) => {
                let key = self.segment(segment).key;
                Err(inconsistent(format!(
                    "{}: {key} is not the {persons} persons of its cells",
                    geography.id
                )))
            }
            None => Ok(()),
        }
    }

    fn check_sums(&self, geographies: &Geographies, segment: SegmentIndex) -> Result<(), ReleaseError> {
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
                return Err(inconsistent(format!(
                    "{id}: {key} is {persons} persons; those of its counties are {sum}"
                )));
            }
        }
        Ok(())
    }
}

fn inconsistent(reason: String) -> ReleaseError {
    ReleaseError::inconsistent(Part::Population.file(), reason)
}
