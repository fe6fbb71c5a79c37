//! `POST /v2/measures/population/at_home`: the number of residents in a cohort, by area.

use std::sync::Arc;

use axum::extract::State;
use dataset::{CohortShares, ComposeError, ComposedCohort, GeographyIndex, Population, rounded_index};
use gateway::{ApiError, Code, JsonBody, PagePosition, Reply, SortOrder, Table, Violations, quoted};
use serde::Serialize;

use crate::Release;
use crate::area_type::AreaType;
use crate::population_query::{AreaSort, AreaSortField, AtHomeBody, AtHomeQuery};

pub(crate) static TABLE: Table = Table {
    name: "population-at-home",
    rows: "results",
    total: Some("pagination.total_results"),
    columns: || {
        vec![
            "geography_id",
            "description",
            "persons",
            "all_persons",
            "composition_index",
            "composition_percent",
            "geo_type",
            "customer_segment_name",
            "vintage",
        ]
    },
    feature: None,
};

/// The number of residents in a cohort, by area. See `PopulationAtHomeReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct AtHome {
    service_segment_id: String,
    geographic_type: [AreaType; 1],
    customer_segment_name: String,
    year: i32,
    #[serde(flatten)]
    nation: Persons,
    coverage: Coverage,
    results: Vec<PopulationArea>,
    ids: Vec<String>,
    vintage: String,
    shares: CohortShares,
    pagination: PagePosition,
}

/// The number of residents in a cohort and in total, with the cohort's share in percent.
#[derive(Clone, Copy, Debug, Serialize)]
struct Persons {
    persons: u64,
    all_persons: u64,
    composition_percent: f64,
}

/// The total of the requested areas, which may not cover the whole nation.
#[derive(Debug, Serialize)]
struct Coverage {
    #[serde(flatten)]
    covered: Persons,
    /// The number of people who live outside the requested areas, whether or not they're in the cohort.
    all_persons_outside: u64,
    /// The minimum population of the areas.
    min_population: u64,
    description: String,
}

#[derive(Debug, Serialize)]
struct PopulationArea {
    geography_id: String,
    description: String,
    #[serde(flatten)]
    persons: Persons,
    composition_index: f64,
    geo_type: AreaType,
    customer_segment_name: String,
    vintage: String,
}

