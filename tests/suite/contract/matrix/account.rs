//! The ways to statuses that are the account function's own.

use harness::Call;

use super::Case;

/// Starts a call that is driven to a status in a way of its own; `None` where the general one suits.
pub(super) async fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    match status {
        409 if case.operation.id == "sign_up" => {
            Some(case.call().bearer(&case.world.owner_token(case.org).await))
        }
        // A token of somebody who is in no organization: health needs no scope of a key.
        403 if !case.operation.is_for_people() => {
            Some(case.call().bearer(&case.world.token(&case.world.person("nobody"))))
        }
        _ => None,
    }
}
