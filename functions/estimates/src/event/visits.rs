//! The release data on visits to places. Only event estimates need it.

use dataset::{Figures, Folder, Measure, Measures, Part, PlaceId, Places, Provenance, ReleaseError};
use gateway::ApiError;

#[derive(Debug)]
pub(crate) struct Visits {
    pub(crate) places: Places,
    measures: Measures,
    about_modelled: Provenance,
    about_counted: Provenance,
}

impl Visits {
    pub(crate) const PARTS: [Part; 2] = [Part::Places, Part::Measures];

    pub(crate) fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = |figures| folder.manifest().provenance(figures).cloned();
        Ok(Self {
            places: Places::open(folder)?,
            measures: Measures::open(folder)?,
            about_modelled: about(Figures::ModelledMeasures)?,
            // A release whose visits are all modelled has no provenance of counted visits.
            about_counted: about(Figures::LoadedMeasures).or_else(|_| about(Figures::ModelledMeasures))?,
        })
    }

    pub(crate) fn measure(&self, place: PlaceId) -> Result<Option<Measure>, ApiError> {
        self.measures.get(place).map_err(|error| {
            tracing::error!(event = "release_unreadable", %error);
            ApiError::internal()
        })
    }

    /// Returns the provenance of a set of visits. If any of the visits are modelled, it's the provenance of
    /// modelled visits.
    pub(crate) fn about(&self, are_modelled: bool) -> &Provenance {
        if are_modelled { &self.about_modelled } else { &self.about_counted }
    }
}
