//! What a release says of its origin, in the words of answers.

use dataset::cohorts::ShareSource;
use dataset::{Figures, Folder, ReleaseError, Segment};
use serde::Serialize;
use shared::types::{Maturity, Provenance, RecordSource};

/// Where a cohort's shares come from: `CohortShares` in openapi.yaml, and the same wherever the cohort is
/// named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CohortShares {
    source: String,
    vintage: String,
    data_maturity: Maturity,
}

impl From<ShareSource<'_>> for CohortShares {
    fn from(shares: ShareSource<'_>) -> Self {
        let ShareSource { source, vintage, maturity: least } = shares;
        Self { source: source.to_owned(), vintage: vintage.to_owned(), data_maturity: maturity(least) }
    }
}

/// Returns where figures of cohorts come from: from where the persons do, and from where the cohorts' shares
/// do. They are as mature as the least mature of these.
pub fn provenance_of_cohorts<'a>(
    persons: &Provenance,
    cohorts: impl IntoIterator<Item = Segment<'a>>,
) -> Provenance {
    let mut about = persons.clone();
    // A report has dozens of cohorts, and their shares a few sources.
    let mut sources: Vec<(&str, &str)> = Vec::new();
    for Segment { shares, .. } in cohorts {
        about.data_maturity = about.data_maturity.max(maturity(shares.maturity));
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

/// Returns what a release says of the origin of its figures, as answers show it.
///
/// # Errors
///
/// When the manifest does not say.
pub fn provenance(folder: &Folder, figures: Figures) -> Result<Provenance, ReleaseError> {
    let dataset::Provenance {
        source,
        source_doc,
        methodology_version,
        data_vintage,
        data_freshness,
        data_latency_days,
        data_maturity,
        known_gaps,
    } = folder.manifest().provenance(figures)?.clone();
    Ok(Provenance {
        source,
        source_doc: (!source_doc.is_empty()).then_some(source_doc),
        methodology_version,
        data_vintage,
        data_freshness,
        data_latency_days,
        data_maturity: maturity(data_maturity),
        known_gaps,
        sources: Vec::new(),
    })
}

/// Adds whose the records of an answer are.
pub fn with_record_sources(about: Provenance, used: Vec<dataset::RecordSource>) -> Provenance {
    let source =
        |dataset::RecordSource { name, vintage }| RecordSource { source: name, data_vintage: vintage };
    Provenance { sources: used.into_iter().map(source).collect(), ..about }
}

fn maturity(maturity: dataset::Maturity) -> Maturity {
    match maturity {
        dataset::Maturity::Production => Maturity::Production,
        dataset::Maturity::ResearchPreview => Maturity::ResearchPreview,
        dataset::Maturity::SyntheticOnly => Maturity::SyntheticOnly,
    }
}
