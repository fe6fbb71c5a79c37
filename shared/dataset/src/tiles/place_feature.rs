//! A place as a map shows it.

use crate::places::Place;

/// A place, and how many visits it has in a week where that is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceFeature<'a> {
    pub(super) place: Place<'a>,
    pub(super) weekly_visits: Option<u64>,
}
