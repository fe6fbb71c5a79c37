//! What does a map show of a square of the world?
//!
//! Vector tiles of displays and places, made of points in the order of the Z-order curve: single points near
//! the ground, clusters of them above. Who may see a tile, and where it is fetched, is known to the function.
//!
//! Each layer has a part of the release ([`LayerPoints`]): where its points stand on the curve, and a column
//! for each attribute of its table. Another part is not needed to draw it. [`write()`] makes the part of what
//! the other parts have ([`LayerSource`]), and [`check`] holds it to them.

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
pub use layer::Layer;
pub use layer_points::LayerPoints;
pub use source::LayerSource;
pub use tile_id::TileId;
pub use writer::{check, write};
