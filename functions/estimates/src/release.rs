//! The release data for estimates.

use contact_model::ZipCodes;
use dataset::cohorts::{AgeBand, CellSet};
use dataset::{
    Exposures, Figures, Folder, Geographies, GeographyIndex, Part, Persons, Population, Provenance,
    ReleaseError,
};
use gateway::ApiError;
use release_store::{LaterParts, ReleaseConfig};

use crate::event::Visits;

/// The release data that this function reads.
#[derive(Debug)]
pub struct Release {
    pub(crate) name: String,
    pub(crate) geographies: Geographies,
    pub(crate) population: Population,
    pub(crate) exposures: Exposures,
    pub(crate) zips: ZipCodes,
    pub(crate) about_zips: Provenance,
    pub(crate) about_displays: Provenance,
    /// The visits to places, which are fetched when a call first estimates an event.
    visits: LaterParts<Visits>,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 3] = [Part::Geographies, Part::Population, Part::Exposures];

    /// The parts that this function reads in the first call that estimates an event.
    pub const LATER_PARTS: [Part; 2] = Visits::PARTS;

    /// Opens a release. The error names the unusable file and states the reason. The folder must also contain
    /// the later parts, unless [`with_later_parts_from`](Self::with_later_parts_from) sets another location.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = |figures| folder.manifest().provenance(figures).cloned();
        let geographies = Geographies::open(folder)?;
        let population = Population::open(folder)?;
        Ok(Self {
            name: folder.manifest().name.clone(),
            zips: ZipCodes::of(&geographies, &population),
            geographies,
            population,
            exposures: Exposures::open(folder)?,
            about_zips: about(Figures::ZipPopulation)?,
            about_displays: about(Figures::Inventory)?,
            visits: LaterParts::new(folder, &Self::LATER_PARTS, Visits::open),
        })
    }

    /// Configures the later parts to be fetched from the location in `config` instead of the opened folder.
    #[must_use]
    pub fn with_later_parts_from(self, config: &ReleaseConfig) -> Self {
        Self { visits: self.visits.fetched_with(config), ..self }
    }
}

impl Release {
    /// Returns the visits to places. Fetches them on first use.
    pub(crate) async fn visits(&self) -> Result<&Visits, ApiError> {
        self.visits.get().await.map_err(|_| ApiError::release_not_ready())
    }

    /// Returns a ZIP code's position in `zips`, or `None` if the area isn't a ZIP code.
    pub(crate) fn zip(&self, area: GeographyIndex) -> Option<usize> {
        self.zips.binary_search_by_key(&area, |zip| zip.area).ok()
    }

    /// Returns the ratio of all residents of a ZIP code to the residents whose impressions are counted. If no
    /// counted residents live in the ZIP code, returns the nation's ratio.
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

/// Returns the population cells for all persons in the given age band or an older one.
fn aged(youngest: AgeBand) -> CellSet {
    CellSet::men(youngest, AgeBand::Age85).and(CellSet::women(youngest, AgeBand::Age85))
}
