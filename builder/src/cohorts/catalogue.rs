//! Every cohort of a release: what it is called, and which cells it is the sum of.

use dataset::Maturity;
use dataset::cohorts::AgeBand::{
    Age0, Age5, Age10, Age15, Age18, Age20, Age25, Age30, Age35, Age45, Age55, Age65, Age75, Age85,
};
use dataset::cohorts::EthnicGroup::{AsianAlone, BlackAlone, Hispanic, WhiteNotHispanic};
use dataset::cohorts::IncomeBracket::{
    From0, From10, From15, From25, From35, From50, From75, From100, From150, From200,
};
use dataset::cohorts::{AgeBand, CellSet, Cohort, EthnicGroup, IncomeBracket, ShareSource};

const DEMOGRAPHICS: &str = "Demographics";
const HOUSEHOLDS: &str = "Households";

const EVERYONE: &str = "Everyone";
const AGE: &str = "Age";
const SEX: &str = "Sex";
const SEX_AND_AGE: &str = "Sex and age";
const ETHNICITY: &str = "Ethnicity and race";
const INCOME: &str = "Household income";

/// Everyone is counted, and divided by no shares.
const ESTIMATES: ShareSource<'_> = ShareSource {
    source: "US Census Bureau, population estimates",
    vintage: "2023",
    maturity: Maturity::Production,
};

/// Shares of one time on the population of another are arithmetic, and no count.
const AGES: ShareSource<'_> = ShareSource {
    source: "US Census Bureau, ACS 5-year estimates, table B01001",
    vintage: "2010-2014",
    maturity: Maturity::ResearchPreview,
};

const ETHNICITIES: ShareSource<'_> =
    ShareSource { source: "US Census Bureau, ACS 5-year estimates, tables B01001B, D, H and I", ..AGES };

const INCOMES: ShareSource<'_> = ShareSource {
    source: "US Census Bureau, ACS 5-year estimates, table S1901",
    vintage: "2019-2023",
    maturity: Maturity::ResearchPreview,
};

const fn cohort(
    key: &'static str,
    category: &'static str,
    description: &'static str,
    cells: CellSet,
    anytime: bool,
) -> Cohort {
    Cohort { key, kind: DEMOGRAPHICS, category, description, cells, shares: AGES, anytime }
}

const fn all(key: &'static str, description: &'static str, from: AgeBand, to: AgeBand) -> Cohort {
    cohort(key, AGE, description, CellSet::men(from, to).and(CellSet::women(from, to)), true)
}

const fn men(key: &'static str, description: &'static str, from: AgeBand, to: AgeBand) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::men(from, to), true)
}

const fn women(key: &'static str, description: &'static str, from: AgeBand, to: AgeBand) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::women(from, to), true)
}

/// A single cell of sex and age: too thin for the report of a place.
const fn male(key: &'static str, description: &'static str, band: AgeBand) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::men(band, band), false)
}

/// A single cell of sex and age: too thin for the report of a place.
const fn female(key: &'static str, description: &'static str, band: AgeBand) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::women(band, band), false)
}

const fn ethnicity(key: &'static str, description: &'static str, group: EthnicGroup) -> Cohort {
    Cohort { shares: ETHNICITIES, ..cohort(key, ETHNICITY, description, CellSet::ethnicity(group), true) }
}

const fn income(
    key: &'static str,
    from: IncomeBracket,
    to: IncomeBracket,
    description: &'static str,
) -> Cohort {
    Cohort {
        key,
        kind: HOUSEHOLDS,
        category: INCOME,
        description,
        cells: CellSet::income(from, to),
        shares: INCOMES,
        anytime: true,
    }
}

/// Every cohort, the base first.
#[rustfmt::skip]
pub(crate) static CATALOGUE: &[Cohort] = &[
    Cohort { shares: ESTIMATES, ..cohort("everyone", EVERYONE, "Persons", CellSet::EVERYONE, true) },

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

    cohort("male", SEX, "Males", CellSet::men(Age0, Age85), true),
    cohort("female", SEX, "Females", CellSet::women(Age0, Age85), true),

    male("male_0_4", "Males 0-4", Age0),
    male("male_5_9", "Males 5-9", Age5),
    male("male_10_14", "Males 10-14", Age10),
    male("male_15_17", "Males 15-17", Age15),
    male("male_18_19", "Males 18-19", Age18),
    male("male_20_24", "Males 20-24", Age20),
    male("male_25_29", "Males 25-29", Age25),
    male("male_30_34", "Males 30-34", Age30),
    male("male_35_44", "Males 35-44", Age35),
    male("male_45_54", "Males 45-54", Age45),
    male("male_55_64", "Males 55-64", Age55),
    male("male_65_74", "Males 65-74", Age65),
    male("male_75_84", "Males 75-84", Age75),
    male("male_85_plus", "Males 85+", Age85),
    female("female_0_4", "Females 0-4", Age0),
    female("female_5_9", "Females 5-9", Age5),
    female("female_10_14", "Females 10-14", Age10),
    female("female_15_17", "Females 15-17", Age15),
    female("female_18_19", "Females 18-19", Age18),
    female("female_20_24", "Females 20-24", Age20),
    female("female_25_29", "Females 25-29", Age25),
    female("female_30_34", "Females 30-34", Age30),
    female("female_35_44", "Females 35-44", Age35),
    female("female_45_54", "Females 45-54", Age45),
    female("female_55_64", "Females 55-64", Age55),
    female("female_65_74", "Females 65-74", Age65),
    female("female_75_84", "Females 75-84", Age75),
    female("female_85_plus", "Females 85+", Age85),

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

    ethnicity("asian", "Asian alone", AsianAlone),
    ethnicity("black", "Black alone", BlackAlone),
    ethnicity("hispanic", "Hispanic of any race", Hispanic),
    ethnicity("white_not_hispanic", "White alone, not Hispanic", WhiteNotHispanic),

    income("income_under_10k", From0, From0,
        "Households with income under 10K (persons = population x share of households)"),
    income("income_10k_15k", From10, From10,
        "Households with income 10K-15K (persons = population x share of households)"),
    income("income_15k_25k", From15, From15,
        "Households with income 15K-25K (persons = population x share of households)"),
    income("income_25k_35k", From25, From25,
        "Households with income 25K-35K (persons = population x share of households)"),
    income("income_35k_50k", From35, From35,
        "Households with income 35K-50K (persons = population x share of households)"),
    income("income_50k_75k", From50, From50,
        "Households with income 50K-75K (persons = population x share of households)"),
    income("income_75k_100k", From75, From75,
        "Households with income 75K-100K (persons = population x share of households)"),
    income("income_100k_150k", From100, From100,
        "Households with income 100K-150K (persons = population x share of households)"),
    income("income_150k_200k", From150, From150,
        "Households with income 150K-200K (persons = population x share of households)"),
    income("income_200k_plus", From200, From200,
        "Households with income 200K+ (persons = population x share of households)"),

    income("income_under_25k", From0, From15,
        "Households with income under 25K (persons = population x share of households)"),
    income("income_under_50k", From0, From35,
        "Households with income under 50K (persons = population x share of households)"),
    income("income_50k_plus", From50, From200,
        "Households with income 50K+ (persons = population x share of households)"),
    income("income_75k_plus", From75, From200,
        "Households with income 75K+ (persons = population x share of households)"),
    income("income_100k_plus", From100, From200,
        "Households with income 100K+ (persons = population x share of households)"),
    income("income_150k_plus", From150, From200,
        "Households with income 150K+ (persons = population x share of households)"),
];
