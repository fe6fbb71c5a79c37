//! The release data for inventory search and display lookup.

use dataset::inventory::{Inventory, SpotIndex, TextCriterion, nearest_venue_types, venue_types_under};
use dataset::{
    AreaKind, AreaNames, Figures, Folder, Geographies, GeographyIndex, Maturity, Part, Places, Provenance,
    ReleaseError,
};
use filters::SearchedPlaces;
use gateway::{ApiError, InvalidValue, unknown_name};
use release_store::{LaterParts, ReleaseConfig};

use crate::index::{DisplayIndex, Indexes};

/// The release data that this function reads.
#[derive(Debug)]
pub struct Release {
    pub(crate) inventory: Inventory,
    pub(crate) about: Provenance,
    geographies: Geographies,
    names: AreaNames,
    /// The places, which are fetched when a search first has a criterion for nearby places.
    places: LaterParts<Places>,
    /// The data for indexes, which is fetched when a search first names a cohort.
    indexes: LaterParts<Indexes>,
    pub(crate) about_zips: Provenance,
}

impl Release {
    /// The parts of a release that this function reads at startup.
    pub const PARTS: [Part; 2] = [Part::Geographies, Part::Inventory];

    /// The parts that this function reads when a search first has a criterion for nearby places or names a
    /// cohort.
    pub const LATER_PARTS: [Part; 3] = [Part::Places, Indexes::PARTS[0], Indexes::PARTS[1]];

    /// Opens a release. The error names the unusable file and states the reason. The folder must also contain
    /// the later parts, unless [`with_later_parts_from`](Self::with_later_parts_from) sets another location.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        let about = folder.manifest().provenance(Figures::Inventory)?.clone();
        let geographies = Geographies::open(folder)?;
        let names = AreaNames::new(&geographies);
        Ok(Self {
            inventory: Inventory::open(folder)?,
            about,
            geographies,
            names,
            places: LaterParts::new(folder, &[Part::Places], Places::open),
            indexes: LaterParts::new(folder, &Indexes::PARTS, Indexes::open),
            about_zips: folder.manifest().provenance(Figures::ZipPopulation)?.clone(),
        })
    }

    /// Configures the later parts to be fetched from the location in `config` instead of the opened folder.
    #[must_use]
    pub fn with_later_parts_from(self, config: &ReleaseConfig) -> Self {
        Self { places: self.places.fetched_with(config), indexes: self.indexes.fetched_with(config), ..self }
    }
}

impl Release {
    /// Returns the data that a place filter is resolved against. Fetches the places on first use.
    pub(crate) async fn searched(&self) -> Result<SearchedPlaces<'_>, ApiError> {
        let places = self.places.get().await.map_err(|_| ApiError::release_not_ready())?;
        Ok(SearchedPlaces { places, geographies: &self.geographies, names: &self.names })
    }

    /// Returns the index of displays for the cohort with the given ID. Fetches the data on first use.
    pub(crate) async fn index(&self, cohort: &str) -> Result<DisplayIndex<'_>, ApiError> {
        let indexes = self.indexes.get().await.map_err(|_| ApiError::release_not_ready())?;
        Ok(indexes.of(&self.geographies, cohort)?)
    }

    /// Returns the maturity of a spot's display. It's production if other displays are modelled and this one
    /// isn't, and otherwise the inventory's maturity.
    pub(crate) fn maturity(&self, spot: SpotIndex) -> Maturity {
        if self.inventory.is_unmodelled(spot) { Maturity::Production } else { self.about.data_maturity }
    }

    /// Returns the values that match a criterion's text. For an area, these are the names of all areas with
    /// the given name, as spelled in the records, and the text itself. For a venue type, these are the type
    /// and all types below it. For other criteria, it's only the text. Returns an error for an unknown venue
    /// type, and for an area name that neither the geographies nor the records contain.
    pub(crate) fn spellings(
        &self,
        criterion: TextCriterion,
        text: String,
    ) -> Result<Vec<String>, InvalidValue> {
        if criterion == TextCriterion::VenueType {
            return venue_types(&text);
        }
        let Some(kind) = area_kind(criterion) else { return Ok(vec![text]) };
        let areas = self.names.find(kind, &text);
        if areas.is_empty() && !self.inventory.has_text(criterion, &text) {
            let nearest = self.names.nearest(kind, &text);
            return Err(InvalidValue(unknown_name(kind.name(), &text, &nearest, kind.list())));
        }
        let name = |area: &GeographyIndex| self.geographies.get(*area).name.to_owned();
        Ok(areas.iter().map(name).chain([text]).collect())
    }
}

fn venue_types(text: &str) -> Result<Vec<String>, InvalidValue> {
    let found: Vec<String> = venue_types_under(text).map(str::to_owned).collect();
    if found.is_empty() {
        let nearest = nearest_venue_types(text);
        let list = "the OpenOOH venue taxonomy 1.1";
        return Err(InvalidValue(unknown_name("venue type", text, &nearest, list)));
    }
    Ok(found)
}

fn area_kind(criterion: TextCriterion) -> Option<AreaKind> {
    match criterion {
        TextCriterion::CbsaName => Some(AreaKind::Cbsa),
        TextCriterion::CountyName => Some(AreaKind::County),
        TextCriterion::DmaName => Some(AreaKind::Dma),
        TextCriterion::State => Some(AreaKind::State),
        TextCriterion::ZipCode
        | TextCriterion::MediaTypeName
        | TextCriterion::MediaName
        | TextCriterion::ConstructionTypeName
        | TextCriterion::IlluminationTypeName
        | TextCriterion::MediaOwner
        | TextCriterion::VenueType => None,
    }
}
