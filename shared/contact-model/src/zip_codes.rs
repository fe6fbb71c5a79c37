//! The ZIP codes of a release, and the number of residents of each ZIP code.

use std::ops::Deref;

use dataset::position::UnitVector;
use dataset::{ComposedCohort, Environment, Geographies, GeographyIndex, GeographyType, Population};

use crate::{HomeZip, Homes};

/// The ZIP codes of a release, in the same order as its geographies. A display refers to its ZIP code by the
/// ZIP code's position in this list.
#[derive(Clone, Debug)]
pub struct ZipCodes(Vec<ZipCode>);

/// A ZIP code and its residents.
#[derive(Clone, Copy, Debug)]
pub struct ZipCode {
    pub area: GeographyIndex,
    /// The center of the ZIP code. `None` if the release doesn't contain it.
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

    /// Counts the persons in the target and base cohorts in each ZIP code.
    pub fn homes(
        &self,
        geographies: &Geographies,
        population: &Population,
        [target, base]: [&ComposedCohort; 2],
    ) -> Homes {
        let [target, base] = [target, base].map(|cohort| cohort.persons(population, geographies));
        let home = |zip: &ZipCode| HomeZip {
            // People in a ZIP code without a known center count as target persons, but no display reaches
            // them.
            point: zip.point.unwrap_or_default(),
            residents: if zip.point.is_some() { zip.residents } else { 0.0 },
            target: target.of(zip.area).into(),
            base: base.of(zip.area).into(),
        };
        Homes::new(self.iter().map(home).collect())
    }

    /// Returns the index of the displays in a ZIP code and environment, as computed by [`Homes::index`].
    /// `homes` must come from [`homes`](Self::homes). `None` if the center of the ZIP code is unknown or
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
