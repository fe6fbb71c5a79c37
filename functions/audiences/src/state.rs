//! The state that a request names.

use dataset::{Geographies, GeographyIndex, GeographyType, fold, state_forms};
use gateway::{InvalidValue, shown};

/// Finds a state by its letters or its name, which are compared as all texts are.
pub(crate) fn find_state(geographies: &Geographies, text: &str) -> Result<GeographyIndex, InvalidValue> {
    let key = fold(text);
    let forms = state_forms(&key);
    let mut states = geographies.of_type(GeographyType::State);
    let named = states.find(|state| forms.contains(&fold(geographies.get(*state).name).as_str()));
    named.ok_or_else(|| {
        let detail = "must be the letters or the name of a state, such as CA or California";
        InvalidValue(format!("{detail}, is {}", shown(text)))
    })
}
