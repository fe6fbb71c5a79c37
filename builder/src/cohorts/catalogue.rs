//! Every cohort of a release: what it is called, and which cells it is the sum of.

use dataset::cohorts::{CellSet, Cohort};

const DEMOGRAPHICS: &str = "Demographics";
const HOUSEHOLDS: &str = "Households";

const EVERYONE: &str = "Everyone";
const AGE: &str = "Age";
const SEX: &str = "Sex";
const SEX_AND_AGE: &str = "Sex and age";
const ETHNICITY: &str = "Ethnicity and race";
const INCOME: &str = "Household income";

/// The bands of age at which the ranges below begin and end.
const B0: usize = 0;
const B5: usize = 1;
const B10: usize = 2;
const B15: usize = 3;
const B18: usize = 4;
const B20: usize = 5;
const B25: usize = 6;
const B30: usize = 7;
const B35: usize = 8;
const B45: usize = 9;
const B55: usize = 10;
const B65: usize = 11;
const B75: usize = 12;
const B85: usize = 13;

const fn cohort(
    key: &'static str,
    category: &'static str,
    description: &'static str,
    cells: CellSet,
    anytime: bool,
) -> Cohort {
    Cohort { key, kind: DEMOGRAPHICS, category, description, cells, anytime }
}

const fn all(key: &'static str, description: &'static str, from: usize, to: usize) -> Cohort {
    cohort(key, AGE, description, CellSet::men(from, to).and(CellSet::women(from, to)), true)
}

const fn men(key: &'static str, description: &'static str, from: usize, to: usize) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::men(from, to), true)
}

const fn women(key: &'static str, description: &'static str, from: usize, to: usize) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::women(from, to), true)
}

/// A single cell of sex and age: too thin for the report of a place.
const fn male(key: &'static str, description: &'static str, band: usize) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::men(band, band), false)
}

/// A single cell of sex and age: too thin for the report of a place.
const fn female(key: &'static str, description: &'static str, band: usize) -> Cohort {
    cohort(key, SEX_AND_AGE, description, CellSet::women(band, band), false)
}

const fn ethnicity(key: &'static str, description: &'static str, group: usize) -> Cohort {
    cohort(key, ETHNICITY, description, CellSet::ethnicity(group), true)
}

const fn income(key: &'static str, description: &'static str, from: usize, to: usize) -> Cohort {
    Cohort {
        key,
        kind: HOUSEHOLDS,
        category: INCOME,
        description,
        cells: CellSet::income(from, to),
        anytime: true,
    }
}

