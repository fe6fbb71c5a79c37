//! The ZIP codes in which the synthetic inventory lies: the more people live there, the more of it.

use std::collections::BTreeMap;
use std::ops::Range;

use dataset::inventory::record::{Location, Text};
use dataset::{Geographies, Geography, GeographyIndex, GeographyType, PlaceIndex, Places};

use super::operators::Roster;
use crate::displays::Setting;
use crate::random_stream::RandomStream;

/// A hundred-thousandth of a degree of latitude is about a metre; positions are held in millionths.
pub(super) const MICRODEGREES: i64 = 1_000_000;

/// The side of a cell in which persons are counted: a tenth of a degree.
const CELL: i64 = MICRODEGREES / 10;

/// A ZIP code with what its spots have in common.
#[derive(Debug)]
pub(super) struct Zip<'a> {
    /// The five digits as a number.
    pub(super) number: u64,
    pub(super) county: u64,
    /// The city of its post.
    pub(super) city: &'a str,
    /// Its middle, in millionths of a degree.
    pub(super) latitude: i64,
    pub(super) longitude: i64,
    pub(super) setting: Setting,
    /// Its state, county, markets and digits.
    pub(super) location: Location<'a>,
    /// What the names of displays call its market.
    pub(super) market_code: String,
    /// The position of its market's operators.
    pub(super) market: usize,
    /// Its places, among all that lie in a ZIP code.
    places: Range<usize>,
}

/// The ZIP codes in which people live.
#[derive(Debug)]
pub(super) struct Markets<'a> {
    zips: Vec<Zip<'a>>,
    /// The sum of the weights of each ZIP code and those before it.
    weights: Vec<u64>,
    rosters: Vec<Roster>,
    /// The places that lie in a ZIP code, by ZIP code.
    places: Vec<(GeographyIndex, PlaceIndex)>,
}

impl<'a> Markets<'a> {
    /// Takes the ZIP codes of a release; `None` when nobody lives in any.
    pub(super) fn of(geographies: &'a Geographies, places: &Places, seed: u64) -> Option<Self> {
        let mut located: Vec<_> = places.indexes().filter_map(|at| Some((places.get(at).zip?, at))).collect();
        located.sort_unstable();
        let persons = persons_by_cell(geographies);
        let (mut numbers, mut rosters) = (BTreeMap::new(), Vec::new());
        let (mut zips, mut weights, mut sum) = (Vec::new(), Vec::new(), 0);
        for (index, geography) in inhabited(geographies) {
            let market = geography.dma.or(geography.state).map_or(0, |market| u64::from(market.raw()));
            let market = *numbers.entry(market).or_insert_with(|| {
                rosters.push(Roster::of(seed, market));
                rosters.len() - 1
            });
            let start = located.partition_point(|(zip, _)| *zip < index);
            let end = located.partition_point(|(zip, _)| *zip <= index);
            let zip = Zip::of(geographies, &geography, market, start..end, &persons);
            sum += u64::from(geography.population) * zip.density();
            weights.push(sum);
            zips.push(zip);
        }
        (!zips.is_empty()).then_some(Self { zips, weights, rosters, places: located })
    }

    /// Draws a ZIP code by the people who live in it and around it.
    pub(super) fn draw(&self, random: &mut RandomStream) -> &Zip<'a> {
        let drawn = random.below(self.weights.last().copied().unwrap_or(0));
        &self.zips[self.weights.partition_point(|sum| *sum <= drawn)]
    }

    /// Returns the operators of a ZIP code's market.
    pub(super) fn roster(&self, zip: &Zip<'_>) -> &Roster {
        &self.rosters[zip.market]
    }

    /// Draws a place of a ZIP code; `None` when it has none.
    pub(super) fn place(&self, zip: &Zip<'_>, random: &mut RandomStream) -> Option<PlaceIndex> {
        let places = &self.places[zip.places.clone()];
        (!places.is_empty()).then(|| random.pick(places).1)
    }
}

