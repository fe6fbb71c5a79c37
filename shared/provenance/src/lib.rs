//! The source and maturity of figures, which a data release states and responses include.

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

/// How reliable figures are, from most to least reliable (`Provenance.data_maturity` in openapi.yaml).
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

/// The kind of area that cohorts were counted in, from smallest to largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resolution {
    Zip,
    County,
}

/// The source of figures, and how they were produced (`Provenance` in openapi.yaml).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The organization that collected the data, and how the figures were derived from the data.
    pub source: String,
    /// A link to a description of the source. Empty if the service's own documentation describes it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_doc: String,
    /// The version of the methodology behind the figures.
    pub methodology_version: String,
    /// The date that the data describe, as `YYYY-MM-DD`. Empty for data that an organization stored itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub data_vintage: String,
    /// How often the data are updated.
    pub data_freshness: String,
    /// The number of days between the vintage of a figure and its publication. `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_latency_days: Option<u32>,
    /// How reliable the data are.
    pub data_maturity: Maturity,
    /// The inputs of the model, if the figures are modelled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modelled_from: Vec<String>,
    /// The smallest kind of area whose cohort counts the figures are derived from. `None` if the figures
    /// aren't derived from the cohorts of areas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohort_resolution: Option<Resolution>,
    /// The known gaps in the data, one sentence for each gap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_gaps: Vec<String>,
}

/// The data source of a record, and the date that the record describes (`RecordSource` in openapi.yaml).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RecordSource {
    #[serde(rename = "source")]
    pub name: String,
    /// The date that the record describes, as `YYYY-MM-DD`.
    #[serde(rename = "data_vintage")]
    pub vintage: String,
}