/// Every cohort, the base first.
#[rustfmt::skip]
pub(crate) static CATALOGUE: &[Cohort] = &[
    cohort("everyone", EVERYONE, "Persons", CellSet::EVERYONE, true),

    all("age_0_4", "Children 0-4", B0, B0),
    all("age_5_9", "Children 5-9", B5, B5),
    all("age_10_14", "Children 10-14", B10, B10),
    all("age_15_17", "Teens 15-17", B15, B15),
    all("age_18_19", "Adults 18-19", B18, B18),
    all("age_20_24", "Adults 20-24", B20, B20),
    all("age_25_29", "Adults 25-29", B25, B25),
    all("age_30_34", "Adults 30-34", B30, B30),
    all("age_35_44", "Adults 35-44", B35, B35),
    all("age_45_54", "Adults 45-54", B45, B45),
    all("age_55_64", "Adults 55-64", B55, B55),
    all("age_65_74", "Adults 65-74", B65, B65),
    all("age_75_84", "Adults 75-84", B75, B75),
    all("age_85_plus", "Adults 85+", B85, B85),

    all("age_under_15", "Children under 15", B0, B10),
    all("age_under_18", "Persons under 18", B0, B15),
    all("age_18_plus", "Adults 18+", B18, B85),
    all("age_18_24", "Adults 18-24", B18, B20),
    all("age_18_34", "Adults 18-34", B18, B30),
    all("age_18_54", "Adults 18-54", B18, B45),
    all("age_25_34", "Adults 25-34", B25, B30),
    all("age_25_44", "Adults 25-44", B25, B35),
    all("age_25_54", "Adults 25-54", B25, B45),
    all("age_35_54", "Adults 35-54", B35, B45),
    all("age_35_64", "Adults 35-64", B35, B55),
    all("age_45_64", "Adults 45-64", B45, B55),
    all("age_55_plus", "Adults 55+", B55, B85),
    all("age_65_plus", "Adults 65+", B65, B85),
    all("age_75_plus", "Adults 75+", B75, B85),

    cohort("male", SEX, "Males", CellSet::men(B0, B85), true),
    cohort("female", SEX, "Females", CellSet::women(B0, B85), true),

    male("male_0_4", "Males 0-4", B0),
    male("male_5_9", "Males 5-9", B5),
    male("male_10_14", "Males 10-14", B10),
    male("male_15_17", "Males 15-17", B15),
    male("male_18_19", "Males 18-19", B18),
    male("male_20_24", "Males 20-24", B20),
    male("male_25_29", "Males 25-29", B25),
    male("male_30_34", "Males 30-34", B30),
    male("male_35_44", "Males 35-44", B35),
    male("male_45_54", "Males 45-54", B45),
    male("male_55_64", "Males 55-64", B55),
    male("male_65_74", "Males 65-74", B65),
    male("male_75_84", "Males 75-84", B75),
    male("male_85_plus", "Males 85+", B85),
    female("female_0_4", "Females 0-4", B0),
    female("female_5_9", "Females 5-9", B5),
    female("female_10_14", "Females 10-14", B10),
    female("female_15_17", "Females 15-17", B15),
    female("female_18_19", "Females 18-19", B18),
    female("female_20_24", "Females 20-24", B20),
    female("female_25_29", "Females 25-29", B25),
    female("female_30_34", "Females 30-34", B30),
    female("female_35_44", "Females 35-44", B35),
    female("female_45_54", "Females 45-54", B45),
    female("female_55_64", "Females 55-64", B55),
    female("female_65_74", "Females 65-74", B65),
    female("female_75_84", "Females 75-84", B75),
    female("female_85_plus", "Females 85+", B85),

    men("men_18_plus", "Men 18+", B18, B85),
    men("men_18_34", "Men 18-34", B18, B30),
    men("men_25_54", "Men 25-54", B25, B45),
    men("men_35_64", "Men 35-64", B35, B55),
    men("men_55_plus", "Men 55+", B55, B85),
    women("women_18_plus", "Women 18+", B18, B85),
    women("women_18_34", "Women 18-34", B18, B30),
    women("women_25_54", "Women 25-54", B25, B45),
    women("women_35_64", "Women 35-64", B35, B55),
    women("women_55_plus", "Women 55+", B55, B85),

    ethnicity("asian", "Asian alone", 0),
    ethnicity("black", "Black alone", 1),
    ethnicity("hispanic", "Hispanic of any race", 2),
    ethnicity("white_not_hispanic", "White alone, not Hispanic", 3),

    income("income_under_10k", "Households with income under 10K (persons = population x share of households)", 0, 0),
    income("income_10k_15k", "Households with income 10K-15K (persons = population x share of households)", 1, 1),
    income("income_15k_25k", "Households with income 15K-25K (persons = population x share of households)", 2, 2),
    income("income_25k_35k", "Households with income 25K-35K (persons = population x share of households)", 3, 3),
    income("income_35k_50k", "Households with income 35K-50K (persons = population x share of households)", 4, 4),
    income("income_50k_75k", "Households with income 50K-75K (persons = population x share of households)", 5, 5),
    income("income_75k_100k", "Households with income 75K-100K (persons = population x share of households)", 6, 6),
    income("income_100k_150k", "Households with income 100K-150K (persons = population x share of households)", 7, 7),
    income("income_150k_200k", "Households with income 150K-200K (persons = population x share of households)", 8, 8),
    income("income_200k_plus", "Households with income 200K+ (persons = population x share of households)", 9, 9),

    income("income_under_25k", "Households with income under 25K (persons = population x share of households)", 0, 2),
    income("income_under_50k", "Households with income under 50K (persons = population x share of households)", 0, 4),
    income("income_50k_plus", "Households with income 50K+ (persons = population x share of households)", 5, 9),
    income("income_75k_plus", "Households with income 75K+ (persons = population x share of households)", 6, 9),
    income("income_100k_plus", "Households with income 100K+ (persons = population x share of households)", 7, 9),
    income("income_150k_plus", "Households with income 150K+ (persons = population x share of households)", 8, 9),
];
