//! Reads places from a file, row by row.

use std::path::{Path, PathBuf};

use dataset::places::NewPlace;
use dataset::{PlaceId, Progress, RecordSource};

use super::identity::{Existing, PlaceIdentity, Taken};
use crate::build::ImportError;
use crate::build::Notice;
use crate::build::Rejects;
use crate::columns::Fields;
use crate::columns::{ColumnMap, Required, Schema, Target, five_digits};
use crate::dates::is_digits;
use crate::location::Locator;
use crate::location::{Address, LocatedAddress, Region, locate};
use crate::rows::Reasons;
use crate::rows::{Dialect, Row, RowReader, SourceRow, quoted};

const LARGEST_ID: u64 = 999_999_999_999;

/// Everything that a row of a place can contain.
pub const SCHEMA: Schema =
    Schema { targets: &TARGETS, required: &REQUIRED, any_of: &[], option: " --places" };

/// The values that a row of a place can contain.
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

/// What a row must say of a place.
pub const REQUIRED: [Required; 4] = [
    Required { target: "place_name", is_coordinate: false },
    Required { target: "place_type", is_coordinate: false },
    Required { target: "latitude", is_coordinate: true },
    Required { target: "longitude", is_coordinate: true },
];

/// What places are read with.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Which column holds what, of [`TARGETS`].
    pub map: &'a ColumnMap,
    /// The ZIP codes of the release.
    pub locator: &'a Locator,
    /// Whether rows that name no country lie outside the United States.
    pub is_foreign: bool,
    /// Whose data the places are. Its vintage is the date of places that have none.
    pub source: &'a RecordSource,
    /// Is told the bytes that were read.
    pub progress: Progress<'a>,
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { map, is_foreign, source, .. } = self;
        f.debug_struct("Setup")
            .field("map", map)
            .field("is_foreign", is_foreign)
            .field("source", source)
            .finish_non_exhaustive()
    }
}

/// How many rows became what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// What is worth knowing besides.
    pub notices: Vec<Notice>,
}

/// Reads places from files; one outside the United States lies in no geography. Nothing is written but the
/// rejected rows.
///
/// # Errors
///
/// When a file as a whole cannot be read, or a rejected row cannot be written. No place is accepted then.
pub fn read<'a>(
    sources: &[PathBuf],
    setup: Setup<'_>,
    existing: impl IntoIterator<Item = Existing<'a>>,
    rejects: &mut Rejects,
) -> Result<(Vec<NewPlace>, Summary), ImportError> {
    if setup.map.modelled().is_some() {
        return Err(ImportError::ModelledPlaces);
    }
    rejects.check(sources)?;
    let mut taken = Taken::by(existing);
    let (mut places, mut summary) = (Vec::new(), Summary::default());
    for source in sources {
        read_file(source, &setup, &mut taken, &mut places, &mut summary, rejects)?;
    }
    summary.accepted = places.len() as u64;
    summary.rejected = summary.rows - summary.accepted;
    Ok((places, summary))
}

fn read_file(
    source: &Path,
    setup: &Setup<'_>,
    taken: &mut Taken,
    places: &mut Vec<NewPlace>,
    summary: &mut Summary,
    rejects: &mut Rejects,
) -> Result<(), ImportError> {
    rejects.begin(source);
    let dialect = Dialect { delimiter: setup.map.delimiter(), sheet: None };
    let mut file = RowReader::open(source, &dialect, setup.progress)?;
    let layout = file.layout();
    let fits = setup.map.check(&file, &REQUIRED);
    fits.map_err(|error| ImportError::MapOfFile { file: source.to_owned(), source: error })?;
    taken.begin(source);
    while let Some(row) = file.next_row()? {
        summary.rows += 1;
        let row = match row {
            Row::Read(row) => row,
            Row::Unreadable(problem) => {
                rejects.add(&layout, &problem)?;
                continue;
            }
        };
        match accept(&row, setup, taken) {
            Ok(Accepted { place, has_derived_id }) => {
                summary.outside_us += u64::from(place.zip.is_none());
                summary.derived_ids += u64::from(has_derived_id);
                places.push(place);
            }
            Err(reasons) => rejects.add(&layout, &row.rejected(reasons.to_string()))?,
        }
    }
    summary.notices.extend(Notice::of_encoding(source, &file));
    Ok(())
}

struct Accepted {
    place: NewPlace,
    has_derived_id: bool,
}

/// Makes a place of a row, or says everything that is wrong with it.
fn accept(row: &SourceRow, setup: &Setup<'_>, taken: &mut Taken) -> Result<Accepted, Reasons> {
    let mut fields = Fields::new(row, setup.map);
    let given_id = place_id(&mut fields);
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
    let region = Region { locator: setup.locator, is_foreign: setup.is_foreign };
    let (address, area) = locate(address, position, region, &mut fields);
    let mut reasons = fields.into_reasons();
    let Some(position) = position else { return Err(reasons) };

    let identity = PlaceIdentity::of(&name, &street_address, &address.zip_code, position);
    let id = given_id.unwrap_or_else(|| identity.id());
    if reasons.is_empty() {
        taken.claim(row.line, id, given_id.is_none(), identity, &mut reasons);
    }
    if !reasons.is_empty() {
        return Err(reasons);
    }
    let LocatedAddress { city, state, zip_code } = address;
    let place = NewPlace {
        id,
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
        source: setup.source.clone(),
    };
    Ok(Accepted { place, has_derived_id: given_id.is_none() })
}

fn place_id(fields: &mut Fields<'_>) -> Option<PlaceId> {
    let text = fields.text("place_id")?;
    let id = text.parse().ok().filter(|id: &PlaceId| (1..=LARGEST_ID).contains(&id.raw()));
    if id.is_none() {
        fields.reject(format!("place_id {} is not a whole number from 1 to {LARGEST_ID}", quoted(&text)));
    }
    id
}
