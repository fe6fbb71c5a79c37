//! The release data for operations on places.

use std::sync::OnceLock;

use dataset::{
    AreaNames, Figures, Folder, Geographies, Geography, GeographyIndex, Glance, Maturity, Measure, Measures,
    NationalPopulation, Parents, Part, PlaceId, Places, Population, Provenance, ReleaseError, Report,
    VisitsByPlace,
};
use filters::SearchedPlaces;
use gateway::ApiError;
use release_store::{LaterParts, ReleaseConfig};
use serde::Serialize;

use crate::matching::KnownNames;

/// The release data that this function reads.
#[derive(Debug)]
pub struct Release {
    pub(crate) geographies: Geographies,
    pub(crate) population: NationalPopulation,
    pub(crate) places: Places,
    /// The weekly visits, which searches return and can sort by.
    pub(crate) visits: VisitsByPlace,
    /// The records of visits, which are fetched when a call first needs more than the weekly visits.
    measures: LaterParts<Measures>,
    /// The ZIP code population, which is fetched when a report first compares composed cohorts.
    zip_population: LaterParts<Population>,
    /// The cities and brands that match inputs are compared with. Computed by the first match request.
    known_names: OnceLock<KnownNames>,
    names: AreaNames,
    pub(crate) about_places: Provenance,
    about_modelled: Provenance,
    about_loaded: Provenance,
}

/// An area's ID and name.
#[derive(Debug, Serialize)]
pub(crate) struct AreaName {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Release {
    /// The parts of a release that this function reads at startup.
    pub const PARTS: [Part; 4] = [Part::Geographies, Part::NationalPopulation, Part::Places, Part::Visits];

    /// The parts that this function reads when a call first needs a place's record, or when a report first
    /// compares composed cohorts.
    pub const LATER_PARTS: [Part; 2] = [Part::Measures, Part::Population];

    /// Opens a release. The error names the unusable file and states the reason. The folder must also contain
    /// the later parts, unless [`with_later_parts_from`](Self::with_later_parts_from) sets another location.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = |figures| folder.manifest().provenance(figures).cloned();
        let geographies = Geographies::open(folder)?;
        Ok(Self {
            known_names: OnceLock::new(),
            names: AreaNames::new(&geographies),
            geographies,
            population: NationalPopulation::open(folder)?,
            places: Places::open(folder)?,
            visits: VisitsByPlace::open(folder)?,
            measures: LaterParts::new(folder, &[Part::Measures], Measures::open),
            zip_population: LaterParts::new(folder, &[Part::Population], Population::open),
            about_places: about(Figures::Places)?,
            about_modelled: about(Figures::ModelledMeasures)?,
            // Without imported measures, the release has no provenance for them, and this field is never
            // used.
            about_loaded: about(Figures::LoadedMeasures).or_else(|_| about(Figures::ModelledMeasures))?,
        })
    }

    /// Configures the later parts to be fetched from the location in `config` instead of the opened folder.
    #[must_use]
    pub fn with_later_parts_from(self, config: &ReleaseConfig) -> Self {
        Self {
            measures: self.measures.fetched_with(config),
            zip_population: self.zip_population.fetched_with(config),
            ..self
        }
    }
}

impl Release {
    /// Returns the data that a search's filter is resolved against.
    pub(crate) fn searched(&self) -> SearchedPlaces<'_> {
        SearchedPlaces { places: &self.places, geographies: &self.geographies, names: &self.names }
    }

    /// Returns the ZIP code population. Fetches it on first use.
    pub(crate) async fn zip_population(&self) -> Result<&Population, ApiError> {
        self.zip_population.get().await.map_err(|_| ApiError::release_not_ready())
    }

    pub(crate) fn known_names(&self) -> &KnownNames {
        self.known_names.get_or_init(|| KnownNames::new(&self.places))
    }

    /// Returns a place's measured or modelled record, or `None` if the place has no record. Fetches all
    /// records on first use.
    pub(crate) async fn measure(&self, place: PlaceId) -> Result<Option<Measure>, ApiError> {
        let measures = self.measures.get().await.map_err(|_| ApiError::release_not_ready())?;
        measures.get(place).map_err(|error| {
            tracing::error!(event = "release_unreadable", %error);
            ApiError::internal()
        })
    }

    /// Returns a place's name, or an empty string if the place doesn't exist.
    pub(crate) fn place_name(&self, id: PlaceId) -> String {
        self.places.find(id).map(|place| self.places.get(place).name.to_owned()).unwrap_or_default()
    }

    /// Creates a report from one record, or from the sum of several records.
    pub(crate) fn report(&self, measure: &Measure) -> Report {
        let parents = |zip| {
            let Geography { county, dma, state, .. } = self.geographies.get(zip);
            Parents { county, dma, state }
        };
        Report::new(measure, &|segment| self.population.share(segment), &parents)
    }

    /// Returns the provenance of measures. Measures count as modelled if any part of them is modelled.
    pub(crate) fn about_measures(&self, modelled: bool) -> &Provenance {
        if modelled { &self.about_modelled } else { &self.about_loaded }
    }

    /// Returns the maturity of a record's figures, except for the shares of cohorts.
    pub(crate) fn maturity(&self, measure: &Measure) -> Maturity {
        self.about_measures(measure.modelled).data_maturity
    }

    /// Returns the provenance of the places on a page, or of their measures if any were read.
    pub(crate) fn about_found(&self, seen: &[Option<Glance>]) -> &Provenance {
        match seen.iter().flatten().map(|record| record.modelled).max() {
            Some(modelled) => self.about_measures(modelled),
            None => &self.about_places,
        }
    }

    pub(crate) fn area(&self, index: GeographyIndex) -> AreaName {
        let geography = self.geographies.get(index);
        AreaName { id: geography.id.to_string(), name: geography.name.to_owned() }
    }
}
