//! Where the points of a layer lie.

use zerocopy::little_endian::U32;

use crate::index::{BOTTOM, MERCATOR_LATITUDE, Quadrant};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile};

/// The section of the extent: the columns and rows of the outermost quadrants of the bottom, western, eastern,
/// northern and southern; nothing without a point.
pub(super) const SECTION: &str = "extent";

/// The degrees between which all points of a layer lie, as far as the web map reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The western meridian.
    pub west: f64,
    /// The southern parallel.
    pub south: f64,
    /// The eastern meridian.
    pub east: f64,
    /// The northern parallel.
    pub north: f64,
}

impl Extent {
    /// Reads the extent of so many points.
    pub(super) fn open(file: &SectionFile, points: usize) -> Result<Option<Self>, ReleaseError> {
        let outermost: Rows<U32> = file.rows(SECTION)?;
        let numbers = outermost.iter().map(|number| number.get()).collect::<Vec<u32>>();
        match (numbers.as_slice(), points) {
            ([], 0) => Ok(None),
            (&[west, east, north, south], 1..) if numbers.iter().all(|number| *number < 1 << BOTTOM) => {
                Ok(Some(Self::of_outermost([west, east, north, south])))
            }
            _ => Err(file.inconsistent(format!("{SECTION}: is none of {points} points"))),
        }
    }

    pub(super) fn write(file: &mut FileWriter, points: impl Iterator<Item = Quadrant>) {
        file.rows(SECTION, &outermost(points).map_or_else(Vec::new, |numbers| numbers.map(U32::new).into()));
    }

    /// Returns where points lie, by the quadrants of the bottom; `None` when there are none.
    pub(super) fn of(points: impl Iterator<Item = Quadrant>) -> Option<Self> {
        outermost(points).map(Self::of_outermost)
    }

    fn of_outermost([west, east, north, south]: [u32; 4]) -> Self {
        let bounds = |x, y| Quadrant { zoom: BOTTOM, x, y }.bounds();
        let (first, last) = (bounds(west, north), bounds(east, south));
        Self {
            west: first.west.max(-180.0),
            south: last.south.max(-MERCATOR_LATITUDE),
            east: last.east.min(180.0),
            north: first.north.min(MERCATOR_LATITUDE),
        }
    }
}

fn outermost(mut points: impl Iterator<Item = Quadrant>) -> Option<[u32; 4]> {
    let Quadrant { x, y, .. } = points.next()?;
    Some(points.fold([x, x, y, y], |[west, east, north, south], Quadrant { x, y, .. }| {
        [west.min(x), east.max(x), north.min(y), south.max(y)]
    }))
}
