//! Which points on the globe are the nearest neighbours of a point.

use dataset::position::{EARTH_KM, UnitVector, great_circle_km};
use rstar::RTree;
use rstar::primitives::GeomWithData;

/// Numbered points, to be found by where they are.
#[derive(Debug)]
pub(crate) struct NearestNeighbours(RTree<GeomWithData<UnitVector, usize>>);

impl NearestNeighbours {
    pub(crate) fn new(points: impl Iterator<Item = (usize, UnitVector)>) -> Self {
        Self(RTree::bulk_load(points.map(|(number, point)| GeomWithData::new(point, number)).collect()))
    }

    /// Returns the points that are at most so many kilometres away, and how far each is.
    pub(crate) fn within(&self, center: UnitVector, km: f64) -> impl Iterator<Item = (usize, f64)> {
        let chord = 2.0 * (km / (2.0 * EARTH_KM)).min(std::f64::consts::FRAC_PI_2).sin();
        let found = self.0.locate_within_distance(center, chord * chord);
        found.map(move |one| (one.data, great_circle_km(center, *one.geom())))
    }

    /// Returns the nearest point, and how far it is.
    pub(crate) fn nearest(&self, center: UnitVector) -> Option<(usize, f64)> {
        self.0.nearest_neighbor(center).map(|one| (one.data, great_circle_km(center, *one.geom())))
    }

    /// Returns all points from the nearest to the farthest, and how far each is.
    pub(crate) fn outwards(&self, center: UnitVector) -> impl Iterator<Item = (usize, f64)> {
        self.0.nearest_neighbor_iter(center).map(move |one| (one.data, great_circle_km(center, *one.geom())))
    }
}

#[cfg(test)]
mod tests {
    use dataset::Position;

    use super::{NearestNeighbours, UnitVector};

    fn point(latitude: f64, longitude: f64) -> UnitVector {
        Position { latitude, longitude }.to_unit_vector()
    }

    #[test]
    fn distances_follow_the_great_circle() {
        let points = NearestNeighbours::new(
            [(0, point(40.7128, -74.0060)), (1, point(34.0522, -118.2437))].into_iter(),
        );
        let (nearest, km) = points.nearest(point(40.7128, -74.0060)).unwrap();
        assert_eq!((nearest, km), (0, 0.0));
        let far: Vec<_> =
            points.within(point(34.0522, -118.2437), 4000.0).filter(|found| found.0 == 0).collect();
        assert!((far[0].1 - 3935.7).abs() < 1.0, "{far:?}");
        assert_eq!(points.within(point(34.0522, -118.2437), 3900.0).count(), 1);
    }

    #[test]
    fn the_date_line_separates_nothing() {
        let points = NearestNeighbours::new([(0, point(52.0, 179.99))].into_iter());
        assert_eq!(points.within(point(52.0, -179.99), 2.0).count(), 1);
    }
}
