//! Finds the geographies that contain a position, and compares addresses with their positions.

mod address;
mod coordinates;
mod locator;
mod market_names;
mod markets;
mod nearest;

pub(crate) use address::{Address, LocatedAddress, Region, check};
pub(crate) use coordinates::{SWAPPED, is_position, swapped};
pub use locator::{Locator, Near, ZipArea};
pub(crate) use markets::Located;
pub use markets::{Contradiction, Markets};
pub(crate) use nearest::NearestNeighbours;
