use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dataset::GeographyId;
use ring::digest::{SHA256, digest};

use crate::area_type::AreaType;

/// The first byte of every cursor: another layout gets another number.
const LAYOUT: u8 = 1;

const SCOPE_BYTES: usize = 8;

/// The list that a cursor belongs to; it is refused in any other.
#[derive(Debug)]
pub(crate) struct MarketList {
    pub(crate) area_type: AreaType,
    /// As texts are compared: in lower case, without accents.
    pub(crate) text: String,
}

/// Writes the cursor of the page after an area: layout, digest of the list, area.
pub(crate) fn write(list: &MarketList, last: &GeographyId) -> String {
    let mut bytes = vec![LAYOUT];
    bytes.extend(list.digest());
    bytes.extend(last.to_string().into_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads a cursor of this list.
pub(crate) fn read(list: &MarketList, text: &str) -> Option<GeographyId> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let rest = bytes.strip_prefix(&[LAYOUT])?.strip_prefix(&list.digest())?;
    std::str::from_utf8(rest).ok()?.parse().ok()
}

impl MarketList {
    fn digest(&self) -> [u8; SCOPE_BYTES] {
        let list = format!("{}\n{}", self.area_type.as_str(), self.text);
        let mut start = [0; SCOPE_BYTES];
        start.copy_from_slice(&digest(&SHA256, list.as_bytes()).as_ref()[..SCOPE_BYTES]);
        start
    }
}
