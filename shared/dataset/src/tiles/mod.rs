//! Vector tiles of displays and places.
//!
//! Tiles show single points at high zoom levels, and clusters of points at low zoom levels. Permissions and
//! URLs are handled by the tile function.
//!
//! Each layer has its own part of the release ([`LayerPoints`]), which contains the points' keys on the
//! Z-order curve and one column per attribute, so drawing a layer requires no other part. [`write()`] derives
//! this part from other parts ([`LayerSource`]), and [`check`] verifies that it matches them.

mod attribute;
mod column;
mod encode;
mod extent;
mod layer;
mod layer_points;
mod place_feature;
mod source;
mod tile_id;
mod writer;

pub use encode::Tile;
pub use extent::Extent;
pub use layer::{Layer, Visits};
pub use layer_points::LayerPoints;
pub use source::LayerSource;
pub use tile_id::TileId;
pub use writer::{check, write};
