//! What a request for markets asks for, as its query string says it.

use dataset::{Geographies, GeographyIndex, fold};
use gateway::{InvalidValue, MAX_SEARCH_TEXT, QueryParameters, SortOrder, Violations, one_of};

use crate::area_type::AreaType;
use crate::market_list::{MarketList, MarketSort};
use crate::state::find_state;

/// A page of a list of markets.
#[derive(Debug)]
pub(crate) struct MarketQuery {
    pub(crate) list: MarketList,
    /// The market before the page; none before the first one.
    pub(crate) after: Option<GeographyIndex>,
    pub(crate) limit: usize,
}

impl MarketQuery {
    pub(crate) fn read(parameters: &QueryParameters, geographies: &Geographies) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let known = ["q", "geography_type", "state", "sort", "direction", "limit", "cursor"];
        parameters.allow(&known, &mut violations);
        let area_type = read(parameters, "geography_type", AreaType::Dma, str::parse, &mut violations);
        let state = |text: &str| find_state(geographies, text).map(Some);
        let state = read(parameters, "state", None, state, &mut violations);
        let sort = read(parameters, "sort", MarketSort::MarketId, str::parse, &mut violations);
        let direction = read(parameters, "direction", SortOrder::Asc, sort_order, &mut violations);
        let limit = parameters.limit(&mut violations);
        let text = fold(parameters.get("q").unwrap_or_default());
        if text.chars().count() > MAX_SEARCH_TEXT {
            violations.add("?q", format!("must have at most {MAX_SEARCH_TEXT} characters"));
        }
        let (Some(area_type), Some(state), Some(sort), Some(direction)) = (area_type, state, sort, direction)
        else {
            return Err(violations);
        };
        let list = MarketList { area_type, text, state, sort, direction };
        let read = |text: &str| list.read_cursor(geographies, text);
        let same = "q, geography_type, state, sort and direction";
        let after = parameters.cursor(same, read, &mut violations);
        violations.or(Self { list, after, limit })
    }
}

/// Reads a parameter that may be left out; `None` when it is wrong.
fn read<T>(
    parameters: &QueryParameters,
    name: &str,
    default: T,
    parse: impl FnOnce(&str) -> Result<T, InvalidValue>,
    violations: &mut Violations,
) -> Option<T> {
    let read = parameters.get(name).map_or(Ok(default), parse);
    read.map_err(|InvalidValue(detail)| violations.add(format!("?{name}"), detail)).ok()
}

fn sort_order(text: &str) -> Result<SortOrder, InvalidValue> {
    match text {
        "asc" => Ok(SortOrder::Asc),
        "desc" => Ok(SortOrder::Desc),
        _ => Err(InvalidValue(one_of(&["asc", "desc"], text))),
    }
}
