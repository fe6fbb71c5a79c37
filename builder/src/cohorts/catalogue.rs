//! The catalog of cohorts, with each cohort's name and population cells.

use dataset::cohorts::AgeBand::{
    Age0, Age5, Age10, Age15, Age18, Age20, Age25, Age30, Age35, Age45, Age55, Age65, Age75, Age85,
};
use dataset::cohorts::EthnicGroup::{AsianOrPacific, Black, Hispanic, Other, White};
use dataset::cohorts::IncomeBracket::{
    From0, From10, From15, From25, From35, From50, From75, From100, From150, From200,
};
use dataset::cohorts::{AgeBand, CellSet, Cohort, EthnicGroup, IncomeBracket, ShareSource};
use dataset::{Maturity, Resolution};

/// The source for the `everyone` cohort, which is a count instead of a share of the population.
const ESTIMATES: ShareSource<'_> = ShareSource {
    source: "US Census Bureau, population estimates (Vintage 2024); ZIP codes: ACS 5-year estimates \
             2020-2024, scaled to the county totals",
    vintage: "2024",
    maturity: Maturity::Production,
    resolution: Resolution::Zip,
};

/// The source for shares by sex and age. The shares in counties come from the population estimates. The
/// shares in ZIP codes are older, and are fitted to these estimates.
const AGES: ShareSource<'_> = ShareSource {
    source: "US Census Bureau, population estimates by age and sex (Vintage 2024); ZIP codes: ACS 5-year \
             estimates, table B01001 (ages 2014-2018, sexes 2018-2022), fitted to the county totals",
    vintage: "2024",
    maturity: Maturity::ResearchPreview,
    resolution: Resolution::Zip,
};

const ETHNICITIES: ShareSource<'_> = ShareSource {
    source: "US Census Bureau, ACS 5-year estimates, table B03002 by ZIP code; Hispanic residents of \
             counties: 2019-2023",
    vintage: "2017-2021",
    maturity: Maturity::ResearchPreview,
    resolution: Resolution::Zip,
};

const INCOMES: ShareSource<'_> = ShareSource {
    source: "US Census Bureau, ACS 5-year estimates, table S1901 by county; ZIP codes: shifted to the median \
             of table B19013 (2018-2022) and fitted to the county totals",
    vintage: "2019-2023",
    maturity: Maturity::ResearchPreview,
    resolution: Resolution::County,
};

type Text = &'static str;

const fn cohort(key: Text, category: Text, description: Text, cells: CellSet) -> Cohort {
    Cohort { key, kind: "Demographics", category, description, cells, shares: AGES, anytime: true }
}

const fn all(key: Text, description: Text, from: AgeBand, to: AgeBand) -> Cohort {
    cohort(key, "Age", description, CellSet::men(from, to).and(CellSet::women(from, to)))
}

const fn men(key: Text, description: Text, from: AgeBand, to: AgeBand) -> Cohort {
    cohort(key, "Sex and age", description, CellSet::men(from, to))
}

const fn women(key: Text, description: Text, from: AgeBand, to: AgeBand) -> Cohort {
    cohort(key, "Sex and age", description, CellSet::women(from, to))
}

/// Excludes a cohort from place reports. Cohorts with a single sex and age cell are too small for these
/// reports.
const fn thin(cohort: Cohort) -> Cohort {
    Cohort { anytime: false, ..cohort }
}

const fn ethnicity(key: Text, description: Text, group: EthnicGroup) -> Cohort {
    Cohort {
        shares: ETHNICITIES,
        ..cohort(key, "Ethnicity and race", description, CellSet::ethnicity(group))
    }
}

macro_rules! households {
    ($income:literal) => {
        concat!("Households with income ", $income, " (persons = population x share of households)")
    };
}

const fn income(key: Text, description: Text, from: IncomeBracket, to: IncomeBracket) -> Cohort {
    let shares = INCOMES;
    Cohort {
        kind: "Households",
        shares,
        ..cohort(key, "Household income", description, CellSet::income(from, to))
    }
}

