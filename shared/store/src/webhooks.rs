//! Creates, finds, changes, and deletes webhooks, which are items in their organization's list.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use accounting::{OrgId, Timestamp};

use super::client::Dynamo;
use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attribute, NewItem, Stored, key, moment, text};
use super::keys;
use super::query::{query_all, read};
use super::standing::{CreateFailure, Outcome, Revocation, is_member, transact_as};
use super::transaction::{delete, happened, put_new, transact};
use crate::{
    ChangeType, DisabledReason, MAX_WEBHOOKS, MemberId, PREVIOUS_SECRET_HOURS, Permission, Subject, Webhook,
    WebhookId, WebhookSecret, WebhookUrl,
};

/// The maximum number of attempts to create a webhook while concurrent changes interfere.
const MAX_ATTEMPTS: usize = 20;

/// How often a webhook's latest success is stored, in seconds. A later success may not be stored.
pub const SUCCESS_SECONDS: i64 = 3600;

/// The webhooks of all organizations.
#[derive(Clone, Debug)]
pub struct Webhooks(Dynamo);

/// A change of a webhook. Members that are `None` stay as they are.
#[derive(Clone, Debug, Default)]
pub struct WebhookEdit {
    pub url: Option<WebhookUrl>,
    pub event_types: Option<BTreeSet<ChangeType>>,
    /// Enables or disables the webhook.
    pub is_enabled: Option<bool>,
}

impl Webhooks {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Creates a webhook with a new secret on behalf of an owner.
    ///
    /// # Errors
    ///
    /// Returns an error if the organization already has [`MAX_WEBHOOKS`] webhooks, `by` isn't an owner at the
    /// time of the write, or the database fails.
    pub async fn create(
        &self,
        org: &OrgId,
        url: WebhookUrl,
        event_types: BTreeSet<ChangeType>,
        by: &Subject,
        now: Timestamp,
    ) -> Result<Webhook, CreateFailure> {
        let webhook = self.generate(org, url, event_types, by, now);
        let item = NewItem::of_key(keys::organization(org), keys::webhook_in_list(&webhook.id));
        let item = item.with_all(&webhook).build();
        let credentials = Credentials::new(self.0.clone());
        for _ in 0..MAX_ATTEMPTS {
            let version = credentials.list_version(org).await?;
            if self.list(org).await?.len() >= MAX_WEBHOOKS {
                return Err(CreateFailure::TooMany);
            }
            let writes = vec![
                put_new(&self.0.credentials, item.clone()),
                credentials.version_bump(org, Some(version)),
            ];
            let check = is_member(&self.0, org, by, Some(Permission::ManageWebhooks));
            match transact_as(&self.0, Some(check), writes).await? {
                Outcome::Done => return Ok(webhook),
                Outcome::Forbidden => return Err(CreateFailure::Forbidden),
                // The organization's lists have changed since they were read.
                Outcome::Stale => {}
            }
        }
        Err(StoreError::Contended("other requests are changing the same organization; try again").into())
    }

    /// Lists an organization's webhooks, newest first.
    pub async fn list(&self, org: &OrgId) -> Result<Vec<Webhook>, StoreError> {
        let Dynamo { client, credentials, .. } = &self.0;
        let items = query_all(client, credentials, &keys::organization(org), keys::WEBHOOK_LIST).await?;
        let mut listed = items.iter().map(Webhook::load).collect::<Result<Vec<_>, _>>()?;
        listed.sort_by_key(|webhook| Reverse((webhook.created_at, webhook.id.to_string())));
        Ok(listed)
    }

    /// Lists the webhooks that a member created, newest first.
    pub async fn made_by(&self, org: &OrgId, member: &MemberId) -> Result<Vec<Webhook>, StoreError> {
        let mut listed = self.list(org).await?;
        listed.retain(|webhook| webhook.created_by == *member);
        Ok(listed)
    }

    pub async fn read(&self, org: &OrgId, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        let item_key = key(keys::organization(org), keys::webhook_in_list(id));
        read(&self.0.client, &self.0.credentials, item_key).await
    }

    /// Changes a webhook on behalf of an owner.
    pub async fn edit(
        &self,
        org: &OrgId,
        id: &WebhookId,
        edit: WebhookEdit,
        by: &Subject,
        now: Timestamp,
    ) -> Result<Revocation, StoreError> {
        let WebhookEdit { url, event_types, is_enabled } = edit;
        let mut expression = Expression::default();
        // An update must set something, even if the edit changes nothing.
        expression.set("webhook_id", text(id.to_string()));
        for (name, value) in [("url", url.write()), ("types", event_types.write())] {
            if let Some(value) = value {
                expression.set(name, value);
            }
        }
        match is_enabled {
            Some(true) => {
                expression.remove("disabled");
                expression.remove("disabled_reason");
            }
            Some(false) => {
                // A webhook that is already disabled keeps its reason.
                for (name, value) in
                    [("disabled", Some(moment(now))), ("disabled_reason", DisabledReason::Owner.write())]
                {
                    expression.set_if_missing(name, value);
                }
            }
            None => {}
        }
        self.update_as(org, id, expression, by).await
    }

