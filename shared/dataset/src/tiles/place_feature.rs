//! A place as a map feature.

use crate::measures::{Glance, Measures};
use crate::places::{Place, PlaceId};

/// The properties of a place that a map shows, with its visits if they're known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceFeature<'a> {
    pub(super) id: PlaceId,
    pub(super) name: &'a str,
    pub(super) place_type: &'a str,
    pub(super) record: Option<Glance>,
}

impl<'a> PlaceFeature<'a> {
    pub(super) fn new(place: Place<'a>, measures: &Measures) -> Self {
        let Place { id, name, place_type, .. } = place;
        Self { id, name, place_type, record: measures.glance(id) }
    }
}
