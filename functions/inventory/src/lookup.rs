//! Display lookup: the names and positions of a campaign's displays.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use dataset::Position;
use dataset::inventory::{Inventory, SpotId, SpotIndex};
use deserr::Deserr;
use gateway::{ApiError, InvalidValue, Items, JsonBody, Reply, Violations};
use serde::Serialize;

use crate::Release;

/// The maximum number of ids in a call, which equals the maximum number of spots in a campaign.
const MAX_IDS: usize = 2_000;

/// The body: `DisplayLookupRequest` in openapi.yaml.
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct LookupBody {
    spot_ids: Items<RequestedSpot, 1, MAX_IDS>,
}

/// The id of a spot that may or may not exist.
#[derive(Deserr)]
#[deserr(error = Violations, try_from(i64) = RequestedSpot::new -> InvalidValue)]
struct RequestedSpot(SpotId);

/// The displays of known ids, and the unknown ids: `DisplayLookupReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct LookedUp {
    displays: Vec<Display>,
    unknown_ids: Vec<SpotId>,
}

#[derive(Debug, Serialize)]
struct Display {
    spot_id: SpotId,
    name: Option<String>,
    location: Location,
    media_type: Option<String>,
    operator: Option<String>,
}

#[derive(Debug, Serialize)]
struct Location {
    lat: f64,
    lon: f64,
}

/// Returns the displays with the given ids, measured or not, in request order and without duplicates.
pub(crate) async fn look_up(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<LookedUp>, ApiError> {
    let LookupBody { spot_ids } = body.read()?;
    let (mut seen, mut spots, mut unknown_ids) = (HashSet::new(), Vec::new(), Vec::new());
    for RequestedSpot(id) in spot_ids {
        if !seen.insert(id) {
            continue;
        }
        match release.inventory.find(id) {
            Some(spot) => spots.push(spot),
            None => unknown_ids.push(id),
        }
    }
    let (about, sources) = (release.about.clone(), release.inventory.sources_of(&spots));
    let too_large = too_large(spots.len());
    let displays = spots.iter().map(|spot| Display::new(&release.inventory, *spot)).collect();
    let looked_up = LookedUp { displays, unknown_ids };
    Ok(Reply::new(looked_up).or_too_large(too_large).with_provenance(about).with_sources(sources))
}

/// Returns the error for displays that exceed the response size limit. Their texts may be long.
fn too_large(displays: usize) -> Violations {
    let detail = format!(
        "is too large: the {displays} displays with these ids exceed the response size limit; send fewer ids, \
         or send Accept-Encoding: gzip"
    );
    Violations::one("/spot_ids", detail)
}

impl RequestedSpot {
    fn new(id: i64) -> Result<Self, InvalidValue> {
        let invalid = || InvalidValue(format!("must be a spot id from 1 to {}, got {id}", SpotId::MAX));
        let id = u32::try_from(id).ok().filter(|id| *id > 0).ok_or_else(invalid)?;
        Ok(Self(SpotId::from_raw(id)))
    }
}

impl Display {
    fn new(inventory: &Inventory, spot: SpotIndex) -> Self {
        let Position { latitude, longitude } = inventory.position(spot);
        Self {
            spot_id: inventory.id(spot),
            name: known(inventory.media_name(spot)),
            location: Location { lat: latitude, lon: longitude },
            media_type: known(inventory.media_type(spot)),
            operator: known(inventory.operator(spot)),
        }
    }
}

/// Converts an empty text to `None`. The sample has empty texts where a value is unknown.
fn known(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}
