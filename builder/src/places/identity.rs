//! Which places are the same.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use dataset::{Place, PlaceId, Position, normalize};

use crate::build::file_row::{FileRow, Files};
use crate::rows::Reasons;

/// A place that the release already has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Existing<'a> {
    pub id: PlaceId,
    pub name: &'a str,
    /// Its house number and street.
    pub street_address: &'a str,
    pub zip_code: &'a str,
    /// Where it is.
    pub position: Position,
}

impl<'a> From<Place<'a>> for Existing<'a> {
    fn from(place: Place<'a>) -> Self {
        let Place { id, name, street_address, zip_code, latitude, longitude, .. } = place;
        Self { id, name, street_address, zip_code, position: Position { latitude, longitude } }
    }
}

/// What two places share when they are the same: name, street address and ZIP code, without regard to case,
/// accents and space. What is missing of the address, the position stands in for, to about ten metres.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceIdentity([String; 3]);

impl PlaceIdentity {
    pub(super) fn of(name: &str, street_address: &str, zip_code: &str, position: Position) -> Self {
        let Position { latitude, longitude } = position;
        // Adding 0 turns -0 into 0.
        let ten_thousandths = |degrees: f64| (degrees * 10_000.0).round() + 0.0;
        let or_position = |text: &str| match normalize(text) {
            text if text.is_empty() => {
                format!("@{},{}", ten_thousandths(latitude), ten_thousandths(longitude))
            }
            text => text,
        };
        Self([normalize(name), or_position(street_address), or_position(zip_code)])
    }

    /// Returns the id that follows from it, in every release.
    pub(super) fn id(&self) -> PlaceId {
        let Self([name, street_address, zip_code]) = self;
        PlaceId::of(name, street_address, zip_code)
    }
}

/// The ids and identities that are in use, and by what.
#[derive(Debug, Default)]
pub(super) struct Taken {
    ids: HashMap<PlaceId, Owner>,
    identities: HashMap<PlaceIdentity, Owner>,
    files: Files,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// A place of the release, by its id.
    Place(PlaceId),
    Row(FileRow),
}

impl Taken {
    pub(super) fn by<'a>(existing: impl IntoIterator<Item = Existing<'a>>) -> Self {
        let mut taken = Self::default();
        for Existing { id, name, street_address, zip_code, position } in existing {
            taken.ids.insert(id, Owner::Place(id));
            taken
                .identities
                .insert(PlaceIdentity::of(name, street_address, zip_code, position), Owner::Place(id));
        }
        taken
    }

    /// Goes on with the rows of a file.
    pub(super) fn begin(&mut self, file: &Path) {
        self.files.begin(file);
    }

    /// Gives an id and an identity to a row, or says who has them.
    pub(super) fn claim(
        &mut self,
        line: u64,
        id: PlaceId,
        is_derived: bool,
        identity: PlaceIdentity,
        reasons: &mut Reasons,
    ) {
        let row = Owner::Row(self.files.row(line));
        let id_owner = self.ids.get(&id).copied();
        let name = |owner: Owner| match owner {
            Owner::Place(id) => format!("place {id} of the release"),
            Owner::Row(row) => self.files.name(row),
        };
        match self.identities.entry(identity) {
            Entry::Occupied(same) => reasons.add(format!(
                "{} has the same name at the same street address and ZIP code, or at the same position",
                name(*same.get())
            )),
            Entry::Vacant(free) if id_owner.is_none() => {
                free.insert(row);
                self.ids.insert(id, row);
                return;
            }
            Entry::Vacant(_) => {}
        }
        match id_owner {
            Some(owner) if !is_derived => {
                reasons.add(format!("{} has the same place_id {id}", name(owner)));
            }
            // Two identities of one sum, which hardly ever happens.
            Some(owner) if reasons.is_empty() => {
                reasons.add(format!(
                    "{} has the place_id {id} that was derived for this row; give it another one",
                    name(owner)
                ));
            }
            _ => {}
        }
    }
}
