//! The targets for flat display rows, and the industry's names for their columns.

use dataset::inventory::is_venue_type;

use super::facing::{facing, read_side};
use super::figures::{Illumination, amount, figure, illumination, is_digital, persons, truth};
use super::flat::is_clock_time;
use super::formats::light;
use super::measurements::{length, size};
use super::members::{IMPRESSIONS_OF, is_currency, is_https};
use crate::columns::{Notation, Required, Schema, Target, five_digits};
use crate::dates::is_digits;

/// The schema for flat display rows.
pub const SCHEMA: Schema =
    Schema { targets: &TARGETS, required: &REQUIRED, any_of: &["spot_id", "plant_spot_id"], option: "" };

pub(super) const REQUIRED: [Required; 2] = [
    Required { target: "latitude", is_coordinate: true },
    Required { target: "longitude", is_coordinate: true },
];

/// All targets for flat display rows.
pub const TARGETS: [Target; 49] = [
    Target::value(
        "spot_id",
        is_digits,
        &[
            &["spotid"],
            &["geopathid", "geopathspotid", "geopathpanelid", "geopathframeid", "geopathnumber"],
            &["tabid", "tabpanelid", "tabnumber"],
        ],
    ),
    Target::text(
        "plant_spot_id",
        &[
            &[
                "plantspotid",
                "plantunitid",
                "plantunitnumber",
                "plantunit",
                "operatorunitnumber",
                "operatorunitid",
                "vendorunitnumber",
                "vendorunitid",
                "mediaownerunitnumber",
                "mediaownerunitid",
            ],
            &[
                "unitnumber",
                "unitid",
                "unit",
                "panelid",
                "panelnumber",
                "panel",
                "faceid",
                "facenumber",
                "displayid",
                "displaynumber",
                "assetid",
                "assetnumber",
                "boardid",
                "boardnumber",
                "structureid",
                "structurenumber",
                "signid",
                "signnumber",
                "screenid",
                "frameid",
                "inventoryid",
                "inventorynumber",
                "siteid",
                "sitenumber",
            ],
            &["id", "number", "code", "recordid", "objectid"],
        ],
    ),
    Target::text(
        "media_name",
        &[
            &["medianame", "displayname", "unitname", "panelname"],
            &["locationdescription", "locationdesc", "description", "desc", "unitdescription"],
            &["location", "sitename", "name"],
        ],
    ),
    Target::text(
        "operator",
        &[
            &[
                "operator",
                "plant",
                "mediaowner",
                "vendor",
                "plantname",
                "operatorname",
                "vendorname",
                "mediaownername",
            ],
            &["owner", "company", "mediacompany", "supplier"],
        ],
    ),
    Target::text("parent_operator", &[&["parentoperator", "parentcompany", "parent"]]),
    Target::value(
        "digital",
        |text| is_digital(text).is_some(),
        &[&["isdigital", "digitalstatic", "staticdigital", "digitalorstatic", "staticordigital"]],
    ),
    Target::value("audio", is_truth, &[&["hasaudio", "sound"]]),
    Target::value("full_motion", is_truth, &[&["fullmotion"]]),
    Target::value("partial_motion", is_truth, &[&["partialmotion"]]),
    Target::value("interactive", is_truth, &[]),
    Target::value("rotating", is_truth, &[]),
    Target::text(
        "media_type",
        &[
            &["mediatype"],
            &[
                "format",
                "product",
                "mediaformat",
                "producttype",
                "displaytype",
                "signtype",
                "boardtype",
                "unittype",
            ],
            &["type", "media"],
        ],
    ),
    Target::text("classification", &[&["classificationtype"]]),
    Target::text("construction", &[&["constructiontype"], &["structure", "structuretype"]]),
    Target::name(
        "illumination",
        is_known_illumination,
        &[
            &["illum", "illuminated", "illuminationtype", "illumtype"],
            &["lit", "lighting", "lighted", "islit", "lightingtype"],
        ],
    ),
    Target::value("illumination_start", is_clock_time, &[&["illuminationstart", "illuminationstarttime"]]),
    Target::value("illumination_end", is_clock_time, &[&["illuminationend", "illuminationendtime"]]),
    Target::text("placement", &[&["placementtype"]]),
    Target::value("status", is_publication, &[&["statustype", "measurementstatus"]]),
    Target::value(
        "size",
        is_size,
        &[
            &["sizehxw", "sizewxh", "sizeheightxwidth", "sizewidthxheight", "hxw", "wxh"],
            &[
                "dimensions",
                "dimensionshxw",
                "dimensionswxh",
                "facesize",
                "panelsize",
                "displaysize",
                "unitsize",
            ],
        ],
    ),
    Target::value("width", is_length, &[&["facewidth", "panelwidth"], &["w"]]),
    Target::value("height", is_length, &[&["faceheight", "panelheight"], &["h"]]),
    Target::value(
        "orientation",
        is_facing,
        &[
            &["facing", "facingdirection", "directionfacing", "facingdir"],
            &["direction", "bearing", "heading", "faces"],
        ],
    ),
    Target::value(
        "read_side",
        |text| read_side(text).is_some(),
        &[&[
            "readside",
            "read",
            "rhrlhr",
            "lhrrhr",
            "handread",
            "rightleftread",
            "leftrightread",
            "lrread",
            "rlread",
        ]],
    ),
    Target::text(
        "primary_artery",
        &[
            &["primaryartery", "artery", "primaryroad", "primarystreet"],
            &["road", "roadway", "street", "streetname", "route", "highway"],
            &["address", "streetaddress", "address1"],
        ],
    ),
    Target::value("latitude", is_number, &[&["lat", "latitude"], &["y", "ycoord", "ycoordinate"]]),
    Target::value(
        "longitude",
        is_number,
        &[&["lng", "long", "lon", "longitude"], &["x", "xcoord", "xcoordinate"]],
    ),
    Target::value("state", |_| true, &[&["statecode", "stateabbreviation", "statename"], &["st", "stcode"]]),
    Target::value(
        "zip_code",
        |text| five_digits(text).is_some(),
        &[&["zip", "zipcode", "zip5", "postalcode", "postcode", "zippostalcode"]],
    ),
    Target::text("county", &[&["countyname", "countyfips", "countyid"]]),
    Target::text("dma", &[&["dmaname", "dmacode", "dmaid", "dmamarket"], &["market", "marketname"]]),
    Target::text("country", &[&["countrycode", "countryname"]]),
    Target::text("place_name", &[&["placename", "venuename"], &["venue"]]),
    Target::value("faces", is_digits, &[&["numberoffaces", "facecount", "sides", "numberofsides"]]),
    Target::value(
        "spots",
        is_digits,
        &[&["numberofspots", "spotcount", "spotsinloop", "spotsperloop", "slots", "numberofslots"]],
    ),
    Target::value(
        "spot_length",
        is_digits,
        &[&["spotlength", "spotlengthseconds", "spotlengthsec", "spotduration", "spotlengths"]],
    ),
    Target::text("measure", &[]),
    Target::date("vintage", &[]),
    Target::value("weekly_impressions", is_figure, &[]),
    Target::text("impressions_source", &[&["impressionsource", "audiencesource", "impssource"]]),
    Target::date("impressions_vintage", &[&["impressionsdate", "impressionsasof", "impressionvintage"]]),
    Target::value("persons", |text| persons(text).is_some(), &[]),
    Target::value("impressions_of", is_impressions_of, &[]),
    Target::value("rate", |text| amount(text, false).is_some(), &[]),
    Target::value("rate_currency", is_currency_code, &[&["currency", "ratecurrency", "currencycode"]]),
    Target::value("rate_weeks", is_digits, &[&["rateweeks"]]),
    Target::value(
        "photo_url",
        is_https,
        &[
            &["photourl", "imageurl", "pictureurl", "photolink", "imagelink", "photosheeturl"],
            &["photo", "image", "picture", "pic", "photosheet"],
        ],
    ),
    Target::date(
        "available_from",
        &[
            &[
                "availablefrom",
                "availabledate",
                "availabilitydate",
                "nextavailable",
                "nextavailabledate",
                "availdate",
            ],
            &["available", "availability", "avail"],
        ],
    ),
    Target::value(
        "venue_type",
        |text| is_venue_type(&text.to_lowercase()),
        &[&["venuetype", "openoohvenuetype", "openoohvenue", "venuecategory"]],
    ),
];

fn is_truth(text: &str) -> bool {
    truth(text).is_some()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

fn is_figure(text: &str) -> bool {
    figure(text, false).is_some()
}

fn is_size(text: &str) -> bool {
    size(text, &Notation::default()).is_ok()
}

fn is_length(text: &str) -> bool {
    length(text, &Notation::default()).is_some()
}

fn is_facing(text: &str) -> bool {
    facing(text, 1).is_some()
}

fn is_known_illumination(text: &str) -> bool {
    match illumination(text.to_owned()) {
        Illumination::Named(name) => light(&name, false).is_some(),
        Illumination::Lit | Illumination::Unlit | Illumination::Missing => true,
    }
}

/// Returns whether a status describes the measurement of a display, unlike a sales status such as `Active`.
fn is_publication(text: &str) -> bool {
    text.to_lowercase().contains("published")
}

fn is_impressions_of(text: &str) -> bool {
    IMPRESSIONS_OF.contains(&text.to_lowercase().as_str())
}

fn is_currency_code(text: &str) -> bool {
    is_currency(&text.to_uppercase())
}
