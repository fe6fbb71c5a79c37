//! Converts responses to CSV files, and to GeoJSON files if their rows have positions.
//!
//! Handlers always return JSON, and files are derived from it, so that both match.
//!
//! See `docs/decisions/0037-csv-and-geojson.md`.

mod accept;
mod csv_file;
mod geo_json;
mod json;
mod links;
mod table;

use axum::extract::Request;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::value::RawValue;

use super::content_type::ContentType;
use super::provenance::row_columns;
use super::reply::{About, Outcome};
use crate::code::Code;
use crate::error::ApiError;

pub use json::JsonMembers;
pub use table::{Feature, PointMembers, Table};

use json::at;
use links::ListAddress;

/// A request for a response's table as a file.
#[derive(Clone, Debug)]
pub(super) struct TableFile {
    table: &'static Table,
    content_type: ContentType,
    /// The list's address, for links to its pages. `None` if the request body selects the page.
    address: Option<ListAddress>,
}

impl TableFile {
    /// Reads the requested file format from `Accept`. Returns `None` for JSON. If the client doesn't accept
    /// any of the available formats, returns an error that lists them.
    pub(super) fn asked_for(table: &'static Table, request: &Request) -> Result<Option<Self>, ApiError> {
        let offered = table.content_types();
        let Some(content_type) = accept::preferred(request.headers(), offered) else {
            return Err(not_acceptable(offered));
        };
        let address = request.method().is_safe().then(|| ListAddress::of(request.uri()));
        let file = || Self { table, content_type, address };
        Ok((content_type != ContentType::Json).then(file))
    }

    /// Replaces a response's JSON with the file. Errors are still returned as JSON.
    ///
    /// # Panics
    ///
    /// Panics if the response doesn't contain its table's rows or total.
    pub(super) fn present(&self, mut outcome: Outcome, public_url: Option<&str>) -> Outcome {
        let Outcome { response, content: Some(Ok(rendered)), .. } = &mut outcome else { return outcome };
        let answer: &RawValue = serde_json::from_slice(&rendered.body).expect("the response is valid JSON");
        let rows = at(answer, self.table.rows).and_then(|rows| serde_json::from_str(rows.get()).ok());
        let rows: Vec<&RawValue> = rows.expect("the response contains the rows of its table");
        let file = self.write(answer, &rows, &rendered.about);
        self.write_headers(answer, rows.len(), response.headers_mut(), public_url.unwrap_or_default());
        (rendered.body, rendered.content_type) = (file, self.content_type);
        outcome
    }

    fn write(&self, answer: &RawValue, rows: &[&RawValue], about: &About) -> Vec<u8> {
        // Allocate the expected size up front, because growing the buffer would temporarily need twice as
        // much memory.
        let bytes = answer.get().len();
        match (self.content_type, &self.table.feature) {
            (ContentType::GeoJson, Some(feature)) => geo_json::write(rows, feature, bytes + bytes / 4),
            _ => {
                let columns = self.table.columns_of(about.columns.as_deref());
                let mut constants = row_columns(about.provenance.as_ref());
                constants.retain(|(name, _)| !columns.contains(name));
                let of_row: usize = constants.iter().map(|(_, value)| value.len() + 1).sum();
                csv_file::write(rows, &columns, &constants, bytes + rows.len() * of_row)
            }
        }
    }

    fn write_headers(&self, answer: &RawValue, rows: usize, headers: &mut HeaderMap, public_url: &str) {
        let mut set = |name: HeaderName, value: String| {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        };
        let (name, extension) = (self.table.name, self.content_type.extension());
        set(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{extension}\""));
        let total_count = HeaderName::from_static("x-total-count");
        let Some(total) = self.table.total else {
            return set(total_count, rows.to_string());
        };
        set(
            total_count,
            at(answer, total).expect("the response contains the total of its table").get().to_owned(),
        );
        if let Some(address) = &self.address {
            let cursor = at(answer, "pagination.cursor");
            let cursor = cursor.and_then(|cursor| serde_json::from_str(cursor.get()).ok()?);
            if let Some(links) = address.links(public_url, cursor) {
                set(header::LINK, links);
            }
        }
    }
}

fn not_acceptable(offered: &[ContentType]) -> ApiError {
    let types: Vec<_> = offered.iter().map(|one| one.name()).collect();
    let message = format!("`Accept` matches no available media type; available types: {}", types.join(", "));
    ApiError::new(Code::NotAcceptable, message)
}
