//! Distributes the residents of a county over its ZIP codes.

use dataset::Position;

use super::residents::Residents;
use crate::cohorts::{apportion, cells_of};

/// Distributes the residents of a county over its ZIP codes in proportion to the weights of the ZIP codes, or
/// evenly if all weights are 0.
///
/// Every ZIP code has the shares of its county, and in every cell, the ZIP codes sum exactly to the county.
/// ZIP codes are processed from smallest to largest, and each one gets its part of the remaining residents.
/// This order moves rounding errors to the largest ZIP codes, where the errors matter least.
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
