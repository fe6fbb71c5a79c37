//! The tables of the people of every county.

use std::collections::BTreeMap;
use std::path::Path;

use dataset::GeographyId;
use dataset::cohorts::{AGE_SEX, AgeBand, ETHNICITIES, EthnicGroup, INCOMES, IncomeBracket};
use strum::VariantArray;

use super::sources::{County, county, held};
use crate::cohorts::Shares;
use crate::sample::error::SourceError;
use crate::sample::table::{Line, Table};

const AGES_TABLE: &str = "county_age_sex_race.csv.gz";

const INCOMES_TABLE: &str = "county_household_income.csv.gz";

/// A hundred percent, in the unit of [`Line::percent`].
const WHOLE: u32 = 100_000;

/// By how much rounded percentages may miss a hundred percent together.
const ROUNDING: u32 = 1_000;

/// How the persons of a county divide, and how many households they live in.
#[derive(Debug)]
pub(super) struct People {
    pub(super) shares: Shares,
    pub(super) households: u32,
}

/// Reads the people of every county.
pub(super) fn read(
    folder: &Path,
    counties: &BTreeMap<GeographyId, County>,
) -> Result<BTreeMap<GeographyId, People>, SourceError> {
    let ages = of_each_county(&Table::read(folder, AGES_TABLE)?, counties, ages)?;
    let incomes_table = Table::read(folder, INCOMES_TABLE)?;
    let incomes = of_each_county(&incomes_table, counties, incomes)?;
    held(&incomes_table, "households", incomes.values().map(|(households, _)| *households))?;
    let joined = ages.into_iter().zip(incomes.into_values());
    let people = joined.map(|((county, (age_sex, ethnicity)), (households, income))| {
        (county, People { shares: Shares { age_sex, ethnicity, income }, households })
    });
    Ok(people.collect())
}

/// Reads a table that has exactly one row per county.
fn of_each_county<T>(
    table: &Table,
    counties: &BTreeMap<GeographyId, County>,
    row: impl Fn(&Line<'_>) -> Result<T, SourceError>,
) -> Result<BTreeMap<GeographyId, T>, SourceError> {
    let mut rows = BTreeMap::new();
    for line in table.lines() {
        line.insert("county_fips", &mut rows, county(&line, counties)?, row(&line)?)?;
    }
    match counties.keys().find(|county| !rows.contains_key(county)) {
        None => Ok(rows),
        Some(county) => Err(table.refuse(format!("has no row of county {}", county.national_id()))),
    }
}

/// Reads counts by sex and age, and of groups of ethnicity. They may be those of another county
/// (`proxy_county`), or of another year: what counts is their proportion.
fn ages(line: &Line<'_>) -> Result<([u32; AGE_SEX], [u32; ETHNICITIES]), SourceError> {
    let total = line.count("total")?;
    if total == 0 {
        return Err(line.refuse("total is 0, so that there are no shares"));
    }
    let mut age_sex = [0; AGE_SEX];
    let columns = ["m", "f"]
        .iter()
        .flat_map(|sex| AgeBand::VARIANTS.iter().map(move |band| format!("{sex}_{}", ages_column(*band))));
    for (count, column) in age_sex.iter_mut().zip(columns) {
        *count = line.count(&column)?;
    }
    let sum: u64 = age_sex.iter().map(|count| u64::from(*count)).sum();
    if sum != u64::from(total) {
        return Err(line.refuse(format!("the ages of both sexes sum to {sum}; total is {total}")));
    }
    let mut ethnicity = [0; ETHNICITIES];
    for (count, group) in ethnicity.iter_mut().zip(EthnicGroup::VARIANTS) {
        let column = ethnicity_column(*group);
        *count = line.count(column)?;
        if *count > total {
            return Err(line.refuse(format!("{column} {count} is more than the total, {total}")));
        }
    }
    Ok((age_sex, ethnicity))
}

/// Reads households, and the percentages of them in each bracket of income.
fn incomes(line: &Line<'_>) -> Result<(u32, [u32; INCOMES]), SourceError> {
    let mut income = [0; INCOMES];
    for (percent, bracket) in income.iter_mut().zip(IncomeBracket::VARIANTS) {
        *percent = line.percent(income_column(*bracket))?;
    }
    let sum: u32 = income.iter().sum();
    if sum.abs_diff(WHOLE) > ROUNDING {
        return Err(line.refuse(format!(
            "the brackets of income sum to {} percent, not to 99 to 101",
            f64::from(sum) / 1_000.0
        )));
    }
    Ok((line.count("households")?, income))
}

/// Returns the name of a band's columns, which follows `m_` and `f_`.
fn ages_column(band: AgeBand) -> &'static str {
    match band {
        AgeBand::Age0 => "0_4",
        AgeBand::Age5 => "5_9",
        AgeBand::Age10 => "10_14",
        AgeBand::Age15 => "15_17",
        AgeBand::Age18 => "18_19",
        AgeBand::Age20 => "20_24",
        AgeBand::Age25 => "25_29",
        AgeBand::Age30 => "30_34",
        AgeBand::Age35 => "35_44",
        AgeBand::Age45 => "45_54",
        AgeBand::Age55 => "55_64",
        AgeBand::Age65 => "65_74",
        AgeBand::Age75 => "75_84",
        AgeBand::Age85 => "85p",
    }
}

fn ethnicity_column(group: EthnicGroup) -> &'static str {
    match group {
        EthnicGroup::AsianAlone => "asian_alone",
        EthnicGroup::BlackAlone => "black_alone",
        EthnicGroup::Hispanic => "hispanic",
        EthnicGroup::WhiteNotHispanic => "white_nh_alone",
    }
}

fn income_column(bracket: IncomeBracket) -> &'static str {
    match bracket {
        IncomeBracket::From0 => "pct_lt10",
        IncomeBracket::From10 => "pct_10_15",
        IncomeBracket::From15 => "pct_15_25",
        IncomeBracket::From25 => "pct_25_35",
        IncomeBracket::From35 => "pct_35_50",
        IncomeBracket::From50 => "pct_50_75",
        IncomeBracket::From75 => "pct_75_100",
        IncomeBracket::From100 => "pct_100_150",
        IncomeBracket::From150 => "pct_150_200",
        IncomeBracket::From200 => "pct_200p",
    }
}
