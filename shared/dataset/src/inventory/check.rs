//! Holds the file of the inventory to what reading and searching rely on.

use serde::Deserialize;

use super::field::{Field, Stored};
use super::layouts;
use super::record::{NamedPlace, Representation};
use super::table::{IDS, Inventory, MEASURED, OPERATOR, PLACES, POINTS, REPRESENTATIONS};
use crate::index::{Damage, TextColumn};
use crate::position::Position;
use crate::release::{Part, ReleaseError};

impl Inventory {
    /// Checks that ids ascend, texts are texts, and whatever refers to something refers to what is there.
    /// What passes can be read and searched.
    ///
    /// # Errors
    ///
    /// The first thing that is otherwise.
    pub fn check(&self) -> Result<(), ReleaseError> {
        let ascend =
            self.ids.are_sound() && self.indexes().map(|spot| self.id(spot)).is_sorted_by(|a, b| a < b);
        expect(ascend && self.ids.get(0).is_none_or(|id| id > 0), || format!("{IDS}: are not in order"))?;
        held(MEASURED, self.measured.check())?;
        for field in Field::ALL {
            let checked = match field.stored() {
                Stored::Flag(_) => self.flag(field).check(),
                Stored::Text(..) => self.text(field).check(),
                Stored::Orientation => self.orientations.check(),
                Stored::GeoPoint => self.geo_points.check(),
                Stored::SpotId
                | Stored::GeometryType
                | Stored::Coordinates
                | Stored::Layouts
                | Stored::Representations
                | Stored::Places => Ok(()),
            };
            held(field.path(), checked)?;
        }
        held(OPERATOR, self.operators.check())?;
        held("source", self.sources.check(self.len()))?;
        self.check_points()?;
        held(layouts::SECTION, self.layouts.check(self.indexes().map(|spot| self.id(spot))))?;
        check_lists::<Vec<Representation<'_>>>(REPRESENTATIONS, &self.representations)?;
        check_lists::<NamedPlace<'_>>(PLACES, &self.places)
    }

    /// Checks that positions are positions, and the measured spots lie on the curve.
    fn check_points(&self) -> Result<(), ReleaseError> {
        for spot in self.indexes() {
            let Position { latitude, longitude } = self.position(spot);
            let is_on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
            expect(is_on_earth, || format!("{POINTS}: that of spot {} is no position", spot.raw()))?;
        }
        let position = |spot: u32| {
            let exists = (spot as usize) < self.len();
            (exists && self.measured.get(spot)).then(|| self.positions.get(spot))
        };
        held(POINTS, self.points.check(self.measured.count() as usize, position))
    }
}

/// Checks that the values of a column are lists as JSON.
fn check_lists<'a, T: Deserialize<'a>>(section: &str, column: &'a TextColumn) -> Result<(), ReleaseError> {
    held(section, column.check())?;
    let mut values = column.values().texts().iter();
    let are_lists = values.all(|json| serde_json::from_str::<Vec<T>>(json).is_ok());
    expect(are_lists, || format!("{section}: are no lists"))
}

/// Names the section that something is wrong with.
fn held(section: &str, checked: Result<(), Damage>) -> Result<(), ReleaseError> {
    checked.map_err(|damage| damage.of(Part::Inventory.file(), section))
}

fn expect(holds: bool, reason: impl FnOnce() -> String) -> Result<(), ReleaseError> {
    if holds { Ok(()) } else { Err(ReleaseError::inconsistent(Part::Inventory.file(), reason())) }
}
