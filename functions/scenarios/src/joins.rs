//! The sources of a scenario's ids. Each id comes from another response, often under another name. Errors and
//! warnings name the source, because their readers need to find a valid id.

/// Returns the source of the id at a location in a body, or `None` if the location doesn't contain an id.
///
/// The schemas of the members in openapi.yaml name the same sources.
pub(crate) fn source(pointer: &str) -> Option<&'static str> {
    let names: Vec<_> = pointer.split('/').skip(1).filter(|name| name.parse::<usize>().is_err()).collect();
    match names[..] {
        ["spots", "display_id"] => Some("use a spot_id from inventory search, as a string"),
        ["spots", "spot_id"] => Some("choose your own number; display_id identifies the display"),
        ["place_ids"] => Some("use place_id values from place search, as strings"),
        ["cohort", "service_segment_ids"] => Some("use service_segment_id values from cohort search"),
        ["cohort", "service_segment_id"] => Some("use a service_segment_id from cohort search"),
        ["cohort", "service_base_segment_id"] => Some(
            "use the service_segment_id of the cohort to compare with, such as Everyone, from cohort search",
        ),
        ["cohort", "geography_ids"] => Some("use market_id values from the markets list"),
        _ => None,
    }
}
