//! How the people of a county are spread over its ZIP codes.

use dataset::Position;

use super::residents::Residents;
use crate::cohorts::{apportion, cells_of};

/// Spreads the people of a county over its ZIP codes, in proportion to their weights; evenly where none has
/// one.
///
/// Every ZIP code gets its county's shares, and all of them together exactly the county's people, cell by
/// cell: each takes its part of what those before it left. The smallest take theirs first, so that what
/// rounding has moved lands where it is least noticed.
pub(super) fn spread(county: &Residents, zips: &[(u32, Position)]) -> Vec<Residents> {
    let weights: Vec<u32> = zips.iter().map(|(weight, _)| *weight).collect();
    let (persons, households) = (apportion(county.persons, &weights), apportion(county.households, &weights));
    let mut order: Vec<usize> = (0..zips.len()).collect();
    order.sort_by_key(|zip| persons[*zip]);

    let mut left = county.cells;
    let mut parts = vec![Residents::default(); zips.len()];
    for zip in order {
        let cells = cells_of(persons[zip], &left);
        left -= &cells;
        parts[zip] = Residents::new(persons[zip], households[zip], cells, zips[zip].1);
    }
    parts
}
