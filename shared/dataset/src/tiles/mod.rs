//! Vector tiles of displays and places.
//!
//! A tile shows single points at high zoom levels and clusters at low ones. It's drawn from points in the
//! order of the Z-order curve. Permissions and URLs of tiles are handled by the function.
//!
//! Each layer has its own part of the release ([`LayerPoints`]). The part contains the points' keys on the
//! curve and one column per attribute, and is all that is needed to draw the layer. [`write()`] derives it
//! from the other parts ([`LayerSource`]), and [`check`] compares it with them.

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
