//! The model's parameters for brands.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::measures::{DAYS, MOST};
use serde::Deserialize;

use super::error::{ModelError, ParameterError};
use super::parameters::{FREQUENCIES, check_range, read};

/// The maximum factor for a format.
const MAX_FACTOR: f64 = 100.0;

/// The parameters for each brand, read from `data/places/brands.toml`. The comments in that file explain each
/// member.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Brands {
    /// The factor for places inside an airport.
    pub(crate) inside_airport: f64,
    pub(crate) military_base: Format,
    brands: BTreeMap<String, Brand>,
}

/// The parameters for one brand.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Brand {
    /// The average weekly visits to a standalone place, or `None` if no average is published.
    pub(crate) weekly_visits: Option<f64>,
    /// The source of the average or, if no average is published, the reason.
    source: String,
    /// The number of visits per visitor in a week, or `None` to use the place type's number.
    pub(super) frequency: Option<f64>,
    #[serde(default)]
    closed: Vec<Day>,
    #[serde(default)]
    pub(crate) formats: Vec<Format>,
}

/// A kind of place with more or fewer visits than a standalone place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Format {
    /// The phrases that identify the format, in lowercase.
    pub(crate) phrases: Vec<String>,
    /// The number of visits relative to a standalone place in the same surroundings.
    pub(crate) factor: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Day {
    Mo,
    Tu,
    We,
    Th,
    Fr,
    Sa,
    Su,
}

impl Brands {
    pub(crate) fn read(path: &Path) -> Result<Self, ModelError> {
        read(path, Self::parse)
    }

    pub(crate) fn parse(text: &str) -> Result<Self, ParameterError> {
        let read: Self = toml::from_str(text)?;
        check_range("places inside an airport", "inside_airport", read.inside_airport, 0.0..=MAX_FACTOR)?;
        read.military_base.check("military_base")?;
        read.brands.iter().try_for_each(|(name, brand)| brand.check(name))?;
        Ok(read)
    }

    /// Returns the parameters for a brand, or `None` if the file doesn't list it.
    pub(crate) fn get(&self, brand: &str) -> Option<&Brand> {
        self.brands.get(brand)
    }
}

impl Brand {
    /// Returns a place type's shares of visits by day, with 0 for the days when the brand is closed.
    pub(super) fn open_days(&self, mut days: [f64; DAYS]) -> [f64; DAYS] {
        self.closed.iter().for_each(|day| days[*day as usize] = 0.0);
        days
    }

    fn check(&self, name: &str) -> Result<(), ParameterError> {
        if self.source.trim().is_empty() {
            return Err(ParameterError::Empty { name: name.to_owned(), field: "source" });
        }
        if self.open_days([1.0; DAYS]).iter().sum::<f64>() == 0.0 {
            return Err(ParameterError::NeverOpen { name: name.to_owned() });
        }
        if let Some(visits) = self.weekly_visits {
            check_range(name, "weekly_visits", visits, 1.0..=MOST as f64)?;
        }
        if let Some(frequency) = self.frequency {
            check_range(name, "frequency", frequency, FREQUENCIES)?;
        }
        self.formats.iter().try_for_each(|format| format.check(name))
    }
}

impl Format {
    fn check(&self, name: &str) -> Result<(), ParameterError> {
        if self.phrases.is_empty() {
            return Err(ParameterError::Empty { name: name.to_owned(), field: "phrases" });
        }
        check_range(name, "factor", self.factor, 0.0..=MAX_FACTOR)
    }
}
