use std::borrow::Cow;

use zerocopy::little_endian::U32;

use super::column::{Bits, TextColumn};
use super::text::key;
use super::writer::Interned;
use super::{Field, count};
use crate::file::{FileWriter, Rows, SectionFile};
use crate::{Position, ReleaseError};

/// The points of the records as texts. Nearly all are what their coordinates give, and are not kept.
#[derive(Clone, Debug)]
pub(super) struct GeoPoints {
    /// Those that are written otherwise.
    others: TextColumn,
    own: Bits,
    /// One more than where each spot's text stands among all; 0 for none.
    ranks: Rows<U32>,
}

impl GeoPoints {
    pub(super) fn open(file: &SectionFile) -> Result<Self, ReleaseError> {
        let section = Field::GeoPoint.path();
        Ok(Self {
            others: TextColumn::open(file, section)?,
            own: Bits::open(file, &own_of(section))?,
            ranks: file.rows(&ranks_of(section))?,
        })
    }

    /// Returns a spot's text.
    pub(super) fn get(&self, spot: u32, position: Position) -> Option<Cow<'_, str>> {
        if self.own.get(spot) {
            return Some(Cow::Owned(geo_point(position)));
        }
        self.others.get(spot).map(Cow::Borrowed)
    }

    /// Returns where a spot's text stands among all.
    pub(super) fn rank(&self, spot: u32) -> Option<u32> {
        self.ranks[spot as usize].get().checked_sub(1)
    }

    pub(super) fn parts(&self) -> (&TextColumn, &Bits, &[U32]) {
        (&self.others, &self.own, &self.ranks)
    }
}

/// Collects the texts.
#[derive(Debug, Default)]
pub(super) struct GeoPointsWriter {
    others: Interned,
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
        let others = self.others.sorted(order);
        let mut keys: Vec<(String, usize)> = Vec::with_capacity(order.len());
        for (spot, (is_own, position)) in own.iter().zip(positions).enumerate() {
            if *is_own {
                keys.push((key(&geo_point(*position)), spot));
            } else if let Some(value) = others.numbers[spot].checked_sub(1) {
                keys.push((others.values[value as usize].0.clone(), spot));
            }
        }
        keys.sort_unstable();
        let (mut ranks, mut rank) = (vec![U32::new(0); order.len()], 0);
        for (at, (key, spot)) in keys.iter().enumerate() {
            rank += count(usize::from(at == 0 || keys[at - 1].0 != *key));
            ranks[*spot] = U32::new(rank);
        }
        TextColumn::write(file, section, &others.values, &others.numbers);
        Bits::write(file, &own_of(section), own.into_iter());
        file.rows(&ranks_of(section), &ranks);
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
    format!("{section}.order")
}
