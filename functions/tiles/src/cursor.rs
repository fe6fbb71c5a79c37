//! Cursors for lists of tile grants.

use accounting::{OrgId, Timestamp};
use gateway::{read_cursor, write_cursor};
use store::{TileGrantPosition, TileProduct};

/// Identifies a list of grants. A cursor is valid only for the list that issued it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GrantList<'a> {
    pub(crate) org: &'a OrgId,
    pub(crate) product: TileProduct,
}

/// Writes the cursor for the page that follows a grant.
pub(crate) fn write(list: GrantList<'_>, last: &TileGrantPosition) -> String {
    let last = format!("{} {}", last.created_at.unix_millis(), last.digest.as_str());
    write_cursor(&list.name(), last.as_bytes())
}

/// Reads a cursor. Returns `None` if it's invalid or if another list issued it.
pub(crate) fn read(list: GrantList<'_>, text: &str) -> Option<TileGrantPosition> {
    let last = String::from_utf8(read_cursor(&list.name(), text)?).ok()?;
    let (created_at, digest) = last.split_once(' ')?;
    let created_at = Timestamp::from_unix_millis(created_at.parse().ok().filter(|millis| *millis >= 0)?);
    Some(TileGrantPosition { created_at, digest: digest.parse().ok()? })
}

impl GrantList<'_> {
    fn name(self) -> String {
        format!("{}\ntile grants\n{}", self.org, self.product)
    }
}
