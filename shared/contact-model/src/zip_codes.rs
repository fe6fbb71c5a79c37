//! The ZIP codes in a release and their residents.

use std::ops::Deref;

use dataset::position::UnitVector;
use dataset::{ComposedCohort, Environment, Geographies, GeographyIndex, GeographyType, Population};

use crate::{HomeZip, Homes};

/// The ZIP codes in a release, in the same order as its geographies. A display refers to its ZIP code by the
/// position in this list.
#[derive(Clone, Debug)]
pub struct ZipCodes(Vec<ZipCode>);

/// A ZIP code and its residents.
#[derive(Clone, Copy, Debug)]
pub struct ZipCode {
    pub area: GeographyIndex,
    /// The ZIP code's center. `None` if the release doesn't contain it.
    pub point: Option<UnitVector>,
    pub residents: f64,
}

impl ZipCodes {
    pub fn of(geographies: &Geographies, population: &Population) -> Self {
        let zip = |area| ZipCode {
            area,
            point: geographies.get(area).position.map(|position| position.to_unit_vector()),
            residents: population.persons(Population::EVERYONE, area).into(),
        };
        Self(geographies.of_type(GeographyType::Zip).map(zip).collect())
    }

    /// Counts the people in the target and base cohorts in each ZIP code.
    pub fn homes(
        &self,
        geographies: &Geographies,
        population: &Population,
        [target, base]: [&ComposedCohort; 2],
    ) -> Homes {
        let [target, base] = [target, base].map(|cohort| cohort.persons(population, geographies));
        let home = |zip: &ZipCode| HomeZip {
            // In a ZIP code without a known center, people count as target persons, but no display reaches
            // them.
            point: zip.point.unwrap_or_default(),
            residents: if zip.point.is_some() { zip.residents } else { 0.0 },
            target: target.of(zip.area).into(),
            base: base.of(zip.area).into(),
        };
        Homes::new(self.iter().map(home).collect())
    }

    /// Returns the index of displays in the given ZIP code and environment, as computed by [`Homes::index`].
    /// `homes` must come from [`homes`](Self::homes). Returns `None` if the ZIP code's center is unknown or
    /// [`Homes::index`] returns `None`.
    pub fn index(&self, homes: &Homes, zip: u16, environment: Environment) -> Option<f64> {
        homes.index(&homes.viewers(self[usize::from(zip)].point?, environment))
    }
}

impl Deref for ZipCodes {
    type Target = [ZipCode];

    fn deref(&self) -> &[ZipCode] {
        &self.0
    }
}
