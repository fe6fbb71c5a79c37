//! The inventory of a release: spots on displays, and their search.
//!
//! Spots lie in the order of their ids, the order in which a search gives them when it asks for no other.

mod check;
mod column;
mod field;
mod field_set;
mod geo_points;
mod lists;
mod points;
mod postings;
mod query;
/// The members of a record (Specification, Inventory record).
pub mod record;
mod row;
mod search;
mod sort;
mod spot_counts;
mod spot_id;
#[cfg(test)]
mod tests;
mod text;
mod words;
mod writer;

use zerocopy::little_endian::U32;

use crate::file::{Rows, SectionFile};
use crate::morton::Morton;
use crate::{Folder, Part, Position, ReleaseError};

pub use field::{Field, SortField};
pub use field_set::FieldSet;
pub use geo_points::geo_point;
pub use query::{Circle, FlagCriterion, FoundSpots, InventoryQuery, InventorySort, Rectangle, TextCriterion};
pub use record::Record;
pub use spot_counts::SpotCounts;
pub use spot_id::{SpotId, SpotIndex};
pub use writer::InventoryWriter;

use column::{Bits, FlagColumn, NumberColumn, TextColumn};
use field::{FLAGS, POSTED, SEARCHED, TEXTS};
use geo_points::GeoPoints;
use lists::ListsFile;
use points::Points;
use postings::Postings;
use words::Words;

/// The section of those who offer the spots.
const OPERATOR: &str = "operator";

/// The inventory of a release, in its file.
#[derive(Clone, Debug)]
pub struct Inventory {
    ids: Rows<U32>,
    measured: Bits,
    flags: Vec<FlagColumn>,
    texts: Vec<TextColumn>,
    postings: Vec<Postings>,
    /// The words of the fields that are searched.
    words: Vec<Words>,
    operators: TextColumn,
    geo_points: GeoPoints,
    orientations: NumberColumn,
    points: Points,
    lists: ListsFile,
}

impl Inventory {
    /// Opens the inventory of a release.
    ///
    /// # Errors
    ///
    /// When the file is not there, or is not whole.
    pub fn open(folder: &Folder) -> Result<Self, ReleaseError> {
        Self::from_file(&folder.open_part(Part::Inventory)?)
    }

    /// Takes the inventory from its file.
    pub fn from_file(file: &SectionFile) -> Result<Self, ReleaseError> {
        let ids: Rows<U32> = file.rows("ids")?;
        let spots = ids.len();
        let inventory = Self {
            ids,
            measured: Bits::open(file, "measured")?,
            flags: FLAGS.iter().map(|field| FlagColumn::open(file, field.path())).collect::<Result<_, _>>()?,
            texts: TEXTS.iter().map(|field| TextColumn::open(file, field.path())).collect::<Result<_, _>>()?,
            postings: POSTED.iter().map(|field| Postings::open(file, field.path(), spots)).collect::<Result<_, _>>()?,
            words: SEARCHED.iter().map(|field| Words::open(file, field.path())).collect::<Result<_, _>>()?,
            operators: TextColumn::open(file, OPERATOR)?,
            geo_points: GeoPoints::open(file)?,
            orientations: NumberColumn::open(file, Field::Orientation.path())?,
            points: Points::open(file)?,
            lists: ListsFile::open(file)?,
        };
        inventory.check_lengths()?;
        Ok(inventory)
    }

    /// Returns how many spots there are, with those that no search finds because they are not measured.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the positions of all spots, by ascending ids.
    pub fn indexes(&self) -> impl ExactSizeIterator<Item = SpotIndex> + use<> {
        (0..count(self.len())).map(SpotIndex)
    }

    /// Finds a spot by its id.
    pub fn find(&self, id: SpotId) -> Option<SpotIndex> {
        self.ids.binary_search_by_key(&id.raw(), |id| id.get()).ok().map(|at| SpotIndex(count(at)))
    }

    /// Returns a spot's id.
    ///
    /// # Panics
    ///
    /// When the position is of another release with more spots; so of the others that take one.
    pub fn id(&self, index: SpotIndex) -> SpotId {
        SpotId::from_raw(self.ids[index.0 as usize].get())
    }

    /// Whether a spot is measured.
    pub fn is_measured(&self, index: SpotIndex) -> bool {
        self.measured.get(index.0)
    }

    /// Returns how many bytes of the release a spot's layouts, representations and places take; written out they are
    /// some ten to thirty times as many.
    pub fn list_bytes(&self, index: SpotIndex) -> usize {
        self.lists.bytes(index.0)
    }

    /// Returns where a spot is.
    pub fn position(&self, index: SpotIndex) -> Position {
        self.points.position(index.0)
    }

    /// Returns the measured spots in Morton order.
    pub(crate) fn morton(&self) -> &Morton {
        self.points.morton()
    }

    /// Returns what a map shows of a spot.
    pub fn face(&self, spot: u32) -> MapFace<'_> {
        MapFace {
            spot_id: self.id(SpotIndex(spot)),
            media_type: self.text(Field::MediaType).get(spot),
            digital: self.flag(Field::Digital).get(spot),
            operator: self.operators.get(spot),
            dma: self.text(Field::DmaName).get(spot),
        }
    }

    fn flag(&self, field: Field) -> &FlagColumn {
        &self.flags[position(&FLAGS, field)]
    }

    fn text(&self, field: Field) -> &TextColumn {
        &self.texts[position(&TEXTS, field)]
    }

    fn postings(&self, field: Field) -> &Postings {
        &self.postings[position(&POSTED, field)]
    }
}

/// What a map shows of a spot.
pub struct MapFace<'a> {
    pub spot_id: SpotId,
    pub media_type: Option<&'a str>,
    pub digital: Option<bool>,
    pub operator: Option<&'a str>,
    pub dma: Option<&'a str>,
}

fn position(fields: &[Field], field: Field) -> usize {
    fields.iter().position(|one| *one == field).expect("the field has such a column")
}

/// Counts in the numbers of the file.
fn count(of: usize) -> u32 {
    u32::try_from(of).expect("fewer than four thousand million spots and values")
}

fn number(of: usize) -> U32 {
    U32::new(count(of))
}
