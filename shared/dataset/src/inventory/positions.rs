//! The positions of spots, stored without loss of precision.

use zerocopy::little_endian::{F64, I32};

use crate::position::Position;
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, subsection};

const TEN_MILLIONTHS: &str = "e7";
const LATITUDES: &str = "latitudes";
const LONGITUDES: &str = "longitudes";

/// The position of each spot.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    latitudes: Degrees,
    longitudes: Degrees,
}

/// The latitudes or longitudes of all spots. If none of them has more than seven decimal places, they're
/// stored in ten-millionths of a degree, which takes half the space.
#[derive(Clone, Debug)]
enum Degrees {
    TenMillionths(Rows<I32>),
    Exact(Rows<F64>),
}

impl Positions {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self {
            latitudes: Degrees::open(file, &subsection(section, LATITUDES))?,
            longitudes: Degrees::open(file, &subsection(section, LONGITUDES))?,
        })
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, positions: &[Position]) {
        Degrees::write(
            file,
            &subsection(section, LATITUDES),
            positions.iter().map(|position| position.latitude),
        );
        Degrees::write(
            file,
            &subsection(section, LONGITUDES),
            positions.iter().map(|position| position.longitude),
        );
    }

    /// Returns the number of positions, or 0 if the numbers of latitudes and longitudes differ.
    pub(crate) fn len(&self) -> usize {
        let [latitudes, longitudes] = [&self.latitudes, &self.longitudes].map(Degrees::len);
        if latitudes == longitudes { latitudes } else { 0 }
    }

    pub(crate) fn get(&self, spot: u32) -> Position {
        Position { latitude: self.latitudes.get(spot), longitude: self.longitudes.get(spot) }
    }
}

impl Degrees {
    fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        let exact: Rows<F64> = file.rows(section)?;
        if exact.is_empty() {
            return file.rows(&subsection(section, TEN_MILLIONTHS)).map(Self::TenMillionths);
        }
        Ok(Self::Exact(exact))
    }

    fn write(file: &mut FileWriter, section: &str, degrees: impl Iterator<Item = f64> + Clone) {
        let rounded: Option<Vec<I32>> = degrees.clone().map(ten_millionths).collect();
        let exact = if rounded.is_some() { Vec::new() } else { degrees.map(F64::new).collect() };
        file.rows::<F64>(section, &exact);
        file.rows(&subsection(section, TEN_MILLIONTHS), &rounded.unwrap_or_default());
    }

    fn len(&self) -> usize {
        match self {
            Self::TenMillionths(degrees) => degrees.len(),
            Self::Exact(degrees) => degrees.len(),
        }
    }

    fn get(&self, spot: u32) -> f64 {
        match self {
            Self::TenMillionths(degrees) => f64::from(degrees[spot as usize].get()) / 1e7,
            Self::Exact(degrees) => degrees[spot as usize].get(),
        }
    }
}

/// Converts degrees to ten-millionths of a degree. Returns `None` if the conversion isn't exact.
fn ten_millionths(degrees: f64) -> Option<I32> {
    let rounded = (degrees * 1e7).round() as i32;
    // This comparison also rejects -0, which would lose its sign.
    let is_same = (f64::from(rounded) / 1e7).to_bits() == degrees.to_bits();
    is_same.then(|| I32::new(rounded))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn degrees() -> impl Strategy<Value = f64> {
        let rounded = (-180.0..=180.0).prop_map(|degrees: f64| (degrees * 1e7).round() / 1e7);
        prop_oneof![8 => rounded, 1 => -180.0..=180.0, 1 => Just(0.0), 1 => Just(-0.0)]
    }

    proptest! {
        #[test]
        fn positions_round_trip(all in vec((degrees(), degrees()), 0..12)) {
            let position = |(latitude, longitude)| Position { latitude, longitude };
            let positions: Vec<Position> = all.into_iter().map(position).collect();
            let mut file = FileWriter::default();
            Positions::write(&mut file, "points", &positions);
            let read = Positions::open(&file.opened(), "points").unwrap();
            let bits = |position: Position| [position.latitude.to_bits(), position.longitude.to_bits()];
            for (spot, position) in (0..).zip(positions) {
                prop_assert_eq!(bits(read.get(spot)), bits(position));
            }
        }
    }
}
