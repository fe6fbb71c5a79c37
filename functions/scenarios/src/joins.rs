//! Where the ids of a scenario come from: another answer of the service has each of them, often under another
//! name. Errors and warnings say it, because whoever reads one is about to look for the right id.

/// Says which answer gives the id at a place of a body; `None` when the place is none of an id.
///
/// The same stands at the members' schemas in openapi.yaml.
pub(crate) fn source(pointer: &str) -> Option<&'static str> {
    let names: Vec<_> = pointer.split('/').skip(1).filter(|name| name.parse::<usize>().is_err()).collect();
    match names[..] {
        ["spots", "display_id"] => Some("it is the spot_id of an inventory search, as a string"),
        ["spots", "spot_id"] => Some("it is a number of your own; the display is named by display_id"),
        ["place_ids"] => Some("the ids are each a place_id of place search, as a string"),
        ["cohort", "service_segment_ids"] => Some("the ids are each a service_segment_id of cohort search"),
        ["cohort", "service_segment_id"] => Some("it is a service_segment_id of cohort search"),
        ["cohort", "service_base_segment_id"] => Some(
            "it is the service_segment_id of the cohort to compare with, such as Everyone, of cohort search",
        ),
        ["cohort", "geography_ids"] => Some("the ids are each a market_id of the markets list"),
        _ => None,
    }
}
