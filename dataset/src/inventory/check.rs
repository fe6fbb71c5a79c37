//! Holds the file of the inventory to what reading and searching rely on.

use super::column::{Bits, Numbers, TextColumn};
use super::field::{FLAGS, POSTED, SEARCHED, TEXTS};
use super::postings::Postings;
use super::{Field, Inventory, OPERATOR, SpotCounts, count};
use crate::{Part, ReleaseError};

impl Inventory {
    /// Checks that ids ascend, texts are texts, and whatever refers to something refers to what is there. What passes
    /// can be read and searched.
    ///
    /// # Errors
    ///
    /// The first thing that is otherwise.
    pub fn check(&self) -> Result<(), ReleaseError> {
        let ascend = self.ids.is_sorted_by(|one, other| one.get() < other.get());
        expect(ascend && self.ids.first().is_none_or(|id| id.get() > 0), || "ids: are not in order".to_owned())?;
        for (field, column) in FLAGS.iter().zip(&self.flags) {
            let is_both = (0..count(self.len())).any(|spot| column.yes.get(spot) && column.no.get(spot));
            expect(!is_both, || format!("{}: a spot has it and lacks it", field.path()))?;
        }
        for (field, column) in TEXTS.into_iter().zip(&self.texts) {
            check_texts(field.path(), column)?;
        }
        for (field, postings) in POSTED.into_iter().zip(&self.postings) {
            self.check_postings(field, postings)?;
        }
        for (field, words) in SEARCHED.into_iter().zip(&self.words) {
            words.check(self.text(field).values.len()).map_err(|reason| refuse(field, &reason))?;
        }
        let (others, own, _) = self.geo_points.parts();
        check_texts(Field::GeoPoint.path(), others)?;
        check_texts(OPERATOR, &self.operators)?;
        let is_both = (0..count(self.len())).any(|spot| own.get(spot) && others.numbers.get(spot).is_some());
        expect(!is_both, || format!("{}: a spot has two", Field::GeoPoint.path()))?;
        let numbers = &self.orientations.numbers;
        check_numbers(Field::Orientation.path(), numbers, self.orientations.values.len())?;
        let ascend = self.orientations.values.is_sorted_by(|one, other| one.get() < other.get());
        expect(ascend, || format!("{}: the values are not in order", Field::Orientation.path()))?;
        self.points
            .check(&|spot| self.measured.get(spot))
            .map_err(|reason| ReleaseError::new(Part::Inventory.file(), reason))?;
        expect(self.lists.are_sound(), || "lists: are not what was written".to_owned())
    }

    /// Checks that every column has a value for each spot.
    pub(super) fn check_lengths(&self) -> Result<(), ReleaseError> {
        let spots = self.len();
        expect(u32::try_from(spots).is_ok_and(|spots| spots < u32::MAX), || "ids: are too many".to_owned())?;
        let words = spots.div_ceil(64);
        let is_whole = |bits: &Bits| bits.words().len() == words;
        expect(is_whole(&self.measured), || "measured: is cut off".to_owned())?;
        for (field, column) in FLAGS.into_iter().zip(&self.flags) {
            expect(is_whole(&column.yes) && is_whole(&column.no), || format!("{}: is cut off", field.path()))?;
        }
        let (others, own, ranks) = self.geo_points.parts();
        expect(is_whole(own), || format!("{}: is cut off", Field::GeoPoint.path()))?;
        let mut lengths = vec![("lists", self.lists.len())];
        lengths.extend(self.points.lengths().map(|length| ("points", length)));
        lengths.push((OPERATOR, self.operators.numbers.len() as usize));
        lengths.push((Field::GeoPoint.path(), ranks.len()));
        lengths.push((Field::GeoPoint.path(), others.numbers.len() as usize));
        lengths.push((Field::Orientation.path(), self.orientations.numbers.len() as usize));
        lengths
            .extend(TEXTS.iter().zip(&self.texts).map(|(field, column)| (field.path(), column.numbers.len() as usize)));
        for (section, length) in lengths {
            expect(length == spots, || format!("{section}: has {length} values; expected {spots}"))?;
        }
        for (field, postings) in POSTED.into_iter().zip(&self.postings) {
            let [values, _, dense, bits] = postings.lengths();
            let is_whole = values == self.text(field).values.len() && bits == dense * words;
            expect(is_whole, || format!("{}: the spots of its values are cut off", field.path()))?;
        }
        Ok(())
    }

    /// Checks that the spots of each value are those that have it.
    fn check_postings(&self, field: Field, postings: &Postings) -> Result<(), ReleaseError> {
        let column = self.text(field);
        let ends = postings.ends();
        let [values, listed, ..] = postings.lengths();
        let ascend = ends.is_sorted_by_key(|end| end.get());
        let is_whole = ascend && ends.last().map_or(0, |end| end.get() as usize) == listed;
        expect(is_whole, || format!("{}: the spots of a value end outside", field.path()))?;
        let mut counted = 0;
        for value in 0..count(values) {
            let spots = postings.get(value);
            counted += spots.len();
            let is_right = spots.all(&|spot| spot < column.numbers.len() && column.numbers.get(spot) == Some(value));
            expect(is_right, || format!("{}: a spot of value {value} has another one", field.path()))?;
        }
        let with_value = (0..column.numbers.len()).filter(|spot| column.numbers.get(*spot).is_some()).count();
        expect(counted == with_value, || format!("{}: spots of its values are missing", field.path()))
    }
}

impl SpotCounts {
    /// Checks that there is a count of each geography.
    ///
    /// # Errors
    ///
    /// When there are more or fewer.
    pub fn check(&self, geographies: usize) -> Result<(), ReleaseError> {
        if self.len() == geographies {
            return Ok(());
        }
        let reason = format!("counts {} geographies; there are {geographies}", self.len());
        Err(ReleaseError::new(Part::SpotCounts.file(), reason))
    }
}

fn check_texts(section: &str, column: &TextColumn) -> Result<(), ReleaseError> {
    let values = count(column.values.len());
    expect(column.values.are_sound(), || format!("{section}: a text is not UTF-8"))?;
    check_numbers(section, &column.numbers, column.values.len())?;
    let mut before: Option<(String, &str)> = None;
    let mut rank = 0;
    for value in 0..values {
        let (key, text) = (column.key(value), column.values.get(value as usize));
        if before.as_ref().is_none_or(|before| before.0 != key) {
            rank = value;
        }
        let follows = before.as_ref().is_none_or(|before| (&*before.0, before.1) < (&*key, text));
        expect(follows && column.rank(value) == rank, || format!("{section}: the texts are not in order"))?;
        before = Some((key, text));
    }
    let ranks = column.ranks().len();
    expect(ranks == 0 || ranks == values as usize, || format!("{section}: the ranks are cut off"))
}

fn check_numbers(section: &str, numbers: &Numbers, values: usize) -> Result<(), ReleaseError> {
    let exist = (0..numbers.len()).all(|spot| numbers.get(spot).is_none_or(|value| (value as usize) < values));
    expect(exist, || format!("{section}: a spot has a value that is not there"))
}

fn refuse(field: Field, reason: &str) -> ReleaseError {
    ReleaseError::new(Part::Inventory.file(), format!("{}: {reason}", field.path()))
}

fn expect(holds: bool, reason: impl FnOnce() -> String) -> Result<(), ReleaseError> {
    if holds { Ok(()) } else { Err(ReleaseError::new(Part::Inventory.file(), reason())) }
}
