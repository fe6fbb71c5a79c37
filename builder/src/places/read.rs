//! Converts rows to places.

use dataset::places::NewPlace;
use dataset::{PlaceId, Position, RecordSource};

use super::identity::PlaceIdentity;
use crate::build::Numbered;
use crate::columns::{ColumnMap, Fields, Required, Schema, Target, five_digits};
use crate::dates::is_digits;
use crate::location::{Address, Contradiction, Located, LocatedAddress, Markets};
use crate::rows::{RowProblem, SourceRow, quoted};

/// The largest ID that a row can contain.
const LARGEST_ID: u64 = 999_999_999_999;

/// The schema for place rows.
pub const SCHEMA: Schema =
    Schema { targets: &TARGETS, required: &REQUIRED, any_of: &[], option: " --places" };

/// All targets for place rows.
pub const TARGETS: [Target; 15] = [
    Target::value("place_id", is_digits, &[]),
    Target::text(
        "register_id",
        &[
            &[
                "storenumber",
                "storeid",
                "locationnumber",
                "branchnumber",
                "branchid",
                "restaurantnumber",
                "unitnumber",
            ],
            &["locationid", "siteid", "sitenumber", "shopid", "shopnumber", "outletid", "outletnumber"],
            &["id", "number", "code", "ref"],
        ],
    ),
    Target::text(
        "place_name",
        &[
            &[
                "storename",
                "locationname",
                "businessname",
                "restaurantname",
                "branchname",
                "poiname",
                "venuename",
            ],
            &["name", "sitename", "shopname"],
            &["store", "title"],
        ],
    ),
    Target::text("brand", &[&["brandname", "banner", "chain", "retailer"]]),
    Target::text(
        "place_type",
        &[
            &[
                "category",
                "storetype",
                "locationtype",
                "poitype",
                "placecategory",
                "venuetype",
                "storecategory",
            ],
            &["type", "kind"],
        ],
    ),
    Target::text(
        "street_address",
        &[
            &["streetaddress"],
            &["address", "address1", "addressline1", "street", "streetname", "storeaddress"],
        ],
    ),
    Target::text("city", &[&["cityname", "town", "municipality", "locality"]]),
    Target::value("state", |_| true, &[&["statecode", "stateabbreviation", "statename"], &["st", "stcode"]]),
    Target::value(
        "zip_code",
        |text| five_digits(text).is_some(),
        &[&["zip", "zipcode", "zip5", "postalcode", "postcode", "zippostalcode"]],
    ),
    Target::value("latitude", is_number, &[&["lat", "latitude"], &["y", "ycoord", "ycoordinate"]]),
    Target::value(
        "longitude",
        is_number,
        &[&["lng", "long", "lon", "longitude"], &["x", "xcoord", "xcoordinate"]],
    ),
    Target::text("county", &[&["countyname", "countyfips", "countyid"]]),
    Target::text("dma", &[&["dmaname", "dmacode", "dmaid", "dmamarket"], &["market", "marketname"]]),
    Target::text("country", &[&["countrycode", "countryname"]]),
    Target::date("published_date", &[&["datepublished", "publishdate"]]),
];

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// The targets that every row must contain.
pub const REQUIRED: [Required; 4] = [
    Required { target: "place_name", is_coordinate: false },
    Required { target: "place_type", is_coordinate: false },
    Required { target: "latitude", is_coordinate: true },
    Required { target: "longitude", is_coordinate: true },
];

/// The data needed to convert rows to places.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    pub(crate) map: &'a ColumnMap,
    pub(crate) markets: Markets<'a>,
    /// The source of the places, whose vintage is the default publication date.
    pub(crate) source: &'a RecordSource,
}

impl<'a> Setup<'a> {
    /// Combines the column map, the areas, and the source of the places.
    pub fn new(map: &'a ColumnMap, markets: Markets<'a>, source: &'a RecordSource) -> Self {
        Self { map, markets, source }
    }
}

/// A place that was read from a row. If the row doesn't contain an ID, the ID is derived from the name and
/// address. If the row contains a register number, the build replaces the derived ID.
pub struct ReadPlace {
    pub(crate) place: NewPlace,
    pub(crate) number: PlaceNumber,
    pub(crate) identity: PlaceIdentity,
    /// The row's area names that contradict its position.
    pub(crate) contradictions: Vec<Contradiction>,
}

/// A place's ID or number, as given in its row.
pub(crate) enum PlaceNumber {
    /// The row contains an ID.
    Given,
    /// The row contains a register number.
    Own(Numbered),
    /// The row contains only a name and an address.
    None,
}

/// Converts a row to a place or returns the reasons for rejecting it.
pub fn read(row: SourceRow, setup: Setup<'_>) -> Result<(SourceRow, ReadPlace), RowProblem> {
    let mut fields = Fields::new(&row, setup.map);
    let given_id = place_id(&mut fields);
    let register_id = fields.text("register_id").unwrap_or_default();
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
    let published_date = fields.date("published_date").unwrap_or_else(|| setup.source.vintage.clone());
    let Located { address, zip, county, cbsa, dma, contradictions } =
        setup.markets.locate(address, position, &mut fields);
    let reasons = fields.into_reasons();
    let Some(position) = position.filter(|_| reasons.is_empty()) else {
        return Err(row.rejected(reasons.to_string()));
    };
    let LocatedAddress { city, state, zip_code } = address;
    let identity = PlaceIdentity::of(&name, &street_address, &zip_code, position);
    let number = match given_id {
        Some(_) => PlaceNumber::Given,
        None if register_id.is_empty() => PlaceNumber::None,
        None => PlaceNumber::Own(numbered(register_id.clone(), &name, &street_address, position)),
    };
    let place = NewPlace {
        id: given_id.unwrap_or_else(|| identity.id()),
        name,
        brand,
        place_type,
        street_address,
        city,
        state,
        zip_code,
        position,
        published_date,
        register_id,
        county,
        cbsa,
        dma,
        zip: zip.map(|zip| zip.index),
        source: setup.source.clone(),
    };
    Ok((row, ReadPlace { place, number, identity, contradictions }))
}

/// Combines a place's register number with the properties that identify the place in later builds.
pub(crate) fn numbered(number: String, name: &str, street_address: &str, position: Position) -> Numbered {
    Numbered { number, position, facing: None, description: format!("{name}; {street_address}") }
}

fn place_id(fields: &mut Fields<'_>) -> Option<PlaceId> {
    let text = fields.text("place_id")?;
    let id = text.parse().ok().filter(|id: &PlaceId| (1..=LARGEST_ID).contains(&id.raw()));
    if id.is_none() {
        fields.reject(format!("place_id {} is not a whole number from 1 to {LARGEST_ID}", quoted(&text)));
    }
    id
}
