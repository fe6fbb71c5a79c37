//! Clips and simplifies lines and polygons.

use serde::Deserialize;

/// A point in the Web Mercator projection. Both coordinates range from 0 to 1: the first one eastward, and
/// the second one southward.
pub(super) type Point = [f64; 2];

/// A line, or a ring that ends with its first point.
pub(super) type Line = Vec<Point>;

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", content = "coordinates")]
pub(super) enum Geometry {
    MultiLineString(Vec<Line>),
    /// The rings of each polygon, starting with the outer ring.
    MultiPolygon(Vec<Vec<Line>>),
}

/// An edge to clip at, which is a vertical line (axis 0) or a horizontal line (axis 1). Points on only one
/// side of it are kept.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) axis: usize,
    pub(super) at: f64,
    /// Whether to keep the points with greater coordinates.
    pub(super) keeps_greater: bool,
}

impl Geometry {
    /// Applies a function to each line and ring.
    pub(super) fn map_lines(self, line: impl Fn(Line) -> Line) -> Self {
        match self {
            Self::MultiLineString(lines) => Self::MultiLineString(lines.into_iter().map(line).collect()),
            Self::MultiPolygon(polygons) => {
                let rings = |rings: Vec<Line>| rings.into_iter().map(&line).collect();
                Self::MultiPolygon(polygons.into_iter().map(rings).collect())
            }
        }
    }

    /// Returns the part of the geometry on the kept side of an edge.
    ///
    /// If the edge divides a polygon, the result is a single polygon whose parts are connected along the
    /// edge.
    pub(super) fn clipped(self, edge: Edge) -> Self {
        match self {
            Self::MultiLineString(lines) => {
                Self::MultiLineString(lines.iter().flat_map(|line| edge.parts(line)).collect())
            }
            Self::MultiPolygon(polygons) => {
                let kept = |rings: Vec<Line>| rings.iter().map(|ring| edge.ring(ring)).collect();
                let mut polygons: Vec<Vec<Line>> = polygons.into_iter().map(kept).collect();
                polygons.iter_mut().for_each(|rings| rings.retain(|ring| !ring.is_empty()));
                polygons.retain(|rings| !rings.is_empty());
                Self::MultiPolygon(polygons)
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::MultiLineString(lines) => lines.is_empty(),
            Self::MultiPolygon(polygons) => polygons.is_empty(),
        }
    }
}

impl Edge {
    /// Returns the parts of a line on the kept side of the edge.
    fn parts(self, line: &[Point]) -> Vec<Line> {
        let (mut parts, mut part) = (Vec::new(), Line::new());
        for (from, to) in line.iter().zip(&line[1..]) {
            if self.keeps(from) && part.is_empty() {
                part.push(*from);
            }
            if self.keeps(from) != self.keeps(to) {
                part.push(self.crossing(from, to));
            }
            if self.keeps(to) {
                part.push(*to);
            } else if !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
        }
        parts.extend(Some(part).filter(|part| !part.is_empty()));
        parts
    }

    /// Clips a ring at the edge with the Sutherland-Hodgman algorithm.
    fn ring(self, ring: &[Point]) -> Line {
        let mut kept = Line::new();
        for (from, to) in ring.iter().zip(&ring[1..]) {
            if self.keeps(from) {
                kept.push(*from);
            }
            if self.keeps(from) != self.keeps(to) {
                kept.push(self.crossing(from, to));
            }
        }
        kept.extend(kept.first().copied());
        kept
    }

    fn keeps(self, point: &Point) -> bool {
        if self.keeps_greater { point[self.axis] >= self.at } else { point[self.axis] <= self.at }
    }

    fn crossing(self, from: &Point, to: &Point) -> Point {
        let Self { axis, at, .. } = self;
        let share = (at - from[axis]) / (to[axis] - from[axis]);
        let other = 1 - axis;
        let mut crossing = [at; 2];
        crossing[other] = from[other] + share * (to[other] - from[other]);
        crossing
    }
}

/// Simplifies a line with the Douglas-Peucker algorithm, which removes points that are at most `tolerance`
/// away from the remaining line.
pub(super) fn simplified(line: &[Point], tolerance: f64) -> Line {
    let mut kept: Line = line.first().copied().into_iter().collect();
    simplify_into(line, tolerance, &mut kept);
    kept
}

/// Adds the remaining points of a simplified line to `kept`, except for its first point.
fn simplify_into(line: &[Point], tolerance: f64, kept: &mut Line) {
    let [first, middle @ .., last] = line else { return };
    let distances = middle.iter().map(|point| distance(point, first, last)).enumerate();
    match distances.max_by(|(_, one), (_, other)| one.total_cmp(other)) {
        Some((at, farthest)) if farthest > tolerance => {
            simplify_into(&line[..=at + 1], tolerance, kept);
            simplify_into(&line[at + 1..], tolerance, kept);
        }
        _ => kept.push(*last),
    }
}

/// Returns the distance between a point and the line segment between two other points.
fn distance(point: &Point, from: &Point, to: &Point) -> f64 {
    let minus = |one: &Point, other: &Point| [one[0] - other[0], one[1] - other[1]];
    let (line, away) = (minus(to, from), minus(point, from));
    let length = line[0].hypot(line[1]);
    let along = ((line[0] * away[0] + line[1] * away[1]) / (length * length)).clamp(0.0, 1.0);
    // A ring starts and ends at the same point, so the length can be 0.
    let along = if length > 0.0 { along } else { 0.0 };
    (away[0] - along * line[0]).hypot(away[1] - along * line[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An edge that keeps the points whose first coordinate is at most 1.
    const EDGE: Edge = Edge { axis: 0, at: 1.0, keeps_greater: false };

    #[test]
    fn line_that_crosses_an_edge_twice_is_cut_into_two_parts() {
        let line = vec![[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.0, 3.0]];
        let clipped = Geometry::MultiLineString(vec![line]).clipped(EDGE);
        let parts = vec![vec![[0.0, 0.0], [1.0, 0.5]], vec![[1.0, 1.5], [0.0, 2.0], [0.0, 3.0]]];
        assert_eq!(clipped, Geometry::MultiLineString(parts));
    }

    #[test]
    fn polygon_that_crosses_an_edge_is_closed_along_it() {
        let square = |from: f64, to: f64| vec![[from, 0.0], [to, 0.0], [to, 2.0], [from, 2.0], [from, 0.0]];
        for (given, expected) in [
            (vec![vec![square(0.0, 2.0)]], vec![vec![square(0.0, 1.0)]]),
            (vec![vec![square(-1.0, 0.0)]], vec![vec![square(-1.0, 0.0)]]),
            (vec![vec![square(2.0, 3.0)]], vec![]),
            (vec![vec![square(-9.0, 9.0), square(2.0, 3.0)]], vec![vec![square(-9.0, 1.0)]]),
        ] {
            assert_eq!(Geometry::MultiPolygon(given).clipped(EDGE), Geometry::MultiPolygon(expected));
        }
    }

    #[test]
    fn simplified_line_keeps_its_ends_and_corners() {
        let line = [[0.0, 0.0], [1.0, 0.1], [2.0, 0.0], [2.1, 1.0], [2.0, 2.0]];
        assert_eq!(simplified(&line, 0.2), [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]]);
        assert_eq!(simplified(&line, 0.01), line);
        let ring = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]];
        assert_eq!(simplified(&ring, 0.2), ring);
    }
}
