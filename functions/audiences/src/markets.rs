//! `GET /v2/markets`: the areas that can be markets of a campaign or an event.

use std::sync::Arc;

use axum::extract::State;
use dataset::{GeographyIndex, GeographyType, Provenance};
use gateway::{ApiError, Pagination, QueryParameters, Reply, Table};
use serde::Serialize;

use crate::Release;
use crate::area_type::AreaType;
use crate::market_list::MarketPage;
use crate::market_query::MarketQuery;

pub(crate) static TABLE: Table = Table {
    name: "markets",
    rows: "data",
    total: Some("pagination.total"),
    columns: || {
        vec![
            "market_id",
            "name",
            "geography_type",
            "dma_code",
            "population",
            "households",
            "spots_count",
            "latitude",
            "longitude",
            "zoom",
        ]
    },
    feature: None,
};

/// An area that can be a market of a campaign or an event. See `Market` in openapi.yaml.
#[derive(Debug, Serialize)]
pub(crate) struct Market {
    /// The ID to send in `cohort.geography_ids`.
    market_id: String,
    name: String,
    geography_type: AreaType,
    dma_code: Option<String>,
    population: u32,
    households: u32,
    /// The number of measured spots in the area. Inventory search finds only measured spots.
    spots_count: u32,
    latitude: Option<f64>,
    longitude: Option<f64>,
    /// A zoom level at which a map typically shows the whole area. It depends only on the type of the area.
    zoom: u8,
}

/// Responds with a page of the areas that match all criteria.
pub(crate) async fn list(
    State(release): State<Arc<Release>>,
    parameters: QueryParameters,
) -> Result<Reply<Vec<Market>>, ApiError> {
    let MarketQuery { list, after, limit } = MarketQuery::read(&parameters, &release)?;
    let about = about(&release, list.area_type);
    let MarketPage { markets, has_more, total } = list.page(&release.geographies, after, limit);
    let last = markets.last().filter(|_| has_more);
    let pagination = Pagination {
        cursor: last.map(|last| list.write_cursor(&release.geographies, *last)),
        has_more,
        total: i64::try_from(total).unwrap_or(i64::MAX),
        total_matched: None,
    };
    let markets = markets.into_iter().map(|area| Market::new(&release, area, list.area_type)).collect();
    Ok(Reply::page(markets, pagination).with_provenance(about))
}

/// Returns the provenance of a list of markets. Its maturity is the areas' or the population's, whichever is
/// lower.
fn about(release: &Release, area_type: AreaType) -> Provenance {
    let mut about = release.about_geographies.clone();
    about.data_maturity = about.data_maturity.max(release.about_residents(area_type).data_maturity);
    about
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
