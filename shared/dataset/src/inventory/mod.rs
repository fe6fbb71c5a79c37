//! Which spots on displays are there, and which of them are asked for?
//!
//! Spots lie in the order of their ids, the order in which a search gives them when it asks for no other. A
//! record is not kept as such: its single values lie in columns, which are also what is searched and sorted
//! by, and its lists as the JSON that is answered, what records share of it once; it is put together when it
//! is shown. How a column is searched is known to the `index`, and what a request looks like to the function.

mod field;
mod field_set;
mod fold;
mod geo_points;
mod id;
mod json;
mod json_values;
mod layout_forms;
mod layouts;
mod layouts_writer;
mod positions;
mod query;
pub mod record;
mod search;
mod sort;
mod spot_counts;
mod table;
#[cfg(test)]
mod tests;
mod writer;

pub use field::{Field, SortField};
pub use field_set::FieldSet;
pub use fold::fold_hyphens;
pub use geo_points::geo_point;
pub use id::{SpotId, SpotIndex};
pub use query::{FlagCriterion, FoundSpots, InventoryQuery, InventorySort, InventorySortKey, TextCriterion};
pub use record::Record;
pub use spot_counts::SpotCounts;
pub use table::{Inventory, MapFace};
pub use writer::InventoryWriter;
