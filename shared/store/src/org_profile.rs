//! Organization profiles. Organizations that were created by an administrator have an empty profile.

use std::collections::HashMap;

use accounting::{OrgId, Timestamp};

use super::batch::batch_get;
use super::credentials::Credentials;
use super::error::StoreError;
use super::item::{Item, NewItem, Stored, attribute, key, stored};
use super::keys;
use crate::OrgName;

/// An organization's name and sign-up date. Both are `None` if an administrator created the organization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrgProfile {
    pub name: Option<OrgName>,
    /// When the first owner signed up.
    pub signed_up_at: Option<Timestamp>,
}

impl Credentials {
    /// Reads an organization's profile, which is empty if nothing is stored.
    pub async fn profile(&self, org: &OrgId) -> Result<OrgProfile, StoreError> {
        let item = self.get(profile_key(org)).await?;
        Ok(item.as_ref().map(OrgProfile::load).transpose()?.unwrap_or_default())
    }

    /// Reads the profiles of several organizations. Empty profiles may be omitted.
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

/// Returns the item for a new organization's profile. The version of the organization's lists is 1, because
/// the list of members already contains the owner.
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
