//! The places in a release, read from their file.

use std::path::Path;

use provenance::RecordSource;
use zerocopy::little_endian::U32;

use super::areas::Areas;
use super::id::PlaceId;
use super::place::{NewPlace, Place, PlaceIndex};
use super::row::{PlaceRow, geography};
use crate::geographies::GeographyIndex;
use crate::index::{Indexing, Normalization, Ordinals, TextColumn, Words, ZOrder};
use crate::record_sources::RecordSources;
use crate::release::file::{Rows, SectionFile, Texts};
use crate::release::{Folder, Part, ReleaseError};

/// The places in a release and their search indexes.
#[derive(Clone, Debug)]
pub struct Places {
    pub(super) rows: Rows<PlaceRow>,
    /// The strings that the rows refer to by number.
    pub(super) texts: Texts,
    /// The word index of place names.
    pub(super) names: Words,
    pub(super) types: TextColumn,
    /// The ID of each place type, sorted by the type's normalized name.
    pub(super) type_ids: Rows<U32>,
    pub(super) cities: TextColumn,
    pub(super) states: TextColumn,
    pub(super) zips: TextColumn,
    /// The normalized brands. Places without a brand don't have a value.
    pub(super) brands: TextColumn,
    pub(super) dmas: Areas,
    pub(super) counties: Areas,
    /// The normalized street address of each place.
    pub(super) streets: Texts,
    /// The positions of the places, sorted by ID.
    pub(super) by_id: Rows<U32>,
    /// The rank of each place when sorted by ID.
    pub(super) id_ranks: Rows<U32>,
    pub(super) name_ranks: Ordinals,
    pub(super) street_ranks: Ordinals,
    pub(super) dma_ranks: Ordinals,
    pub(super) county_ranks: Ordinals,
    pub(super) cbsa_ranks: Ordinals,
    pub(crate) points: ZOrder,
    pub(super) sources: RecordSources,
}

impl Places {
    /// Opens the places in a release folder.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Places)?)
    }

    /// Opens a places file that isn't listed in a manifest yet.
    pub fn open_file(path: &Path) -> Result<Self, ReleaseError> {
        Self::from_file(&SectionFile::open(path)?)
    }

    fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let rows: Rows<PlaceRow> = file.rows("place")?;
        let places = rows.len();
        let column =
            |section| TextColumn::open(file, section, Normalization::AsIs, Indexing::Filtered, places);
        let ranks = |section| Ordinals::open(file, section, places);
        Ok(Self {
            texts: file.texts("text")?,
            names: Words::open(file, "name", places)?,
            types: column("type")?,
            type_ids: file.rows("type.ids")?,
            cities: column("city")?,
            states: column("state")?,
            zips: column("zip")?,
            brands: column("brand")?,
            dmas: Areas::open(file, "dma", places)?,
            counties: Areas::open(file, "county", places)?,
            streets: file.texts("street")?,
            by_id: file.rows("order.id")?,
            id_ranks: file.rows("rank.id")?,
            name_ranks: ranks("rank.name")?,
            street_ranks: ranks("rank.street")?,
            dma_ranks: ranks("rank.dma")?,
            county_ranks: ranks("rank.county")?,
            cbsa_ranks: ranks("rank.cbsa")?,
            points: ZOrder::open(file, "points")?,
            sources: RecordSources::open(file, rows.len())?,
            rows,
        })
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the positions of all places, in the default order of search results.
    pub fn indexes(&self) -> impl ExactSizeIterator<Item = PlaceIndex> + use<> {
        (0..u32::try_from(self.len()).expect("positions fit")).map(PlaceIndex::from_raw)
    }

    pub fn find(&self, id: PlaceId) -> Option<PlaceIndex> {
        let (by_id, rows) = (&*self.by_id, &*self.rows);
        let at = by_id.binary_search_by_key(&id.raw(), |place| rows[place.get() as usize].id.get()).ok()?;
        Some(PlaceIndex::from_raw(by_id[at].get()))
    }

    /// Returns the place at the given position.
    ///
    /// # Panics
    ///
    /// Panics if the position is out of range, which can happen if it's from a different release.
    pub fn get(&self, index: PlaceIndex) -> Place<'_> {
        let row = &self.rows[index.raw() as usize];
        let [name, brand, place_type, street_address, city, state, zip_code, published_date, register_id] =
            row.texts.map(|number| self.texts.get(number.get() as usize));
        let [county, cbsa, dma, zip] = row.geographies.map(geography);
        Place {
            id: PlaceId::from_raw(row.id.get()),
            name,
            brand: Some(brand).filter(|brand| !brand.is_empty()),
            place_type_id: row.place_type_id.get(),
            place_type,
            street_address,
            city,
            state,
            zip_code,
            latitude: row.latitude.get(),
            longitude: row.longitude.get(),
            published_date,
            register_id,
            county,
            cbsa,
            dma,
            zip,
        }
    }

    /// Returns the ID of the place at the given position. Takes less time than [`get`](Self::get), which reads
    /// all texts.
    ///
    /// # Panics
    ///
    /// Panics if the position is out of range.
    pub fn id(&self, index: PlaceIndex) -> PlaceId {
        PlaceId::from_raw(self.rows[index.raw() as usize].id.get())
    }

    /// Returns the data source of a place's record.
    pub fn source(&self, index: PlaceIndex) -> RecordSource {
        self.sources.get(index.raw())
    }

    /// Returns the distinct data sources of the given places' records.
    pub fn sources_of(&self, places: &[PlaceIndex]) -> Vec<RecordSource> {
        self.sources.used(places.iter().map(|place| place.raw()))
    }

    /// Checks that all places refer to existing geographies. `geographies` is the number of geographies in
    /// the release.
    ///
    /// # Errors
    ///
    /// Returns an error for the first place that refers to an unknown geography.
    pub fn check(&self, geographies: usize) -> Result<(), ReleaseError> {
        let is_beyond = |row: &&PlaceRow| {
            let areas = row.geographies.into_iter().filter_map(geography);
            areas.map(GeographyIndex::position).any(|area| area >= geographies)
        };
        match self.rows.iter().find(is_beyond) {
            Some(row) => Err(ReleaseError::inconsistent(
                Part::Places.file(),
                format!("place {}: refers to an unknown geography", row.id),
            )),
            None => Ok(()),
        }
    }

    /// Copies all places, so that they can be rewritten along with new places.
    pub fn to_new(&self) -> Vec<NewPlace> {
        self.indexes().map(|index| NewPlace::copied(self.get(index), self.source(index))).collect()
    }
}
