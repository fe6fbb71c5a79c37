use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use dataset::measures::{DAYS, DWELL_BINS, HOURS, MINUTES_OF_WEEK, MOST};

/// The first and the last minute of each bin of dwell.
const BINS: [(f64, f64); DWELL_BINS] =
    [(0.0, 30.0), (30.0, 60.0), (60.0, 120.0), (120.0, 240.0), (240.0, MINUTES_OF_WEEK as f64)];

/// A reach beyond this makes every ZIP code a neighbour of every place.
const MOST_REACH_KM: f64 = 200.0;

/// What the model assumes of the types of places: `data/places/place_types.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceTypes {
    /// The visits of a week from which a record is certified.
    pub(super) certified_visits: u64,
    default: PlaceType,
    types: BTreeMap<String, PlaceType>,
}

/// What the model assumes of one type; the file says what each number means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceType {
    pub(super) weekly_visits: f64,
    pub(super) frequency: f64,
    pub(super) activities_per_visit: f64,
    pub(super) reach_km: f64,
    pub(super) dwell: [f64; DWELL_BINS],
    pub(super) dwell_minutes: [f64; DWELL_BINS],
    pub(super) days: [f64; DAYS],
    pub(super) weekday_hours: [f64; HOURS],
    pub(super) weekend_hours: [f64; HOURS],
    pub(super) months: [f64; 12],
}

impl PlaceTypes {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::parse(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Reads the text of the file.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let read: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        read.default.check().map_err(|error| format!("default: {error}"))?;
        for (name, place_type) in &read.types {
            place_type.check().map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(read)
    }

    /// Returns what is assumed of a type.
    pub(super) fn get(&self, place_type: &str) -> &PlaceType {
        self.types.get(place_type).unwrap_or(&self.default)
    }
}

impl PlaceType {
    fn check(&self) -> Result<(), String> {
        within("weekly_visits", self.weekly_visits, 1.0, MOST as f64)?;
        within("frequency", self.frequency, 1.0, 100.0)?;
        within("activities_per_visit", self.activities_per_visit, 1.0, 1000.0)?;
        within("reach_km", self.reach_km, 0.1, MOST_REACH_KM)?;
        for (minutes, (first, last)) in self.dwell_minutes.iter().zip(BINS) {
            within("dwell_minutes", *minutes, first, last)?;
        }
        proportions("dwell", &self.dwell)?;
        proportions("days", &self.days)?;
        proportions("weekday_hours", &self.weekday_hours)?;
        proportions("weekend_hours", &self.weekend_hours)?;
        proportions("months", &self.months)
    }
}

fn within(field: &str, value: f64, least: f64, most: f64) -> Result<(), String> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(format!("{field}: {value} is not from {least} to {most}"))
    }
}

fn proportions(field: &str, values: &[f64]) -> Result<(), String> {
    for value in values {
        within(field, *value, 0.0, 1e9)?;
    }
    if values.iter().sum::<f64>() > 0.0 { Ok(()) } else { Err(format!("{field}: all are 0; one must be more")) }
}
