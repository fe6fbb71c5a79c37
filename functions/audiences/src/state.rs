//! Finds the state that a request names.

use dataset::{AreaKind, AreaNames, Geographies, GeographyIndex};
use gateway::{InvalidValue, unknown_name};

/// Returns the state with the given name or two-letter code. Ignores case, accents, and punctuation.
pub(crate) fn find_state(geographies: &Geographies, text: &str) -> Result<GeographyIndex, InvalidValue> {
    let (kind, names) = (AreaKind::State, AreaNames::new(geographies));
    names
        .find(kind, text)
        .first()
        .copied()
        .ok_or_else(|| InvalidValue(unknown_name(kind.name(), text, &names.nearest(kind, text), kind.list())))
}
