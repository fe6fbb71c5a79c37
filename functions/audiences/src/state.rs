//! The state that a request names.

use dataset::{Geographies, GeographyIndex, GeographyType, fold};
use shared::input::{InvalidValue, shown};

/// Finds a state by its letters or its name, which are compared as all texts are.
pub(crate) fn find_state(geographies: &Geographies, text: &str) -> Result<GeographyIndex, InvalidValue> {
    let key = fold(text);
    let mut states = geographies.of_type(GeographyType::State);
    let named = states.find(|state| fold(geographies.get(*state).name) == key);
    named.or_else(|| of_letters(geographies, &key)).ok_or_else(|| {
        let detail = "must be the letters or the name of a state, such as CA or California";
        InvalidValue(format!("{detail}, is {}", shown(text)))
    })
}

/// Finds a state by the letters that the names of its counties end in.
fn of_letters(geographies: &Geographies, letters: &str) -> Option<GeographyIndex> {
    let mut counties = geographies.of_type(GeographyType::County).map(|county| geographies.get(county));
    let ends_in_them = |name: &str| name.rsplit_once(", ").is_some_and(|(_, end)| fold(end) == letters);
    counties.find(|county| ends_in_them(county.name))?.state
}
