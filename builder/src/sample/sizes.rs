//! The sizes of places, relative to the average for their type and brand. The size is the number of screens
//! in a theater, beds in a hospital, students at a college, seats × events at a sports venue, riders at a
//! subway station, or passengers at a rail station.

use std::collections::{BTreeMap, HashMap};

use dataset::{Place, PlaceId};

use super::error::SourceError;
use super::places::id;
use super::table::Table;

/// The known sizes of places.
#[derive(Debug)]
pub(super) struct Sizes {
    of_places: HashMap<PlaceId, f64>,
    /// The mean size by place type and brand. The brand is an empty string for places without a brand.
    means: BTreeMap<(String, String), f64>,
}

impl Sizes {
    /// Reads the `size` column of the places table.
    pub(super) fn read(table: &Table) -> Result<Self, SourceError> {
        let (mut of_places, mut sums) = (HashMap::new(), BTreeMap::<_, (f64, f64)>::new());
        for line in table.lines() {
            if let Some(size) = line.optional_count("size")?.filter(|size| *size > 0) {
                let key = (line.text("place_type")?.to_owned(), line.text("brand")?.to_owned());
                let (sum, count) = sums.entry(key).or_default();
                (*sum, *count) = (*sum + f64::from(size), *count + 1.0);
                of_places.insert(id(&line)?, f64::from(size));
            }
        }
        let means = sums.into_iter().map(|(key, (sum, count))| (key, sum / count)).collect();
        Ok(Self { of_places, means })
    }

    /// Returns a place's size relative to the mean for its type and brand, or 1 if the size is unknown.
    pub(super) fn of(&self, place: &Place<'_>) -> f64 {
        let key = (place.place_type.to_owned(), place.brand.unwrap_or_default().to_owned());
        let size = self.of_places.get(&place.id).zip(self.means.get(&key));
        size.map_or(1.0, |(size, mean)| size / mean)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sample::places;
    use crate::sample::test_place;

    #[test]
    fn sizes_are_relative_to_the_mean_of_the_type_and_brand() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
        let sizes = Sizes::read(&places::table(&data).unwrap()).unwrap();
        let size = |name: &str, street_address: &str, zip_code: &str, place_type: &str, brand| {
            let id = PlaceId::of(name, street_address, zip_code);
            sizes.of(&Place { id, place_type, brand, ..test_place() })
        };
        let amc = Some("AMC Theatres");
        let large = size("AMC Theatres AMC Empire 25", "234 West 42nd Street", "10036", "Movie Theater", amc);
        let small = size(
            "AMC Theatres AMC CLASSIC Galesburg 8",
            "1401 W Carl Sandburg Dr",
            "61401",
            "Movie Theater",
            amc,
        );
        assert!((large / small - 25.0 / 8.0).abs() < 1e-9, "{large} and {small}");
        assert!(small < 1.0 && large > 1.0, "{large} and {small}");
        assert_eq!(size("Starbucks", "1 Main St", "99501", "Coffee Shop", Some("Starbucks")), 1.0);
        for of_type in
            ["Hospital", "College or University", "Stadium or Arena", "Racetrack", "Subway Station"]
        {
            assert!(sizes.means[&(of_type.to_owned(), String::new())] > 1.0, "{of_type}");
        }
    }
}
