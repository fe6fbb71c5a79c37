//! The provenance of cohort figures.

use provenance::{Maturity, Provenance, Resolution};
use serde::Serialize;

use super::segment::Segment;
use crate::cohorts::ShareSource;

/// The source of the population shares that a cohort's counts are based on. See `CohortShares` in
/// openapi.yaml.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CohortShares {
    source: String,
    vintage: String,
    data_maturity: Maturity,
    resolution: Resolution,
}

/// The provenance text that describes how the counts of crossed cohorts are computed.
pub(super) const CROSSED: &str = "combined by a model that assumes independence within each ZIP code";

impl CohortShares {
    /// Combines the sources for several cohorts. The result has the lowest maturity and the coarsest
    /// resolution of all sources.
    pub(super) fn of<'a>(all: impl Iterator<Item = ShareSource<'a>>, is_crossed: bool) -> Self {
        let (mut sources, mut vintages) = (Vec::new(), Vec::new());
        let (mut data_maturity, mut resolution) = (Maturity::Production, Resolution::Zip);
        for ShareSource { source, vintage, maturity, resolution: of_source } in all {
            data_maturity = data_maturity.max(maturity);
            resolution = resolution.max(of_source);
            for (texts, text) in [(&mut sources, source), (&mut vintages, vintage)] {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        if is_crossed {
            data_maturity = data_maturity.max(Maturity::SyntheticOnly);
            sources.push(CROSSED);
        }
        Self { source: sources.join("; "), vintage: vintages.join(", "), data_maturity, resolution }
    }
}

impl From<ShareSource<'_>> for CohortShares {
    fn from(shares: ShareSource<'_>) -> Self {
        let ShareSource { source, vintage, maturity: data_maturity, resolution } = shares;
        Self { source: source.to_owned(), vintage: vintage.to_owned(), data_maturity, resolution }
    }
}

/// Combines the provenance of population counts with the sources of the cohorts' shares. The result has the
/// lowest maturity of all.
pub fn provenance_of_cohorts<'a>(
    persons: &Provenance,
    cohorts: impl IntoIterator<Item = Segment<'a>>,
) -> Provenance {
    let mut about = persons.clone();
    // A report has dozens of cohorts but only a few sources, so a linear search is fast enough.
    let mut sources: Vec<(&str, &str)> = Vec::new();
    for Segment { shares, .. } in cohorts {
        about.data_maturity = about.data_maturity.max(shares.maturity);
        if !sources.contains(&(shares.source, shares.vintage)) {
            sources.push((shares.source, shares.vintage));
        }
    }
    if !sources.is_empty() {
        let sources: Vec<_> =
            sources.into_iter().map(|(source, vintage)| format!("{source} ({vintage})")).collect();
        about.source = format!("{}; cohort shares: {}", about.source, sources.join("; "));
    }
    about
}
