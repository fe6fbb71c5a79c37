//! Counts the distinct visitors to the places in a report.

use contact_model::{VisitorHome, Visitors};
use dataset::{Measure, PlaceId};

use crate::Release;

/// Returns the number of distinct persons who visit the places in an average week. Returns `None` for several
/// places if it's unknown where the visitors to any of them live.
pub(crate) fn unique_persons(release: &Release, measured: &[(PlaceId, Measure)]) -> Option<u64> {
    if let [(_, one)] = measured {
        return Some(one.unique_persons);
    }
    let residents = |zip| release.geographies.get(zip).population.into();
    let mut visitors = Visitors::default();
    for (_, measure) in measured {
        if measure.origins.is_empty() {
            return None;
        }
        visitors.add(measure.unique_persons as f64, 1.0, VisitorHome::of(measure, residents));
    }
    Some(visitors.persons().round() as u64)
}
