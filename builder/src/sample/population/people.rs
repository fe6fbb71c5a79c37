//! Reads the tables of county demographics.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::GeographyId;
use dataset::cohorts::{AGE_SEX, Cells, ETHNICITIES, INCOMES};

use super::sources::{Sites, county, held};
use crate::sample::error::SourceError;
use crate::sample::table::{Line, Table};

const AGES_TABLE: &str = "county_age_sex_race.csv.gz";

const INCOMES_TABLE: &str = "county_household_income.csv.gz";

/// The age bands in column names, where they follow `m_` or `f_`, in the order of the cells.
const AGE_COLUMNS: [&str; AGE_SEX / 2] = [
    "0_4", "5_9", "10_14", "15_17", "18_19", "20_24", "25_29", "30_34", "35_44", "45_54", "55_64", "65_74",
    "75_84", "85p",
];

/// The names of the columns with ethnic groups, in the order of the cells.
const ETHNICITY_COLUMNS: [&str; ETHNICITIES] = ["asian_alone", "black_alone", "hispanic", "white_nh_alone"];

/// The income brackets in column names, where they follow `pct_`, in the order of the cells.
const INCOME_COLUMNS: [&str; INCOMES] =
    ["lt10", "10_15", "15_25", "25_35", "35_50", "50_75", "75_100", "100_150", "150_200", "200p"];

/// 100 percent in the unit of [`Line::percent`], which is a thousandth of a percent.
const WHOLE: u32 = 100_000;

/// The maximum difference between the sum of rounded percentages and 100 percent: 1 percent.
const ROUNDING: u32 = 1_000;

/// The demographic shares of a county, and its number of households.
#[derive(Debug)]
pub(super) struct People {
    pub(super) shares: Cells,
    pub(super) households: u32,
}

/// Reads the demographics of each county.
pub(super) fn read(folder: &Path, counties: &Sites) -> Result<BTreeMap<GeographyId, People>, SourceError> {
    let ages = of_each_county(&Table::read(folder, AGES_TABLE)?, counties, ages)?;
    let incomes_table = Table::read(folder, INCOMES_TABLE)?;
    let incomes = of_each_county(&incomes_table, counties, incomes)?;
    held(&incomes_table, "households", incomes.values().map(|(households, _)| *households))?;
    let joined = ages.into_iter().zip(incomes.into_values());
    let people = joined.map(|((county, (age_sex, ethnicity)), (households, income))| {
        (county, People { shares: Cells { age_sex, ethnicity, income }, households })
    });
    Ok(people.collect())
}

/// Reads a table that must have exactly one row per county.
fn of_each_county<T>(
    table: &Table,
    counties: &Sites,
    row: impl Fn(&Line<'_>) -> Result<T, SourceError>,
) -> Result<BTreeMap<GeographyId, T>, SourceError> {
    let mut rows = BTreeMap::new();
    for line in table.lines() {
        line.insert("county_fips", &mut rows, county(&line, counties)?, row(&line)?)?;
    }
    match counties.keys().find(|county| !rows.contains_key(county)) {
        None => Ok(rows),
        Some(county) => Err(table.refuse(format!("has no row for county {}", county.national_id()))),
    }
}

/// Reads the counts by sex and age, and by ethnic group. Only the proportions of the counts are used, so the
/// counts can be from a different county (`proxy_county`) or year.
fn ages(line: &Line<'_>) -> Result<([u32; AGE_SEX], [u32; ETHNICITIES]), SourceError> {
    let total = line.count("total")?;
    if total == 0 {
        return Err(line.refuse("total must be at least 1, got 0"));
    }
    let mut age_sex = [0; AGE_SEX];
    let columns = ["m", "f"].iter().flat_map(|sex| AGE_COLUMNS.map(|band| format!("{sex}_{band}")));
    for (count, column) in age_sex.iter_mut().zip(columns) {
        *count = line.count(&column)?;
    }
    let sum: u64 = age_sex.iter().map(|count| u64::from(*count)).sum();
    if sum != u64::from(total) {
        return Err(line.refuse(format!("the counts by sex and age sum to {sum}, but total is {total}")));
    }
    let mut ethnicity = [0; ETHNICITIES];
    for (count, column) in ethnicity.iter_mut().zip(ETHNICITY_COLUMNS) {
        *count = line.count(column)?;
        if *count > total {
            return Err(line.refuse(format!("{column} {count} is more than the total, {total}")));
        }
    }
    Ok((age_sex, ethnicity))
}

/// Reads the number of households, and the percentage of households in each income bracket.
fn incomes(line: &Line<'_>) -> Result<(u32, [u32; INCOMES]), SourceError> {
    let mut income = [0; INCOMES];
    for (percent, column) in income.iter_mut().zip(INCOME_COLUMNS) {
        *percent = line.percent(&format!("pct_{column}"))?;
    }
    let sum: u32 = income.iter().sum();
    if sum.abs_diff(WHOLE) > ROUNDING {
        return Err(line.refuse(format!(
            "the income brackets must sum to 99 to 101 percent, got {}",
            f64::from(sum) / 1_000.0
        )));
    }
    Ok((line.count("households")?, income))
}
