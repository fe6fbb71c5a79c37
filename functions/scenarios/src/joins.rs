//! Where the ids of a scenario come from: another answer of the service has each of them, often under another
//! name. Errors and warnings say it, because whoever reads one is about to look for the right id.

/// Says which answer gives the id at a place of a body; `None` when the place is none of an id.
///
/// The same stands at the members' schemas in openapi.yaml.
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
