//! Reads the demographics of counties and ZIP codes.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::GeographyId;
use dataset::cohorts::{AGE_SEX, ETHNICITIES, INCOMES};

use super::sources::{Sites, Sources, county, held, zip};
use crate::sample::error::SourceError;
use crate::sample::table::{Line, Table};

const AGES_TABLE: &str = "county_age_sex.csv.gz";

const INCOMES_TABLE: &str = "county_household_income.csv.gz";

const ZIPS_TABLE: &str = "zip_demographics.csv.gz";

/// The age bands in column names, after the `m_` or `f_` prefix, in the same order as the cells.
const AGE_COLUMNS: [&str; AGE_SEX / 2] = [
    "0_4", "5_9", "10_14", "15_17", "18_19", "20_24", "25_29", "30_34", "35_44", "45_54", "55_64", "65_74",
    "75_84", "85p",
];

/// The column names for ethnic groups, in the same order as the cells.
const ETHNICITY_COLUMNS: [&str; ETHNICITIES] =
    ["asian_pi_nh", "black_nh", "hispanic", "white_nh", "other_nh"];

/// The income brackets in column names, after the `pct_` prefix, in the same order as the cells.
const INCOME_COLUMNS: [&str; INCOMES] =
    ["lt10", "10_15", "15_25", "25_35", "35_50", "50_75", "75_100", "100_150", "150_200", "200p"];

/// The column names for the age bands of ZIP codes, which are wider than the cells' age bands.
const ZIP_AGE_COLUMNS: [&str; ZIP_AGES] =
    ["age_0_4", "age_5_14", "age_15_19", "age_20_24", "age_25_44", "age_45_54", "age_55_64", "age_65_plus"];

/// The number of age bands for ZIP codes.
pub(super) const ZIP_AGES: usize = 8;

/// 100 percent in the unit of [`Line::percent`], which is a thousandth of a percent.
const WHOLE: u32 = 100_000;

/// The maximum difference between the sum of rounded percentages and 100 percent: 1 percent.
const ROUNDING: u32 = 1_000;

/// The demographics of a county.
#[derive(Debug)]
pub(super) struct CountyPeople {
    /// The number of persons by sex and age.
    pub(super) age_sex: [u32; AGE_SEX],
    /// The number of Hispanic persons and the number of all persons that a survey counted.
    pub(super) hispanic: (u32, u32),
    pub(super) households: u32,
    /// The share of households in each income bracket, in thousandths of a percent.
    pub(super) income: [u32; INCOMES],
}

/// The demographics of a ZIP code, from surveys in several years. Only the proportions of these counts are
/// used, and they're fitted to the counties' counts. If a survey has no figures for the ZIP code, all of the
/// survey's counts are 0.
#[derive(Debug)]
pub(super) struct ZipPeople {
    pub(super) persons: u32,
    pub(super) households: u32,
    pub(super) sexes: [u32; 2],
    pub(super) ages: [u32; ZIP_AGES],
    pub(super) ethnicity: [u32; ETHNICITIES],
    /// The median household income, in dollars.
    pub(super) median_income: Option<u32>,
}

/// The demographics of all counties and of the ZIP codes that the Census Bureau tabulates.
#[derive(Debug)]
pub(super) struct People {
    pub(super) counties: BTreeMap<GeographyId, CountyPeople>,
    pub(super) zips: BTreeMap<GeographyId, ZipPeople>,
}

impl People {
    pub(super) fn read(folder: &Path, sources: &Sources) -> Result<Self, SourceError> {
        let counties = &sources.counties;
        let ages = of_each_county(&Table::read(folder, AGES_TABLE)?, counties, ages)?;
        let incomes_table = Table::read(folder, INCOMES_TABLE)?;
        let incomes = of_each_county(&incomes_table, counties, |line, _| incomes(line))?;
        held(&incomes_table, "households", incomes.values().map(|(households, _)| *households))?;
        let joined = ages.into_iter().zip(incomes.into_values());
        let counties = joined.map(|((county, (age_sex, hispanic)), (households, income))| {
            (county, CountyPeople { age_sex, hispanic, households, income })
        });
        let counties = counties.collect();
        let mut zips = BTreeMap::new();
        for line in Table::read(folder, ZIPS_TABLE)?.lines() {
            line.insert("zip", &mut zips, zip(&line, &sources.zips)?, zip_people(&line)?)?;
        }
        Ok(Self { counties, zips })
    }
}

/// Reads a table that must contain exactly one row per county.
fn of_each_county<T>(
    table: &Table,
    counties: &Sites,
    row: impl Fn(&Line<'_>, u32) -> Result<T, SourceError>,
) -> Result<BTreeMap<GeographyId, T>, SourceError> {
    let mut rows = BTreeMap::new();
    for line in table.lines() {
        let county = county(&line, counties)?;
        line.insert("county_fips", &mut rows, county, row(&line, counties[&county].persons)?)?;
    }
    match counties.keys().find(|county| !rows.contains_key(county)) {
        None => Ok(rows),
        Some(county) => Err(table.refuse(format!("has no row for county {}", county.national_id()))),
    }
}

/// Reads the counts by sex and age, and the survey's counts of Hispanic persons and of all persons.
fn ages(line: &Line<'_>, persons: u32) -> Result<([u32; AGE_SEX], (u32, u32)), SourceError> {
    let mut age_sex = [0; AGE_SEX];
    let columns = ["m", "f"].iter().flat_map(|sex| AGE_COLUMNS.map(|band| format!("{sex}_{band}")));
    for (count, column) in age_sex.iter_mut().zip(columns) {
        *count = line.count(&column)?;
    }
    let sum: u64 = age_sex.iter().map(|count| u64::from(*count)).sum();
    if sum != u64::from(persons) {
        return Err(line.refuse(format!(
            "the counts by sex and age sum to {sum}, but the population in counties.csv.gz is {persons}"
        )));
    }
    let (total, hispanic) = (line.count("survey_total")?, line.count("survey_hispanic")?);
    if hispanic > total {
        return Err(line.refuse(format!("survey_hispanic {hispanic} is more than survey_total, {total}")));
    }
    Ok((age_sex, (hispanic, total)))
}

/// Reads the number of households and the percentage of households in each income bracket.
fn incomes(line: &Line<'_>) -> Result<(u32, [u32; INCOMES]), SourceError> {
    let mut income = [0; INCOMES];
    for (percent, column) in income.iter_mut().zip(INCOME_COLUMNS) {
        *percent = line.percent(&format!("pct_{column}"))?;
    }
    let sum: u32 = income.iter().sum();
    if sum.abs_diff(WHOLE) > ROUNDING {
        return Err(line.refuse(format!(
            "the income brackets must add up to between 99 and 101 percent, got {}",
            f64::from(sum) / 1_000.0
        )));
    }
    Ok((line.count("households")?, income))
}

fn zip_people(line: &Line<'_>) -> Result<ZipPeople, SourceError> {
    Ok(ZipPeople {
        persons: line.count("population")?,
        households: line.count("households")?,
        sexes: counts(line, ["male", "female"])?,
        ages: counts(line, ZIP_AGE_COLUMNS)?,
        ethnicity: counts(line, ETHNICITY_COLUMNS)?,
        median_income: line.optional_count("median_income")?,
    })
}

fn counts<const N: usize>(line: &Line<'_>, columns: [&str; N]) -> Result<[u32; N], SourceError> {
    let mut counts = [0; N];
    for (count, column) in counts.iter_mut().zip(columns) {
        *count = line.count(column)?;
    }
    Ok(counts)
}
