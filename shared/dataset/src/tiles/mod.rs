//! Vector tiles of displays and places.
//!
//! A tile shows single points at high zoom levels, and clusters of points at low zoom levels. It's drawn from
//! points in the order of the Z-order curve. The tile function handles permissions and URLs.
//!
//! Each layer has a part of the release ([`LayerPoints`]). This part contains the keys of the points on the
//! curve and one column per attribute, so no other part is needed to draw the layer. [`write()`] derives this
//! part from other parts ([`LayerSource`]), and [`check`] verifies that it matches them.

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
