//! Cursors of a library's list.

use accounting::OrgId;
use gateway::{read_cursor, write_cursor};
use store::{AssetFilter, AssetId, AssetState, CustomerScenarioDigest, Family, FoldedName};

/// The list that a cursor belongs to; it is refused in any other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CursorScope<'a> {
    pub(crate) org: &'a OrgId,
    pub(crate) family: Family,
    pub(crate) filter: &'a AssetFilter,
}

/// Writes the cursor of the page after an asset.
pub(crate) fn write(scope: CursorScope<'_>, last: AssetId) -> String {
    write_cursor(&scope.list(), last.as_bytes())
}

/// Reads a cursor of this list.
pub(crate) fn read(scope: CursorScope<'_>, text: &str) -> Option<AssetId> {
    Some(AssetId::from_bytes(read_cursor(&scope.list(), text)?.try_into().ok()?))
}

impl CursorScope<'_> {
    fn list(self) -> String {
        let Self { org, family, filter } = self;
        let AssetFilter { state, customer_scenario, name, updated_since } = filter;
        let state = state.map_or("", AssetState::as_str);
        let customer_scenario = customer_scenario.as_ref().map_or("", CustomerScenarioDigest::as_str);
        let updated_since = updated_since.map(|since| since.to_string()).unwrap_or_default();
        // The name alone may have line breaks of its own: it comes last.
        let name = name.as_ref().map_or("", FoldedName::as_str);
        format!("{org}\n{family}\n{state}\n{customer_scenario}\n{updated_since}\n{name}")
    }
}
