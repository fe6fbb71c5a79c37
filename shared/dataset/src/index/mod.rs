//! Which items have this text, this word, this point, and which of them come first?
//!
//! The engine of the searches over [`places`](crate::places) and over the [`inventory`](crate::inventory). An
//! item is known by its position, from 0 on. What an item is, which fields it has and what a query means is
//! not known here, and no item is put together here.
//!
//! - A text is folded before it is compared ([`fold`]); the values of a field lie in a [`Dictionary`],
//!   sorted, and are found by partition point.
//! - A [`TextColumn`] has the ordinal of each item's value; [`Postings`] have the items of each value, and
//!   [`Words`] the items of each word, or in a column its values (`ColumnWords`). What they give is a
//!   [`Set`]: sets are joined and cut, and pages are taken of them.
//! - Points lie on a Z-order curve ([`ZOrder`]), on which each tile of the web map is one range of
//!   [`PointKeys`].
//! - The first items in an order are the [`top_k`] of their ranks; by their distance from a point, those of
//!   the nearest quadrants ([`DistanceOrder`]).
//!
//! Decided in `docs/decisions/0020-own-search-index.md`.

mod area;
mod bits;
mod column;
mod column_words;
mod column_writer;
mod curve;
mod dictionary;
mod distance_order;
mod exponential_search;
mod flags;
mod fold;
mod interner;
mod items;
mod items_by_value;
mod numbers;
mod ordinals;
mod pattern;
mod piece;
mod point_keys;
mod postings;
mod set;
mod set_builder;
mod text_list;
mod top_k;
mod typo;
mod words;
mod zorder;

pub(crate) use column::{Indexing, TextColumn};
pub(crate) use column_writer::{ColumnWriter, SortedColumn};
pub(crate) use curve::{BOTTOM, MERCATOR_LATITUDE, Quadrant};
pub(crate) use dictionary::Folding;
pub(crate) use distance_order::DistanceOrder;
pub(crate) use flags::{FlagColumn, StoredBits};
pub(crate) use fold::{fold_into, split_words};
pub(crate) use items_by_value::ItemsByValue;
pub(crate) use numbers::NumberColumn;
pub(crate) use ordinals::Ordinals;
pub(crate) use pattern::Pattern;
pub(crate) use point_keys::PointKeys;
pub(crate) use postings::Postings;
pub(crate) use set::Set;
pub(crate) use set_builder::SetBuilder;
pub(crate) use text_list::ordinals_of;
pub(crate) use top_k::Order;
pub(crate) use words::{Word, Words};
pub(crate) use zorder::ZOrder;

pub use area::{Circle, Rectangle};
pub use fold::fold;
