//! What an organization says of itself. Operators make organizations without it.

use std::collections::HashMap;

use accounting::{OrgId, Timestamp};

use super::batch::batch_get;
use super::credentials::Credentials;
use super::error::StoreError;
use super::item::{Item, NewItem, Stored, attribute, key, stored};
use super::keys;
use crate::OrgName;

/// What an organization says of itself: nothing, of one that its operator made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrgProfile {
    pub name: Option<OrgName>,
    /// When its first owner signed up.
    pub signed_up_at: Option<Timestamp>,
}

impl Credentials {
    /// Reads what an organization says of itself.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn profile(&self, org: &OrgId) -> Result<OrgProfile, StoreError> {
        let item = self.get(profile_key(org)).await?;
        Ok(item.as_ref().map(OrgProfile::load).transpose()?.unwrap_or_default())
    }

    /// Reads what organizations say of themselves; those that say nothing may be left out.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn profiles(&self, orgs: &[&OrgId]) -> Result<HashMap<OrgId, OrgProfile>, StoreError> {
        let by_partition: HashMap<_, _> =
            orgs.iter().map(|org| (keys::organization(org), (*org).clone())).collect();
        let wanted = orgs.iter().map(|org| profile_key(org)).collect();
        let found = batch_get(&self.0, &self.0.credentials, wanted).await?;
        let one = |item: &Item| {
            let org = by_partition.get(&attribute::<String>(item, "pk")?);
            Ok((org.ok_or(StoreError::Corrupt("pk"))?.clone(), OrgProfile::load(item)?))
        };
        found.iter().map(one).collect()
    }
}

/// Makes the item of an organization whose list of members begins with its owner.
pub(super) fn new_profile(org: &OrgId, name: &OrgName, signed_up_at: Timestamp) -> Item {
    NewItem::of_key(keys::organization(org), keys::ORGANIZATION)
        .with("version", &1_u64)
        .with("name", name)
        .with("signed_up", &signed_up_at)
        .build()
}

fn profile_key(org: &OrgId) -> Item {
    key(keys::organization(org), keys::ORGANIZATION)
}

stored!(OrgProfile { name: "name", signed_up_at: "signed_up" });
