//! Where an answer comes from, in its `meta` and, beside a file, in headers.

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;

use crate::runtime::INTERFACE_VERSION;
use crate::types::{self, Maturity, RecordSource};

/// Where an answer comes from (`Provenance` in openapi.yaml).
#[derive(Clone, Serialize)]
pub(super) struct Provenance<'a> {
    source: &'a str,
    source_doc: &'a str,
    methodology_version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_vintage: Option<&'a str>,
    data_freshness: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_latency_days: Option<u32>,
    data_maturity: Maturity,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    known_gaps: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sources: &'a [RecordSource],
    #[serde(skip_serializing_if = "Option::is_none")]
    sources_total: Option<usize>,
}

/// A provenance as a header has it.
#[derive(Serialize)]
struct InHeader<'a> {
    #[serde(flatten)]
    provenance: &'a Provenance<'a>,
    /// The members for which there is no room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<&'static str>,
}

/// How many of the sources of an answer's records are listed.
const LISTED_SOURCES: usize = 20;

/// The most bytes of a provenance in a header: API Gateway takes 10,240 for all headers of an answer.
const MAX_HEADER_BYTES: usize = 4_096;

impl<'a> Provenance<'a> {
    /// Describes what a handler says of its figures, or what the organization itself has stored; what has no
    /// documentation of its own is documented at `docs_url`.
    pub(super) fn of(said: Option<&'a types::Provenance>, docs_url: &'a str) -> Self {
        said.map_or_else(|| Self::of_own_records(docs_url), |said| Self::of_release(said, docs_url))
    }

    /// Puts the maturity into a header of its own, and all that there is room for into another.
    pub(super) fn write_headers(&self, headers: &mut HeaderMap) {
        let maturity: &'static str = self.data_maturity.into();
        headers.insert(HeaderName::from_static("x-data-maturity"), HeaderValue::from_static(maturity));
        let without_sources = Self { sources: &[], ..self.clone() };
        let without_gaps = Self { known_gaps: &[], ..without_sources.clone() };
        let mut written = [self, &without_sources, &without_gaps].into_iter().map(|shortened| {
            let sources = (shortened.sources.len() < self.sources.len()).then_some("sources");
            let gaps = (shortened.known_gaps.len() < self.known_gaps.len()).then_some("known_gaps");
            InHeader { provenance: shortened, left_out: sources.into_iter().chain(gaps).collect() }
        });
        let short =
            written.find_map(|one| Some(one.to_ascii()).filter(|text| text.len() <= MAX_HEADER_BYTES));
        if let Some(Ok(value)) = short.map(|text| HeaderValue::from_str(&text)) {
            headers.insert(HeaderName::from_static("x-provenance"), value);
        }
    }

    /// Describes what the organization itself has stored.
    fn of_own_records(docs_url: &'a str) -> Self {
        Self {
            source: "the organization's own records",
            source_doc: docs_url,
            methodology_version: INTERFACE_VERSION,
            data_vintage: None,
            data_freshness: "on-demand",
            data_latency_days: Some(0),
            data_maturity: Maturity::Production,
            known_gaps: &[],
            sources: &[],
            sources_total: None,
        }
    }

    /// Describes figures of a data release.
    fn of_release(said: &'a types::Provenance, docs_url: &'a str) -> Self {
        let types::Provenance {
            source,
            source_doc,
            methodology_version,
            data_vintage,
            data_freshness,
            data_latency_days,
            data_maturity,
            known_gaps,
            sources,
        } = said;
        let total = sources.len();
        Self {
            source,
            source_doc: source_doc.as_deref().unwrap_or(docs_url),
            methodology_version,
            data_vintage: Some(data_vintage),
            data_freshness,
            data_latency_days: *data_latency_days,
            data_maturity: *data_maturity,
            known_gaps,
            sources: &sources[..total.min(LISTED_SOURCES)],
            sources_total: (total > 0).then_some(total),
        }
    }
}

impl InHeader<'_> {
    /// Writes JSON whose characters are visible ASCII and spaces.
    fn to_ascii(&self) -> String {
        let json = serde_json::to_string(self).expect("texts and numbers are written into memory");
        let mut ascii = String::with_capacity(json.len());
        for character in json.chars() {
            if matches!(character, ' '..='~') {
                ascii.push(character);
                continue;
            }
            for unit in character.encode_utf16(&mut [0; 2]) {
                ascii += &format!("\\u{unit:04x}");
            }
        }
        ascii
    }
}
