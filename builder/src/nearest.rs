//! Which points on the globe are near a point.

use dataset::globe::{EARTH_KM, Point, km_between};
use rstar::RTree;
use rstar::primitives::GeomWithData;

/// Numbered points.
#[derive(Debug)]
pub(crate) struct Globe(RTree<GeomWithData<Point, usize>>);

impl Globe {
    pub(crate) fn new(points: impl Iterator<Item = (usize, Point)>) -> Self {
        Self(RTree::bulk_load(points.map(|(number, point)| GeomWithData::new(point, number)).collect()))
    }

    /// Returns the points that are at most so many kilometres away, and how far each is.
    pub(crate) fn within(&self, center: Point, km: f64) -> impl Iterator<Item = (usize, f64)> {
        let chord = 2.0 * (km / (2.0 * EARTH_KM)).min(std::f64::consts::FRAC_PI_2).sin();
        let found = self.0.locate_within_distance(center, chord * chord);
        found.map(move |one| (one.data, km_between(center, *one.geom())))
    }

    /// Returns the nearest point, and how far it is.
    pub(crate) fn nearest(&self, center: Point) -> Option<(usize, f64)> {
        self.0.nearest_neighbor(center).map(|one| (one.data, km_between(center, *one.geom())))
    }

    /// Returns all points from the nearest to the farthest, and how far each is.
    pub(crate) fn outwards(&self, center: Point) -> impl Iterator<Item = (usize, f64)> {
        self.0.nearest_neighbor_iter(center).map(move |one| (one.data, km_between(center, *one.geom())))
    }
}

#[cfg(test)]
mod tests {
    use dataset::Position;

    use super::{Globe, Point};

    fn point(latitude: f64, longitude: f64) -> Point {
        dataset::globe::point(Position { latitude, longitude })
    }

    #[test]
    fn distances_follow_the_great_circle() {
        let globe = Globe::new([(0, point(40.7128, -74.0060)), (1, point(34.0522, -118.2437))].into_iter());
        let (nearest, km) = globe.nearest(point(40.7128, -74.0060)).unwrap();
        assert_eq!((nearest, km), (0, 0.0));
        let far: Vec<_> = globe.within(point(34.0522, -118.2437), 4000.0).filter(|found| found.0 == 0).collect();
        assert!((far[0].1 - 3935.7).abs() < 1.0, "{far:?}");
        assert_eq!(globe.within(point(34.0522, -118.2437), 3900.0).count(), 1);
    }

    #[test]
    fn the_date_line_separates_nothing() {
        let globe = Globe::new([(0, point(52.0, 179.99))].into_iter());
        assert_eq!(globe.within(point(52.0, -179.99), 2.0).count(), 1);
    }
}
