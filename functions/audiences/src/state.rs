//! The state that a request names.

use dataset::{Geographies, GeographyIndex, GeographyType, fold, state_forms};
use gateway::{InvalidValue, quoted};

/// Finds a state by its letters or its name, which are compared as all texts are.
pub(crate) fn find_state(geographies: &Geographies, text: &str) -> Result<GeographyIndex, InvalidValue> {
    let key = fold(text);
    let forms = state_forms(&key);
    let mut states = geographies.of_type(GeographyType::State);
    let named = states.find(|state| forms.contains(&fold(geographies.get(*state).name).as_str()));
    named.ok_or_else(|| {
        let detail = "must be a state's two-letter code or name, such as CA or California";
        InvalidValue(format!("{detail}, got {}", quoted(text)))
    })
}
