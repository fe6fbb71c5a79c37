//! Draws the ZIP codes for the spots of the synthetic inventory, in proportion to population.

use std::ops::Range;

use dataset::inventory::record::{Location, Text};
use dataset::{Geographies, Geography, GeographyIndex, GeographyType, Place, PlaceIndex, Places, Position};

use crate::random_stream::RandomStream;

/// The number of places before and after a ZIP code's places whose streets can also be drawn.
const NEIGHBOURS: usize = 4;

/// A ZIP code, with the properties that all of its spots have in common.
#[derive(Debug)]
pub(super) struct Zip<'a> {
    pub(super) middle: Position,
    /// The location's state, county, markets, and ZIP code.
    pub(super) location: Location<'a>,
    /// The market's abbreviation in display names.
    pub(super) market_code: String,
    /// The range of this ZIP code's places in [`Zips::places`].
    places: Range<usize>,
}

/// The inhabited ZIP codes of a release and their places.
#[derive(Debug)]
pub(super) struct Zips<'a> {
    zips: Vec<Zip<'a>>,
    /// The cumulative population up to and including each ZIP code.
    people: Vec<u64>,
    /// The places with a known ZIP code, sorted by ZIP code.
    places: Vec<(GeographyIndex, PlaceIndex)>,
    /// The street of each place in `places`.
    streets: Vec<String>,
}

impl<'a> Zips<'a> {
    /// Collects a release's inhabited ZIP codes. Returns `None` if there are none.
    pub(super) fn of(geographies: &'a Geographies, places: &Places) -> Option<Self> {
        let mut located: Vec<_> = places.indexes().filter_map(|at| Some((places.get(at).zip?, at))).collect();
        located.sort_unstable();
        let streets = located.iter().map(|(_, at)| street(&places.get(*at))).collect();
        let (mut zips, mut people, mut sum) = (Vec::new(), Vec::new(), 0);
        for index in geographies.of_type(GeographyType::Zip) {
            let zip = geographies.get(index);
            let Some(middle) = zip.position.filter(|_| zip.population > 0) else { continue };
            let start = located.partition_point(|(zip, _)| *zip < index);
            let end = located.partition_point(|(zip, _)| *zip <= index);
            sum += u64::from(zip.population);
            people.push(sum);
            zips.push(Zip::of(geographies, &zip, middle, start..end));
        }
        (!zips.is_empty()).then_some(Self { zips, people, places: located, streets })
    }

    /// Draws a ZIP code with a probability proportional to its population.
    pub(super) fn draw(&self, random: &mut RandomStream) -> &Zip<'a> {
        let drawn = random.below(self.people.last().copied().unwrap_or(0));
        &self.zips[self.people.partition_point(|sum| *sum <= drawn)]
    }

    /// Draws a place in a ZIP code. Returns `None` if the ZIP code has no places.
    pub(super) fn place(&self, zip: &Zip<'_>, random: &mut RandomStream) -> Option<PlaceIndex> {
        let places = &self.places[zip.places.clone()];
        (!places.is_empty()).then(|| random.pick(places).1)
    }

    /// Draws the street of a place in or near a ZIP code. Returns an empty string if no place has a ZIP code.
    pub(super) fn street(&self, zip: &Zip<'_>, random: &mut RandomStream) -> &str {
        let Range { start, end } = zip.places;
        let streets = start.saturating_sub(NEIGHBOURS)..(end + NEIGHBOURS).min(self.streets.len());
        if streets.is_empty() { "" } else { random.pick::<String>(&self.streets[streets]) }
    }
}

impl<'a> Zip<'a> {
    fn of(geographies: &'a Geographies, zip: &Geography<'a>, middle: Position, places: Range<usize>) -> Self {
        let code = |index: Option<GeographyIndex>| -> Option<Text<'a>> {
            index.map(|index| geographies.get(index).id.national_id().to_string().into())
        };
        let name =
            |index: Option<GeographyIndex>| index.map(|index| Text::Borrowed(geographies.get(index).name));
        let state = zip.name.rsplit_once(", ").map_or("", |(_, state)| state);
        let location = Location {
            state: Some(state.into()),
            county_id: code(zip.county),
            county_name: name(zip.county),
            dma_id: code(zip.dma),
            dma_name: name(zip.dma),
            cbsa_code: code(zip.cbsa),
            cbsa_name: name(zip.cbsa),
            zip_code: Some(zip.id.national_id().to_string().into()),
            ..Location::default()
        };
        let market = location.dma_name.as_deref().unwrap_or(state);
        let market_code: String = market.chars().filter(char::is_ascii_alphabetic).take(3).collect();
        Self { middle, location, market_code: market_code.to_ascii_uppercase(), places }
    }
}

/// Returns a place's street without the house number, or the place's name if it has no address, in capital
/// letters.
fn street(place: &Place<'_>) -> String {
    let Place { street_address: address, name, .. } = place;
    let street = match address.split_once(' ') {
        Some((number, street)) if number.starts_with(|first: char| first.is_ascii_digit()) => street,
        _ => address,
    };
    if street.is_empty() { name.to_uppercase() } else { street.to_uppercase() }
}
