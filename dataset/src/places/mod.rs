//! The places of a release and their search.
//!
//! Places lie in the order in which a search gives them when it asks for no other: by folded name, then by id.

mod check;
mod column;
mod lists;
mod place_id;
mod query;
mod search;
mod text;

mod wildcard;
pub mod writer;

use zerocopy::little_endian::{F64, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::file::{Rows, SectionFile, Texts};
use crate::morton::Morton;
use crate::{Folder, GeographyIndex, Part, ReleaseError};

pub use place_id::number_of;
pub use place_id::{ParsePlaceIdError, PlaceId};
pub use query::{Found, PlaceQuery, PlaceSort, PlaceSortField};
pub use text::fold;
pub(crate) use text::{APOSTROPHES, words};
pub(crate) use wildcard::Wildcard;

use crate::vocabulary::{Postings, Vocabulary};
use column::Column;
pub use writer::NewPlace;

/// Stands for no geography.
const NONE: u32 = u32::MAX;

/// The position of a place in its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceIndex(u32);

impl PlaceIndex {
    /// Returns the position.
    pub const fn raw(self) -> u32 {
        self.0
    }
}

/// A place of a release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place<'a> {
    /// Given by its operator; or derived, and the same as long as name, street address and ZIP code are.
    pub id: PlaceId,
    /// What it is called.
    pub name: &'a str,
    /// The brand that it belongs to; empty without one.
    pub brand: &'a str,
    /// Follows from the name of its type.
    pub place_type_id: u32,
    /// What kind of place it is.
    pub place_type: &'a str,
    /// House number and street; may be empty.
    pub street_address: &'a str,
    /// The postal city.
    pub city: &'a str,
    /// The state's abbreviation.
    pub state: &'a str,
    /// Five digits; outside the United States any text.
    pub zip_code: &'a str,
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
    /// When its entry was published, `YYYY-MM-DD`.
    pub published_date: &'a str,
    /// The county that it lies in.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that it lies in.
    pub cbsa: Option<GeographyIndex>,
    /// The television market that it lies in.
    pub dma: Option<GeographyIndex>,
    /// The area of its ZIP code.
    pub zip: Option<GeographyIndex>,
}

/// The places of a release, in their file.
#[derive(Clone, Debug)]
pub struct Places {
    rows: Rows<PlaceRow>,
    /// What the rows show.
    texts: Texts,
    words: Vocabulary,
    types: Column,
    type_ids: Rows<U32>,
    cities: Column,
    states: Column,
    zips: Column,
    dmas: Rows<U32>,
    dma_places: Postings,
    /// The folded street address of each place.
    streets: Texts,
    /// The places by ascending id, and the position of each place among them.
    by_id: Rows<U32>,
    id_ranks: Rows<U32>,
    name_ranks: Rows<U32>,
    street_ranks: Rows<U32>,
    dma_ranks: Rows<U32>,
    county_ranks: Rows<U32>,
    cbsa_ranks: Rows<U32>,
    morton: Morton,
}

impl Places {
    /// Opens the places of a release.
    ///
    /// # Errors
    ///
    /// When the file is not there, or is not whole.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Places)?)
    }

    /// Takes the places from their file.
    pub fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let places = Self {
            rows: file.rows("place")?,
            texts: file.texts("text")?,
            words: Vocabulary::open(file, "word")?,
            types: Column::open(file, "type")?,
            type_ids: file.rows("type.ids")?,
            cities: Column::open(file, "city")?,
            states: Column::open(file, "state")?,
            zips: Column::open(file, "zip")?,
            dmas: file.rows("dma")?,
            dma_places: Postings::open(file, "dma")?,
            streets: file.texts("street")?,
            by_id: file.rows("order.id")?,
            id_ranks: file.rows("rank.id")?,
            name_ranks: file.rows("rank.name")?,
            street_ranks: file.rows("rank.street")?,
            dma_ranks: file.rows("rank.dma")?,
            county_ranks: file.rows("rank.county")?,
            cbsa_ranks: file.rows("rank.cbsa")?,
            morton: Morton::open(file, "points")?,
        };
        places.check_lengths()?;
        Ok(places)
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the positions of all places, in the default order of a search.
    pub fn indexes(&self) -> impl ExactSizeIterator<Item = PlaceIndex> + use<> {
        (0..u32::try_from(self.len()).expect("positions fit")).map(PlaceIndex)
    }

    /// Finds a place by its id.
    pub fn find(&self, id: PlaceId) -> Option<PlaceIndex> {
        let (by_id, rows) = (&*self.by_id, &*self.rows);
        let at = by_id.binary_search_by_key(&id.raw(), |place| rows[place.get() as usize].id.get()).ok()?;
        Some(PlaceIndex(by_id[at].get()))
    }

    /// Returns a place.
    ///
    /// # Panics
    ///
    /// When the position is of another release with more places.
    pub fn get(&self, index: PlaceIndex) -> Place<'_> {
        let at = index.0 as usize;
        let row = &self.rows[at];
        let text = |number: U32| self.texts.get(number.get() as usize);
        Place {
            id: PlaceId::from_raw(row.id.get()),
            name: text(row.name),
            brand: text(row.brand),
            place_type_id: self.type_ids[self.types.numbers[at].get() as usize].get(),
            place_type: text(row.place_type),
            street_address: text(row.street_address),
            city: text(row.city),
            state: text(row.state),
            zip_code: text(row.zip_code),
            latitude: row.latitude.get(),
            longitude: row.longitude.get(),
            published_date: text(row.published_date),
            county: geography(row.county),
            cbsa: geography(row.cbsa),
            dma: geography(row.dma),
            zip: geography(row.zip),
        }
    }

    /// Returns the places in Morton order.
    pub(crate) fn morton(&self) -> &Morton {
        &self.morton
    }

    /// Returns the place at a position.
    pub fn at(&self, position: u32) -> Place<'_> {
        self.get(PlaceIndex(position))
    }

    /// Returns copies of all places, so that others can be written with them.
    pub fn to_new(&self) -> Vec<NewPlace> {
        self.indexes().map(|index| NewPlace::from(self.get(index))).collect()
    }
}

/// A place in the file: texts by their numbers, geographies by their positions.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PlaceRow {
    id: U64,
    latitude: F64,
    longitude: F64,
    name: U32,
    brand: U32,
    place_type: U32,
    street_address: U32,
    city: U32,
    state: U32,
    zip_code: U32,
    published_date: U32,
    county: U32,
    cbsa: U32,
    dma: U32,
    zip: U32,
}

impl PlaceRow {
    fn texts(&self) -> [U32; 8] {
        let Self { name, brand, place_type, street_address, city, state, zip_code, published_date, .. } = *self;
        [name, brand, place_type, street_address, city, state, zip_code, published_date]
    }

    fn geographies(&self) -> [U32; 4] {
        [self.county, self.cbsa, self.dma, self.zip]
    }
}

fn geography(position: U32) -> Option<GeographyIndex> {
    (position.get() != NONE).then(|| GeographyIndex::from_raw(position.get()))
}
