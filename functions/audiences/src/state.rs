//! Finds the state that a request names.

use dataset::{Geographies, GeographyIndex, GeographyType, normalize, state_forms};
use gateway::{InvalidValue, quoted};

/// Returns the state with the given name or two-letter code. Normalizes the text before it compares names.
pub(crate) fn find_state(geographies: &Geographies, text: &str) -> Result<GeographyIndex, InvalidValue> {
    let key = normalize(text);
    let forms = state_forms(&key);
    let mut states = geographies.of_type(GeographyType::State);
    let named = states.find(|state| forms.contains(&normalize(geographies.get(*state).name).as_str()));
    named.ok_or_else(|| {
        let detail = "must be a state's two-letter code or name, such as CA or California";
        InvalidValue(format!("{detail}, got {}", quoted(text)))
    })
}
