//! Cells, and sets of them.

use std::array;
use std::ops::{AddAssign, SubAssign};

use strum::VariantArray;

/// A band of age, by the age at which it begins. The next one begins where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum AgeBand {
    Age0,
    Age5,
    Age10,
    Age15,
    Age18,
    Age20,
    Age25,
    Age30,
    Age35,
    Age45,
    Age55,
    Age65,
    Age75,
    Age85,
}

/// A group of ethnicity and race. Groups overlap, and some people are in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum EthnicGroup {
    AsianAlone,
    BlackAlone,
    Hispanic,
    WhiteNotHispanic,
}

/// A bracket of a household's income in a year, by the thousands of dollars at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum IncomeBracket {
    From0,
    From10,
    From15,
    From25,
    From35,
    From50,
    From75,
    From100,
    From150,
    From200,
}

/// How many bands of age there are.
pub const AGES: usize = AgeBand::VARIANTS.len();

/// How many cells of sex and age there are: the bands of men, then those of women.
pub const AGE_SEX: usize = 2 * AGES;

/// How many groups of ethnicity and race are counted.
pub const ETHNICITIES: usize = EthnicGroup::VARIANTS.len();

/// How many brackets of household income there are.
pub const INCOMES: usize = IncomeBracket::VARIANTS.len();

/// How many cells there are in all. A release stores them in the order of sex and age, ethnicity, income.
pub const CELLS: usize = AGE_SEX + ETHNICITIES + INCOMES;

/// The persons of each cell. Sex and age, and income, each divide everyone; the groups of ethnicity overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    pub age_sex: [u32; AGE_SEX],
    pub ethnicity: [u32; ETHNICITIES],
    pub income: [u32; INCOMES],
}

impl Cells {
    /// Takes the cells one after the other.
    pub fn from_array(cells: [u32; CELLS]) -> Self {
        Self {
            age_sex: array::from_fn(|cell| cells[cell]),
            ethnicity: array::from_fn(|cell| cells[AGE_SEX + cell]),
            income: array::from_fn(|cell| cells[AGE_SEX + ETHNICITIES + cell]),
        }
    }

    /// Adds up the cells of a set; of the set of everyone, `persons`.
    pub fn persons_of(&self, set: CellSet, persons: u32) -> u32 {
        if set == CellSet::EVERYONE {
            return persons;
        }
        let members = self.iter().enumerate().filter(|(cell, _)| set.holds(*cell));
        members.fold(0, |sum, (_, persons)| sum.saturating_add(persons))
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.age_sex.into_iter().chain(self.ethnicity).chain(self.income)
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        self.age_sex.iter_mut().chain(&mut self.ethnicity).chain(&mut self.income)
    }
}

impl AddAssign<&Self> for Cells {
    fn add_assign(&mut self, other: &Self) {
        self.iter_mut().zip(other.iter()).for_each(|(cell, persons)| *cell += persons);
    }
}

impl SubAssign<&Self> for Cells {
    fn sub_assign(&mut self, other: &Self) {
        self.iter_mut().zip(other.iter()).for_each(|(cell, persons)| *cell -= persons);
    }
}

/// Which cells a cohort is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSet(u64);

impl CellSet {
    /// Everyone, who are no sum of cells but what the cells divide.
    pub const EVERYONE: Self = Self(0);

    /// Takes a set as a file holds it; `None` when it has cells that do not exist.
    pub fn from_bits(bits: u64) -> Option<Self> {
        (bits >> CELLS == 0).then_some(Self(bits))
    }

    /// Returns the set as a file holds it.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one cell.
    pub const fn single(cell: usize) -> Self {
        Self(1 << cell)
    }

    /// Men from one band of age to another.
    pub const fn men(from: AgeBand, to: AgeBand) -> Self {
        Self::range(from as usize, to as usize)
    }

    /// Women from one band of age to another.
    pub const fn women(from: AgeBand, to: AgeBand) -> Self {
        Self::range(AGES + from as usize, AGES + to as usize)
    }

    pub const fn ethnicity(group: EthnicGroup) -> Self {
        Self::single(AGE_SEX + group as usize)
    }

    /// Households from one bracket of income to another.
    pub const fn income(from: IncomeBracket, to: IncomeBracket) -> Self {
        let first = AGE_SEX + ETHNICITIES;
        Self::range(first + from as usize, first + to as usize)
    }

    /// The cells of both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn range(from: usize, to: usize) -> Self {
        Self((1 << (to + 1)) - (1 << from))
    }

    const fn holds(self, cell: usize) -> bool {
        self.0 >> cell & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FORMAT;

    #[test]
    fn a_format_has_these_cells_in_this_order() {
        let cells =
            format!("{:?} {:?} {:?}", AgeBand::VARIANTS, EthnicGroup::VARIANTS, IncomeBracket::VARIANTS);
        // A release knows cells by their numbers: where these change, the format goes up.
        let expected = "[Age0, Age5, Age10, Age15, Age18, Age20, Age25, Age30, Age35, Age45, Age55, Age65, Age75, \
                        Age85] [AsianAlone, BlackAlone, Hispanic, WhiteNotHispanic] [From0, From10, From15, \
                        From25, From35, From50, From75, From100, From150, From200]";
        assert_eq!((FORMAT, cells.as_str()), (9, expected));
    }
}
