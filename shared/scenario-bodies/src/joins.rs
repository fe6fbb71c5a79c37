//! Advice on where to find valid IDs for a scenario. Each ID comes from another operation's response, often
//! under a different name. Errors and warnings include this advice.

/// Returns advice on where to find an ID for the member at a JSON pointer, or `None` if the member isn't an
/// ID.
///
/// The descriptions in openapi.yaml contain the same advice.
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
