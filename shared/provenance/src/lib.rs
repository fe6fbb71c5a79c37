//! Where figures come from, and how far they can be relied on: what a data release says of its figures, as
//! answers show it.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

/// How far figures can be relied on, from the most to the least (`Provenance.data_maturity` in openapi.yaml).
#[derive(
    Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr,
)]
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

/// Where figures come from (`Provenance` in openapi.yaml).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Who counted, and what was done with the counts.
    pub source: String,
    /// Where that is described; empty for the service's own documentation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_doc: String,
    /// The version of the method.
    pub methodology_version: String,
    /// The day that the data describe, `YYYY-MM-DD`; empty for what an organization has stored itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub data_vintage: String,
    /// How often the data change.
    pub data_freshness: String,
    /// How long after its vintage a figure is published, in days; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_latency_days: Option<u32>,
    /// How far the data can be relied on.
    pub data_maturity: Maturity,
    /// What is known to be missing from the data, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_gaps: Vec<String>,
}

/// Whose data a record is, and which day it describes (`RecordSource` in openapi.yaml).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RecordSource {
    #[serde(rename = "source")]
    pub name: String,
    /// `YYYY-MM-DD`.
    #[serde(rename = "data_vintage")]
    pub vintage: String,
}
