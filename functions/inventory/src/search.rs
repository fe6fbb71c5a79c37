//! `POST /msearch/inventory`: inventory search.

use std::sync::Arc;

use axum::extract::State;
use dataset::inventory::{FieldSet, FoundSpots, SpotIndex};
use dataset::position::UnitVector;
use dataset::{Circle, Distance};
use gateway::{ApiError, DISTANCE, JsonBody, MATURITY, Reply, SearchPage, Violations, Warnings};
use serde::Serialize;

use crate::Release;
use crate::body::{INDEX, SearchBody};
use crate::index::DisplayIndex;

/// The maximum size of a page of records, in bytes of uncompressed JSON. Without it, a page could exhaust the
/// function's memory before the response size limit rejects it. The limit is several times the size of the
/// largest page of displays with 8 spots each.
const MAX_JSON_BYTES: usize = 96_000_000;

/// The initial capacity of the JSON buffer, in bytes. It's enough for most pages of 50 complete records.
const PAGE_BYTES: usize = 128 * 1_024;

/// The data from which the records in the response are written.
struct Shown<'a> {
    release: &'a Release,
    fields: FieldSet,
    /// The center of the search's circle, from which distances are measured. `None` if the search has no
    /// circle or doesn't request distances.
    center: Option<UnitVector>,
    /// `None` if the search doesn't name a cohort or doesn't request indexes.
    index: Option<DisplayIndex<'a>>,
    maturity: bool,
}

impl Shown<'_> {
    /// Writes the results of a search as JSON. See `InventorySearchReply` in openapi.yaml. Returns `None` if
    /// the JSON exceeds `MAX_JSON_BYTES`.
    fn write(&self, found: &FoundSpots) -> Option<Vec<u8>> {
        let (FoundSpots { total, spots }, inventory) = (found, &self.release.inventory);
        let mut json = Vec::with_capacity(PAGE_BYTES);
        json.extend_from_slice(b"{\"status\":\"success\",\"total\":");
        json.extend_from_slice(total.to_string().as_bytes());
        json.extend_from_slice(b",\"results\":[");
        for (at, spot) in spots.iter().enumerate() {
            if at > 0 {
                json.push(b',');
            }
            inventory.write_json(*spot, self.fields, &mut json);
            self.write_computed(*spot, &mut json);
            if json.len() > MAX_JSON_BYTES {
                return None;
            }
        }
        json.extend_from_slice(b"]}");
        Some(json)
    }

    /// Appends the requested computed members to the record that was just written: the distance in meters,
    /// the index, and the maturity.
    fn write_computed(&self, spot: SpotIndex, json: &mut Vec<u8>) {
        if let Some(center) = self.center {
            let position = self.release.inventory.position(spot).to_unit_vector();
            insert(json, DISTANCE, Distance::between(center, position).meters());
        }
        if let Some(index) = &self.index {
            insert(json, INDEX, index.of(spot));
        }
        if self.maturity {
            insert(json, MATURITY, self.release.maturity(spot));
        }
    }
}

/// Appends a member to the object that was just written, whose closing brace is the last byte.
fn insert(json: &mut Vec<u8>, name: &str, value: impl Serialize) {
    json.pop();
    if json.last() != Some(&b'{') {
        json.push(b',');
    }
    json.extend_from_slice(format!("\"{name}\":").as_bytes());
    serde_json::to_writer(&mut *json, &value).expect("a number or string can be written to memory");
    json.push(b'}');
}

/// Responds with the measured spots that match all criteria of the filter.
pub(crate) async fn search(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<()>, ApiError> {
    let body = SearchBody::read(body)?;
    let (fields, page) = (body.fields(), body.page());
    let mut warnings = Warnings::default();
    let index = match body.cohort() {
        Some(cohort) => Some(release.index(cohort).await?),
        None => None,
    };
    let by_index = body.sorts_by_index();
    let query = body.into_query(&release, &mut warnings).await?;
    let found = match (&index, by_index) {
        (Some(index), Some(descending)) => {
            release.inventory.search_by_rank(&query, descending, |spot| index.rank(spot))
        }
        _ => release.inventory.search(&query),
    };
    let about = index.as_ref().map_or_else(
        || release.about.clone(),
        |index| index.provenance(release.about.clone(), &release.about_zips),
    );
    let sources = release.inventory.sources_of(&found.spots);
    let circle = query.circle.filter(|_| fields.distance);
    let center = circle.map(|Circle { center, .. }| center.to_unit_vector());
    let index = index.filter(|_| fields.index);
    let shown = Shown { release: &release, fields: fields.record, center, index, maturity: fields.maturity };
    let json = shown.write(&found).ok_or_else(|| ApiError::from(too_large(page)))?;
    let reply = Reply::written(json).with_columns(fields.paths());
    let reply = if warnings.total() > 0 { reply.with_warnings(warnings) } else { reply };
    Ok(reply.or_too_large(too_large(page)).with_provenance(about).with_sources(sources))
}

/// Returns the error for a page that exceeds the response size limit.
fn too_large(page: SearchPage) -> Violations {
    let detail = format!(
        "is too large: a page with {} of these records exceeds the response size limit; lower page_size, \
         select fields with fieldSet, or send Accept-Encoding: gzip",
        page.size()
    );
    Violations::one("/pagination/page_size", detail)
}
