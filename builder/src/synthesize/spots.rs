//! The records of the synthetic inventory.

use std::borrow::Cow;

use dataset::inventory::record::{
    Account, Geometry, GeometryKind, Location, Named, NamedPlace, PlaceRef, Record, Representation,
};
use dataset::inventory::{SpotId, geo_point};
use dataset::{Place, Places};

use super::locations::{Site, near, site};
use super::markets::{Markets, Zip};
use super::operators::DisplayOperator;
use crate::displays::{FORMATS, Format, MEASURED, Measurement, fill};
use crate::random_stream::{Purpose, RandomStream};

/// Ids lie this far apart, give or take: a record's further spots are numbered on from its first.
const ID_STEP: u64 = 17;

/// The id before the first.
const FIRST_ID: u64 = 100_000;

/// How many spots of a thousand are measured.
const MEASURED_PER_MILLE: u32 = 980;

/// The statuses of the others.
const UNMEASURED: [&str; 3] =
    ["Published - Under Review", "Published - Unmeasured", "Published - Suppressed"];

/// What is invented where no place of the release is near.
const VENUES: [&str; 8] = [
    "Mall",
    "Transit Center",
    "Fitness Club",
    "Medical Plaza",
    "Food Hall",
    "Bowling Lanes",
    "Office Park",
    "Theater",
];

/// What all spots are made of.
#[derive(Debug)]
pub(super) struct Spots<'a> {
    pub(super) seed: u64,
    pub(super) markets: Markets<'a>,
    pub(super) places: &'a Places,
    pub(super) measurement: Measurement<'a>,
}

impl Spots<'_> {
    /// Makes the spot of a number. It is the same however many there are.
    pub(super) fn record(&self, number: u64) -> Record<'_> {
        let mut random = RandomStream::of(self.seed, Purpose::Spot, number);
        let id = FIRST_ID + number * ID_STEP + random.below(ID_STEP / 2);
        let zip = self.markets.draw(&mut random);
        let format = random.weighted(FORMATS.iter(), |format| format.share(zip.setting));
        let operator = self.markets.roster(zip).draw(&mut random);
        let mut site = site(self.seed, zip, &mut random);
        let place = if format.is_place_based() {
            self.place(zip, &mut site, &mut random)
        } else {
            AtPlace::default()
        };
        let unit = format!("{:06}", number + 1);
        let suffix = if format.digital { "D" } else { "" };
        let mut record = Record {
            spot_id: Some(SpotId::from_raw(u32::try_from(id).expect("the most spots have ids of 9 digits"))),
            media_name: Some(
                format!("{}-{}-{unit}{suffix}-{}", operator.code, zip.market_code, site.side).into(),
            ),
            status_type: named(status(&mut random)),
            location: Some(location(zip, site, &place)),
            representations: Some(vec![vec![representation(operator)]]),
            place: Some(place.reference),
            ..Record::default()
        };
        fill(&mut record, format, &mut random, &self.measurement);
        number_spots(&mut record, format, &unit);
        record
    }

    /// Puts a site to a place of its ZIP code, or makes one up; some stand in a place without a name.
    fn place(&self, zip: &Zip<'_>, site: &mut Site, random: &mut RandomStream) -> AtPlace<'_> {
        if random.chance(180) {
            return AtPlace::default();
        }
        let Some(found) = self.markets.place(zip, random) else {
            let venue = *random.pick(&VENUES);
            return AtPlace::new(format!("{} {venue}", zip.city).into(), "".into(), venue);
        };
        let Place { id, name, place_type, street_address, latitude, longitude, .. } = self.places.get(found);
        site.position = near(dataset::Position { latitude, longitude }, 20, random);
        let street = street_address.trim_start_matches(|first: char| first.is_ascii_digit() || first == ' ');
        if !street.is_empty() {
            site.primary_artery = street.to_uppercase();
        }
        AtPlace::new(name.into(), id.to_string().into(), place_type)
    }
}

/// What a record says of the place that its display belongs to.
#[derive(Debug, Default)]
struct AtPlace<'a> {
    reference: PlaceRef<'a>,
    places: Vec<NamedPlace<'a>>,
    place_type: &'a str,
}

impl<'a> AtPlace<'a> {
    fn new(name: Cow<'a, str>, id: Cow<'a, str>, place_type: &'a str) -> Self {
        let places = vec![NamedPlace { place_name: Some(name.clone()) }];
        Self { reference: PlaceRef { place_id: Some(id), place_name: Some(name) }, places, place_type }
    }
}

fn status(random: &mut RandomStream) -> &'static str {
    if random.chance(MEASURED_PER_MILLE) { MEASURED } else { random.pick::<&str>(&UNMEASURED) }
}

fn location<'a>(zip: &'a Zip<'_>, site: Site, place: &AtPlace<'a>) -> Location<'a> {
    let Site { position, primary_artery, orientation, .. } = site;
    let of_zip = &zip.location;
    // Borrowed, which a plain copy of the location would not be.
    let text = |text: &'a Option<Cow<'_, str>>| text.as_deref().map(Cow::Borrowed);
    Location {
        state: text(&of_zip.state),
        county_id: text(&of_zip.county_id),
        county_name: text(&of_zip.county_name),
        dma_id: text(&of_zip.dma_id),
        dma_name: text(&of_zip.dma_name),
        cbsa_code: text(&of_zip.cbsa_code),
        cbsa_name: text(&of_zip.cbsa_name),
        zip_code: text(&of_zip.zip_code),
        primary_artery: Some(primary_artery.into()),
        geometry: Some(Geometry {
            kind: Some(GeometryKind::Point),
            coordinates: Some([position.longitude, position.latitude]),
        }),
        geo_point: Some(geo_point(position).into()),
        places: Some(place.places.clone()),
        place_types: named(place.place_type),
        orientation: Some(orientation.into()),
    }
}

fn representation(operator: &'static DisplayOperator) -> Representation<'static> {
    let account =
        Account { name: Some(operator.name.into()), parent_account_name: Some(operator.parent.into()) };
    Representation { account: Some(account), representation_type: named("Own") }
}

/// Gives every spot its operator's own number.
fn number_spots(record: &mut Record<'_>, format: &Format, unit: &str) {
    let faces = record.layouts.iter_mut().flatten().flat_map(|layout| layout.faces.iter_mut().flatten());
    for (spot, nth) in faces.flat_map(|face| face.spots.iter_mut().flatten()).zip(1..) {
        spot.plant_spot_id =
            Some(if format.digital { format!("{unit}-{nth}") } else { unit.to_owned() }.into());
    }
}

fn named(name: &str) -> Option<Named<'_>> {
    Some(Named { name: Some(name.into()) })
}
