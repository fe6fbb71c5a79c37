//! What a release says of its origin, in the words of answers.

use dataset::{Figures, Folder, ReleaseError};
use shared::types::{Maturity, Provenance, RecordSource};

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
    } = folder.manifest().provenance(figures)?.clone();
    Ok(Provenance {
        source,
        source_doc: (!source_doc.is_empty()).then_some(source_doc),
        methodology_version,
        data_vintage,
        data_freshness,
        data_latency_days,
        data_maturity: match data_maturity {
            dataset::Maturity::Production => Maturity::Production,
            dataset::Maturity::ResearchPreview => Maturity::ResearchPreview,
            dataset::Maturity::SyntheticOnly => Maturity::SyntheticOnly,
        },
        sources: Vec::new(),
    })
}

/// Adds whose the records of an answer are.
pub fn with_record_sources(about: &Provenance, used: Vec<dataset::RecordSource>) -> Provenance {
    let source =
        |dataset::RecordSource { name, vintage }| RecordSource { source: name, data_vintage: vintage };
    Provenance { sources: used.into_iter().map(source).collect(), ..about.clone() }
}
