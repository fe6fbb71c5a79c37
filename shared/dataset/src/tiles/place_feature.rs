//! A place as a feature on a map.

use crate::places::Place;

/// A place, and its weekly visits if they're known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceFeature<'a> {
    pub(super) place: Place<'a>,
    pub(super) weekly_visits: Option<u64>,
}
