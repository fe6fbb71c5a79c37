//! The inventory of a release: spots on displays, and their search.
//!
//! Spots lie in the order of their ids, the order in which a search gives them when it asks for no other.

mod field;
mod field_set;
mod query;
pub mod record;
mod spot_counts;
mod spot_id;
mod writer;

use crate::{Folder, Position, ReleaseError};

pub use field::{Field, SortField};
pub use field_set::FieldSet;
pub use query::{Circle, FlagCriterion, FoundSpots, InventoryQuery, InventorySort, Rectangle, TextCriterion};
pub use record::Record;
pub use spot_counts::SpotCounts;
pub use spot_id::{SpotId, SpotIndex};
pub(crate) use writer::InventoryWriter;

/// The inventory of a release, in its file.
#[derive(Clone, Debug)]
pub struct Inventory {}

impl Inventory {
    /// Opens the inventory of a release.
    ///
    /// # Errors
    ///
    /// When the file is not there, or is not whole.
    pub fn open(_folder: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self {})
    }

    /// Returns how many spots there are, with those that no search finds because they are not measured.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many spots are measured.
    pub fn measured(&self) -> usize {
        0
    }

    /// Returns the positions of all spots, by ascending ids.
    pub fn indexes(&self) -> impl ExactSizeIterator<Item = SpotIndex> + use<> {
        (0..u32::try_from(self.len()).expect("positions fit")).map(SpotIndex)
    }

    /// Finds a spot by its id.
    pub fn find(&self, _id: SpotId) -> Option<SpotIndex> {
        None
    }

    /// Returns where a spot is.
    pub fn position(&self, _index: SpotIndex) -> Position {
        Position { latitude: 0.0, longitude: 0.0 }
    }

    /// Returns the fields of a spot that are asked for; objects and lists of which no field is there are absent.
    pub fn record(&self, _index: SpotIndex, _fields: FieldSet) -> Record<'_> {
        Record::default()
    }

    /// Finds the spots that meet every criterion of a query.
    pub fn search(&self, _query: &InventoryQuery) -> FoundSpots {
        FoundSpots { total: 0, spots: Vec::new() }
    }
}
