//! Organizations and their keys, as the operator makes them.

use accounting::{Credits, OrgId, PrepaidKind, Scopes, Tier};
use marquee::administrator::{Administrator, NewOrg};
use store::NewKey;

/// Makes an organization of a tier, with so many purchased credits besides the tier's own.
pub async fn organization(operator: &Administrator, name: &str, tier: Tier, purchased: Credits) -> OrgId {
    let id: OrgId = name.parse().expect("an organization id");
    let new = NewOrg { id: id.clone(), tier, monthly_cap: None };
    assert!(operator.create_org(new).await.expect("the engine answers"), "{name} is new");
    if purchased > 0 {
        operator.grant(&id, PrepaidKind::Purchased, purchased, None).await.expect("a grant");
    }
    id
}

/// Mints a key that does not end, and returns it in clear.
pub async fn api_key(operator: &Administrator, org: &OrgId, label: &str, scopes: Scopes) -> String {
    let new = NewKey { label: label.parse().expect("a label"), scopes, expires_at: None };
    operator.mint_key(org, &new).await.expect("a key").api_key.reveal().to_owned()
}
