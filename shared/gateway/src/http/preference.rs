//! Parses request headers with weighted preferences, such as `Accept`.

use http::{HeaderMap, HeaderName};

/// Parses a list header. Returns each element's name and weight, and ignores its other parameters.
pub(super) fn weighted(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = (&str, f32)> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    let elements = values.flat_map(|value| value.split(',')).filter(|element| !element.trim().is_empty());
    elements.map(|element| {
        let (name, parameters) = element.split_once(';').unwrap_or((element, ""));
        (name.trim(), weight(parameters))
    })
}

/// Returns an element's weight (RFC 9110, section 12.4.2). The default is 1, and 0 means that the element
/// isn't acceptable. An invalid weight counts as 0.
fn weight(parameters: &str) -> f32 {
    let mut weights = parameters.split(';').filter_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("q").then_some(value.trim())
    });
    let Some(weight) = weights.next() else { return 1.0 };
    weight.parse().ok().filter(|weight: &f32| *weight > 0.0).map_or(0.0, |weight| weight.min(1.0))
}
