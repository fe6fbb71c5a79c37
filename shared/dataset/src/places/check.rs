//! Holds the file of the places to what the search relies on.

use zerocopy::little_endian::U32;

use super::areas::Areas;
use super::row::{NONE, PlaceRow};
use super::table::Places;
use crate::index::Damage;
use crate::position::Position;
use crate::release::{Part, ReleaseError};

impl Places {
    /// Checks that ids are unique, texts are texts, and whatever refers to something refers to what is there.
    /// What passes can be read and searched.
    ///
    /// # Errors
    ///
    /// The first thing that is otherwise.
    pub fn check(&self, geographies: usize) -> Result<(), ReleaseError> {
        for (section, texts) in [("text", &self.texts), ("street", &self.streets)] {
            expect(texts.are_sound(), || format!("{section}: a text is not UTF-8, or ends outside"))?;
        }
        self.check_rows(geographies)?;
        self.check_ids()?;
        let position = |place: u32| {
            let row = self.rows.get(place as usize)?;
            Some(Position { latitude: row.latitude.get(), longitude: row.longitude.get() })
        };
        held("points", self.points.check(self.len(), position))?;
        held("name", self.names.check())?;
        let columns = [
            ("type", &self.types),
            ("city", &self.cities),
            ("state", &self.states),
            ("zip", &self.zips),
            ("brand", &self.brands),
        ];
        for (section, column) in columns {
            held(section, column.check())?;
        }
        held("source", self.sources.check(self.len()))?;
        self.check_types()?;
        self.check_areas("dma", &self.dmas, |row| row.dma)?;
        self.check_areas("county", &self.counties, |row| row.county)
    }

    /// Checks that the type of each place has the id that the place says.
    fn check_types(&self) -> Result<(), ReleaseError> {
        let id = |place: u32| self.type_ids.get(self.types.ordinal(place)? as usize);
        let is_right = (0..).zip(&*self.rows).all(|(place, row)| id(place) == Some(&row.place_type_id));
        expect(is_right, || "type: the id of a place's type is another".to_owned())
    }

    fn check_rows(&self, geographies: usize) -> Result<(), ReleaseError> {
        for (at, row) in self.rows.iter().enumerate() {
            let texts_exist = row.texts().iter().all(|text| (text.get() as usize) < self.texts.len());
            expect(texts_exist, || format!("place {at}: refers to a text that is not there"))?;
            let exists = |place: &U32| place.get() == NONE || (place.get() as usize) < geographies;
            let geographies_exist = row.geographies().iter().all(exists);
            expect(geographies_exist, || format!("place {at}: refers to a geography that is not there"))?;
            let (latitude, longitude) = (row.latitude.get(), row.longitude.get());
            let on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
            expect(on_earth, || format!("place {at}: {latitude}, {longitude} is no position"))?;
        }
        Ok(())
    }

    /// Checks the two ways between places and the order of their ids, and the order of the places.
    fn check_ids(&self) -> Result<(), ReleaseError> {
        let mut before = None;
        for (rank, place) in self.by_id.iter().enumerate() {
            let place = place.get() as usize;
            let id = self.rows.get(place).map(|row| row.id.get());
            let follows = id > before && self.id_ranks[place].get() as usize == rank;
            let reason =
                || format!("order.id: the place at {rank} is out of order, or has the id of another");
            expect(follows, reason)?;
            before = id;
        }
        let keys =
            (0..).zip(&*self.id_ranks).map(|(place, id_rank)| (self.name_ranks.get(place), id_rank.get()));
        expect(keys.is_sorted(), || "place: the rows are not in the order of their names".to_owned())
    }

    /// Checks that the places of each area are those that lie in it.
    fn check_areas(
        &self,
        section: &str,
        areas: &Areas,
        of: impl Fn(&PlaceRow) -> U32,
    ) -> Result<(), ReleaseError> {
        let of_places: Vec<U32> = self.rows.iter().map(of).collect();
        let whole = areas.check(&of_places).map_err(|damage| damage.of(Part::Places.file(), section))?;
        expect(whole, || format!("{section}: the places of an area are not those that lie in it"))
    }
}

/// Names the section that something is wrong with.
fn held(section: &str, checked: Result<(), Damage>) -> Result<(), ReleaseError> {
    checked.map_err(|damage| damage.of(Part::Places.file(), section))
}

fn expect(holds: bool, reason: impl FnOnce() -> String) -> Result<(), ReleaseError> {
    if holds { Ok(()) } else { Err(ReleaseError::inconsistent(Part::Places.file(), reason())) }
}
