//! The residents of an area and their mean position.

use std::ops::AddAssign;

use dataset::Position;
use dataset::cohorts::Cells;
use dataset::position::UnitVector;

/// The residents of an area.
#[derive(Clone, Debug, Default)]
pub(super) struct Residents {
    pub(super) persons: u32,
    pub(super) households: u32,
    pub(super) cells: Cells,
    /// The sum of all residents' positions as unit vectors, which are continuous across the date line, unlike
    /// degrees.
    arrow: UnitVector,
}

impl Residents {
    /// Creates the residents of an area with its center at `position`.
    pub(super) fn new(persons: u32, households: u32, cells: Cells, position: Position) -> Self {
        Self {
            persons,
            households,
            cells,
            arrow: position.to_unit_vector().map(|part| part * f64::from(persons)),
        }
    }

    /// Returns the mean position of the residents, or `None` if the area is uninhabited.
    pub(super) fn middle(&self) -> Option<Position> {
        let [x, y, z] = self.arrow;
        (self.persons > 0).then(|| Position {
            latitude: z.atan2(x.hypot(y)).to_degrees(),
            longitude: y.atan2(x).to_degrees(),
        })
    }
}

impl AddAssign<&Self> for Residents {
    fn add_assign(&mut self, other: &Self) {
        self.persons += other.persons;
        self.households += other.households;
        self.cells += &other.cells;
        self.arrow.iter_mut().zip(other.arrow).for_each(|(sum, part)| *sum += part);
    }
}
