//! Compares displays.

use std::sync::LazyLock;

use dataset::inventory::{Field, FieldSet, Inventory, SpotIndex};
use dataset::position::great_circle_km;
use dataset::{RecordSource, ReleaseError};
use memchr::memmem::Finder;

use super::difference::Kind;
use super::matching::{Buffers, Changes, Pair, Records, Release};

const GEOMETRY: &str = "location.geometry";

/// The member with the coordinates as text, which changes whenever the geometry changes.
const GEO_POINT: &str = "location.geo_point";

/// The members of a record and of its location, each with its fields.
static MEMBERS: LazyLock<Vec<(&'static str, FieldSet)>> = LazyLock::new(|| {
    let mut members: Vec<&'static str> =
        Field::ALL.into_iter().filter(|field| *field != Field::SpotId).map(member).collect();
    members.dedup();
    members.into_iter().map(|path| (path, FieldSet::at(path).expect("the path exists"))).collect()
});

/// Finds the vintages of modelled measurements. The pattern can't occur inside a JSON string, because
/// quotation marks are escaped there.
static MODELLED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(r#""modelled":""#));

/// The displays of two releases.
pub(super) struct Displays {
    pub(super) old: Inventory,
    pub(super) new: Inventory,
}

impl Displays {
    fn of(&self, release: Release) -> &Inventory {
        match release {
            Release::Old => &self.old,
            Release::New => &self.new,
        }
    }

    /// Returns whether the given fields of two displays have the same JSON. The vintage of a modelled
    /// measurement can differ if it's the source's vintage in both releases.
    fn is_same(&self, pair: &Pair<'_, SpotIndex>, fields: FieldSet, buffers: &mut Buffers) -> bool {
        let Buffers { old, new } = buffers;
        old.clear();
        new.clear();
        self.old.write_json(pair.old, fields, old);
        self.new.write_json(pair.new, fields, new);
        old == new
            || old.len() == new.len() && {
                redate(old, pair.old_vintage, pair.new_vintage);
                old == new
            }
    }
}

impl Records for Displays {
    const KIND: Kind = Kind::Displays;

    type Index = SpotIndex;

    fn records(&self, release: Release) -> impl Iterator<Item = (u64, SpotIndex, RecordSource)> {
        let inventory = self.of(release);
        let entry = |index| (inventory.id(index).raw().into(), index, inventory.source(index));
        inventory.indexes().map(entry)
    }

    fn compare(&self, pair: Pair<'_, SpotIndex>, buffers: &mut Buffers) -> Result<Changes, ReleaseError> {
        if self.is_same(&pair, FieldSet::ALL, buffers) {
            return Ok(Changes::default());
        }
        let mut members: Vec<&'static str> = MEMBERS
            .iter()
            .filter(|(_, fields)| !self.is_same(&pair, *fields, buffers))
            .map(|(path, _)| *path)
            .collect();
        let distance_km = members.contains(&GEOMETRY).then(|| {
            members.retain(|member| *member != GEO_POINT);
            let [old, new] = [self.old.position(pair.old), self.new.position(pair.new)];
            great_circle_km(old.to_unit_vector(), new.to_unit_vector())
        });
        Ok(Changes { members, distance_km })
    }

    fn name(&self, release: Release, index: SpotIndex) -> String {
        self.of(release).media_name(index).unwrap_or_default().to_owned()
    }
}

/// Returns the path of the member that contains a field. The member belongs to the record or its location.
fn member(field: Field) -> &'static str {
    const LOCATION: &str = "location.";
    let path = field.path();
    let start = if path.starts_with(LOCATION) { LOCATION.len() } else { 0 };
    let end = path[start..].find('.').map_or(path.len(), |dot| start + dot);
    &path[..end]
}

/// Replaces the source's vintage `from` with `to` in modelled measurements, because a record that differs
/// only in its vintage doesn't count as changed.
fn redate(json: &mut [u8], from: &str, to: &str) {
    let [from, to] = [from, to].map(|date| date.replace('-', ""));
    if from == to || from.len() != to.len() {
        return;
    }
    let needle = MODELLED.needle().len();
    let starts: Vec<usize> = MODELLED.find_iter(json).map(|at| at + needle).collect();
    for start in starts {
        if let Some(vintage) = json.get_mut(start..start + from.len())
            && vintage == from.as_bytes()
        {
            vintage.copy_from_slice(to.as_bytes());
        }
    }
}
