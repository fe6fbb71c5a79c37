//! The provenance of figures about cohorts.

use provenance::{Maturity, Provenance};
use serde::Serialize;

use super::segment::Segment;
use crate::cohorts::ShareSource;

/// The source of the shares from which a cohort's persons are computed. See `CohortShares` in openapi.yaml.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CohortShares {
    source: String,
    vintage: String,
    data_maturity: Maturity,
}

impl From<ShareSource<'_>> for CohortShares {
    fn from(shares: ShareSource<'_>) -> Self {
        let ShareSource { source, vintage, maturity: data_maturity } = shares;
        Self { source: source.to_owned(), vintage: vintage.to_owned(), data_maturity }
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
