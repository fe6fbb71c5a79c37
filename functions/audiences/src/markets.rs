//! Markets: the areas that a cohort's geographies are chosen from.

use std::sync::Arc;

use axum::extract::State;
use dataset::{GeographyId, GeographyIndex, GeographyType, fold};
use serde::Serialize;
use shared::http::{ApiError, Pagination, Reply};
use shared::input::{InvalidValue, MAX_SEARCH_TEXT, QueryParameters, Violations};

use crate::Release;
use crate::area_type::AreaType;
use crate::cursor::{self, MarketList};

/// An area that a cohort's market may be made of.
#[derive(Debug, Serialize)]
pub(crate) struct Market {
    /// Goes straight into `cohort.geography_ids`.
    market_id: String,
    name: String,
    geography_type: AreaType,
    dma_code: Option<String>,
    population: u32,
    households: u32,
    /// The measured ones, which are those that inventory search finds.
    spots_count: u32,
    latitude: Option<f64>,
    longitude: Option<f64>,
    /// How far a map of the whole area zooms in.
    zoom: u8,
}

#[derive(Debug)]
struct MarketQuery {
    list: MarketList,
    after: Option<GeographyId>,
    limit: usize,
}

/// Answers with the areas of a type whose name has a text in it, by their codes.
pub(crate) async fn list(
    State(release): State<Arc<Release>>,
    parameters: QueryParameters,
) -> Result<Reply<Vec<Market>>, ApiError> {
    let MarketQuery { list, after, limit } = MarketQuery::read(&parameters)?;
    let found: Vec<_> = list
        .area_type
        .areas(&release.geographies)
        .filter(|area| fold(release.geographies.get(*area).name).contains(&list.text))
        .collect();
    let id = |area: GeographyIndex| release.geographies.get(area).id.to_string();
    let start = after.map_or(0, |after| found.partition_point(|area| id(*area) <= after.to_string()));
    let page = &found[start..found.len().min(start + limit)];
    let has_more = start + page.len() < found.len();
    let pagination = Pagination {
        cursor: page
            .last()
            .filter(|_| has_more)
            .map(|last| cursor::write(&list, &release.geographies.get(*last).id)),
        has_more,
        total: i64::try_from(found.len()).unwrap_or(i64::MAX),
    };
    let markets = page.iter().map(|area| Market::new(&release, *area, list.area_type)).collect();
    Ok(Reply::page(markets, pagination).with_provenance(release.about_geographies.clone()))
}

impl Market {
    fn new(release: &Release, area: GeographyIndex, area_type: AreaType) -> Self {
        let geography = release.geographies.get(area);
        let geography_type = geography.id.geography_type();
        let dma = if geography_type == GeographyType::Dma { Some(area) } else { geography.dma };
        Self {
            market_id: geography.id.to_string(),
            name: geography.name.to_owned(),
            geography_type: area_type,
            dma_code: dma.map(|dma| release.geographies.get(dma).id.national_id().to_string()),
            population: geography.population,
            households: geography.households,
            spots_count: release.spots.of(area),
            latitude: geography.position.map(|position| position.latitude),
            longitude: geography.position.map(|position| position.longitude),
            zoom: zoom(geography_type),
        }
    }
}

impl MarketQuery {
    fn read(parameters: &QueryParameters) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        parameters.allow(&["q", "geography_type", "limit", "cursor"], &mut violations);
        let area_type = parameters.get("geography_type").map_or(Ok(AreaType::Dma), str::parse);
        let area_type =
            area_type.map_err(|InvalidValue(detail)| violations.add("?geography_type", detail)).ok();
        let limit = parameters.limit(&mut violations);
        let text = fold(parameters.get("q").unwrap_or_default());
        if text.chars().count() > MAX_SEARCH_TEXT {
            violations.add("?q", format!("must have at most {MAX_SEARCH_TEXT} characters"));
        }
        let Some(area_type) = area_type else { return Err(violations) };
        let list = MarketList { area_type, text };
        let after =
            parameters.cursor("q and geography_type", |text| cursor::read(&list, text), &mut violations);
        violations.or(Self { list, after, limit })
    }
}

fn zoom(geography_type: GeographyType) -> u8 {
    match geography_type {
        GeographyType::Nation => 3,
        GeographyType::State => 6,
        GeographyType::Dma => 7,
        GeographyType::Msa => 8,
        GeographyType::Micropolitan | GeographyType::County => 9,
        GeographyType::Zip => 12,
    }
}
