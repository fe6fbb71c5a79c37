//! Reads records: their members from the columns, their lists from the JSON that is kept of them.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::field::Field;
use super::field_set::FieldSet;
use super::id::{SpotId, SpotIndex};
use super::record::{
    Construction, ConstructionType, Geometry, GeometryKind, Layout, Location, Named, NamedPlace, PlaceRef,
    Record, Representation, Text,
};
use super::table::Inventory;
use crate::position::Position;

impl Inventory {
    /// Returns the fields of a spot that are asked for; objects and lists of which no field is there are
    /// absent.
    ///
    /// # Panics
    ///
    /// When the position is of another release with more spots.
    pub fn record(&self, index: SpotIndex, fields: FieldSet) -> Record<'_> {
        Row::new(self, index, fields).record()
    }
}

const LAYOUTS: FieldSet = FieldSet::at("layouts").expect("a path");
const REPRESENTATIONS: FieldSet = FieldSet::at("representations").expect("a path");
const LOCATION: FieldSet = FieldSet::at("location").expect("a path");
const GEOMETRY: FieldSet = FieldSet::at("location.geometry").expect("a path");

/// A spot, and what is asked for of it.
pub(super) struct Row<'a> {
    pub(super) inventory: &'a Inventory,
    pub(super) spot: u32,
    pub(super) fields: FieldSet,
}

impl<'a> Row<'a> {
    pub(super) fn new(inventory: &'a Inventory, index: SpotIndex, fields: FieldSet) -> Self {
        Self { inventory, spot: index.raw(), fields }
    }

    pub(super) fn id(&self) -> SpotId {
        self.inventory.id(SpotIndex::from_raw(self.spot))
    }

    pub(super) fn layouts(&self) -> Option<Vec<Layout<'static>>> {
        if !self.fields.has_any(LAYOUTS) {
            return None;
        }
        let mut layouts = self.inventory.layouts.get(self.spot, self.id())?;
        layouts.iter_mut().for_each(|layout| self.fields.keep_of_layout(layout));
        Some(layouts)
    }

    pub(super) fn representations(&self) -> Option<Vec<Vec<Representation<'static>>>> {
        let column = self.fields.has_any(REPRESENTATIONS).then_some(&self.inventory.representations)?;
        let mut groups: Vec<Vec<Representation<'static>>> = column.get(self.spot).map(list)?;
        groups.iter_mut().flatten().for_each(|one| self.fields.keep_of_representation(one));
        Some(groups)
    }

    fn record(&self) -> Record<'a> {
        let location = self.location();
        Record {
            spot_id: self.fields.has(Field::SpotId).then(|| self.id()),
            digital: self.flag(Field::Digital),
            audio: self.flag(Field::Audio),
            full_motion: self.flag(Field::FullMotion),
            partial_motion: self.flag(Field::PartialMotion),
            interactive: self.flag(Field::Interactive),
            rotating: self.flag(Field::Rotating),
            media_name: self.text(Field::MediaName),
            illumination_type: self.named(Field::IlluminationType),
            illumination_start_time: self.text(Field::IlluminationStartTime),
            illumination_end_time: self.text(Field::IlluminationEndTime),
            classification_type: self.named(Field::ClassificationType),
            construction: self.construction(),
            media_type: self.named(Field::MediaType),
            placement_type: self.named(Field::PlacementType),
            status_type: self.named(Field::StatusType),
            location: (location != Location::default()).then_some(location),
            layouts: self.layouts(),
            representations: self.representations(),
            place: self.place(),
        }
    }

    fn location(&self) -> Location<'a> {
        if !self.fields.has_any(LOCATION) {
            return Location::default();
        }
        let orientation = self.inventory.orientations.get(self.spot);
        Location {
            state: self.text(Field::State),
            county_id: self.text(Field::CountyId),
            county_name: self.text(Field::CountyName),
            dma_id: self.text(Field::DmaId),
            dma_name: self.text(Field::DmaName),
            cbsa_code: self.text(Field::CbsaCode),
            cbsa_name: self.text(Field::CbsaName),
            zip_code: self.text(Field::ZipCode),
            primary_artery: self.text(Field::PrimaryArtery),
            geometry: self.geometry(),
            geo_point: self.geo_point(),
            places: self.places(),
            place_types: self.named(Field::PlaceTypes),
            orientation: orientation.filter(|_| self.fields.has(Field::Orientation)),
        }
    }

    fn geometry(&self) -> Option<Geometry> {
        let coordinates = || {
            let Position { latitude, longitude } = self.inventory.positions.get(self.spot);
            [longitude, latitude]
        };
        self.fields.has_any(GEOMETRY).then(|| Geometry {
            kind: self.fields.has(Field::GeometryType).then_some(GeometryKind::Point),
            coordinates: self.fields.has(Field::Coordinates).then(coordinates),
        })
    }

    fn geo_point(&self) -> Option<Text<'a>> {
        let text = || self.inventory.geo_points.get(self.spot, self.inventory.positions.get(self.spot));
        self.fields.has(Field::GeoPoint).then(text).flatten()
    }

    fn places(&self) -> Option<Vec<NamedPlace<'static>>> {
        let is_wanted = self.fields.has(Field::LocationPlaces);
        is_wanted.then(|| self.inventory.places.get(self.spot).map(list)).flatten()
    }

    fn construction(&self) -> Option<Construction<'a>> {
        let (id, name) = (self.text(Field::ConstructionTypeId), self.text(Field::ConstructionTypeName));
        let is_there = id.is_some() || name.is_some();
        is_there.then_some(Construction { construction_type: Some(ConstructionType { id, name }) })
    }

    fn place(&self) -> Option<PlaceRef<'a>> {
        let (place_id, place_name) = (self.text(Field::PlaceId), self.text(Field::PlaceName));
        (place_id.is_some() || place_name.is_some()).then_some(PlaceRef { place_id, place_name })
    }

    fn flag(&self, field: Field) -> Option<bool> {
        self.fields.has(field).then(|| self.inventory.flag(field).get(self.spot)).flatten()
    }

    fn text(&self, field: Field) -> Option<Text<'a>> {
        let text = self.fields.has(field).then(|| self.inventory.text(field).get(self.spot)).flatten();
        text.map(Cow::Borrowed)
    }

    fn named(&self, field: Field) -> Option<Named<'a>> {
        self.text(field).map(|name| Named { name: Some(name) })
    }
}

fn list<T: DeserializeOwned>(json: &str) -> Vec<T> {
    serde_json::from_str(json).expect("a verified release holds lists")
}
