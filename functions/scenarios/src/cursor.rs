//! Cursors of a library's list.

use shared::input::{read_cursor, write_cursor};
use shared::types::{AssetId, AssetState, Family, OrgId};

/// The list that a cursor belongs to; it is refused in any other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CursorScope<'a> {
    pub(crate) org: &'a OrgId,
    pub(crate) family: Family,
    pub(crate) state: Option<AssetState>,
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
        format!("{}\n{}\n{}", self.org, self.family, self.state.map_or("", AssetState::as_str))
    }
}