/// Responds with the number of residents in a cohort for each requested area.
pub(crate) async fn at_home(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<AtHome>, ApiError> {
    let body: AtHomeBody = body.read()?;
    let query = body.into_query(&release)?;
    let cohort = ComposedCohort::find(&release.population, &query.segment_id).map_err(unusable)?;
    let about = release.about_residents(query.area_type);
    let answer = AtHome::new(&release, &cohort, &query, &about.data_vintage);
    let about = cohort.provenance(&release.population, about);
    Ok(Reply::flat(answer).with_provenance(about))
}

impl AtHome {
    fn new(release: &Release, cohort: &ComposedCohort, query: &AtHomeQuery, vintage: &str) -> Self {
        let population = &release.population;
        let counts = cohort.persons(population, &release.geographies);
        let persons = |area| {
            Persons::new(counts.of(area).into(), population.persons(Population::EVERYONE, area).into())
        };
        let nation = persons(release.geographies.nation());
        let mut areas: Vec<_> = query.areas.iter().map(|area| (*area, persons(*area))).collect();
        areas.retain(|(_, persons)| persons.all_persons >= query.min_population);
        query.sort.apply(&mut areas, nation);
        let name = cohort.description(population);
        let vintage = vintage.replace('-', "");
        let shown = areas.iter().skip(query.page.skip()).take(query.page.size());
        let results: Vec<_> = shown
            .map(|(area, persons)| {
                let geography = release.geographies.get(*area);
                PopulationArea {
                    geography_id: geography.id.to_string(),
                    description: geography.name_with_zip().into_owned(),
                    persons: *persons,
                    composition_index: rounded_index(persons.index(nation)),
                    geo_type: query.area_type,
                    customer_segment_name: name.clone(),
                    vintage: vintage.clone(),
                }
            })
            .collect();
        Self {
            service_segment_id: cohort.id(population),
            geographic_type: [query.area_type],
            customer_segment_name: name,
            year: vintage.get(..4).and_then(|year| year.parse().ok()).unwrap_or_default(),
            nation,
            coverage: Coverage::new(nation, areas.iter().map(|(_, persons)| *persons), query),
            ids: results.iter().map(|area| area.geography_id.clone()).collect(),
            results,
            vintage,
            shares: cohort.shares(population),
            pagination: query.page.position(areas.len()),
        }
    }
}

impl Persons {
    fn new(persons: u64, all_persons: u64) -> Self {
        let percent = if all_persons == 0 { 0.0 } else { 100.0 * persons as f64 / all_persons as f64 };
        Self { persons, all_persons, composition_percent: percent }
    }

    /// Returns 100 times the area's share divided by the national share, or 0 if the national share is 0.
    fn index(self, nation: Self) -> f64 {
        if nation.composition_percent == 0.0 {
            return 0.0;
        }
        100.0 * self.composition_percent / nation.composition_percent
    }
}

impl AreaSort {
    fn apply(self, areas: &mut [(GeographyIndex, Persons)], nation: Persons) {
        let (field, direction) = (self.active.unwrap_or_default(), self.direction.unwrap_or_default());
        let key = |persons: &Persons| match field {
            // The areas are already sorted by ID.
            AreaSortField::GeographyId => 0.0,
            AreaSortField::Persons => persons.persons as f64,
            AreaSortField::CompositionPercent => persons.composition_percent,
            AreaSortField::CompositionIndex => persons.index(nation),
        };
        match (field, direction) {
            (AreaSortField::GeographyId, SortOrder::Asc) => {}
            (AreaSortField::GeographyId, SortOrder::Desc) => areas.reverse(),
            // The sort is stable, so areas with equal values remain sorted by ID.
            (_, SortOrder::Asc) => areas.sort_by(|one, other| key(&one.1).total_cmp(&key(&other.1))),
            (_, SortOrder::Desc) => areas.sort_by(|one, other| key(&other.1).total_cmp(&key(&one.1))),
        }
    }
}

impl Coverage {
    fn new(nation: Persons, areas: impl Iterator<Item = Persons>, query: &AtHomeQuery) -> Self {
        let (mut count, mut persons, mut all_persons) = (0, 0, 0);
        for area in areas {
            count += 1;
            persons += area.persons;
            all_persons += area.all_persons;
        }
        let outside = nation.all_persons.saturating_sub(all_persons);
        let AtHomeQuery { area_type, min_population, is_narrowed, .. } = query;
        let selected = if *is_narrowed && outside > 0 { "selected " } else { "" };
        let (noun, cover) = if count == 1 { ("area", "covers") } else { ("areas", "cover") };
        let areas = match min_population {
            1 => format!("the {count} {selected}inhabited {noun} of type {area_type} {cover}"),
            min => {
                format!("the {count} {selected}{noun} of type {area_type} with at least {min} people {cover}")
            }
        };
        let description = match (outside, nation.all_persons) {
            (0, _) => format!("{areas} the whole nation"),
            (_, all) => {
                format!("{areas} {all_persons} of the nation's {all} people; {outside} live outside them")
            }
        };
        Self {
            covered: Persons::new(persons, all_persons),
            all_persons_outside: outside,
            min_population: *min_population,
            description,
        }
    }
}

fn unusable(error: ComposeError) -> ApiError {
    match error {
        ComposeError::Unknown(id) => {
            let message =
                format!("no cohort has the id {}; find cohorts with POST /v2/cohorts/search", quoted(&id));
            ApiError::new(Code::NotFound, message)
        }
        ComposeError::TooMany(_) | ComposeError::Everyone | ComposeError::Disjoint(_) => {
            let mut violations = Violations::default();
            violations.add("/service_segment_id", error.to_string());
            violations.into()
        }
    }
}
