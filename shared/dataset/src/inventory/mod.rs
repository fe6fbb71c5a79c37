//! The spots in a release, and searches for spots.
//!
//! Spots are stored in ID order, which is also the default order of search results. Records aren't stored as
//! a whole. Single-valued fields are stored in columns, which are used for searching, sorting, and output.
//! Lists are stored as JSON or as JSON templates, and identical lists are stored only once. For output, each
//! record is assembled from its columns and lists. The `index` module searches columns, and the Lambda
//! functions define the API's request format.

mod field;
mod field_set;
mod geo_points;
mod id;
mod json;
mod json_values;
mod layout_forms;
mod layouts;
mod layouts_writer;
mod normalize;
mod plant_spots;
pub(crate) mod positions;
mod query;
pub mod record;
mod search;
mod sort;
mod spot_counts;
mod table;
#[cfg(test)]
mod tests;
mod venue_types;
mod writer;

pub use field::{Field, SortField};
pub use field_set::FieldSet;
pub use geo_points::geo_point;
pub use id::{SpotId, SpotIndex};
pub use normalize::normalize_hyphens;
pub use query::{FlagCriterion, FoundSpots, InventoryQuery, InventorySort, InventorySortKey, TextCriterion};
pub use record::Record;
pub use spot_counts::SpotCounts;
pub use table::{Inventory, MapFace};
pub use venue_types::{is_venue_type, nearest_venue_types, venue_types, venue_types_under};
pub use writer::InventoryWriter;