/// All cohorts, starting with `everyone`.
#[rustfmt::skip]
pub(crate) static CATALOGUE: &[Cohort] = &[
    Cohort { shares: ESTIMATES, ..cohort("everyone", "Everyone", "Persons", CellSet::EVERYONE) },

    all("age_0_4", "Children 0-4", Age0, Age0),
    all("age_5_9", "Children 5-9", Age5, Age5),
    all("age_10_14", "Children 10-14", Age10, Age10),
    all("age_15_17", "Teens 15-17", Age15, Age15),
    all("age_18_19", "Adults 18-19", Age18, Age18),
    all("age_20_24", "Adults 20-24", Age20, Age20),
    all("age_25_29", "Adults 25-29", Age25, Age25),
    all("age_30_34", "Adults 30-34", Age30, Age30),
    all("age_35_44", "Adults 35-44", Age35, Age35),
    all("age_45_54", "Adults 45-54", Age45, Age45),
    all("age_55_64", "Adults 55-64", Age55, Age55),
    all("age_65_74", "Adults 65-74", Age65, Age65),
    all("age_75_84", "Adults 75-84", Age75, Age75),
    all("age_85_plus", "Adults 85+", Age85, Age85),

    all("age_under_15", "Children under 15", Age0, Age10),
    all("age_under_18", "Persons under 18", Age0, Age15),
    all("age_18_plus", "Adults 18+", Age18, Age85),
    all("age_18_24", "Adults 18-24", Age18, Age20),
    all("age_18_34", "Adults 18-34", Age18, Age30),
    all("age_18_54", "Adults 18-54", Age18, Age45),
    all("age_25_34", "Adults 25-34", Age25, Age30),
    all("age_25_44", "Adults 25-44", Age25, Age35),
    all("age_25_54", "Adults 25-54", Age25, Age45),
    all("age_35_54", "Adults 35-54", Age35, Age45),
    all("age_35_64", "Adults 35-64", Age35, Age55),
    all("age_45_64", "Adults 45-64", Age45, Age55),
    all("age_55_plus", "Adults 55+", Age55, Age85),
    all("age_65_plus", "Adults 65+", Age65, Age85),
    all("age_75_plus", "Adults 75+", Age75, Age85),

    cohort("male", "Sex", "Males", CellSet::men(Age0, Age85)),
    cohort("female", "Sex", "Females", CellSet::women(Age0, Age85)),

    thin(men("male_0_4", "Males 0-4", Age0, Age0)),
    thin(men("male_5_9", "Males 5-9", Age5, Age5)),
    thin(men("male_10_14", "Males 10-14", Age10, Age10)),
    thin(men("male_15_17", "Males 15-17", Age15, Age15)),
    thin(men("male_18_19", "Males 18-19", Age18, Age18)),
    thin(men("male_20_24", "Males 20-24", Age20, Age20)),
    thin(men("male_25_29", "Males 25-29", Age25, Age25)),
    thin(men("male_30_34", "Males 30-34", Age30, Age30)),
    thin(men("male_35_44", "Males 35-44", Age35, Age35)),
    thin(men("male_45_54", "Males 45-54", Age45, Age45)),
    thin(men("male_55_64", "Males 55-64", Age55, Age55)),
    thin(men("male_65_74", "Males 65-74", Age65, Age65)),
    thin(men("male_75_84", "Males 75-84", Age75, Age75)),
    thin(men("male_85_plus", "Males 85+", Age85, Age85)),
    thin(women("female_0_4", "Females 0-4", Age0, Age0)),
    thin(women("female_5_9", "Females 5-9", Age5, Age5)),
    thin(women("female_10_14", "Females 10-14", Age10, Age10)),
    thin(women("female_15_17", "Females 15-17", Age15, Age15)),
    thin(women("female_18_19", "Females 18-19", Age18, Age18)),
    thin(women("female_20_24", "Females 20-24", Age20, Age20)),
    thin(women("female_25_29", "Females 25-29", Age25, Age25)),
    thin(women("female_30_34", "Females 30-34", Age30, Age30)),
    thin(women("female_35_44", "Females 35-44", Age35, Age35)),
    thin(women("female_45_54", "Females 45-54", Age45, Age45)),
    thin(women("female_55_64", "Females 55-64", Age55, Age55)),
    thin(women("female_65_74", "Females 65-74", Age65, Age65)),
    thin(women("female_75_84", "Females 75-84", Age75, Age75)),
    thin(women("female_85_plus", "Females 85+", Age85, Age85)),

    men("men_18_plus", "Men 18+", Age18, Age85),
    men("men_18_34", "Men 18-34", Age18, Age30),
    men("men_25_54", "Men 25-54", Age25, Age45),
    men("men_35_64", "Men 35-64", Age35, Age55),
    men("men_55_plus", "Men 55+", Age55, Age85),
    women("women_18_plus", "Women 18+", Age18, Age85),
    women("women_18_34", "Women 18-34", Age18, Age30),
    women("women_25_54", "Women 25-54", Age25, Age45),
    women("women_35_64", "Women 35-64", Age35, Age55),
    women("women_55_plus", "Women 55+", Age55, Age85),

    ethnicity("asian", "Asian or Pacific Islander alone, not Hispanic", AsianOrPacific),
    ethnicity("black", "Black alone, not Hispanic", Black),
    ethnicity("hispanic", "Hispanic of any race", Hispanic),
    ethnicity("white_not_hispanic", "White alone, not Hispanic", White),
    ethnicity("other_not_hispanic", "Other or several races, not Hispanic", Other),

    income("income_under_10k", households!("under 10K"), From0, From0),
    income("income_10k_15k", households!("10K-15K"), From10, From10),
    income("income_15k_25k", households!("15K-25K"), From15, From15),
    income("income_25k_35k", households!("25K-35K"), From25, From25),
    income("income_35k_50k", households!("35K-50K"), From35, From35),
    income("income_50k_75k", households!("50K-75K"), From50, From50),
    income("income_75k_100k", households!("75K-100K"), From75, From75),
    income("income_100k_150k", households!("100K-150K"), From100, From100),
    income("income_150k_200k", households!("150K-200K"), From150, From150),
    income("income_200k_plus", households!("200K+"), From200, From200),

    income("income_under_25k", households!("under 25K"), From0, From15),
    income("income_under_50k", households!("under 50K"), From0, From35),
    income("income_50k_plus", households!("50K+"), From50, From200),
    income("income_75k_plus", households!("75K+"), From75, From200),
    income("income_100k_plus", households!("100K+"), From100, From200),
    income("income_150k_plus", households!("150K+"), From150, From200),
];
