use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use shared::types::{AssetId, AssetState, Family, OrgId};

/// The first byte of every cursor: another layout gets another number.
const LAYOUT: u8 = 1;

const SCOPE_BYTES: usize = 8;

/// The list that a cursor belongs to; it is refused in any other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CursorScope<'a> {
    pub(crate) org: &'a OrgId,
    pub(crate) family: Family,
    pub(crate) state: Option<AssetState>,
}

/// Writes the cursor of the page after an asset: layout, digest of the list, asset.
pub(crate) fn write(scope: CursorScope<'_>, last: AssetId) -> String {
    let mut bytes = vec![LAYOUT];
    bytes.extend(scope.digest());
    bytes.extend(last.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads a cursor of this list.
pub(crate) fn read(scope: CursorScope<'_>, text: &str) -> Option<AssetId> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let rest = bytes.strip_prefix(&[LAYOUT])?.strip_prefix(&scope.digest())?;
    Some(AssetId::from_bytes(rest.try_into().ok()?))
}

impl CursorScope<'_> {
    fn digest(self) -> [u8; SCOPE_BYTES] {
        let state = self.state.map_or("", AssetState::as_str);
        let list = format!("{}\n{}\n{state}", self.org, self.family);
        let mut start = [0; SCOPE_BYTES];
        start.copy_from_slice(&digest(&SHA256, list.as_bytes()).as_ref()[..SCOPE_BYTES]);
        start
    }
}
