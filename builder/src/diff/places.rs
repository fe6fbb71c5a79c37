//! Compares places.

use dataset::position::great_circle_km;
use dataset::{Folder, Place, PlaceIndex, Places, Position, RecordSource, ReleaseError};

use super::areas::Areas;
use super::difference::Kind;
use super::matching::{Buffers, Changes, Pair, Records, Release};

/// The places in two releases.
pub(super) struct PlaceRecords {
    old: Places,
    new: Places,
    areas: Areas,
}

impl PlaceRecords {
    pub(super) fn open(old: &Folder, new: &Folder) -> Result<Self, ReleaseError> {
        Ok(Self { old: Places::open(old)?, new: Places::open(new)?, areas: Areas::open(old, new)? })
    }

    fn of(&self, release: Release) -> &Places {
        match release {
            Release::Old => &self.old,
            Release::New => &self.new,
        }
    }
}

impl Records for PlaceRecords {
    const KIND: Kind = Kind::Places;

    type Index = PlaceIndex;

    fn records(&self, release: Release) -> impl Iterator<Item = (u64, PlaceIndex, RecordSource)> {
        let places = self.of(release);
        places.indexes().map(|index| (places.id(index).raw(), index, places.source(index)))
    }

    fn compare(&self, pair: Pair<'_, PlaceIndex>, _: &mut Buffers) -> Result<Changes, ReleaseError> {
        let (old, new) = (self.old.get(pair.old), self.new.get(pair.new));
        // If a place doesn't specify a publication date, its source's vintage is used.
        let is_vintage = old.published_date == pair.old_vintage && new.published_date == pair.new_vintage;
        let (old_position, new_position) = (position(&old), position(&new));
        let members = [
            ("place_name", old.name == new.name),
            ("place_type", old.place_type == new.place_type),
            ("brand", old.brand == new.brand),
            ("street_address", old.street_address == new.street_address),
            ("city", old.city == new.city),
            ("state", old.state == new.state),
            ("zip_code", old.zip_code == new.zip_code && self.areas.are_same(old.zip, new.zip)),
            ("location", old_position == new_position),
            ("register_id", old.register_id == new.register_id),
            ("published_date", old.published_date == new.published_date || is_vintage),
            ("county", self.areas.are_same(old.county, new.county)),
            ("cbsa", self.areas.are_same(old.cbsa, new.cbsa)),
            ("dma", self.areas.are_same(old.dma, new.dma)),
        ];
        let members = members.into_iter().filter(|(_, is_same)| !is_same).map(|(member, _)| member).collect();
        let distance_km = (old_position != new_position)
            .then(|| great_circle_km(old_position.to_unit_vector(), new_position.to_unit_vector()));
        Ok(Changes { members, distance_km })
    }

    fn name(&self, release: Release, index: PlaceIndex) -> String {
        self.of(release).get(index).name.to_owned()
    }
}

fn position(place: &Place<'_>) -> Position {
    Position { latitude: place.latitude, longitude: place.longitude }
}
