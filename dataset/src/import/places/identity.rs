//! Which places are the same.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use crate::{Place, Position, fold};
use ring::digest::{SHA256, digest};

/// A place that the release already has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Existing<'a> {
    /// Its id.
    pub id: u64,
    /// Its name.
    pub name: &'a str,
    /// Its house number and street.
    pub street_address: &'a str,
    /// Its ZIP code.
    pub zip_code: &'a str,
    /// Where it is.
    pub position: Position,
}

impl<'a> From<Place<'a>> for Existing<'a> {
    fn from(place: Place<'a>) -> Self {
        let Place { id, name, street_address, zip_code, latitude, longitude, .. } = place;
        Self { id: id.raw(), name, street_address, zip_code, position: Position { latitude, longitude } }
    }
}

/// Returns a text that two places share when they are the same: when they have one name at one street address and ZIP
/// code, without regard to case, accents and space. What is missing of the address, the position stands in for, to
/// about ten metres.
pub fn identity(name: &str, street_address: &str, zip_code: &str, position: Position) -> String {
    let Position { latitude, longitude } = position;
    // Adding 0 turns -0 into 0.
    let ten_thousandths = |degrees: f64| (degrees * 10_000.0).round() + 0.0;
    let or_position = |text: String| {
        let at = || format!("@{},{}", ten_thousandths(latitude), ten_thousandths(longitude));
        if text.is_empty() { at() } else { text }
    };
    let (street, zip) = (or_position(fold(street_address)), or_position(fold(zip_code)));
    format!("{}\n{street}\n{zip}\n", fold(name))
}

/// Derives an id of twelve digits from an identity, so that a place has the same one in every release.
pub(super) fn id_of(identity: &str) -> u64 {
    const SMALLEST: u64 = 100_000_000_000;
    const COUNT: u64 = 900_000_000_000;
    let sum = digest(&SHA256, identity.as_bytes());
    let first = sum.as_ref().first_chunk().expect("the sum has 32 bytes");
    SMALLEST + u64::from_be_bytes(*first) % COUNT
}

/// The ids and identities that are in use, and by what.
#[derive(Debug, Default)]
pub(super) struct Taken {
    ids: HashMap<u64, Owner>,
    identities: HashMap<String, Owner>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// A place of the release, by its id.
    Place(u64),
    /// A row of the file, by its line.
    Row(u64),
}

impl Taken {
    pub(super) fn by<'a>(existing: impl IntoIterator<Item = Existing<'a>>) -> Self {
        let mut taken = Self::default();
        for Existing { id, name, street_address, zip_code, position } in existing {
            taken.ids.insert(id, Owner::Place(id));
            taken.identities.insert(identity(name, street_address, zip_code, position), Owner::Place(id));
        }
        taken
    }

    /// Gives an id and an identity to a row, or says who has them.
    pub(super) fn claim(&mut self, line: u64, id: u64, is_derived: bool, identity: String, reasons: &mut Vec<String>) {
        let id_owner = self.ids.get(&id).copied();
        match self.identities.entry(identity) {
            Entry::Occupied(same) => reasons.push(format!(
                "{} has the same name at the same street address and ZIP code, or at the same position",
                same.get()
            )),
            Entry::Vacant(free) if id_owner.is_none() => {
                free.insert(Owner::Row(line));
                self.ids.insert(id, Owner::Row(line));
                return;
            }
            Entry::Vacant(_) => {}
        }
        match id_owner {
            Some(owner) if !is_derived => reasons.push(format!("{owner} has the same place_id {id}")),
            // Two identities of one sum, which hardly ever happens.
            Some(owner) if reasons.is_empty() => {
                reasons
                    .push(format!("{owner} has the place_id {id} that was derived for this row; give it another one"));
            }
            _ => {}
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(id) => write!(f, "place {id} of the release"),
            Self::Row(line) => write!(f, "row {line} of the file"),
        }
    }
}
