//! Calls of client link operations that return a given status.

use harness::Call;

use super::Case;

/// Creates a call whose response has the status `status`. Returns `None` if the call from [`Case::in_general`]
/// is suitable.
pub(super) async fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    let is_view = case.operation.id == "read_client_campaign";
    Some(match status {
        404 if is_view => case.world.get(case.path),
        404 => case.call_at(&case.operation.path_of_unknown_ids()),
        409 => {
            while case.good_call().send().await.status != 409 {}
            case.good_call()
        }
        // The list has no parameters that could be invalid, so this sends two credentials, which is also
        // rejected.
        400 if case.operation.id == "list_client_links" => case.call_with(&case.org.key).bearer("x.y.z"),
        429 if is_view => {
            while case.good_call().send().await.status == 200 {}
            case.good_call()
        }
        _ => return None,
    })
}
