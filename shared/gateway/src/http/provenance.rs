//! Writes a response's provenance into `meta` or, for files, into headers and CSV columns.

use http::{HeaderMap, HeaderName, HeaderValue};
use provenance::{Maturity, Provenance, RecordSource};
use serde::Serialize;

use crate::INTERFACE_VERSION;

/// The name of the JSON member and the CSV column for a row's data maturity.
pub const MATURITY: &str = "maturity";

/// The provenance in `meta`.
#[derive(Clone, Serialize)]
pub(super) struct ShownProvenance<'a> {
    #[serde(flatten)]
    provenance: Provenance,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sources: &'a [RecordSource],
    #[serde(skip_serializing_if = "Option::is_none")]
    sources_total: Option<usize>,
}

/// The provenance in the `X-Provenance` header.
#[derive(Serialize)]
struct InHeader<'a> {
    #[serde(flatten)]
    provenance: &'a ShownProvenance<'a>,
    /// The names of the members that were omitted because they didn't fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<&'static str>,
}

/// The maximum number of sources that a response lists.
const LISTED_SOURCES: usize = 20;

/// The maximum size of the provenance header, in bytes. API Gateway limits a response's headers to 10,240
/// bytes in total.
const MAX_HEADER_BYTES: usize = 4_096;

/// The maximum size of the source in each CSV row, in bytes. Longer sources are cut and end with an
/// ellipsis. The `X-Provenance` header contains the whole source.
const MAX_ROW_SOURCE_BYTES: usize = 160;

/// Returns the names and values of the CSV columns for the provenance, so that rows stay labelled even
/// without the response headers. Returns no columns for the organization's own records.
pub(super) fn row_columns(said: Option<&Provenance>) -> Vec<(&'static str, String)> {
    let Some(Provenance { source, data_vintage, data_maturity, .. }) = said else { return Vec::new() };
    vec![
        (MATURITY, data_maturity.to_string()),
        ("data_vintage", data_vintage.clone()),
        ("source", shortened(source)),
    ]
}

/// Shortens a source that consists of parts separated by semicolons. If it's too long, an ellipsis replaces
/// the last parts.
fn shortened(source: &str) -> String {
    if source.len() <= MAX_ROW_SOURCE_BYTES {
        return source.to_owned();
    }
    let start = &source[..source.floor_char_boundary(MAX_ROW_SOURCE_BYTES)];
    let whole = start.rsplit_once("; ").map_or(start, |(whole, _)| whole);
    format!("{}; …", whole.trim_end_matches(';'))
}

impl<'a> ShownProvenance<'a> {
    /// Combines the figures' provenance with the records' sources. Without a provenance, describes the
    /// organization's own records. Figures without their own documentation link to `methodology_url`.
    pub(super) fn of(said: Option<Provenance>, sources: &'a [RecordSource], methodology_url: &str) -> Self {
        let mut provenance = said.unwrap_or_else(own_records);
        if provenance.source_doc.is_empty() {
            methodology_url.clone_into(&mut provenance.source_doc);
        }
        let total = sources.len();
        Self {
            provenance,
            sources: &sources[..total.min(LISTED_SOURCES)],
            sources_total: (total > 0).then_some(total),
        }
    }

    /// Writes the data maturity and the provenance into one header each. If the provenance is too long, omits
    /// the sources, then the known gaps, and finally the whole header.
    pub(super) fn write_headers(&self, headers: &mut HeaderMap) {
        let maturity: &'static str = self.provenance.data_maturity.into();
        headers.insert(HeaderName::from_static("x-data-maturity"), HeaderValue::from_static(maturity));
        let without_sources = Self { sources: &[], ..self.clone() };
        let mut without_gaps = without_sources.clone();
        without_gaps.provenance.known_gaps.clear();
        let mut written = [self, &without_sources, &without_gaps].into_iter().map(|shortened| {
            let sources = (shortened.sources.len() < self.sources.len()).then_some("sources");
            let gaps = shortened.provenance.known_gaps.len() < self.provenance.known_gaps.len();
            let gaps = gaps.then_some("known_gaps");
            InHeader { provenance: shortened, left_out: sources.into_iter().chain(gaps).collect() }
        });
        let short =
            written.find_map(|one| Some(one.to_ascii()).filter(|text| text.len() <= MAX_HEADER_BYTES));
        if let Some(Ok(value)) = short.map(|text| HeaderValue::from_str(&text)) {
            headers.insert(HeaderName::from_static("x-provenance"), value);
        }
    }
}

/// Returns the provenance of the organization's own records.
fn own_records() -> Provenance {
    Provenance {
        source: "the organization's own records".to_owned(),
        source_doc: String::new(),
        methodology_version: INTERFACE_VERSION.to_owned(),
        data_vintage: String::new(),
        data_freshness: "on-demand".to_owned(),
        data_latency_days: Some(0),
        data_maturity: Maturity::Production,
        modelled_from: Vec::new(),
        cohort_resolution: None,
        known_gaps: Vec::new(),
    }
}

impl InHeader<'_> {
    /// Converts the provenance to JSON that contains only printable ASCII characters.
    fn to_ascii(&self) -> String {
        let json = serde_json::to_string(self).expect("writing to memory doesn't fail");
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
