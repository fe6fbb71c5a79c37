//! Compares the modelled visits in a release with brands' published averages.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::{Folder, Measures, Places};

use super::airports::Boardings;
use super::error::SampleError;
use super::measures::{BRANDS, sites};
use super::places::table;
use super::sizes::Sizes;
use crate::model::Brands;

/// A comparison between modelled and published weekly visits to the standalone places of one type and brand.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    pub place_type: String,
    /// The brand, or an empty string for places without a brand.
    pub brand: String,
    /// The number of standalone places.
    pub places: u64,
    /// The mean of the weekly visits in the release.
    pub mean: f64,
    /// The published average of weekly visits, if any.
    pub published: Option<f64>,
}

/// Returns the comparisons for all types and brands with standalone places, in alphabetical order. `data` is
/// the folder with the release's source data.
///
/// # Errors
///
/// Fails if the source data or the release can't be read.
pub fn calibration(data: &Path, release: &Folder) -> Result<Vec<Fit>, SampleError> {
    let (places, measures) = (Places::open(release)?, Measures::open(release)?);
    let brands = Brands::read(&data.join(BRANDS))?;
    let mut sums = BTreeMap::<(String, String), (u64, u64)>::new();
    let sizes = Sizes::read(&table(data)?)?;
    for site in sites(&places, &Boardings::read(data)?, &sizes, &brands) {
        if let (None, Some(glance)) = (site.format, measures.glance(site.id)) {
            let (places, visits) = sums.entry((site.place_type, site.brand)).or_default();
            *places += 1;
            *visits += u64::from(glance.visits);
        }
    }
    let fit = |((place_type, brand), (places, visits)): ((String, String), (u64, u64))| Fit {
        published: brands.get(&brand).and_then(|brand| brand.weekly_visits),
        mean: visits as f64 / places as f64,
        place_type,
        brand,
        places,
    };
    Ok(sums.into_iter().map(fit).collect())
}
