//! The search index that [`places`](crate::places) and the [`inventory`](crate::inventory) share.
//!
//! Documents are numbered from 0. The callers define the fields of a document and the criteria of a query,
//! and they assemble the results.
//!
//! - Strings are normalized before they're compared ([`normalize`]). The distinct terms of a field are sorted
//!   in a `Dictionary` and found by binary search.
//! - A [`TextColumn`] stores the ordinal of each document's term. [`Postings`] map each term to its
//!   documents. [`Words`] map each word to the documents, or to the terms, that contain it (`ColumnWords`).
//!   Lookups return a [`Set`], which supports unions, intersections, and paging.
//! - Points are sorted along a Z-order curve ([`ZOrder`]), so the points in a tile of the web map form one
//!   contiguous range of [`PointKeys`].
//! - To sort by value, `top_k` selects the first documents by rank. To sort by distance, [`DistanceOrder`]
//!   visits the nearest quadrants first.
//!
//! See `docs/decisions/0020-own-search-index.md`.

mod area;
mod bits;
mod column;
mod column_words;
mod column_writer;
mod curve;
mod dictionary;
mod distance_order;
mod documents;
mod documents_by_value;
mod exponential_search;
mod flags;
mod interner;
mod map_circle;
mod normalize;
mod numbers;
mod ordinals;
mod pattern;
mod point_keys;
mod postings;
mod set;
mod set_builder;
mod substring;
mod text_list;
mod top_k;
mod typo;
mod words;
mod zorder;

pub(crate) use column::{Indexing, TextColumn};
pub(crate) use column_writer::{ColumnWriter, SortedColumn};
pub(crate) use curve::{BOTTOM, Quadrant};
pub(crate) use dictionary::Normalization;
pub(crate) use distance_order::DistanceOrder;
pub(crate) use documents_by_value::DocumentsByValue;
pub(crate) use flags::{FlagColumn, StoredBits};
pub(crate) use normalize::normalize_into;
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
pub use normalize::{normalize, split_words};
pub use typo::same_word;
