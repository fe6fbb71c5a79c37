//! Population at home: how many of a cohort live where.

use std::sync::Arc;

use axum::extract::State;
use dataset::{Geography, GeographyIndex, Population, SegmentIndex};
use deserr::Deserr;
use release_store::{CohortShares, provenance_of_cohorts};
use serde::Serialize;
use shared::http::{ApiError, Code, JsonBody, Reply};
use shared::input::{Identifier, Items, Page, PagePosition, Violations};

use crate::Release;
use crate::area_type::AreaType;

/// All areas of a type but ZIP codes come in one page unless a smaller one is asked for; ten thousand ZIP
/// codes still fit into Lambda's 6 MB.
type AreaPage = Page<5_000, 10_000, { usize::MAX }>;

/// The body: `PopulationAtHomeRequest` in openapi.yaml.
#[serde_with::apply(Option<_> => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
struct AtHomeBody {
    service_segment_id: Identifier,
    geography_type: Items<AreaType, 1, 1>,
    pagination: Option<AreaPage>,
}

/// How many of a cohort live where: `PopulationAtHomeReply` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct AtHome {
    service_segment_id: String,
    geographic_type: [AreaType; 1],
    customer_segment_name: String,
    year: i32,
    #[serde(flatten)]
    nation: Persons,
    coverage: Coverage,
    results: Vec<Area>,
    ids: Vec<String>,
    vintage: String,
    shares: CohortShares,
    pagination: PagePosition,
}

/// A cohort's part of a population.
#[derive(Clone, Copy, Debug, Serialize)]
struct Persons {
    persons: u64,
    all_persons: u64,
    composition_percent: f64,
}

/// What the areas of a type hold together, which may fall short of the nation.
#[derive(Debug, Serialize)]
struct Coverage {
    #[serde(flatten)]
    covered: Persons,
    /// The persons of the nation who live in no area of the type.
    all_persons_outside: u64,
    description: String,
}

#[derive(Debug, Serialize)]
struct Area {
    geography_id: String,
    description: String,
    #[serde(flatten)]
    persons: Persons,
    composition_index: f64,
    geo_type: AreaType,
    customer_segment_name: String,
    vintage: String,
}

/// Answers with how many of a cohort live in each area of a type.
pub(crate) async fn at_home(
    State(release): State<Arc<Release>>,
    body: JsonBody,
) -> Result<Reply<AtHome>, ApiError> {
    let body: AtHomeBody = body.read()?;
    let area_type = body.geography_type.into_one();
    let page = body.pagination.unwrap_or_default();
    let segment = body.service_segment_id.into_string().parse().ok();
    let segment = segment.and_then(|id| release.population.find(&id)).ok_or_else(unknown_segment)?;
    let about = match area_type {
        AreaType::Zip => &release.about_zips,
        AreaType::Dma => &release.about_dmas,
        AreaType::Msa | AreaType::Cbsa | AreaType::County | AreaType::State => &release.about_counties,
    };
    let answer = AtHome::new(&release, segment, area_type, page, &about.data_vintage);
    let about = provenance_of_cohorts(about, [release.population.segment(segment)]);
    Ok(Reply::flat(answer).with_provenance(about))
}

impl AtHome {
    fn new(
        release: &Release,
        segment: SegmentIndex,
        area_type: AreaType,
        page: AreaPage,
        vintage: &str,
    ) -> Self {
        let persons = |area| Persons::of(&release.population, segment, area);
        let nation = persons(release.geographies.nation());
        let areas: Vec<_> = area_type
            .areas(&release.geographies)
            .map(|area| (area, persons(area)))
            .filter(|(_, persons)| persons.all_persons > 0)
            .collect();
        let described = release.population.segment(segment);
        let vintage = vintage.replace('-', "");
        let shown = areas.iter().skip(page.skip()).take(page.size());
        let results: Vec<_> = shown
            .map(|(area, persons)| {
                let Geography { id, name, .. } = release.geographies.get(*area);
                Area {
                    geography_id: id.to_string(),
                    description: name.to_owned(),
                    persons: *persons,
                    composition_index: persons.index(nation),
                    geo_type: area_type,
                    customer_segment_name: described.description.to_owned(),
                    vintage: vintage.clone(),
                }
            })
            .collect();
        Self {
            service_segment_id: described.id.to_string(),
            geographic_type: [area_type],
            customer_segment_name: described.description.to_owned(),
            year: vintage.get(..4).and_then(|year| year.parse().ok()).unwrap_or_default(),
            nation,
            coverage: Coverage::new(nation, areas.iter().map(|(_, persons)| *persons), area_type),
            ids: results.iter().map(|area| area.geography_id.clone()).collect(),
            results,
            vintage,
            shares: described.shares.into(),
            pagination: page.position(areas.len()),
        }
    }
}

impl Persons {
    fn of(population: &Population, segment: SegmentIndex, area: GeographyIndex) -> Self {
        let of = |segment| u64::from(population.persons(segment, area));
        Self::new(of(segment), of(Population::EVERYONE))
    }

    fn new(persons: u64, all_persons: u64) -> Self {
        let percent = if all_persons == 0 { 0.0 } else { 100.0 * persons as f64 / all_persons as f64 };
        Self { persons, all_persons, composition_percent: percent }
    }

    /// Returns 100 times the local share over the nation's.
    fn index(self, nation: Self) -> f64 {
        if nation.composition_percent == 0.0 {
            return 0.0;
        }
        100.0 * self.composition_percent / nation.composition_percent
    }
}

impl Coverage {
    fn new(nation: Persons, areas: impl Iterator<Item = Persons>, area_type: AreaType) -> Self {
        let (mut count, mut persons, mut all_persons) = (0, 0, 0);
        for area in areas {
            count += 1;
            persons += area.persons;
            all_persons += area.all_persons;
        }
        let outside = nation.all_persons.saturating_sub(all_persons);
        let description = if outside == 0 {
            format!("the {count} areas of type {area_type} where people live cover the whole nation")
        } else {
            format!(
                "the {count} areas of type {area_type} where people live cover {all_persons} of the nation's {} people; \
                 {outside} live in none",
                nation.all_persons
            )
        };
        Self { covered: Persons::new(persons, all_persons), all_persons_outside: outside, description }
    }
}

fn unknown_segment() -> ApiError {
    ApiError::new(Code::NotFound, "there is no segment with this id; POST /v2/cohorts/search lists them")
}
