//! The inventory in a release, read from its file.

use std::path::Path;

use provenance::RecordSource;

use super::field::{Field, Stored};
use super::field_set::FieldSet;
use super::geo_points::GeoPoints;
use super::id::{SpotId, SpotIndex};
use super::layouts::LayoutColumn;
use super::normalize::FOLDING;
use super::plant_spots::PlantSpots;
use super::positions::Positions;
use crate::index::{
    FlagColumn, Indexing, Normalization, NumberColumn, StoredBits, TextColumn, ZOrder, normalize,
};
use crate::position::Position;
use crate::record_sources::RecordSources;
use crate::release::file::{Ascending, SectionFile};
use crate::release::{Folder, Part, ReleaseError};

/// The section with the spot IDs. This section and the following ones aren't named after a field.
pub(super) const IDS: &str = "ids";
pub(super) const MEASURED: &str = "measured";
pub(super) const POINTS: &str = "points";
/// The section with each spot's media owner.
pub(super) const OPERATOR: &str = "operator";
pub(super) const REPRESENTATIONS: &str = "representations";
pub(super) const PLACES: &str = "location.places";
pub(super) const MODELLED: &str = "modelled";
pub(super) const UNMODELLED: &str = "unmodelled";

/// The fields that contain the media owners' own IDs.
const LAYOUTS: FieldSet = FieldSet::at("layouts").expect("a member");

/// The spots in a release and their search indexes.
#[derive(Clone, Debug)]
pub struct Inventory {
    pub(super) ids: Ascending,
    pub(super) measured: StoredBits,
    /// The spots without modelled members. Empty if the release has no modelled members.
    pub(super) unmodelled: StoredBits,
    /// The columns of flags, indexed by field. `None` for fields that are stored differently. The same
    /// applies to `texts` and `numbers`.
    flags: Vec<Option<FlagColumn>>,
    texts: Vec<Option<TextColumn>>,
    numbers: Vec<Option<NumberColumn>>,
    /// All fields, except those in `texts` and `numbers` that have no values.
    pub(super) present: FieldSet,
    pub(super) operators: TextColumn,
    pub(super) plant_spots: PlantSpots,
    pub(super) geo_points: GeoPoints,
    pub(super) positions: Positions,
    /// The positions of the measured spots on the Z-order curve.
    pub(crate) points: ZOrder,
    pub(super) layouts: LayoutColumn,
    /// Each spot's representations, as JSON. Identical lists are stored only once. The same applies to
    /// `places` and `modelled`.
    pub(super) representations: TextColumn,
    pub(super) places: TextColumn,
    pub(super) modelled: TextColumn,
    pub(super) sources: RecordSources,
}

/// The properties of a spot that a map shows.
#[derive(Clone, Copy, Debug)]
pub struct MapFace<'a> {
    pub spot_id: SpotId,
    pub media_type: Option<&'a str>,
    pub digital: Option<bool>,
    pub operator: Option<&'a str>,
    pub dma: Option<&'a str>,
    /// Whether none of the spot's members are modelled. Always false if the release has no modelled members.
    pub is_unmodelled: bool,
}

