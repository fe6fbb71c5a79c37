//! A place as a feature on a map.

use crate::measures::Glance;
use crate::places::Place;

/// A place, and its visits if they're known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceFeature<'a> {
    pub(super) place: Place<'a>,
    pub(super) record: Option<Glance>,
}
