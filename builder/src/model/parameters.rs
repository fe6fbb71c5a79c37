//! The model's assumptions about place types.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

use dataset::measures::{DAYS, DWELL_BINS, HOURS, MINUTES_OF_WEEK, MOST};
use serde::Deserialize;

use super::error::{ModelError, ParameterError};

/// The lower and upper limits of each duration bin, in minutes.
const BINS: [(f64, f64); DWELL_BINS] =
    [(0.0, 30.0), (30.0, 60.0), (60.0, 120.0), (120.0, 240.0), (240.0, MINUTES_OF_WEEK as f64)];

/// The maximum reach, in kilometers. With a greater reach, most ZIP codes would be in range of every place.
const MAX_REACH_KM: f64 = 200.0;

/// The valid range for the number of visits per visitor in a week.
pub(super) const FREQUENCIES: RangeInclusive<f64> = 1.0..=100.0;

/// The model's assumptions about each place type, read from `data/places/place_types.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceTypes {
    default: PlaceType,
    types: BTreeMap<String, PlaceType>,
}

/// The model's assumptions about one place type. The comments in the TOML file explain each number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceType {
    pub(super) weekly_visits: f64,
    pub(super) frequency: f64,
    pub(super) activities_per_visit: f64,
    pub(super) reach_km: f64,
    /// The exponent in the factor for nearby people and competition.
    #[serde(default = "one")]
    pub(super) surroundings: f64,
    /// The weight of a person who works near the place, relative to a resident.
    #[serde(default)]
    pub(super) workers: f64,
    /// The exponent in the factor for riders at stops within walking distance.
    #[serde(default)]
    pub(super) transit: f64,
    /// Whether visits to places of this type count as riders at stops.
    #[serde(default)]
    pub(super) transit_stop: bool,
    /// The share of visits by people from the whole nation rather than from the place's surroundings.
    #[serde(default)]
    pub(super) national_share: f64,
    pub(super) dwell: [f64; DWELL_BINS],
    pub(super) dwell_minutes: [f64; DWELL_BINS],
    pub(super) days: [f64; DAYS],
    pub(super) weekday_hours: [f64; HOURS],
    pub(super) weekend_hours: [f64; HOURS],
}

impl PlaceTypes {
    pub(crate) fn read(path: &Path) -> Result<Self, ModelError> {
        read(path, Self::parse)
    }

    pub(super) fn parse(text: &str) -> Result<Self, ParameterError> {
        let read: Self = toml::from_str(text)?;
        read.default.check("default")?;
        read.types.iter().try_for_each(|(name, place_type)| place_type.check(name))?;
        Ok(read)
    }

    /// Returns the assumptions about a place type, or the default assumptions if the file doesn't list the
    /// type.
    pub(super) fn get(&self, place_type: &str) -> &PlaceType {
        self.types.get(place_type).unwrap_or(&self.default)
    }
}

impl PlaceType {
    fn check(&self, name: &str) -> Result<(), ParameterError> {
        let numbers = [
            ("weekly_visits", self.weekly_visits, 1.0, MOST as f64),
            ("frequency", self.frequency, *FREQUENCIES.start(), *FREQUENCIES.end()),
            ("activities_per_visit", self.activities_per_visit, 1.0, 1000.0),
            ("reach_km", self.reach_km, 0.1, MAX_REACH_KM),
            ("surroundings", self.surroundings, 0.0, 1.0),
            ("workers", self.workers, 0.0, 10.0),
            ("transit", self.transit, 0.0, 1.0),
            ("national_share", self.national_share, 0.0, 1.0),
        ];
        let minutes = self.dwell_minutes.iter().zip(BINS);
        let minutes = minutes.map(|(minutes, (first, last))| ("dwell_minutes", *minutes, first, last));
        let proportions: [(_, &[f64]); 4] = [
            ("dwell", &self.dwell),
            ("days", &self.days),
            ("weekday_hours", &self.weekday_hours),
            ("weekend_hours", &self.weekend_hours),
        ];
        let parts =
            proportions.iter().flat_map(|(field, parts)| parts.iter().map(|part| (*field, *part, 0.0, 1e9)));
        for (field, value, least, most) in numbers.into_iter().chain(minutes).chain(parts) {
            check_range(name, field, value, least..=most)?;
        }
        match proportions.iter().find(|(_, parts)| parts.iter().sum::<f64>() == 0.0) {
            Some((field, _)) => Err(ParameterError::AllZero { name: name.to_owned(), field }),
            None => Ok(()),
        }
    }
}

fn one() -> f64 {
    1.0
}

/// Reads and parses a parameter file. Errors contain the file's path.
pub(super) fn read<T>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, ParameterError>,
) -> Result<T, ModelError> {
    let read = std::fs::read_to_string(path).map_err(ParameterError::from);
    let parsed = read.and_then(|text| parse(&text));
    parsed.map_err(|source| ModelError::Parameters { file: path.to_owned(), source })
}

/// Checks that a number is in a range. `name` is the number's place type or brand, for the error.
pub(super) fn check_range(
    name: &str,
    field: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
) -> Result<(), ParameterError> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(ParameterError::Range { name: name.to_owned(), field, value, least, most })
}
