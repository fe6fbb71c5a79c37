//! The query parameters of `GET /v2/markets`.

use dataset::{GeographyIndex, normalize};
use gateway::{MAX_SEARCH_TEXT, QueryParameters, Violations};

use crate::Release;
use crate::area_type::AreaType;
use crate::market_list::MarketList;
use crate::state::find_state;

/// A request for one page of markets.
#[derive(Debug)]
pub(crate) struct MarketQuery {
    pub(crate) list: MarketList,
    /// The last market of the previous page, or `None` for the first page.
    pub(crate) after: Option<GeographyIndex>,
    pub(crate) limit: usize,
}

impl MarketQuery {
    pub(crate) fn read(parameters: &QueryParameters, release: &Release) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let known = ["q", "geography_type", "state", "sort", "direction", "limit", "cursor"];
        parameters.allow(&known, &mut violations);
        let unknown = violations.count();
        let area_type = parameters.read("geography_type", str::parse, &mut violations);
        let state = parameters.read("state", |text| find_state(&release.names, text), &mut violations);
        let sort = parameters.read("sort", str::parse, &mut violations);
        let direction = parameters.read("direction", str::parse, &mut violations);
        let is_known = violations.count() == unknown;
        let limit = parameters.limit(&mut violations);
        let text = normalize(parameters.get("q").unwrap_or_default());
        let length = text.chars().count();
        if length > MAX_SEARCH_TEXT {
            violations.add("?q", format!("must have at most {MAX_SEARCH_TEXT} characters, but has {length}"));
        }
        if !is_known {
            // Cursors can be checked only if the other parameters are valid.
            return Err(violations);
        }
        let area_type = area_type.unwrap_or(AreaType::Dma);
        let (sort, direction) = (sort.unwrap_or_default(), direction.unwrap_or_default());
        let list = MarketList { area_type, text, state, sort, direction };
        let read = |text: &str| list.read_cursor(&release.geographies, text);
        let same = "q, geography_type, state, sort, and direction";
        let after = parameters.cursor(same, read, &mut violations);
        violations.or(Self { list, after, limit })
    }
}
