//! Makes places of rows.

mod fields;
mod identity;

pub use identity::{Existing, identity};

use std::path::Path;

use crate::places::NewPlace;
use crate::{GeographyIndex, PlaceId, Position, Progress};
use fields::Fields;
use identity::{Taken, id_of};

use super::locator::{NEAR_KM, Near, distance_km};
use super::{ColumnMap, Locator, Rejects, Required, RowReader, SourceRow, ZipArea};

/// What a row can say of a place.
pub const TARGETS: [&str; 12] = [
    "place_id",
    "place_name",
    "brand",
    "place_type",
    "street_address",
    "city",
    "state",
    "zip_code",
    "latitude",
    "longitude",
    "country",
    "published_date",
];

/// What a row must say of a place.
pub const REQUIRED: [Required; 4] = [
    Required { target: "place_name", is_coordinate: false },
    Required { target: "place_type", is_coordinate: false },
    Required { target: "latitude", is_coordinate: true },
    Required { target: "longitude", is_coordinate: true },
];

/// No point of the fifty states is so far from all ZIP codes: coordinates and address contradict each other.
const CONTRADICTION_KM: f64 = 500.0;

/// A place that was read. Outside the United States it lies in no geography.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedPlace {
    /// From 1 to 999,999,999,999.
    pub id: PlaceId,
    /// What it is called.
    pub name: String,
    /// The chain that it belongs to; may be empty.
    pub brand: String,
    /// What kind of place it is.
    pub place_type: String,
    /// House number and street; may be empty.
    pub street_address: String,
    /// The city; outside the United States it may be empty.
    pub city: String,
    /// The state's two letters; outside the United States it may be empty or another text.
    pub state: String,
    /// Five digits; outside the United States it may be empty or another text.
    pub zip_code: String,
    /// Where it is.
    pub position: Position,
    /// When its entry was published, `YYYY-MM-DD`.
    pub published_date: String,
    /// The county that it lies in.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that it lies in.
    pub cbsa: Option<GeographyIndex>,
    /// The television market that it lies in.
    pub dma: Option<GeographyIndex>,
    /// The area of its ZIP code.
    pub zip: Option<GeographyIndex>,
}

impl From<ImportedPlace> for NewPlace {
    fn from(place: ImportedPlace) -> Self {
        let Position { latitude, longitude } = place.position;
        Self {
            id: place.id,
            name: place.name,
            brand: place.brand,
            place_type: place.place_type,
            street_address: place.street_address,
            city: place.city,
            state: place.state,
            zip_code: place.zip_code,
            latitude,
            longitude,
            published_date: place.published_date,
            county: place.county,
            cbsa: place.cbsa,
            dma: place.dma,
            zip: place.zip,
        }
    }
}

/// What places are read with.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Which column holds what, of [`TARGETS`].
    pub map: &'a ColumnMap,
    /// The ZIP codes of the release.
    pub locator: &'a Locator,
    /// The date, `YYYY-MM-DD`, of places that have none.
    pub published_date: &'a str,
    /// Is told the bytes that were read.
    pub progress: Progress<'a>,
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { map, published_date, .. } = self;
        f.debug_struct("Setup").field("map", map).field("published_date", published_date).finish_non_exhaustive()
    }
}

/// How many rows became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All rows: the accepted ones and the rejected ones.
    pub rows: u64,
    /// Rows that became places.
    pub accepted: u64,
    /// Rows that were reported.
    pub rejected: u64,
    /// Accepted ones outside the United States, which lie in no market.
    pub outside_us: u64,
    /// Accepted ones whose id was derived from what they are.
    pub derived_ids: u64,
}

/// Reads places from a file. Nothing is written but the rejected rows.
///
/// # Errors
///
/// When the file as a whole cannot be read, or a rejected row cannot be written. No place is accepted then.
pub fn read<'a>(
    source: &Path,
    setup: Setup<'_>,
    existing: impl IntoIterator<Item = Existing<'a>>,
    rejects: &mut Rejects,
) -> Result<(Vec<ImportedPlace>, Summary), String> {
    let mut file = RowReader::open(source, setup.progress)?;
    setup.map.check(&file, &REQUIRED).map_err(|reason| format!("{}: {reason}", source.display()))?;
    let mut taken = Taken::by(existing);
    let mut places = Vec::new();
    let mut summary = Summary::default();
    let rejected_before = rejects.count();
    while let Some(row) = file.next_row()? {
        summary.rows += 1;
        let row = match row {
            Ok(row) => row,
            Err(problem) => {
                rejects.add(problem.line, &problem.reason, &problem.original)?;
                continue;
            }
        };
        match accept(&row, &setup, &mut taken) {
            Ok(Accepted { place, has_derived_id }) => {
                summary.outside_us += u64::from(place.zip.is_none());
                summary.derived_ids += u64::from(has_derived_id);
                places.push(place);
            }
            Err(reasons) => rejects.add(row.line, &reasons.join("; "), &row.original())?,
        }
    }
    summary.accepted = places.len() as u64;
    summary.rejected = rejects.count() - rejected_before;
    Ok((places, summary))
}

struct Accepted {
    place: ImportedPlace,
    has_derived_id: bool,
}

