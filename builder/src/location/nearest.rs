//! A spatial index of points on the Earth's surface.

use dataset::position::{EARTH_KM, UnitVector, great_circle_km};
use rstar::RTree;
use rstar::primitives::GeomWithData;

/// A spatial index of points, which are identified by numbers.
#[derive(Debug)]
pub(crate) struct NearestNeighbours(RTree<GeomWithData<UnitVector, usize>>);

impl NearestNeighbours {
    pub(crate) fn new(points: impl Iterator<Item = (usize, UnitVector)>) -> Self {
        Self(RTree::bulk_load(points.map(|(number, point)| GeomWithData::new(point, number)).collect()))
    }

    /// Returns the numbers and the distances of the points within `km` kilometers.
    pub(crate) fn within(&self, center: UnitVector, km: f64) -> impl Iterator<Item = (usize, f64)> {
        let chord = 2.0 * (km / (2.0 * EARTH_KM)).min(std::f64::consts::FRAC_PI_2).sin();
        let found = self.0.locate_within_distance(center, chord * chord);
        found.map(move |one| (one.data, great_circle_km(center, *one.geom())))
    }

    /// Returns the number of the nearest point and its distance in kilometers.
    pub(crate) fn nearest(&self, center: UnitVector) -> Option<(usize, f64)> {
        self.0.nearest_neighbor(center).map(|one| (one.data, great_circle_km(center, *one.geom())))
    }

    /// Returns the numbers and the distances in kilometers of all points, from nearest to farthest.
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
    fn points_across_the_date_line_are_near() {
        let points = NearestNeighbours::new([(0, point(52.0, 179.99))].into_iter());
        assert_eq!(points.within(point(52.0, -179.99), 2.0).count(), 1);
    }
}