impl Inventory {
    /// Opens the inventory in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Inventory)?)
    }

    /// Opens an inventory file that isn't listed in a manifest yet.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(&SectionFile::open(path)?)
    }

    pub(super) fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let ids = file.ascending(IDS)?;
        let spots = ids.len();
        let flag = |field: Field| match field.stored() {
            Stored::Flag(_) => FlagColumn::open(file, field.path()).map(Some),
            _ => Ok(None),
        };
        let text = |field: Field| match field.stored() {
            Stored::Text(indexing, _) => {
                TextColumn::open(file, field.path(), FOLDING, indexing, spots).map(Some)
            }
            _ => Ok(None),
        };
        let number = |field: Field| match field.stored() {
            Stored::Integer(_) | Stored::Number(_) => NumberColumn::open(file, field.path()).map(Some),
            _ => Ok(None),
        };
        let stored = |section| TextColumn::open(file, section, Normalization::AsIs, Indexing::Stored, spots);
        let texts: Vec<_> = Field::ALL.into_iter().map(text).collect::<Result<_, _>>()?;
        let numbers: Vec<_> = Field::ALL.into_iter().map(number).collect::<Result<_, _>>()?;
        Ok(Self {
            measured: StoredBits::open(file, MEASURED)?,
            unmodelled: StoredBits::open(file, UNMODELLED)?,
            flags: Field::ALL.into_iter().map(flag).collect::<Result<_, _>>()?,
            present: present(&texts, &numbers),
            texts,
            numbers,
            operators: TextColumn::open(file, OPERATOR, FOLDING, Indexing::Filtered, spots)?,
            plant_spots: PlantSpots::open(file)?,
            geo_points: GeoPoints::open(file, spots)?,
            positions: Positions::open(file, POINTS)?,
            points: ZOrder::open(file, POINTS)?,
            layouts: LayoutColumn::open(file, spots)?,
            representations: stored(REPRESENTATIONS)?,
            places: stored(PLACES)?,
            modelled: stored(MODELLED)?,
            sources: RecordSources::open(file, spots)?,
            ids,
        })
    }

    /// Returns the number of spots, including unmeasured spots, which searches don't return.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.len() == 0
    }

    /// Returns the positions of all spots, sorted by ID.
    pub fn indexes(&self) -> impl ExactSizeIterator<Item = SpotIndex> + use<> {
        (0..u32::try_from(self.len()).expect("positions fit")).map(SpotIndex::from_raw)
    }

    pub fn find(&self, id: SpotId) -> Option<SpotIndex> {
        u32::try_from(self.ids.find(id.raw())?).ok().map(SpotIndex::from_raw)
    }

    /// Finds spots by their media owner and the owner's own ID, and returns them sorted by spot ID. The
    /// comparison of owner names ignores case, accents, and repeated spaces. The ID must match exactly.
    pub fn find_plant_spots(
        &self,
        media_owner: &str,
        plant_spot_id: &str,
    ) -> impl Iterator<Item = SpotIndex> {
        let owner = normalize(media_owner);
        let is_owners =
            move |spot: &SpotIndex| self.operator(*spot).is_some_and(|name| normalize(name) == owner);
        self.with_plant_spot_id(plant_spot_id, is_owners)
    }

    /// Finds spots by a media owner's own ID, and returns those that meet a condition, sorted by spot ID.
    pub(super) fn with_plant_spot_id(
        &self,
        plant_spot_id: &str,
        condition: impl Fn(&SpotIndex) -> bool,
    ) -> impl Iterator<Item = SpotIndex> {
        let has_id =
            move |spot: &SpotIndex| self.record(*spot, LAYOUTS).plant_spot_id() == Some(plant_spot_id);
        self.plant_spots.candidates(plant_spot_id).filter(condition).filter(has_id)
    }

    /// Returns the ID of a spot.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range, which can happen if it's from a different release. This also
    /// applies to the other functions that take an index.
    pub fn id(&self, index: SpotIndex) -> SpotId {
        SpotId::from_raw(self.ids.get(index.raw() as usize).expect("the position is from this release"))
    }

    /// Returns whether a spot is measured. Its measurements can be modelled. Searches return only measured
    /// spots.
    pub fn has_measures(&self, index: SpotIndex) -> bool {
        self.measured.get(index.raw())
    }

    pub fn position(&self, index: SpotIndex) -> Position {
        self.positions.get(index.raw())
    }

    /// Returns the data source of a spot's record.
    pub fn source(&self, index: SpotIndex) -> RecordSource {
        self.sources.get(index.raw())
    }

    /// Returns the distinct data sources of the given spots' records.
    pub fn sources_of(&self, spots: &[SpotIndex]) -> Vec<RecordSource> {
        self.sources.used(spots.iter().map(|spot| spot.raw()))
    }

    /// Returns the media owner's name for a spot's display.
    pub fn media_name(&self, index: SpotIndex) -> Option<&str> {
        self.text(Field::MediaName).get(index.raw())
    }

    /// Returns the media type of a spot's display, such as a bulletin.
    pub fn media_type(&self, index: SpotIndex) -> Option<&str> {
        self.text(Field::MediaType).get(index.raw())
    }

    /// Returns the name of a spot's media owner.
    pub fn operator(&self, index: SpotIndex) -> Option<&str> {
        self.operators.get(index.raw())
    }

    /// Returns whether none of a spot's members are modelled. Always returns false if the release has no
    /// modelled members.
    pub fn is_unmodelled(&self, index: SpotIndex) -> bool {
        !self.unmodelled.is_empty() && self.unmodelled.get(index.raw())
    }

    /// Returns the properties of a spot that a map shows.
    pub fn map_face(&self, index: SpotIndex) -> MapFace<'_> {
        let spot = index.raw();
        MapFace {
            spot_id: self.id(index),
            media_type: self.media_type(index),
            digital: self.flag(Field::Digital).get(spot),
            operator: self.operator(index),
            dma: self.text(Field::DmaName).get(spot),
            is_unmodelled: self.is_unmodelled(index),
        }
    }

    pub(super) fn flag(&self, field: Field) -> &FlagColumn {
        self.flags[field as usize].as_ref().expect("the field is stored as a flag")
    }

    pub(super) fn text(&self, field: Field) -> &TextColumn {
        self.texts[field as usize].as_ref().expect("the field is stored as text")
    }

    pub(super) fn number(&self, field: Field) -> &NumberColumn {
        self.numbers[field as usize].as_ref().expect("the field is stored as a number")
    }
}

/// Returns all fields except those whose columns have no values.
fn present(texts: &[Option<TextColumn>], numbers: &[Option<NumberColumn>]) -> FieldSet {
    let is_missing = |field: Field| {
        let text = texts[field as usize].as_ref().is_some_and(|column| column.values().len() == 0);
        text || numbers[field as usize].as_ref().is_some_and(NumberColumn::is_empty)
    };
    let missing = Field::ALL.into_iter().filter(|field| is_missing(*field));
    missing.fold(FieldSet::ALL, FieldSet::without)
}
