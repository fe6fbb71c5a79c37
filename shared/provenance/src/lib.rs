//! The provenance of figures, which data releases specify and responses include.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

/// The reliability of figures, from most to least reliable (`Provenance.data_maturity` in openapi.yaml).
#[derive(
    Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Maturity {
    /// The figures were measured or counted.
    Production,
    /// The figures were calculated from counts.
    ResearchPreview,
    /// The figures come from a model.
    SyntheticOnly,
}

/// The kinds of areas that cohorts are counted in, from smallest to largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resolution {
    Zip,
    County,
}

/// The source of figures, and how they were produced (`Provenance` in openapi.yaml).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The organization that collected the data, and how the figures were derived from them.
    pub source: String,
    /// A link to a description of the source. Empty if the service's documentation describes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_doc: String,
    /// The version of the methodology behind the figures.
    pub methodology_version: String,
    /// The date that the data describe, as `YYYY-MM-DD`. Empty for an organization's own records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub data_vintage: String,
    /// How often the data are updated.
    pub data_freshness: String,
    /// The number of days between the date that the data describe and their publication. `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_latency_days: Option<u32>,
    /// The data's reliability.
    pub data_maturity: Maturity,
    /// The model's inputs, if the figures are modelled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modelled_from: Vec<String>,
    /// The smallest kind of area whose cohort counts the figures are derived from. `None` if cohort counts
    /// weren't used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohort_resolution: Option<Resolution>,
    /// The known gaps in the data, with one sentence for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_gaps: Vec<String>,
}

/// A record's data source, and the date that the record describes (`RecordSource` in openapi.yaml).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RecordSource {
    #[serde(rename = "source")]
    pub name: String,
    /// The date that the record describes, as `YYYY-MM-DD`.
    #[serde(rename = "data_vintage")]
    pub vintage: String,
}