impl<'a> Zip<'a> {
    fn of(
        geographies: &'a Geographies,
        geography: &Geography<'a>,
        market: usize,
        places: Range<usize>,
        persons: &BTreeMap<(i64, i64), u64>,
    ) -> Self {
        let (city, state) = geography.name.rsplit_once(", ").unwrap_or((geography.name, ""));
        let (latitude, longitude) = middle(geography).unwrap_or_default();
        let around = cells_around(latitude, longitude).filter_map(|cell| persons.get(&cell)).sum();
        let location = location(geographies, geography, state);
        let market_name = location.dma_name.as_deref().unwrap_or(state);
        let code = market_name.chars().filter(char::is_ascii_alphabetic).take(3).collect::<String>();
        Self {
            number: geography.id.code().into(),
            county: geography.county.map_or(0, |county| county.raw().into()),
            city,
            latitude,
            longitude,
            setting: match around {
                1_000_000.. => Setting::Core,
                100_000.. => Setting::City,
                _ => Setting::Country,
            },
            market_code: code.to_ascii_uppercase(),
            location,
            market,
            places,
        }
    }

    /// Returns how far its roads reach from its middle, in metres.
    pub(super) fn reach(&self) -> i64 {
        match self.setting {
            Setting::Core => 1_500,
            Setting::City => 3_000,
            Setting::Country => 6_000,
        }
    }

    /// Returns how many displays there are for each person, in relation to the others.
    fn density(&self) -> u64 {
        match self.setting {
            Setting::Core => 14,
            Setting::City => 11,
            Setting::Country => 8,
        }
    }
}

/// Returns the ZIP codes in which people live and whose middle is known.
fn inhabited(geographies: &Geographies) -> impl Iterator<Item = (GeographyIndex, Geography<'_>)> {
    let all = geographies.of_type(GeographyType::Zip).map(|index| (index, geographies.get(index)));
    all.filter(|(_, geography)| geography.population > 0 && geography.position.is_some())
}

/// Counts the persons of the ZIP codes whose middles lie in each cell of a grid.
fn persons_by_cell(geographies: &Geographies) -> BTreeMap<(i64, i64), u64> {
    let mut persons = BTreeMap::new();
    for (_, geography) in inhabited(geographies) {
        let (latitude, longitude) = middle(&geography).unwrap_or_default();
        *persons.entry(cell(latitude, longitude)).or_default() += u64::from(geography.population);
    }
    persons
}

fn cell(latitude: i64, longitude: i64) -> (i64, i64) {
    (latitude.div_euclid(CELL), longitude.div_euclid(CELL))
}

/// Returns the cell of a point, and those that touch it.
fn cells_around(latitude: i64, longitude: i64) -> impl Iterator<Item = (i64, i64)> {
    let (row, column) = cell(latitude, longitude);
    (row - 1..=row + 1).flat_map(move |row| (column - 1..=column + 1).map(move |column| (row, column)))
}

fn middle(geography: &Geography<'_>) -> Option<(i64, i64)> {
    let whole = |degrees: f64| (degrees * MICRODEGREES as f64).round() as i64;
    geography.position.map(|position| (whole(position.latitude), whole(position.longitude)))
}

fn location<'a>(geographies: &'a Geographies, zip: &Geography<'a>, state: &'a str) -> Location<'a> {
    let code = |index: Option<GeographyIndex>| -> Option<Text<'a>> {
        index.map(|index| Text::Owned(geographies.get(index).id.national_id().to_string()))
    };
    let name = |index: Option<GeographyIndex>| index.map(|index| Text::Borrowed(geographies.get(index).name));
    Location {
        state: Some(Text::Borrowed(state)),
        county_id: code(zip.county),
        county_name: name(zip.county),
        dma_id: code(zip.dma),
        dma_name: name(zip.dma),
        cbsa_code: code(zip.cbsa),
        cbsa_name: name(zip.cbsa),
        zip_code: Some(Text::Owned(zip.id.national_id().to_string())),
        ..Location::default()
    }
}
