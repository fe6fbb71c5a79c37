//! The release data for estimates.

use contact_model::ZipCodes;
use dataset::cohorts::{AgeBand, CellSet};
use dataset::{Exposures, Figures, Folder, Geographies, Part, Persons, Population, Provenance, ReleaseError};

/// The release data that this function reads.
#[derive(Debug)]
pub struct Release {
    pub(crate) geographies: Geographies,
    pub(crate) population: Population,
    pub(crate) exposures: Exposures,
    pub(crate) zips: ZipCodes,
    pub(crate) about_zips: Provenance,
    pub(crate) about_displays: Provenance,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 3] = [Part::Geographies, Part::Population, Part::Exposures];

    /// Opens a release. The error names the unusable file and states the reason.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = |figures| folder.manifest().provenance(figures).cloned();
        let geographies = Geographies::open(folder)?;
        let population = Population::open(folder)?;
        Ok(Self {
            zips: ZipCodes::of(&geographies, &population),
            geographies,
            population,
            exposures: Exposures::open(folder)?,
            about_zips: about(Figures::ZipPopulation)?,
            about_displays: about(Figures::Inventory)?,
        })
    }

    /// Returns the residents of a ZIP code per resident whose impressions are counted. Returns the nation's
    /// ratio for a ZIP code without such residents.
    pub(crate) fn residents_per_counted(&self, zip: u16, persons: Persons) -> f64 {
        let youngest = match persons {
            Persons::All => AgeBand::Age0,
            Persons::From5 => AgeBand::Age5,
            Persons::From18 => AgeBand::Age18,
        };
        let of = |area| {
            let residents = self.population.persons(Population::EVERYONE, area);
            let counted = self.population.cells(area).persons_of(aged(youngest), residents);
            f64::from(residents) / f64::from(counted)
        };
        let ratio = of(self.zips[usize::from(zip)].area);
        if ratio.is_finite() { ratio } else { of(self.geographies.nation()) }
    }
}

/// Returns the cells of persons in an age band or a higher one.
fn aged(youngest: AgeBand) -> CellSet {
    CellSet::men(youngest, AgeBand::Age85).and(CellSet::women(youngest, AgeBand::Age85))
}
