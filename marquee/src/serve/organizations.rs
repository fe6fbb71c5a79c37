//! The local process's organizations: one for each tier, and a second enterprise organization for testing
//! that organizations can't access each other's data.

use accounting::{Credits, OrgId, PrepaidKind, Scope, Tier};
use gateway::App;
use store::{ApiKey, NewKey, Role};

use super::provider::LocalIssuer;
use crate::administrator::{Administrator, AdministratorError, NewOrg};
use crate::engine::{DataFolder, Engine, LocalCredentials};
use crate::failure::Failure;

/// The ID of the organization that `enterprise_key` and `bearer_token` belong to.
pub(super) const ENTERPRISE: &str = "org_enterprise";

/// The credits that an enterprise organization gets when it's created.
const ENTERPRISE_CREDITS: Credits = 1_000_000;

/// The label of the local process's API keys.
const KEY_LABEL: &str = "make run";

/// Creates the organizations if they don't exist, and writes the credentials file.
pub(super) async fn prepare(
    app: &App,
    issuer: &LocalIssuer,
    folder: &DataFolder,
    origin: &str,
    engine: &Engine,
) -> Result<LocalCredentials, Failure> {
    let administrator = Administrator::new(app.clone());
    let known = LocalCredentials::read(folder);
    let key = async |name: &str, tier: Tier, of: fn(&LocalCredentials) -> &String| {
        key_of(&administrator, id(name), tier, known.as_ref().map(of)).await
    };
    let credentials = LocalCredentials {
        base_url: format!("{origin}/v2"),
        search_url: origin.to_owned(),
        sandbox_key: key("org_sandbox", Tier::Sandbox, |known| &known.sandbox_key).await?,
        payg_key: key("org_payg", Tier::PayAsYouGo, |known| &known.payg_key).await?,
        enterprise_key: key(ENTERPRISE, Tier::Enterprise, |known| &known.enterprise_key).await?,
        other_org_key: key("org_other", Tier::Enterprise, |known| &known.other_org_key).await?,
        bearer_token: issuer.create(&issuer.developer(), app.clock.now()),
        newcomer_token: issuer.create(&issuer.newcomer(), app.clock.now()),
        dynamodb_endpoint: engine.endpoint().url.clone(),
    };
    administrator.add_member(&id(ENTERPRISE), issuer.developer().subject, Some(Role::Owner)).await?;
    credentials.write(folder)?;
    Ok(credentials)
}

/// Converts a local organization's name to an ID.
pub(super) fn id(name: &str) -> OrgId {
    name.parse().expect("the local IDs are valid")
}

/// Returns an organization's API key and creates the organization if it doesn't exist. Keeps the `known` key
/// if it's still valid. Otherwise, revokes the keys from earlier runs, and creates a new one.
async fn key_of(
    administrator: &Administrator,
    org: OrgId,
    tier: Tier,
    known: Option<&String>,
) -> Result<String, AdministratorError> {
    let is_new = administrator.create_org(NewOrg { id: org.clone(), tier, monthly_cap: None }).await?;
    if is_new && tier == Tier::Enterprise {
        administrator.grant(&org, PrepaidKind::Purchased, ENTERPRISE_CREDITS, None).await?;
    }
    if let Some(key) = known.and_then(|key| key.parse::<ApiKey>().ok())
        && administrator.is_live(&key).await?
    {
        return Ok(key.reveal().to_owned());
    }
    for key in administrator.keys(&org).await? {
        if key.label == KEY_LABEL && key.revoked_at.is_none() {
            administrator.revoke_key(&org, &key.id).await?;
        }
    }
    let label = KEY_LABEL.parse().expect("the label is valid");
    let new = NewKey { label, scopes: Scope::all(), expires_at: None };
    Ok(administrator.create_key(&org, &new).await?.api_key.reveal().to_owned())
}