    /// Replaces a webhook's secret on behalf of an owner. The previous secret also signs deliveries for
    /// [`PREVIOUS_SECRET_HOURS`] more hours. Returns the webhook with the new secret.
    pub async fn rotate(
        &self,
        org: &OrgId,
        id: &WebhookId,
        by: &Subject,
        now: Timestamp,
    ) -> Result<Result<Webhook, Revocation>, StoreError> {
        let expires_at = now.plus_seconds(PREVIOUS_SECRET_HOURS * 3600);
        for _ in 0..MAX_ATTEMPTS {
            let Some(seen) = self.read(org, id).await? else { return Ok(Err(Revocation::Unknown)) };
            let rotated = Webhook {
                secret: WebhookSecret::from_random(self.0.random.bytes()),
                previous_secret: Some(seen.secret.clone()),
                previous_secret_expires_at: Some(expires_at),
                ..seen.clone()
            };
            let mut expression = Expression::default();
            for (name, secret) in [("secret", &rotated.secret), ("previous_secret", &seen.secret)] {
                expression.set_or_remove(name, secret.write());
            }
            expression.set("previous_expires", moment(expires_at));
            // A secret that another call returned must not be lost.
            expression.require_equal("secret", text(seen.secret.stored()));
            match self.update_as(org, id, expression, by).await? {
                Revocation::Done => return Ok(Ok(rotated)),
                Revocation::Forbidden => return Ok(Err(Revocation::Forbidden)),
                Revocation::Ended | Revocation::Unknown => {}
            }
        }
        Err(StoreError::Contended("other requests are changing the same webhook; try again"))
    }

    /// Deletes a webhook on behalf of an owner.
    pub async fn delete(&self, org: &OrgId, id: &WebhookId, by: &Subject) -> Result<Revocation, StoreError> {
        let item_key = key(keys::organization(org), keys::webhook_in_list(id));
        if self.read(org, id).await?.is_none() {
            return Ok(Revocation::Unknown);
        }
        let writes = vec![delete(&self.0.credentials, item_key)];
        let check = is_member(&self.0, org, by, Some(Permission::ManageWebhooks));
        Ok(match transact_as(&self.0, Some(check), writes).await? {
            Outcome::Forbidden => Revocation::Forbidden,
            Outcome::Done | Outcome::Stale => Revocation::Done,
        })
    }

    /// Disables a webhook because of its receiver. Returns `false` if it's already disabled or deleted, or a
    /// delivery has succeeded since the webhook was read.
    pub async fn disable(
        &self,
        webhook: &Webhook,
        reason: DisabledReason,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut expression = Expression::default();
        expression.set("disabled", moment(now));
        expression.set_or_remove("disabled_reason", reason.write());
        expression.require("attribute_not_exists(disabled)");
        // Another delivery may have succeeded since the webhook was read.
        match webhook.last_success_at {
            Some(at) => expression.require_equal("succeeded", moment(at)),
            None => expression.require("attribute_not_exists(succeeded)"),
        }
        self.update(webhook, expression).await
    }

    /// Stores the time of a successful delivery, unless a success in the last hour is already stored.
    pub async fn succeeded(&self, webhook: &Webhook, now: Timestamp) -> Result<(), StoreError> {
        let is_recent = |at: Timestamp| at.plus_seconds(SUCCESS_SECONDS) > now;
        if webhook.last_success_at.is_some_and(is_recent) {
            return Ok(());
        }
        let mut expression = Expression::default();
        expression.set("succeeded", moment(now));
        self.update(webhook, expression).await.map(drop)
    }

    fn generate(
        &self,
        org: &OrgId,
        url: WebhookUrl,
        event_types: BTreeSet<ChangeType>,
        by: &Subject,
        now: Timestamp,
    ) -> Webhook {
        Webhook {
            org: org.clone(),
            id: WebhookId::from_random(self.0.random.bytes()),
            url,
            event_types,
            secret: WebhookSecret::from_random(self.0.random.bytes()),
            previous_secret: None,
            previous_secret_expires_at: None,
            created_at: now,
            created_by: by.member_id(),
            disabled_at: None,
            disabled_reason: None,
            last_success_at: None,
        }
    }

    async fn update(&self, webhook: &Webhook, mut expression: Expression) -> Result<bool, StoreError> {
        expression.require("attribute_exists(pk)");
        let item_key = key(keys::organization(&webhook.org), keys::webhook_in_list(&webhook.id));
        let write = expression.into_write(&self.0.credentials, item_key);
        happened(transact(&self.0, vec![write]).await)
    }

    async fn update_as(
        &self,
        org: &OrgId,
        id: &WebhookId,
        mut expression: Expression,
        by: &Subject,
    ) -> Result<Revocation, StoreError> {
        expression.require("attribute_exists(pk)");
        let item_key = key(keys::organization(org), keys::webhook_in_list(id));
        let writes = vec![expression.into_write(&self.0.credentials, item_key)];
        let check = is_member(&self.0, org, by, Some(Permission::ManageWebhooks));
        Ok(match transact_as(&self.0, Some(check), writes).await? {
            Outcome::Done => Revocation::Done,
            Outcome::Forbidden => Revocation::Forbidden,
            Outcome::Stale => Revocation::Unknown,
        })
    }
}
