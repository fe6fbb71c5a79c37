//! The provenance of figures about cohorts.

use provenance::{Maturity, Provenance, Resolution};
use serde::Serialize;

use super::segment::Segment;
use crate::cohorts::ShareSource;

/// The source of the shares that determine the number of persons in a cohort. See `CohortShares` in
/// openapi.yaml.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CohortShares {
    source: String,
    vintage: String,
    data_maturity: Maturity,
    resolution: Resolution,
}

/// The description of how the counts of crossed cohorts are computed.
pub(super) const CROSSED: &str = "crossed by a model: independent of each other within a ZIP code";

impl CohortShares {
    /// Combines the sources of a composed cohort. The result has the lowest maturity and the coarsest
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

/// Combines the provenance of a population with the sources of the shares of cohorts. The resulting maturity
/// is the lowest of all.
pub fn provenance_of_cohorts<'a>(
    persons: &Provenance,
    cohorts: impl IntoIterator<Item = Segment<'a>>,
) -> Provenance {
    let mut about = persons.clone();
    // A report has dozens of cohorts, but their shares come from only a few sources, so a list is sufficient.
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
        about.source = format!("{}; shares of cohorts: {}", about.source, sources.join("; "));
    }
    about
}
