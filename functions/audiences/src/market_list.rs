//! Filters, sorts, and paginates lists of markets.

use std::cmp::Ordering;

use dataset::{Geographies, Geography, GeographyIndex, GeographyType, normalize};
use gateway::{InvalidValue, SortOrder, read_cursor, write_cursor};
use strum::{Display, EnumString, VariantNames};

use crate::area_type::AreaType;

/// The number of digits in a ZIP code.
const ZIP_DIGITS: usize = GeographyType::Zip.digits();

/// The filter and sort order that identify a list. A cursor is valid only for the list that issued it.
#[derive(Debug)]
pub(crate) struct MarketList {
    pub(crate) area_type: AreaType,
    /// The normalized search string: lowercase and without accents.
    pub(crate) text: String,
    pub(crate) state: Option<GeographyIndex>,
    pub(crate) sort: MarketSort,
    pub(crate) direction: SortOrder,
}

/// How markets are sorted. Markets with equal values are sorted by ID.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "snake_case")]
#[strum(parse_err_ty = InvalidValue, parse_err_fn = InvalidValue::no_variant::<MarketSort>)]
pub(crate) enum MarketSort {
    #[default]
    MarketId,
    Name,
    Population,
}

#[derive(Debug)]
pub(crate) struct MarketPage {
    pub(crate) markets: Vec<GeographyIndex>,
    pub(crate) has_more: bool,
    /// The number of markets on all pages.
    pub(crate) total: usize,
}

/// A market with its sort keys.
struct Placed {
    value: Value,
    /// The type and code of the ID, which sort in the same order as the ID's text.
    id: (&'static str, u32),
    market: GeographyIndex,
}

/// A market's sort value. All markets in a list have the same variant.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Id(&'static str, u32),
    Name(String),
    Population(u32),
}

impl MarketList {
    /// Returns the page that starts after the `after` market, or the first page if `after` is `None`.
    pub(crate) fn page(
        &self,
        geographies: &Geographies,
        after: Option<GeographyIndex>,
        limit: usize,
    ) -> MarketPage {
        let placed = |market| self.placed(market, &geographies.get(market));
        let mut found = self.area_type.areas(geographies, self.state);
        found.retain(|market| self.has(&geographies.get(*market)));
        let after = after.map(placed);
        let mut rest: Vec<_> = found.iter().map(|market| placed(*market)).collect();
        rest.retain(|market| after.as_ref().is_none_or(|after| self.compare(market, after).is_gt()));
        let has_more = rest.len() > limit;
        if has_more {
            // Select the page first, so that only the page is sorted.
            rest.select_nth_unstable_by(limit, |one, other| self.compare(one, other));
            rest.truncate(limit);
        }
        rest.sort_unstable_by(|one, other| self.compare(one, other));
        let markets = rest.iter().map(|placed| placed.market).collect();
        MarketPage { markets, has_more, total: found.len() }
    }

    /// Writes the cursor for the page that follows a market.
    pub(crate) fn write_cursor(&self, geographies: &Geographies, last: GeographyIndex) -> String {
        write_cursor(&self.name(), geographies.get(last).id.to_string().as_bytes())
    }

    /// Reads a cursor. Returns `None` if it's invalid or if another list issued it.
    pub(crate) fn read_cursor(&self, geographies: &Geographies, text: &str) -> Option<GeographyIndex> {
        let id = String::from_utf8(read_cursor(&self.name(), text)?).ok()?.parse().ok()?;
        geographies.find(&id)
    }

    fn name(&self) -> String {
        let Self { area_type, text, state, sort, direction } = self;
        let state = state.map(GeographyIndex::raw);
        format!("{area_type}\n{text}\n{state:?}\n{sort}\n{direction:?}")
    }

    /// Returns whether a market matches the search string. It matches if the string is empty, if the market's
    /// name contains the string, or if the market is a ZIP code that begins with the string.
    fn has(&self, market: &Geography<'_>) -> bool {
        self.text.is_empty() || self.begins_zip(market) || normalize(market.name).contains(&self.text)
    }

    fn begins_zip(&self, market: &Geography<'_>) -> bool {
        let is_number = self.text.len() <= ZIP_DIGITS && self.text.bytes().all(|byte| byte.is_ascii_digit());
        let id = market.id;
        is_number
            && id.geography_type() == GeographyType::Zip
            && id.national_id().to_string().starts_with(&self.text)
    }

    fn placed(&self, market: GeographyIndex, geography: &Geography<'_>) -> Placed {
        let id = (geography.id.geography_type().as_str(), geography.id.code());
        let value = match self.sort {
            MarketSort::MarketId => Value::Id(id.0, id.1),
            MarketSort::Name => Value::Name(normalize(geography.name)),
            MarketSort::Population => Value::Population(geography.population),
        };
        Placed { value, id, market }
    }

    fn compare(&self, one: &Placed, other: &Placed) -> Ordering {
        let by_value = one.value.cmp(&other.value);
        let by_value = if self.direction == SortOrder::Desc { by_value.reverse() } else { by_value };
        by_value.then_with(|| one.id.cmp(&other.id))
    }
}
