//! Where the figures of an answer come from, and how far they can be relied on.

use serde::Serialize;
use strum::IntoStaticStr;

/// How far an answer can be relied on, from the most to the least (`Provenance.data_maturity` in
/// openapi.yaml).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Maturity {
    /// Measured or counted.
    Production,
    /// Arithmetic on counts.
    ResearchPreview,
    /// Derived by a model.
    SyntheticOnly,
}

/// Where an answer comes from (`Provenance` in openapi.yaml).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// Who counted, and what was done with the counts.
    pub source: String,
    /// Where that is described; `None` for the service's own documentation.
    pub source_doc: Option<String>,
    /// The version of the method.
    pub methodology_version: String,
    /// The day that the data describe, `YYYY-MM-DD`.
    pub data_vintage: String,
    /// How often the data change.
    pub data_freshness: String,
    /// How long after its vintage a figure is published, in days; `None` where that is not known.
    pub data_latency_days: Option<u32>,
    /// How far the data can be relied on.
    pub data_maturity: Maturity,
    /// What is known to be missing from the data, a sentence each.
    pub known_gaps: Vec<String>,
    /// Whose the records of the answer are; none where it shows no records.
    pub sources: Vec<RecordSource>,
}

/// Whose data records are, and which day they describe (`RecordSource` in openapi.yaml).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordSource {
    pub source: String,
    /// `YYYY-MM-DD`.
    pub data_vintage: String,
}
