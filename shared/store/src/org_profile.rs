//! What an organization says of itself. Operators make organizations without it.

use std::collections::HashMap;

use accounting::{OrgId, Timestamp};

use super::batch::batch_get;
use super::credentials::Credentials;
use super::error::StoreError;
use super::item::{Attributes, Item, key, number, text};
use super::keys;
use crate::OrgName;

/// How many profiles are read with one call.
const PROFILES_READ: usize = 100;

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
        Ok(item.as_ref().map(decode).transpose()?.unwrap_or_default())
    }

    /// Reads what organizations say of themselves; those that say nothing may be left out.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn profiles(&self, orgs: &[&OrgId]) -> Result<HashMap<OrgId, OrgProfile>, StoreError> {
        let mut profiles = HashMap::new();
        for some in orgs.chunks(PROFILES_READ) {
            let by_partition: HashMap<_, _> =
                some.iter().map(|org| (keys::organization(org), (*org).clone())).collect();
            let wanted = some.iter().map(|org| profile_key(org)).collect();
            for item in batch_get(&self.0, &self.0.credentials, wanted).await? {
                let org = by_partition.get(Attributes(&item).text("pk")?);
                let org = org.ok_or(StoreError::Corrupt("pk"))?;
                profiles.insert(org.clone(), decode(&item)?);
            }
        }
        Ok(profiles)
    }
}

/// Makes the item of an organization whose list of members begins with its owner.
pub(super) fn new_profile(org: &OrgId, name: &OrgName, signed_up_at: Timestamp) -> Item {
    let mut item = profile_key(org);
    item.extend([
        ("version".to_owned(), number(1)),
        ("name".to_owned(), text(name.as_str())),
        ("signed_up".to_owned(), number(signed_up_at.unix_millis())),
    ]);
    item
}

fn profile_key(org: &OrgId) -> Item {
    key(keys::organization(org), keys::ORGANIZATION)
}

fn decode(item: &Item) -> Result<OrgProfile, StoreError> {
    let attributes = Attributes(item);
    let name = attributes.optional_text("name")?.map(str::parse).transpose();
    Ok(OrgProfile {
        name: name.map_err(|_| StoreError::Corrupt("name"))?,
        signed_up_at: attributes.optional_number("signed_up")?.map(Timestamp::from_unix_millis),
    })
}
