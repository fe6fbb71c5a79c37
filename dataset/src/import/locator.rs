//! Finds the ZIP code at a point.

use std::collections::{BTreeSet, HashMap};

use rstar::RTree;
use rstar::primitives::GeomWithData;

use crate::{Geographies, Geography, GeographyIndex, GeographyType, Position};

/// The Earth's mean radius.
const RADIUS_KM: f64 = 6_371.008_8;

/// A ZIP code farther away says nothing about a point: the United States end before it.
pub(super) const NEAR_KM: f64 = 50.0;

/// A ZIP code and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct ZipArea {
    /// The ZIP code's own.
    pub index: GeographyIndex,
    /// Five digits.
    pub zip: String,
    /// Whether anybody lives there; ZIP codes of post-office boxes and single buildings are looked up by their
    /// digits, but no point is said to lie in them.
    pub inhabited: bool,
    /// The city of its post.
    pub city: String,
    /// The state's two letters.
    pub state: String,
    /// Its middle.
    pub center: Position,
    /// The county that it lies in.
    pub county: Option<GeographyIndex>,
    /// The metropolitan or micropolitan area that it lies in.
    pub cbsa: Option<GeographyIndex>,
    /// The television market that it lies in.
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
    /// The middles of the inhabited ones as points in space: straight through the globe, too, what is nearer is nearer.
    middles: RTree<GeomWithData<[f64; 3], usize>>,
}

impl Locator {
    /// Takes all ZIP codes.
    pub fn new(areas: Vec<ZipArea>) -> Self {
        let by_zip = areas.iter().enumerate().map(|(at, area)| (area.zip.clone(), at)).collect();
        let states = areas.iter().map(|area| area.state.clone()).collect();
        let inhabited = areas.iter().enumerate().filter(|(_, area)| area.inhabited);
        let middles = inhabited.map(|(at, area)| GeomWithData::new(in_space(area.center), at));
        let middles = RTree::bulk_load(middles.collect());
        Self { areas, by_zip, states, middles }
    }

    /// Takes the ZIP codes of a release.
    pub(crate) fn of(geographies: &Geographies) -> Self {
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
        Self::new(geographies.of_type(GeographyType::Zip).filter_map(area).collect())
    }

    /// Finds a ZIP code by its digits.
    pub fn find(&self, zip: &str) -> Option<&ZipArea> {
        self.by_zip.get(zip).map(|at| &self.areas[*at])
    }

    /// Tells whether these are the two letters of a state.
    pub fn is_state(&self, state: &str) -> bool {
        self.states.contains(state)
    }

    /// Returns the nearest ZIP code; of those in the state that is given, when one of them is near.
    pub fn nearest(&self, point: Position, state: Option<&str>) -> Option<Near<'_>> {
        let of_state = state.and_then(|state| self.nearest_where(point, |area| area.state == state, NEAR_KM));
        of_state.or_else(|| self.nearest_where(point, |_| true, f64::INFINITY))
    }

    /// Returns the nearest ZIP code of some, within a distance; of equally near ones, the first.
    fn nearest_where(&self, point: Position, wanted: impl Fn(&ZipArea) -> bool, within_km: f64) -> Option<Near<'_>> {
        let mut found: Option<(usize, f64)> = None;
        for (middle, squared) in self.middles.nearest_neighbor_iter_with_distance_2(in_space(point)) {
            let is_farther = found.is_some_and(|(_, nearest)| squared > nearest);
            if is_farther || kilometres(squared) > within_km {
                break;
            }
            if wanted(&self.areas[middle.data]) && found.is_none_or(|(first, _)| middle.data < first) {
                found = Some((middle.data, squared));
            }
        }
        found.map(|(at, squared)| Near { area: &self.areas[at], km: kilometres(squared) })
    }
}

/// Returns the distance over the ground between two points.
pub(super) fn distance_km(one: Position, other: Position) -> f64 {
    let squares = in_space(one).into_iter().zip(in_space(other)).map(|(one, other)| (one - other).powi(2));
    kilometres(squares.sum())
}

/// Returns a point of a globe with the radius 1.
fn in_space(Position { latitude, longitude }: Position) -> [f64; 3] {
    let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
    [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
}

/// Turns the square of a straight distance on that globe into the distance over the ground.
fn kilometres(squared: f64) -> f64 {
    2.0 * RADIUS_KM * (squared.sqrt() / 2.0).min(1.0).asin()
}
