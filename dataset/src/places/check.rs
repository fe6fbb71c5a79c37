//! Holds the file of the places to what the search relies on.

use zerocopy::little_endian::U32;

use super::column::Column;
use super::{NONE, Places};
use crate::file::Texts;
use crate::{Part, Position, ReleaseError};

impl Places {
    /// Checks that ids are unique, texts are texts, and whatever refers to something refers to what is there. What
    /// passes can be read and searched.
    ///
    /// # Errors
    ///
    /// The first thing that is otherwise.
    pub fn check(&self, geographies: usize) -> Result<(), ReleaseError> {
        check_texts(&self.texts, "text")?;
        check_texts(&self.streets, "street")?;
        self.check_rows(geographies)?;
        self.check_ids()?;
        let position = |place: u32| {
            let row = self.rows.get(place as usize)?;
            Some(Position { latitude: row.latitude.get(), longitude: row.longitude.get() })
        };
        held("points", self.morton.check(self.len(), position))?;
        held("word", self.words.check(self.len()))?;
        for (column, section) in self.columns() {
            check_column(column, section)?;
        }
        held("dma", self.dma_places.check(self.len()))?;
        let ordered = self.dmas.is_sorted_by(|one, other| one.get() < other.get());
        let in_place = |(at, dma): (usize, &U32)| {
            self.dma_places.get(at).iter().all(|place| self.rows[place.get() as usize].dma == *dma)
        };
        let with_dma = self.rows.iter().filter(|row| row.dma.get() != NONE).count();
        let whole = self.dma_places.items().len() == with_dma && self.dmas.iter().enumerate().all(in_place);
        expect(ordered && whole, || "dma: the places of a market are not those that lie in it".to_owned())
    }

    /// Checks that every column has a value for each place.
    pub(super) fn check_lengths(&self) -> Result<(), ReleaseError> {
        let mut lengths = vec![
            ("street", self.streets.len(), self.len()),
            ("order.id", self.by_id.len(), self.len()),
            ("rank.id", self.id_ranks.len(), self.len()),
            ("rank.name", self.name_ranks.len(), self.len()),
            ("rank.street", self.street_ranks.len(), self.len()),
            ("rank.dma", self.dma_ranks.len(), self.len()),
            ("rank.county", self.county_ranks.len(), self.len()),
            ("rank.cbsa", self.cbsa_ranks.len(), self.len()),
            ("type.ids", self.type_ids.len(), self.types.values.texts.len()),
            ("word.items.ends", self.words.postings.ends().len(), self.words.texts.len()),
            ("dma.items.ends", self.dma_places.ends().len(), self.dmas.len()),
        ];
        for (column, section) in self.columns() {
            lengths.push((section, column.numbers.len(), self.len()));
            lengths.push((section, column.values.postings.ends().len(), column.values.texts.len()));
        }
        for (section, length, expected) in lengths {
            expect(length == expected, || format!("{section}: has {length} values; expected {expected}"))?;
        }
        expect(u32::try_from(self.len()).is_ok(), || "place: has more rows than can be counted".to_owned())
    }

    fn columns(&self) -> [(&Column, &'static str); 4] {
        [(&self.types, "type"), (&self.cities, "city"), (&self.states, "state"), (&self.zips, "zip")]
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
            expect(follows, || format!("order.id: the place at {rank} is out of order, or has the id of another"))?;
            before = id;
        }
        let keys = || self.name_ranks.iter().zip(&*self.id_ranks).map(|(name, id)| (name.get(), id.get()));
        expect(keys().is_sorted(), || "place: the rows are not in the order of their names".to_owned())
    }
}

fn check_column(column: &Column, section: &str) -> Result<(), ReleaseError> {
    let places = column.numbers.len();
    held(section, column.values.check(places))?;
    let postings = &column.values.postings;
    let of_value = |value: usize| {
        let mut numbers = postings.get(value).iter().map(|place| column.numbers[place.get() as usize].get() as usize);
        numbers.all(|number| number == value)
    };
    let whole = postings.items().len() == places && (0..column.values.texts.len()).all(of_value);
    expect(whole, || format!("{section}: the places of a value are not those that have it"))
}

fn check_texts(texts: &Texts, section: &str) -> Result<(), ReleaseError> {
    check_ends(texts.ends(), texts.bytes().len(), section)?;
    let mut start = 0;
    for (at, end) in texts.ends().iter().enumerate() {
        let end = end.get() as usize;
        let is_text = std::str::from_utf8(&texts.bytes()[start..end]).is_ok();
        expect(is_text, || format!("{section}: the text {at} is not UTF-8"))?;
        start = end;
    }
    Ok(())
}

/// Checks that the ends of values ascend to the end of all.
fn check_ends(ends: &[U32], length: usize, section: &str) -> Result<(), ReleaseError> {
    let ascend = ends.is_sorted_by_key(|end| end.get());
    let last = ends.last().map_or(0, |end| end.get() as usize);
    expect(ascend && last == length, || format!("{section}: a value ends outside its section"))
}

/// Names the section that something is wrong with.
fn held(section: &str, checked: Result<(), String>) -> Result<(), ReleaseError> {
    checked.map_err(|reason| ReleaseError::new(Part::Places.file(), format!("{section}: {reason}")))
}

fn expect(holds: bool, reason: impl FnOnce() -> String) -> Result<(), ReleaseError> {
    if holds { Ok(()) } else { Err(ReleaseError::new(Part::Places.file(), reason())) }
}
