//! Finds the state that a request names.

use dataset::{AreaKind, AreaNames, GeographyIndex};
use gateway::{InvalidValue, unknown_name};

/// Returns the state with the given name or two-letter code. Ignores case, accents, and punctuation. The
/// error for an unknown name suggests the most similar names.
pub(crate) fn find_state(names: &AreaNames, text: &str) -> Result<GeographyIndex, InvalidValue> {
    let kind = AreaKind::State;
    let unknown = || InvalidValue(unknown_name(kind.name(), text, &names.nearest(kind, text), kind.list()));
    names.find(kind, text).first().copied().ok_or_else(unknown)
}
