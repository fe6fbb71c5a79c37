//! Sorts search results and selects a page.

use super::field::Stored;
use super::id::SpotIndex;
use super::query::{FoundSpots, InventoryQuery, InventorySort, InventorySortKey};
use super::table::Inventory;
use crate::index::{DistanceOrder, Order, Set};

impl Inventory {
    /// Searches for spots, but sorts the results by a rank that the caller computes instead of by the query's
    /// sort key. `rank` returns a spot's rank plus 1, or 0 if the spot doesn't have one.
    pub fn search_by_rank(
        &self,
        query: &InventoryQuery,
        descending: bool,
        rank: impl Fn(SpotIndex) -> u32,
    ) -> FoundSpots {
        let found = self.matches(query);
        let order = Order { k: query.skip.saturating_add(query.take).min(found.len()), descending };
        let first = order.first(found.iter(), |spot| rank(SpotIndex::from_raw(spot)), None);
        let spots = first.into_iter().skip(query.skip).map(SpotIndex::from_raw).collect();
        FoundSpots { total: found.len(), spots }
    }

    pub(super) fn page(&self, found: &Set<'_>, sort: InventorySort, skip: usize, take: usize) -> Vec<u32> {
        let InventorySort { key, descending } = sort;
        let order = Order { k: skip.saturating_add(take).min(found.len()), descending };
        let field = match key {
            InventorySortKey::Field(field) => field.field(),
            InventorySortKey::DistanceFrom(center) => {
                let position = |spot| self.positions.get(spot);
                let by_distance = DistanceOrder { points: &self.points, center, position };
                let first = by_distance.first(found, order, None, self.len());
                return first.into_iter().skip(skip).collect();
            }
        };
        // Spots are stored in ID order, so spots with equal values are sorted by ID.
        let first = match field.stored() {
            Stored::SpotId => return found.page(skip, take, descending),
            // These fields can't be sort keys, so the spots stay sorted by ID.
            Stored::GeometryType
            | Stored::Coordinates
            | Stored::GeoPoint
            | Stored::Layouts
            | Stored::Representations
            | Stored::Places
            | Stored::Modelled => return found.page(skip, take, false),
            Stored::Flag(_) => {
                let column = self.flag(field);
                order.first(found.iter(), |spot| column.get(spot).map_or(0, |flag| 1 + u32::from(flag)), None)
            }
            Stored::Text(..) => self.text(field).first(found, order, None),
            Stored::Integer(_) | Stored::Number(_) => {
                self.number(field).ordinals().first(found.iter(), order, None)
            }
        };
        first.into_iter().skip(skip).take(take).collect()
    }
}
