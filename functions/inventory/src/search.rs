//! Inventory search.

use std::sync::Arc;

use axum::extract::State;
use dataset::inventory::{FieldSet, Record, SpotIndex};
use dataset::position::UnitVector;
use dataset::{Circle, Distance};
use release_store::with_record_sources;
use serde::{Serialize, Serializer};
use shared::http::{ApiError, JsonBody, Reply};
use shared::input::{SearchPage, Violations};

use crate::Release;
use crate::body::SearchBody;

/// The most bytes of lists, as the release has them, that a page is put together from. Displays of 8 spots
/// have about 200 each, the deepest page of them 2 MB; 8 MB are a hundred or two when they are written out,
/// and more would not fit into the function's memory long before they did not fit into an answer.
const MAX_LIST_BYTES: usize = 8_000_000;

/// The spots that a search finds: `InventorySearchReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    status: &'static str,
    total: usize,
    results: Records,
}

/// Records that are read out of the release while they are written: a page of them may be large.
#[derive(Debug)]
struct Records {
    release: Arc<Release>,
    spots: Vec<SpotIndex>,
    fields: FieldSet,
    /// The middle of the circle that distances are shown from.
    center: Option<UnitVector>,
}

/// A record with its distance from the middle of a circle.
#[derive(Serialize)]
struct DistantRecord<'a> {
    #[serde(flatten)]
    record: Record<'a>,
    /// Metres.
    distance: f64,
}

impl Serialize for Records {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inventory = &self.release.inventory;
        let records = self.spots.iter().map(|spot| inventory.record(*spot, self.fields));
        let Some(center) = self.center else { return serializer.collect_seq(records) };
        serializer.collect_seq(self.spots.iter().zip(records).map(|(spot, record)| {
            let position = inventory.position(*spot).to_unit_vector();
            DistantRecord { record, distance: Distance::between(center, position).metres() }
        }))
    }
}

/// Answers with the measured spots that meet every criterion of the filter.
pub(crate) async fn search(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<Found>, ApiError> {
    let body = SearchBody::read(body)?;
    let (fields, page) = (body.fields(), body.page());
    let query = body.into_query();
    let found = release.inventory.search(&query);
    let list_bytes: usize = found.spots.iter().map(|spot| release.inventory.list_bytes(*spot)).sum();
    if fields.record.has_any(FieldSet::LONG_LISTS) && list_bytes > MAX_LIST_BYTES {
        return Err(too_large(page).into());
    }
    let about = with_record_sources(release.about.clone(), release.inventory.sources_of(&found.spots));
    let circle = query.circle.filter(|_| fields.distance);
    let center = circle.map(|Circle { center, .. }| center.to_unit_vector());
    let results = Records { release, spots: found.spots, fields: fields.record, center };
    let found = Found { status: "success", total: found.total, results };
    let reply = Reply::flat(found).with_columns(fields.paths());
    Ok(reply.or_too_large(too_large(page)).with_provenance(about))
}

/// Says that a page does not fit into an answer.
fn too_large(page: SearchPage) -> Violations {
    let detail = format!(
        "a page of {} of these records is larger than an answer may be; ask for fewer, name the fields that you need in \
         fieldSet, or send Accept-Encoding: gzip",
        page.size()
    );
    let mut violations = Violations::default();
    violations.add("/pagination/page_size", detail);
    violations
}
