//! A place as a map feature.

use crate::measures::Glance;
use crate::places::Place;

/// A place on the map, with its visits if they're known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceFeature<'a> {
    pub(super) place: Place<'a>,
    pub(super) record: Option<Glance>,
}