/// Makes a place of a row, or says everything that is wrong with it.
fn accept(row: &SourceRow, setup: &Setup<'_>, taken: &mut Taken) -> Result<Accepted, Vec<String>> {
    let mut fields = Fields::new(row, setup.map);
    let given_id = fields.place_id();
    let name = fields.required("place_name");
    let brand = fields.text("brand").unwrap_or_default();
    let place_type = fields.required("place_type");
    let street_address = fields.text("street_address").unwrap_or_default();
    let address = Address {
        city: fields.text("city"),
        state: fields.text("state"),
        zip_code: fields.text("zip_code"),
        country: fields.text("country"),
    };
    let position = fields.position();
    let published_date = fields.date("published_date").unwrap_or_else(|| setup.published_date.to_owned());
    let (address, area) = locate(address, position, setup.locator, &mut fields);
    let mut reasons = fields.into_reasons();
    let Some(position) = position else { return Err(reasons) };

    let identity = identity(&name, &street_address, &address.zip_code, position);
    let id = given_id.unwrap_or_else(|| id_of(&identity));
    if reasons.is_empty() {
        taken.claim(row.line, id, given_id.is_none(), identity, &mut reasons);
    }
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let LocatedAddress { city, state, zip_code } = address;
    let place = ImportedPlace {
        id: PlaceId::from_raw(id),
        name,
        brand,
        place_type,
        street_address,
        city,
        state,
        zip_code,
        position,
        published_date,
        county: area.and_then(|area| area.county),
        cbsa: area.and_then(|area| area.cbsa),
        dma: area.and_then(|area| area.dma),
        zip: area.map(|area| area.index),
    };
    Ok(Accepted { place, has_derived_id: given_id.is_none() })
}

/// An address as the row has it.
struct Address {
    city: Option<String>,
    state: Option<String>,
    zip_code: Option<String>,
    country: Option<String>,
}

struct LocatedAddress {
    city: String,
    state: String,
    zip_code: String,
}

/// Checks an address, completes it from the ZIP code that it lies in, and returns that one; outside the United States
/// it stays as it is.
fn locate<'a>(
    address: Address,
    position: Option<Position>,
    locator: &'a Locator,
    fields: &mut Fields<'_>,
) -> (LocatedAddress, Option<&'a ZipArea>) {
    let Address { city, state, zip_code, country } = address;
    let state_code = state.as_deref().map(str::to_ascii_uppercase);
    let in_state = state_code.as_deref().filter(|state| locator.is_state(state));
    let near = position.and_then(|position| locator.nearest(position, in_state));
    if !is_inside(country.as_deref(), state_code.as_deref(), position, near, locator) {
        let [city, state, zip_code] = [city, state, zip_code].map(Option::unwrap_or_default);
        return (LocatedAddress { city, state, zip_code }, None);
    }
    if let Some(state) = &state
        && in_state.is_none()
    {
        fields.reject(format!("state {} is not the two letters of a state", super::quoted(state)));
    }
    let zip_code = zip_code.and_then(|zip_code| fields.zip_code(&zip_code));
    if near.is_none_or(|near| near.km > CONTRADICTION_KM) && position.is_some() {
        fields.reject(format!(
            "the position is more than {CONTRADICTION_KM} km from every ZIP code, but the address is in the United \
             States: check the signs of latitude and longitude and that they are not swapped"
        ));
    }
    let known = zip_code.as_deref().and_then(|zip_code| locator.find(zip_code));
    if let (Some(known), Some(position)) = (known, position) {
        let km = distance_km(known.center, position);
        if km > CONTRADICTION_KM {
            fields.reject(format!(
                "the position is {km:.0} km from zip_code {}: one of them is wrong; without zip_code, the nearest is taken",
                known.zip
            ));
        }
    }
    let area = known.or(near.map(|near| near.area));
    let or_of_area = |given: Option<String>, of: fn(&ZipArea) -> &String| {
        given.or_else(|| area.map(|area| of(area).clone())).unwrap_or_default()
    };
    let located = LocatedAddress {
        city: or_of_area(city, |area| &area.city),
        state: or_of_area(state_code, |area| &area.state),
        zip_code: or_of_area(zip_code, |area| &area.zip),
    };
    (located, area)
}

/// Territories and military addresses, which the release's markets do not cover.
const UNCOVERED: [&str; 9] = ["AA", "AE", "AP", "AS", "GU", "MP", "PR", "UM", "VI"];

/// The provinces and territories of Canada, as they stand in the column of states.
const PROVINCES: [&str; 13] = ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"];

/// Tells whether a place lies in the fifty states or the District of Columbia: by its country, else by its state, else
/// by the ZIP codes around it.
fn is_inside(
    country: Option<&str>,
    state: Option<&str>,
    position: Option<Position>,
    near: Option<Near<'_>>,
    locator: &Locator,
) -> bool {
    let is_in = |states: &[&str]| state.is_some_and(|state| states.contains(&state));
    match country {
        Some(country) => is_united_states(country) && !is_in(&UNCOVERED),
        None if state.is_some_and(|state| locator.is_state(state)) => true,
        None if is_in(&UNCOVERED) || is_in(&PROVINCES) => false,
        None => position.is_some() && near.is_some_and(|near| near.km <= NEAR_KM),
    }
}

fn is_united_states(country: &str) -> bool {
    let letters: String = country.to_lowercase().chars().filter(|character| character.is_alphanumeric()).collect();
    matches!(letters.as_str(), "us" | "usa" | "unitedstates" | "unitedstatesofamerica")
}
