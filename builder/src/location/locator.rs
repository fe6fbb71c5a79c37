//! Finds the ZIP code at a point.

use std::collections::{BTreeSet, HashMap};

use dataset::{Geographies, Geography, GeographyIndex, GeographyType, Position};

use super::market_names::MarketNames;
use crate::location::NearestNeighbours;

/// A ZIP code farther away says nothing about a point: the United States end before it.
pub(crate) const NEAR_KM: f64 = 50.0;

/// A ZIP code and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct ZipArea {
    /// The ZIP code's own.
    pub index: GeographyIndex,
    /// Five digits.
    pub zip: String,
    /// Whether anybody lives there; ZIP codes of post-office boxes and single buildings are looked up by
    /// their digits, but contain no point.
    pub inhabited: bool,
    /// The city of its post.
    pub city: String,
    /// The state's two letters.
    pub state: String,
    /// Its middle.
    pub center: Position,
    /// The county that contains it.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that contains it.
    pub cbsa: Option<GeographyIndex>,
    /// The television market that contains it.
    pub dma: Option<GeographyIndex>,
}

/// A ZIP code that was found, and how far its middle is from the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near<'a> {
    /// The ZIP code.
    pub area: &'a ZipArea,
    /// The distance.
    pub km: f64,
}

/// The ZIP codes, to be found by their digits and by points.
#[derive(Debug)]
pub struct Locator {
    areas: Vec<ZipArea>,
    by_zip: HashMap<String, usize>,
    states: BTreeSet<String>,
    /// The middles of the inhabited ones.
    middles: NearestNeighbours,
    markets: MarketNames,
}

impl Locator {
    /// Takes all ZIP codes.
    pub fn new(areas: Vec<ZipArea>) -> Self {
        let by_zip = areas.iter().enumerate().map(|(at, area)| (area.zip.clone(), at)).collect();
        let states = areas.iter().map(|area| area.state.clone()).collect();
        let inhabited = areas.iter().enumerate().filter(|(_, area)| area.inhabited);
        let middles = NearestNeighbours::new(inhabited.map(|(at, area)| (at, area.center.to_unit_vector())));
        Self { areas, by_zip, states, middles, markets: MarketNames::default() }
    }

    /// Takes the ZIP codes of a release.
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

    /// Tells whether these are the two letters of a state.
    pub fn is_state(&self, state: &str) -> bool {
        self.states.contains(state)
    }

    /// Tells whether no ZIP code of a state is within a distance.
    pub(crate) fn is_out_of_state(&self, position: Position, state: &str, km: f64) -> bool {
        self.nearest_where(position, |area| area.state == state, km).is_none()
    }

    /// Returns the nearest ZIP code; of those in the state that is given, when one of them is near.
    pub fn nearest(&self, position: Position, state: Option<&str>) -> Option<Near<'_>> {
        let of_state =
            state.and_then(|state| self.nearest_where(position, |area| area.state == state, NEAR_KM));
        of_state.or_else(|| self.nearest_where(position, |_| true, f64::INFINITY))
    }

    /// Returns the nearest ZIP code of some, within a distance; of equally near ones, the first.
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
