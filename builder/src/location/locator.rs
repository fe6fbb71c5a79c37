//! Finds ZIP codes by their digits and by position.

use std::collections::{BTreeSet, HashMap};

use dataset::{Geographies, Geography, GeographyIndex, GeographyType, Position};

use super::market_names::MarketNames;
use crate::location::NearestNeighbours;

/// The maximum distance between a ZIP code's center and a point near this ZIP code, in kilometers. An address
/// without a country is assumed to be in the United States if it's near a ZIP code.
pub(crate) const NEAR_KM: f64 = 50.0;

/// A ZIP code, its position, and the areas that contain it.
#[derive(Clone, Debug, PartialEq)]
pub struct ZipArea {
    /// The index of the ZIP code in the release's geographies.
    pub index: GeographyIndex,
    /// The five digits.
    pub zip: String,
    /// Whether the ZIP code has residents. ZIP codes without residents, such as those for post office boxes,
    /// can be found only by their digits, not by position.
    pub inhabited: bool,
    /// The city name used in postal addresses.
    pub city: String,
    /// The two-letter code of the state.
    pub state: String,
    /// The center of the ZIP code.
    pub center: Position,
    /// The county that contains the ZIP code.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that contains the ZIP code.
    pub cbsa: Option<GeographyIndex>,
    /// The TV market that contains the ZIP code.
    pub dma: Option<GeographyIndex>,
}

/// The result of a search for the ZIP code nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near<'a> {
    /// The nearest ZIP code.
    pub area: &'a ZipArea,
    /// The distance between the point and the ZIP code's center, in kilometers.
    pub km: f64,
}

/// An index of ZIP codes by their digits and by position.
#[derive(Debug)]
pub struct Locator {
    areas: Vec<ZipArea>,
    by_zip: HashMap<String, usize>,
    states: BTreeSet<String>,
    /// The centers of the inhabited ZIP codes.
    middles: NearestNeighbours,
    markets: MarketNames,
}

impl Locator {
    /// Creates an index of the given ZIP codes, without TV markets.
    pub fn new(areas: Vec<ZipArea>) -> Self {
        let by_zip = areas.iter().enumerate().map(|(at, area)| (area.zip.clone(), at)).collect();
        let states = areas.iter().map(|area| area.state.clone()).collect();
        let inhabited = areas.iter().enumerate().filter(|(_, area)| area.inhabited);
        let middles = NearestNeighbours::new(inhabited.map(|(at, area)| (at, area.center.to_unit_vector())));
        Self { areas, by_zip, states, middles, markets: MarketNames::default() }
    }

    /// Creates an index of the ZIP codes and TV markets in a release.
    pub fn of(geographies: &Geographies) -> Self {
        let area = |index: GeographyIndex| {
            let Geography { id, name, population, position, county, cbsa, dma, .. } = geographies.get(index);
            let (city, state) = name.rsplit_once(", ").unwrap_or((name, ""));
            let center = position?;
            Some(ZipArea {
                index,
                zip: id.national_id().to_string(),
                inhabited: population > 0,
                city: city.to_owned(),
                state: state.to_owned(),
                center,
                county,
                cbsa,
                dma,
            })
        };
        let areas: Vec<ZipArea> = geographies.of_type(GeographyType::Zip).filter_map(area).collect();
        let markets = MarketNames::of(geographies, &areas);
        Self { markets, ..Self::new(areas) }
    }

    pub(super) fn markets(&self) -> &MarketNames {
        &self.markets
    }

    /// Finds a ZIP code by its digits.
    pub fn find(&self, zip: &str) -> Option<&ZipArea> {
        self.by_zip.get(zip).map(|at| &self.areas[*at])
    }

    /// Returns whether a string is the two-letter code of a state with ZIP codes.
    pub fn is_state(&self, state: &str) -> bool {
        self.states.contains(state)
    }

    /// Returns whether all inhabited ZIP codes in a state are more than `km` kilometers from a position.
    pub(crate) fn is_out_of_state(&self, position: Position, state: &str, km: f64) -> bool {
        self.nearest_where(position, |area| area.state == state, km).is_none()
    }

    /// Returns the inhabited ZIP code nearest to a position, or `None` if there are no inhabited ZIP codes.
    /// If any ZIP codes in `state` are within 50 km, returns the nearest one in `state`.
    pub fn nearest(&self, position: Position, state: Option<&str>) -> Option<Near<'_>> {
        let of_state =
            state.and_then(|state| self.nearest_where(position, |area| area.state == state, NEAR_KM));
        of_state.or_else(|| self.nearest_where(position, |_| true, f64::INFINITY))
    }

    /// Returns the nearest inhabited ZIP code that `wanted` accepts, within a distance. If several are
    /// equally near, returns the first one.
    fn nearest_where(
        &self,
        position: Position,
        wanted: impl Fn(&ZipArea) -> bool,
        within_km: f64,
    ) -> Option<Near<'_>> {
        let mut found: Option<(usize, f64)> = None;
        for (at, km) in self.middles.outwards(position.to_unit_vector()) {
            let is_farther = found.is_some_and(|(_, nearest)| km > nearest);
            if is_farther || km > within_km {
                break;
            }
            if wanted(&self.areas[at]) && found.is_none_or(|(first, _)| at < first) {
                found = Some((at, km));
            }
        }
        found.map(|(at, km)| Near { area: &self.areas[at], km })
    }
}
