use std::sync::Arc;

use dataset::{
    Figures, Folder, Geographies, GeographyIndex, Measures, Part, Places, Population, Provenance, ReleaseError,
};
use serde::Serialize;

/// What this function reads of a data release.
#[derive(Clone, Debug)]
pub struct Release(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) geographies: Geographies,
    pub(crate) population: Population,
    pub(crate) places: Places,
    pub(crate) measures: Measures,
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
    pub const PARTS: [Part; 4] = Part::ALL;

    /// Opens a release.
    ///
    /// # Errors
    ///
    /// The file that cannot be used, and why.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = |figures| folder.manifest().provenance(figures).cloned();
        Ok(Self(Arc::new(Inner {
            geographies: Geographies::open(folder)?,
            population: Population::open(folder)?,
            places: Places::open(folder)?,
            measures: Measures::open(folder)?,
            about_places: about(Figures::Places)?,
            about_modelled: about(Figures::ModelledMeasures)?,
            about_loaded: about(Figures::LoadedMeasures)?,
        })))
    }
}

impl Inner {
    /// Tells where measures come from; what a model had a part in counts as modelled.
    pub(crate) fn about_measures(&self, modelled: bool) -> &Provenance {
        if modelled { &self.about_modelled } else { &self.about_loaded }
    }

    pub(crate) fn area(&self, index: GeographyIndex) -> Area {
        let geography = self.geographies.get(index);
        Area { id: geography.id.to_string(), name: geography.name.to_owned() }
    }
}

impl std::ops::Deref for Release {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
