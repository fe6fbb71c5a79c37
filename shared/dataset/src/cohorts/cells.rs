//! The cells into which a population is divided, and sets of cells.

use std::array;
use std::ops::AddAssign;

use strum::VariantArray;

/// An age band, named after its lowest age. It ends where the next band begins.
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

/// An ethnic or racial group. Every person is in exactly one group. `Hispanic` includes people of any race,
/// and all other groups exclude Hispanic people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum EthnicGroup {
    /// Asian alone, or Native Hawaiian or Other Pacific Islander alone.
    AsianOrPacific,
    /// Black alone.
    Black,
    Hispanic,
    /// White alone.
    White,
    /// American Indian or Alaska Native alone, another race alone, or two or more races.
    Other,
}

/// A bracket of annual household income, named after its lower limit in thousands of dollars.
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

/// The number of age bands.
pub const AGES: usize = AgeBand::VARIANTS.len();

/// The number of cells for sex and age. The men's age bands come first, followed by the women's.
pub const AGE_SEX: usize = 2 * AGES;

/// The number of ethnic and racial groups.
pub const ETHNICITIES: usize = EthnicGroup::VARIANTS.len();

/// The number of household income brackets.
pub const INCOMES: usize = IncomeBracket::VARIANTS.len();

/// The total number of cells. Releases store them in this order: sex and age, ethnicity, income.
pub const CELLS: usize = AGE_SEX + ETHNICITIES + INCOMES;

/// The number of persons in each cell. The cells of each kind (sex and age, ethnicity, income) add up to the
/// whole population.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    pub age_sex: [u32; AGE_SEX],
    pub ethnicity: [u32; ETHNICITIES],
    pub income: [u32; INCOMES],
}

impl Cells {
    /// Creates the counts from an array in the order that releases use.
    pub fn from_array(cells: [u32; CELLS]) -> Self {
        Self {
            age_sex: array::from_fn(|cell| cells[cell]),
            ethnicity: array::from_fn(|cell| cells[AGE_SEX + cell]),
            income: array::from_fn(|cell| cells[AGE_SEX + ETHNICITIES + cell]),
        }
    }

    /// Returns the total number of persons in a set of cells. For [`CellSet::EVERYONE`], returns `persons`.
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

/// A kind of cell. Every person is in exactly one cell of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    AgeSex,
    Ethnicity,
    Income,
}

impl CellKind {
    pub const ALL: [Self; 3] = [Self::AgeSex, Self::Ethnicity, Self::Income];

    /// Returns all cells of this kind.
    const fn cells(self) -> CellSet {
        match self {
            Self::AgeSex => CellSet::range(0, AGE_SEX - 1),
            Self::Ethnicity => CellSet::range(AGE_SEX, AGE_SEX + ETHNICITIES - 1),
            Self::Income => CellSet::range(AGE_SEX + ETHNICITIES, CELLS - 1),
        }
    }
}

/// A set of cells, such as the cells that make up a cohort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSet(u64);

impl CellSet {
    /// The set for the whole population. It contains no cells, because the total isn't computed from cells.
    pub const EVERYONE: Self = Self(0);

    /// Decodes a stored set of cells. Returns `None` if the set contains unknown cells.
    pub fn from_bits(bits: u64) -> Option<Self> {
        (bits >> CELLS == 0).then_some(Self(bits))
    }

    /// Encodes the set for storage, with one bit per cell.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns a set with a single cell.
    pub const fn single(cell: usize) -> Self {
        Self(1 << cell)
    }

    /// Returns the cells for men in an inclusive range of age bands.
    pub const fn men(from: AgeBand, to: AgeBand) -> Self {
        Self::range(from as usize, to as usize)
    }

    /// Returns the cells for women in an inclusive range of age bands.
    pub const fn women(from: AgeBand, to: AgeBand) -> Self {
        Self::range(AGES + from as usize, AGES + to as usize)
    }

    pub const fn ethnicity(group: EthnicGroup) -> Self {
        Self::single(AGE_SEX + group as usize)
    }

    /// Returns the cells for people in households in an inclusive range of income brackets.
    pub const fn income(from: IncomeBracket, to: IncomeBracket) -> Self {
        let first = AGE_SEX + ETHNICITIES;
        Self::range(first + from as usize, first + to as usize)
    }

    /// Returns the set's cells of the given kind.
    pub const fn of_kind(self, kind: CellKind) -> Self {
        self.intersection(kind.cells())
    }

    /// Returns the cells that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the union of the two sets.
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
    fn cells_match_the_release_format() {
        let cells =
            format!("{:?} {:?} {:?}", AgeBand::VARIANTS, EthnicGroup::VARIANTS, IncomeBracket::VARIANTS);
        // Releases refer to cells by number, so a change to this list requires a new format version.
        let expected = "[Age0, Age5, Age10, Age15, Age18, Age20, Age25, Age30, Age35, Age45, Age55, Age65, \
                        Age75, Age85] [AsianOrPacific, Black, Hispanic, White, Other] [From0, From10, \
                        From15, From25, From35, From50, From75, From100, From150, From200]";
        assert_eq!((FORMAT, cells.as_str()), (14, expected));
    }
}
