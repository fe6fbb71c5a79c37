//! Cursors of the list of markets.

use dataset::GeographyId;
use shared::input::{read_cursor, write_cursor};

use crate::area_type::AreaType;

/// The list that a cursor belongs to; it is refused in any other.
#[derive(Debug)]
pub(crate) struct MarketList {
    pub(crate) area_type: AreaType,
    /// As texts are compared: in lower case, without accents.
    pub(crate) text: String,
}

/// Writes the cursor of the page after an area.
pub(crate) fn write(list: &MarketList, last: &GeographyId) -> String {
    write_cursor(&list.name(), last.to_string().as_bytes())
}

/// Reads a cursor of this list.
pub(crate) fn read(list: &MarketList, text: &str) -> Option<GeographyId> {
    String::from_utf8(read_cursor(&list.name(), text)?).ok()?.parse().ok()
}

impl MarketList {
    fn name(&self) -> String {
        format!("{}\n{}", self.area_type, self.text)
    }
}
