//! Generates the synthetic inventory's records.

use dataset::inventory::record::{
    Account, Geometry, GeometryKind, Location, Named, NamedPlace, PlaceRef, Record, Representation,
};
use dataset::inventory::{SpotId, geo_point};
use dataset::{Place, Places, Position};

use super::zips::{Zip, Zips};
use crate::displays::{FORMATS, Format, MEASURED, Measurement, fill};
use crate::random_stream::{Purpose, RandomStream};

/// The average difference between the IDs of consecutive records. It leaves room for the IDs of a record's
/// spots.
const ID_STEP: u64 = 17;

/// The lowest possible ID.
const FIRST_ID: u64 = 100_000;

/// The number of measured spots per 1,000 spots.
const MEASURED_PER_MILLE: u32 = 980;

/// The statuses of unmeasured spots.
const UNMEASURED: [&str; 3] =
    ["Published - Under Review", "Published - Unmeasured", "Published - Suppressed"];

/// The fictitious groups of media owners, from largest to smallest. A media owner's name consists of the
/// names of its group and its branch.
const GROUPS: [&str; 16] = [
    "Ferrowyn", "Quillow", "Duskmere", "Gildmoor", "Nettlyn", "Brightlo", "Saltmarr", "Ironquay", "Umberway",
    "Thistlyn", "Harrobex", "Copperlo", "Pinnatyd", "Velloway", "Rookfyn", "Everpost",
];
const BRANCHES: [&str; 4] = ["Outdoor", "Displays", "Screens", "Transit"];

/// A generator for the synthetic inventory's records.
#[derive(Debug)]
pub(super) struct Spots<'a> {
    pub(super) seed: u64,
    pub(super) zips: Zips<'a>,
    pub(super) places: &'a Places,
    pub(super) measurement: Measurement<'a>,
}

impl Spots<'_> {
    /// Generates the record with the given number, whatever the size of the inventory. The record imitates a
    /// real display's record, so its members aren't marked as modelled.
    pub(super) fn record(&self, number: u64) -> Record<'_> {
        let random = &mut RandomStream::of(self.seed, Purpose::Spot, number);
        let id = FIRST_ID + number * ID_STEP + random.below(ID_STEP / 2);
        let zip = self.zips.draw(random);
        let format = random.weighted(FORMATS.iter(), |format| format.share);
        let group = GROUPS[random.low(GROUPS.len() as u64) as usize];
        let side = *random.pick(&["N", "E", "S", "W"]);
        let near = self.zips.place(zip, random).map(|place| self.places.get(place));
        let host = near.as_ref().filter(|_| format.is_place_based());
        let unit = format!("{:06}", number + 1);
        let name = format!("{}-{}-{unit}-{side}", group[..3].to_ascii_uppercase(), zip.market_code);
        let status =
            if random.chance(MEASURED_PER_MILLE) { MEASURED } else { random.pick::<&str>(&UNMEASURED) };
        let (around, meters) = match &near {
            Some(place) => (position_of(place), if host.is_some() { 20 } else { 1_000 }),
            None => (zip.middle, 4_000),
        };
        let mut record = Record {
            spot_id: Some(SpotId::from_raw(u32::try_from(id).expect("spot IDs have at most 9 digits"))),
            media_name: Some(name.into()),
            status_type: named(status),
            location: Some(Location {
                primary_artery: Some(self.artery(zip, side, random).into()),
                places: Some(
                    host.map(|place| NamedPlace { place_name: Some(place.name.into()) })
                        .into_iter()
                        .collect(),
                ),
                place_types: named(host.map_or("", |place| place.place_type)),
                ..located(zip, moved(around, meters, random))
            }),
            representations: Some(vec![vec![representation(group, random.pick::<&str>(&BRANCHES))]]),
            place: Some(PlaceRef {
                place_id: Some(host.map_or_else(String::new, |place| place.id.to_string()).into()),
                place_name: Some(host.map_or("", |place| place.name).into()),
            }),
            ..Record::default()
        };
        fill(&mut record, format, (random, None), &self.measurement);
        number_spots(&mut record, format, &unit);
        record
    }

    /// Draws a street name or an intersection.
    fn artery(&self, zip: &Zip<'_>, side: &str, random: &mut RandomStream) -> String {
        let [street, other] = [(); 2].map(|()| self.zips.street(zip, random));
        match random.below(10) {
            0..8 => street.to_owned(),
            8 => format!("{street} & {other}"),
            _ => format!("{street} {side} OF {other}"),
        }
    }
}

/// Returns the location for a point in a ZIP code.
fn located<'a>(zip: &Zip<'a>, position: Position) -> Location<'a> {
    let coordinates = Some([position.longitude, position.latitude]);
    Location {
        geometry: Some(Geometry { kind: Some(GeometryKind::Point), coordinates }),
        geo_point: Some(geo_point(position).into()),
        ..zip.location.clone()
    }
}

fn position_of(place: &Place<'_>) -> Position {
    Position { latitude: place.latitude, longitude: place.longitude }
}

/// Draws a point at most `meters` meters from another point in each direction and rounds it to millionths of
/// a degree. Degrees of longitude are treated like degrees of latitude, so east-west distances get shorter
/// toward the poles.
fn moved(around: Position, meters: i64, random: &mut RandomStream) -> Position {
    const MILLIONTHS_OF_METER: i64 = 9;
    let mut drawn = |degrees: f64, most: f64| {
        let meters = (random.between(-meters, meters) + random.between(-meters, meters)) / 2;
        let millionths = (degrees * 1e6).round() as i64 + meters * MILLIONTHS_OF_METER;
        (millionths as f64 / 1e6).clamp(-most, most)
    };
    Position { latitude: drawn(around.latitude, 90.0), longitude: drawn(around.longitude, 180.0) }
}

fn representation(group: &'static str, branch: &str) -> Representation<'static> {
    let (name, parent) = (format!("{group} {branch}"), format!("{group} Group"));
    let account = Account { name: Some(name.into()), parent_account_name: Some(parent.into()) };
    Representation { account: Some(account), representation_type: named("Own") }
}

/// Sets `plant_spot_id`, the media owner's number, for each spot in a record.
fn number_spots(record: &mut Record<'_>, format: &Format, unit: &str) {
    let faces = record.layouts.iter_mut().flatten().flat_map(|layout| layout.faces.iter_mut().flatten());
    for (spot, nth) in faces.flat_map(|face| face.spots.iter_mut().flatten()).zip(1..) {
        let number = if format.digital { format!("{unit}-{nth}") } else { unit.to_owned() };
        spot.plant_spot_id = Some(number.into());
    }
}

fn named(name: &str) -> Option<Named<'_>> {
    Some(Named { name: Some(name.into()) })
}
