//! How much a client wants each of the forms that its headers name.

/// Returns the weight that an element's parameters give it, from 0, which refuses it, to 1, which it has without
/// any (RFC 9110, section 12.4.2). A weight that is no number refuses too.
pub(super) fn weight(parameters: &str) -> f32 {
    let mut weights = parameters.split(';').filter_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("q").then_some(value.trim())
    });
    let Some(weight) = weights.next() else { return 1.0 };
    weight.parse().ok().filter(|weight: &f32| *weight > 0.0).map_or(0.0, |weight| weight.min(1.0))
}
