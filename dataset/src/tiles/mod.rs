//! What does a map show of a square of the world?
//!
//! Vector tiles of displays and places, made of points in the order of the Z-order curve: single points near
//! the ground, clusters of them above. Who may see a tile, and where it is fetched, is known to the function.

mod attribute;
mod encode;
mod extent;
mod layer;
mod place_feature;
mod tile_id;

pub use encode::Tile;
pub use extent::{Extent, extent_of_displays, extent_of_places};
pub use layer::{Layer, displays, places};
pub use tile_id::TileId;
