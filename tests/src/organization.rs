//! Creates organizations and API keys the way an administrator does.

use accounting::{Credits, OrgId, PrepaidKind, Scopes, Tier};
use marquee::administrator::{Administrator, NewOrg};
use store::NewKey;

/// Creates an organization with `purchased` credits in addition to its tier's credits.
pub async fn organization(
    administrator: &Administrator,
    name: &str,
    tier: Tier,
    purchased: Credits,
) -> OrgId {
    let id: OrgId = name.parse().expect("an organization ID");
    let new = NewOrg { id: id.clone(), tier, monthly_cap: None };
    assert!(administrator.create_org(new).await.expect("a response"), "{name} doesn't exist yet");
    if purchased > 0 {
        administrator.grant(&id, PrepaidKind::Purchased, purchased, None).await.expect("a grant");
    }
    id
}

/// Creates an API key that doesn't expire.
pub async fn api_key(administrator: &Administrator, org: &OrgId, label: &str, scopes: Scopes) -> String {
    let new = NewKey { label: label.parse().expect("a label"), scopes, expires_at: None };
    administrator.create_key(org, &new).await.expect("a key").api_key.reveal().to_owned()
}
