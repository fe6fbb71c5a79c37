//! The release data for cohorts, population, and markets.

use dataset::inventory::SpotCounts;
use dataset::{AreaNames, Figures, Folder, Geographies, Part, Population, Provenance, ReleaseError};

use crate::area_type::AreaType;

/// The release data that this function reads.
#[derive(Debug)]
pub struct Release {
    pub(crate) geographies: Geographies,
    pub(crate) names: AreaNames,
    pub(crate) population: Population,
    pub(crate) spots: SpotCounts,
    pub(crate) about_counties: Provenance,
    pub(crate) about_dmas: Provenance,
    pub(crate) about_zips: Provenance,
    pub(crate) about_geographies: Provenance,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 3] = [Part::Geographies, Part::Population, Part::SpotCounts];

    /// Opens a release. The error names the unusable file and states the reason.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = |figures| folder.manifest().provenance(figures).cloned();
        let geographies = Geographies::open(folder)?;
        Ok(Self {
            names: AreaNames::new(&geographies),
            geographies,
            population: Population::open(folder)?,
            spots: SpotCounts::open(folder)?,
            about_counties: about(Figures::CountyPopulation)?,
            about_dmas: about(Figures::DmaPopulation)?,
            about_zips: about(Figures::ZipPopulation)?,
            about_geographies: about(Figures::Geographies)?,
        })
    }

    /// Returns the provenance of population figures for one type of area.
    pub(crate) fn about_residents(&self, area_type: AreaType) -> &Provenance {
        match area_type {
            AreaType::Zip => &self.about_zips,
            AreaType::Dma => &self.about_dmas,
            AreaType::Msa | AreaType::Cbsa | AreaType::County | AreaType::State => &self.about_counties,
        }
    }
}
