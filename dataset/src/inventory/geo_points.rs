//! The points of the records as texts. Nearly all are what their coordinates give, and are not kept.

use std::borrow::Cow;

use super::field::Field;
use super::fold::{FOLDING, fold_hyphens};
use super::json_values::{Whole, push_degrees, push_text};
use crate::index::{ColumnWriter, Damage, Indexing, Ordinals, StoredBits, TextColumn, TextList};
use crate::position::Position;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, SectionFile};

/// The points of the records as texts.
#[derive(Clone, Debug)]
pub(super) struct GeoPoints {
    /// Those that are written otherwise than their coordinates give.
    others: TextColumn,
    /// The spots whose coordinates give the text.
    own: StoredBits,
    /// Where each spot's text stands among all.
    ranks: Ordinals,
}

impl GeoPoints {
    /// Opens the texts of so many spots.
    pub(super) fn open(file: &SectionFile, spots: usize) -> Result<Self, ReleaseError> {
        let section = Field::GeoPoint.path();
        Ok(Self {
            others: TextColumn::open(file, section, FOLDING, Indexing::Stored, spots)?,
            own: StoredBits::open(file, &own_of(section), spots)?,
            ranks: Ordinals::open_packed(file, &ranks_of(section), spots)?,
        })
    }

    pub(super) fn get(&self, spot: u32, position: Position) -> Option<Cow<'_, str>> {
        if self.own.get(spot) {
            return Some(Cow::Owned(geo_point(position)));
        }
        self.others.get(spot).map(Cow::Borrowed)
    }

    /// Appends a spot's text as JSON, and nothing when it has none.
    pub(super) fn write_json(&self, spot: u32, position: Position, out: &mut Vec<u8>) {
        if self.own.get(spot) {
            out.push(b'"');
            push_degrees(position.latitude, Whole::Plain, out);
            out.push(b',');
            push_degrees(position.longitude, Whole::Plain, out);
            out.push(b'"');
        } else if let Some(text) = self.others.get(spot) {
            push_text(text, out);
        }
    }

    /// Returns where each spot's text stands among all.
    pub(super) fn ranks(&self) -> &Ordinals {
        &self.ranks
    }

    /// Checks that no spot has two texts.
    pub(super) fn check(&self) -> Result<(), Damage> {
        self.others.check()?;
        self.own.check()?;
        let is_both = self.own.to_set().iter().any(|spot| self.others.ordinal(spot).is_some());
        if is_both { Err(Damage::BothTexts) } else { Ok(()) }
    }
}

/// Collects the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct GeoPointsWriter {
    others: ColumnWriter,
    own: Vec<bool>,
}

impl GeoPointsWriter {
    pub(super) fn push(&mut self, text: Option<&str>, position: Position) {
        let is_own = text.is_some_and(|text| text == geo_point(position));
        self.own.push(is_own);
        self.others.push(text.filter(|_| !is_own));
    }

    /// Writes the texts in another order than that in which they came.
    pub(super) fn write(self, file: &mut FileWriter, order: &[u32], positions: &[Position]) {
        let section = Field::GeoPoint.path();
        let own: Vec<bool> = order.iter().map(|at| self.own[*at as usize]).collect();
        let others = self.others.sorted(FOLDING, order.iter().copied());
        let (mut keys, mut of_spots) = (TextList::default(), Vec::with_capacity(order.len()));
        for (spot, (is_own, position)) in own.iter().zip(positions).enumerate() {
            if *is_own {
                keys.push(&fold_hyphens(&geo_point(*position)));
            } else if let Some(value) = others.numbers[spot].checked_sub(1) {
                keys.push(others.values.key(value));
            } else {
                continue;
            }
            of_spots.push(spot);
        }
        let (mut ranks, mut rank, mut before) = (vec![0; order.len()], 0, None);
        for number in keys.sorted(u32::cmp) {
            let key = keys.get(number);
            rank += u32::from(before.replace(key) != Some(key));
            ranks[of_spots[number as usize]] = rank;
        }
        others.write(file, section, Indexing::Stored);
        StoredBits::write(file, &own_of(section), own.into_iter());
        Ordinals::write_packed(file, &ranks_of(section), &ranks, rank as usize);
    }
}

/// Returns a point as a text: degrees north, a comma, degrees east.
pub fn geo_point(Position { latitude, longitude }: Position) -> String {
    format!("{latitude},{longitude}")
}

fn own_of(section: &str) -> String {
    format!("{section}.own")
}

fn ranks_of(section: &str) -> String {
    format!("{section}.ranks_of_all")
}
