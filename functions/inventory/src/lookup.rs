//! `POST /v2/displays/lookup`: the names, addresses, and sizes of displays, by spot ID or by the media
//! owner's own ID.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use axum::extract::State;
use dataset::Position;
use dataset::inventory::record::whole_or_not;
use dataset::inventory::{Field, FieldSet, Inventory, SpotId, SpotIndex};
use deserr::Deserr;
use gateway::{ApiError, Identifier, InvalidValue, Items, JsonBody, Reply, Violations};
use serde::Serialize;

use crate::Release;

/// The maximum number of IDs in each list of a request, and of displays in a response. It equals the maximum
/// number of spots in a campaign.
const MAX_IDS: usize = 2_000;

/// The members of a record that are read to describe a display, in addition to the inventory's columns.
const DETAILS: FieldSet = FieldSet::at("location")
    .expect("a member")
    .or(FieldSet::at("layouts").expect("a member"))
    .or(FieldSet::at("digital").expect("a member"))
    .or(FieldSet::at("modelled").expect("a member"));

/// The record fields that a model can fill in, each with the corresponding member of a display.
const MODELLED: [(Field, &str); 2] = [(Field::Orientation, "orientation"), (Field::FaceWidth, "size")];

/// The request body. See `DisplayLookupRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct LookupBody {
    spot_ids: Option<Items<RequestedSpot, 1, MAX_IDS>>,
    media_owner: Option<Identifier>,
    plant_spot_ids: Option<Items<Identifier, 1, MAX_IDS>>,
}

/// A valid spot ID, which the release doesn't necessarily contain.
#[derive(Clone, PartialEq, Eq, Hash, Deserr)]
#[deserr(error = Violations, try_from(i64) = RequestedSpot::new -> InvalidValue)]
struct RequestedSpot(SpotId);

/// The response: the displays found and the IDs that the release doesn't contain. See `DisplayLookupReply`
/// in openapi.yaml.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LookedUp {
    displays: Vec<Display>,
    unknown_ids: Vec<SpotId>,
    unknown_plant_spot_ids: Vec<String>,
}

/// A display. See `Display` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Display {
    spot_id: SpotId,
    plant_spot_id: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) location: Location,
    pub(crate) address: Address,
    /// The direction that the display faces, in degrees clockwise from north.
    #[serde(serialize_with = "whole_or_not")]
    orientation: Option<f64>,
    pub(crate) size: Option<Size>,
    media_type: Option<String>,
    digital: Option<bool>,
    /// The name of the television market (DMA).
    market: Option<String>,
    operator: Option<String>,
    /// The names of the members whose values come from a model.
    modelled: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Location {
    lat: f64,
    lon: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Address {
    street: Option<String>,
    county: Option<String>,
    state: Option<String>,
    zip_code: Option<String>,
}

/// The size of a display's first face with a known size, in inches.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    width: i64,
    height: i64,
}

/// Looks up displays, including unmeasured ones. The response lists them in request order, without
/// duplicates.
pub(crate) async fn look_up(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<LookedUp>, ApiError> {
    let LookupBody { spot_ids, media_owner, plant_spot_ids } = body.read()?;
    let plants = match (media_owner, plant_spot_ids) {
        (Some(owner), Some(ids)) => Some((owner, ids)),
        (None, None) if spot_ids.is_some() => None,
        _ => return Err(incomplete().into()),
    };
    let inventory = &release.inventory;
    let (mut spots, mut looked_up) = (Vec::new(), LookedUp::default());
    let pointer = if spot_ids.is_some() { "/spot_ids" } else { "/plant_spot_ids" };
    for RequestedSpot(id) in without_repeated(spot_ids.into_iter().flat_map(Items::into_iter)) {
        match inventory.find(id) {
            Some(spot) => spots.push(spot),
            None => looked_up.unknown_ids.push(id),
        }
    }
    if let Some((owner, ids)) = &plants {
        for id in without_repeated(ids.as_slice().iter().map(Identifier::as_str)) {
            let before = spots.len();
            spots.extend(inventory.find_plant_spots(owner.as_str(), id).take(MAX_IDS + 1 - before));
            if spots.len() == before {
                looked_up.unknown_plant_spot_ids.push(id.to_owned());
            }
            if spots.len() > MAX_IDS {
                return Err(too_many().into());
            }
        }
    }
    let spots: Vec<_> = without_repeated(spots.into_iter()).collect();
    let (about, sources) = (release.about.clone(), inventory.sources_of(&spots));
    looked_up.displays = spots.iter().map(|spot| Display::new(inventory, *spot)).collect();
    let reply = Reply::new(looked_up).or_too_large(too_large(pointer, spots.len()));
    Ok(reply.with_provenance(about).with_sources(sources))
}

/// Returns the error for a body without IDs, or with only one of `media_owner` and `plant_spot_ids`.
fn incomplete() -> Violations {
    let detail = "must have spot_ids, or media_owner with plant_spot_ids, or all three";
    Violations::one("", detail)
}

/// Returns the error for displays that exceed the response size limit, which can happen if their names are
/// long.
fn too_large(pointer: &str, displays: usize) -> Violations {
    let detail = format!(
        "is too large: the {displays} displays with these ids exceed the response size limit; send fewer \
         ids, or send Accept-Encoding: gzip"
    );
    Violations::one(pointer, detail)
}

/// Returns the error for a media owner's IDs that match more displays than a response can contain. Several
/// displays can share an ID.
fn too_many() -> Violations {
    let detail =
        format!("must match at most {MAX_IDS} displays, including those in spot_ids; send fewer ids");
    Violations::one("/plant_spot_ids", detail)
}

impl RequestedSpot {
    fn new(id: i64) -> Result<Self, InvalidValue> {
        let invalid = || InvalidValue(format!("must be a spot id from 1 to {}, got {id}", SpotId::MAX));
        let id = u32::try_from(id).ok().filter(|id| *id > 0).ok_or_else(invalid)?;
        Ok(Self(SpotId::from_raw(id)))
    }
}

impl Display {
    pub(crate) fn new(inventory: &Inventory, spot: SpotIndex) -> Self {
        let Position { latitude, longitude } = inventory.position(spot);
        let record = inventory.record(spot, DETAILS);
        let plant_spot_id = known(record.plant_spot_id());
        let size = record.faces().find_map(|face| Some(Size { width: face.width?, height: face.height? }));
        let modelled = MODELLED.iter().filter(|(field, _)| record.is_modelled(*field));
        let modelled = modelled.map(|(_, member)| *member).collect();
        let of_location = record.location.unwrap_or_default();
        Self {
            spot_id: inventory.id(spot),
            plant_spot_id,
            name: known(inventory.media_name(spot)),
            location: Location { lat: latitude, lon: longitude },
            address: Address {
                street: known(of_location.primary_artery.as_deref()),
                county: known(of_location.county_name.as_deref()),
                state: known(of_location.state.as_deref()),
                zip_code: known(of_location.zip_code.as_deref()),
            },
            orientation: of_location.orientation,
            size,
            media_type: known(inventory.media_type(spot)),
            digital: record.digital,
            market: known(of_location.dma_name.as_deref()),
            operator: known(inventory.operator(spot)),
            modelled,
        }
    }
}

fn without_repeated<T: Clone + Eq + Hash>(items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let mut seen = HashSet::new();
    items.filter(move |item| seen.insert(item.clone()))
}

/// Converts an empty string to `None`. In the sample, an empty string means that the value is unknown.
fn known(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}
