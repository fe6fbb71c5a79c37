//! Calls of measurement operations that return a given status.

use accounting::Tier;
use harness::Call;

use super::Case;

/// Creates a call whose response has the status `status`. Returns `None` if the call from [`Case::in_general`]
/// is suitable.
pub(super) async fn special<'a>(case: &Case<'a>, status: u16) -> Option<Call<'a>> {
    let Case { operation, world, org, path, .. } = case;
    if !operation.takes_an_asset_id() {
        return None;
    }
    Some(match status {
        402 => {
            // Creating the campaign uses one of the two credits.
            let poor = world.org_with("org_poor", Tier::Enterprise, 2).await;
            let path = operation.path_for(world, &poor, &world.router()).await;
            world.post(&path).key(&poor.key).header("idempotency-key", "k-1")
        }
        404 => case.call_at(&operation.path_of_unknown_ids()),
        409 => {
            let bought = world.post(path).key(&org.key).header("idempotency-key", "first").send().await;
            assert_eq!(bought.status, 200, "{}", bought.text());
            case.call_with(&org.key)
        }
        _ => return None,
    })
}
