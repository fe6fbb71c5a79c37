//! Reads passenger counts from the Federal Aviation Administration (FAA) and recognizes places inside
//! airports.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::position::UnitVector;
use dataset::{Place, Position};

use super::error::SourceError;
use super::table::Table;
use crate::location::NearestNeighbours;

/// The file name of the table with boardings by airport.
const TABLE: &str = "airport_enplanements.csv";

const AIRPORT: &str = "Airport";

/// The maximum distance between an airport's position and a place inside the airport, in kilometers.
const INSIDE_KM: f64 = 5.0;

/// Words in a place's name or address that indicate that it's inside an airport, in addition to the airport's
/// code.
const HALLS: [&str; 3] = ["concourse", "terminal", "gate"];

/// The years with a column in the table.
const YEARS: [u16; 2] = [2018, 2023];

/// The number of boardings in each year in [`YEARS`], by airport code.
#[derive(Debug)]
pub(super) struct Boardings(BTreeMap<String, Vec<(u16, u32)>>);

/// The airports with passenger counts.
#[derive(Debug)]
pub(super) struct Airports {
    /// Each airport's code in lowercase and its index among the places.
    airports: Vec<(String, usize)>,
    points: NearestNeighbours,
}

impl Boardings {
    /// Reads the number of boardings at each airport.
    pub(super) fn read(data: &Path) -> Result<Self, SourceError> {
        let table = Table::read(&data.join("places"), TABLE)?;
        let mut boardings = BTreeMap::new();
        for line in table.lines() {
            let code = line.filled("locid")?;
            let mut years = Vec::new();
            for year in YEARS {
                let counted = line.optional_count(&format!("enplanements_{year}"))?;
                years.extend(counted.map(|counted| (year, counted)));
            }
            line.insert("locid", &mut boardings, code.to_owned(), years)?;
        }
        Ok(Self(boardings))
    }

    /// Returns the number of passengers at an airport in each counted year, which is twice the number of
    /// boardings, because about as many people arrive as depart. Returns an empty list for airfields without
    /// scheduled service and for places that aren't airports.
    pub(super) fn passengers(&self, place: &Place<'_>) -> Vec<(u16, u64)> {
        let boardings = code(place).and_then(|code| self.0.get(code)).map_or(&[][..], Vec::as_slice);
        boardings.iter().map(|(year, boarded)| (*year, 2 * u64::from(*boarded))).collect()
    }
}

impl Airports {
    /// Finds the airports with passenger counts among the places.
    pub(super) fn among<'a>(places: impl Iterator<Item = Place<'a>>, boardings: &Boardings) -> Self {
        let (mut airports, mut points) = (Vec::new(), Vec::new());
        for (number, place) in places.enumerate() {
            if let Some(code) = code(&place).filter(|_| !boardings.passengers(&place).is_empty()) {
                points.push((airports.len(), point(&place)));
                airports.push((code.to_lowercase(), number));
            }
        }
        Self { airports, points: NearestNeighbours::new(points.into_iter()) }
    }

    /// Returns the index of the airport that contains a place, if any. A place is inside the nearest airport
    /// if the airport is at most 5 km away and the place's name or address contains the airport's code or a
    /// word such as `terminal`.
    pub(super) fn around(&self, place: &Place<'_>) -> Option<usize> {
        let (nearest, _) = self.points.nearest(point(place)).filter(|(_, km)| *km <= INSIDE_KM)?;
        let (code, number) = &self.airports[nearest];
        (place.place_type != AIRPORT && says_inside(place, code)).then_some(*number)
    }
}

/// Returns the code in parentheses at the end of an airport's name. Returns `None` if the name has no code or
/// the place isn't an airport.
fn code<'a>(place: &Place<'a>) -> Option<&'a str> {
    let name = (place.place_type == AIRPORT).then_some(place.name)?;
    name.rsplit_once('(')?.1.strip_suffix(')')
}

fn says_inside(place: &Place<'_>, code: &str) -> bool {
    let city = place.city.to_lowercase();
    // A code that is also a word in the city's name, such as `LAS` in Las Vegas, is ambiguous.
    let is_code = |word: &str| word == code && !words(&city).any(|part| part == code);
    let text = format!("{} {}", place.name, place.street_address).to_lowercase();
    words(&text).any(|word| HALLS.contains(&word) || is_code(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric())
}

fn point(place: &Place<'_>) -> UnitVector {
    Position { latitude: place.latitude, longitude: place.longitude }.to_unit_vector()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::test_place;

    /// Returns a place `km` kilometers north of the Las Vegas airport.
    fn place<'a>(place_type: &'a str, name: &'a str, street_address: &'a str, km: f64) -> Place<'a> {
        Place {
            name,
            place_type,
            street_address,
            city: "Las Vegas",
            state: "NV",
            zip_code: "89119",
            latitude: 36.08 + km / 111.195,
            longitude: -115.15,
            ..test_place()
        }
    }

    fn boardings() -> Boardings {
        let las = vec![(2018, 23_655_285), (2023, 27_896_199)];
        Boardings([("LAS".to_owned(), las), ("BOS".to_owned(), vec![(2018, 1_000)])].into())
    }

    #[test]
    fn passengers_are_twice_the_boardings_of_each_counted_year() {
        let of = |name| boardings().passengers(&place(AIRPORT, name, "", 0.0));
        assert_eq!(of("Mc Carran International Airport (LAS)"), [(2018, 47_310_570), (2023, 55_792_398)]);
        assert_eq!(of("Logan (BOS)"), [(2018, 2_000)]);
        assert_eq!(of("Nypd Air Operations (Floyd Bennett Field) Airport (NY22)"), []);
        assert_eq!(of("LAS"), []);
        assert_eq!(boardings().passengers(&place("Bank", "Bank (LAS)", "", 0.0)), []);
    }

    #[test]
    fn place_that_mentions_its_nearest_airport_is_inside_it() {
        let airports = [
            place("Bank", "Bank", "", 0.0),
            place(AIRPORT, "Mc Carran International Airport (LAS)", "", 0.0),
            place(AIRPORT, "Logan (BOS)", "", 20.0),
            place(AIRPORT, "Airfield (NY22)", "", 40.0),
        ];
        let airports = Airports::among(airports.into_iter(), &boardings());
        for (name, address, km, expected) in [
            ("Starbucks LAS Terminal 3 Gate E4", "5757 Wayne Newton Blvd", 1.7, Some(1)),
            ("Starbucks", "CONCOURSE D", 4.9, Some(1)),
            ("Starbucks", "Concourse D", 5.1, None),
            ("Starbucks Luxor", "3900 Las Vegas Blvd", 2.7, None),
            ("Northgate Terminals", "1 Gates Way", 0.1, None),
            ("Dunkin'", "Bos-Airport", 19.0, Some(2)),
            ("Dunkin'", "Boston", 19.0, None),
            ("Gate Coffee", "1 Terminal Way", 40.0, None),
        ] {
            assert_eq!(
                airports.around(&place("Coffee Shop", name, address, km)),
                expected,
                "{name}: {address}"
            );
        }
        assert_eq!(airports.around(&place(AIRPORT, "Terminal Airport (XYZ)", "", 1.0)), None);
    }
}
