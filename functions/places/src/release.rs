//! What the operations on places read of a data release.

use std::collections::BTreeMap;

use dataset::{
    Figures, Folder, Geographies, Geography, GeographyIndex, GeographyType, Measure, Measures, Parents, Part,
    PlaceId, Places, Population, ReleaseError, Report, SegmentIndex, fold,
};
use release_store::provenance;
use serde::Serialize;
use shared::http::ApiError;
use shared::types::Provenance;

/// What this function reads of a data release.
#[derive(Debug)]
pub struct Release {
    pub(crate) geographies: Geographies,
    pub(crate) population: Population,
    pub(crate) places: Places,
    pub(crate) measures: Measures,
    /// The abbreviations of the states, by their folded names.
    abbreviations: BTreeMap<String, String>,
    pub(crate) about_places: Provenance,
    about_modelled: Provenance,
    about_loaded: Provenance,
}

/// An area by its id and name.
#[derive(Debug, Serialize)]
pub(crate) struct Area {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Release {
    /// The parts of a release that this function reads.
    pub const PARTS: [Part; 4] = [Part::Geographies, Part::Population, Part::Places, Part::Measures];

    /// Opens a release.
    ///
    /// # Errors
    ///
    /// The file that cannot be used, and why.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = |figures| provenance(folder, figures);
        let geographies = Geographies::open(folder)?;
        Ok(Self {
            abbreviations: abbreviations(&geographies),
            geographies,
            population: Population::open(folder)?,
            places: Places::open(folder)?,
            measures: Measures::open(folder)?,
            about_places: about(Figures::Places)?,
            about_modelled: about(Figures::ModelledMeasures)?,
            // A release into which nothing was loaded does not say where that came from, and has none of it.
            about_loaded: about(Figures::LoadedMeasures).or_else(|_| about(Figures::ModelledMeasures))?,
        })
    }
}

impl Release {
    /// Returns the abbreviation of a state that is given by its name; any other text stays as it is.
    pub(crate) fn abbreviation(&self, state: &str) -> String {
        self.abbreviations.get(&fold(state)).map_or(state, String::as_str).to_owned()
    }

    /// Returns a place's record; `None` when it has none.
    pub(crate) fn measure(&self, place: PlaceId) -> Result<Option<Measure>, ApiError> {
        self.measures.get(place).map_err(|error| {
            tracing::error!(event = "release_unreadable", %error);
            ApiError::internal()
        })
    }

    /// Returns the name of a place; of one that there is not, an empty text.
    pub(crate) fn place_name(&self, id: PlaceId) -> String {
        self.places.find(id).map(|place| self.places.get(place).name.to_owned()).unwrap_or_default()
    }

    /// Returns a cohort's share of the nation, from 0 to 1.
    pub(crate) fn national_share(&self, segment: SegmentIndex) -> f64 {
        let persons = |segment| f64::from(self.population.persons(segment, self.geographies.nation()));
        persons(segment) / persons(Population::EVERYONE)
    }

    /// Reports a record, or the sum of several.
    pub(crate) fn report(&self, measure: &Measure) -> Report {
        let parents = |zip| {
            let Geography { county, dma, state, .. } = self.geographies.get(zip);
            Parents { county, dma, state }
        };
        Report::new(measure, &|segment| self.national_share(segment), &parents)
    }

    /// Tells where measures come from; what a model had a part in counts as modelled.
    pub(crate) fn about_measures(&self, modelled: bool) -> &Provenance {
        if modelled { &self.about_modelled } else { &self.about_loaded }
    }

    pub(crate) fn area(&self, index: GeographyIndex) -> Area {
        let geography = self.geographies.get(index);
        Area { id: geography.id.to_string(), name: geography.name.to_owned() }
    }
}

/// Finds the abbreviations in the names of counties, which end in them.
fn abbreviations(geographies: &Geographies) -> BTreeMap<String, String> {
    let counties = geographies.of_type(GeographyType::County).map(|county| geographies.get(county));
    let pair = |county: Geography<'_>| {
        let (_, abbreviation) = county.name.rsplit_once(", ")?;
        Some((fold(geographies.get(county.state?).name), abbreviation.to_owned()))
    };
    counties.filter_map(pair).collect()
}
