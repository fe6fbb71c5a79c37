//! Creates, finds, changes, and deletes webhooks, which are stored in their organization's list.
//!
//! See `docs/decisions/0070-changes-and-webhooks.md`.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use accounting::{OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;
use thiserror::Error;

use super::client::Dynamo;
use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Attribute, Item, NewItem, Stored, key, moment, text};
use super::keys;
use super::query::{query_all, read};
use super::standing::{CreateFailure, Outcome, is_member, transact_as};
use super::transaction::{happened, put_new, transact};
use crate::{
    ChangeType, DisabledReason, MAX_WEBHOOKS, MemberId, PREVIOUS_SECRET_HOURS, Permission, Subject, Webhook,
    WebhookId, WebhookSecret, WebhookUrl,
};

/// The maximum number of attempts to create a webhook while concurrent changes interfere.
const MAX_ATTEMPTS: usize = 20;

/// The minimum time between a webhook's stored successes, in seconds. Successes in between aren't stored.
pub const SUCCESS_SECONDS: i64 = 3600;

/// All organizations' webhooks.
#[derive(Clone, Debug)]
pub struct Webhooks(Dynamo);

/// Why a webhook wasn't changed.
#[derive(Debug, Error)]
pub enum WebhookFailure {
    /// The organization has no webhook with this ID.
    #[error("the organization has no webhook with this id")]
    NotFound,
    /// The person has left the organization or no longer has the required role.
    #[error("the caller does not have permission")]
    Forbidden,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A change to a webhook. Fields that are `None` leave the webhook's values unchanged.
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
        read(&self.0.client, &self.0.credentials, item_key(org, id)).await
    }

    /// Changes a webhook on behalf of an owner.
    pub async fn edit(
        &self,
        org: &OrgId,
        id: &WebhookId,
        edit: WebhookEdit,
        by: &Subject,
        now: Timestamp,
    ) -> Result<(), WebhookFailure> {
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
                expression.set_if_missing("disabled", moment(now));
                expression.set_if_missing("disabled_reason", text(DisabledReason::Owner.to_string()));
            }
            None => {}
        }
        self.write_as(org, by, self.update(org, id, expression)).await
    }

    /// Replaces a webhook's secret on behalf of an owner. Deliveries are also signed with the previous secret
    /// for [`PREVIOUS_SECRET_HOURS`] more hours. Returns the webhook with the new secret.
    pub async fn rotate(
        &self,
        org: &OrgId,
        id: &WebhookId,
        by: &Subject,
        now: Timestamp,
    ) -> Result<Webhook, WebhookFailure> {
        let expires_at = now.plus_seconds(PREVIOUS_SECRET_HOURS * 3600);
        for _ in 0..MAX_ATTEMPTS {
            let seen = self.read(org, id).await?.ok_or(WebhookFailure::NotFound)?;
            let rotated = Webhook {
                secret: WebhookSecret::from_random(self.0.random.bytes()),
                previous_secret: Some(seen.secret.clone()),
                previous_secret_expires_at: Some(expires_at),
                ..seen.clone()
            };
            let mut expression = Expression::default();
            expression.set("secret", text(rotated.secret.stored()));
            expression.set("previous_secret", text(seen.secret.stored()));
            expression.set("previous_expires", moment(expires_at));
            // If another call has rotated the secret, this write must fail. Otherwise, the secret that the
            // other call returned would be lost.
            expression.require_equal("secret", text(seen.secret.stored()));
            match self.write_as(org, by, self.update(org, id, expression)).await {
                // The webhook was deleted, or another call has rotated its secret.
                Err(WebhookFailure::NotFound) => {}
                written => return written.map(|()| rotated),
            }
        }
        Err(StoreError::Contended("other requests are changing the same webhook; try again").into())
    }

    /// Deletes a webhook on behalf of an owner.
    pub async fn delete(&self, org: &OrgId, id: &WebhookId, by: &Subject) -> Result<(), WebhookFailure> {
        let mut expression = Expression::default();
        expression.require("attribute_exists(pk)");
        self.write_as(org, by, expression.into_delete(&self.0.credentials, item_key(org, id))).await
    }

    /// Disables a webhook because deliveries to its receiver failed. Returns `false` if it's already disabled
    /// or deleted, or a delivery has succeeded since the webhook was read.
    pub async fn disable(
        &self,
        webhook: &Webhook,
        reason: DisabledReason,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut expression = Expression::default();
        expression.set("disabled", moment(now));
        expression.set("disabled_reason", text(reason.to_string()));
        expression.require("attribute_not_exists(disabled)");
        // Another delivery may have succeeded since the webhook was read.
        match webhook.last_success_at {
            Some(at) => expression.require_equal("succeeded", moment(at)),
            None => expression.require("attribute_not_exists(succeeded)"),
        }
        let write = self.update(&webhook.org, &webhook.id, expression);
        happened(transact(&self.0, vec![write]).await)
    }

    /// Stores the time of a successful delivery, unless a success in the last hour is already stored.
    pub async fn succeeded(&self, webhook: &Webhook, now: Timestamp) -> Result<(), StoreError> {
        let is_recent = |at: Timestamp| at.plus_seconds(SUCCESS_SECONDS) > now;
        if webhook.last_success_at.is_some_and(is_recent) {
            return Ok(());
        }
        let mut expression = Expression::default();
        expression.set("succeeded", moment(now));
        let write = self.update(&webhook.org, &webhook.id, expression);
        happened(transact(&self.0, vec![write]).await).map(drop)
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

    /// Returns the write that updates an existing webhook.
    fn update(&self, org: &OrgId, id: &WebhookId, mut expression: Expression) -> TransactWriteItem {
        expression.require("attribute_exists(pk)");
        expression.into_write(&self.0.credentials, item_key(org, id))
    }

    /// Writes a webhook on behalf of an owner. Returns [`WebhookFailure::NotFound`] if the condition of the
    /// write fails, usually because the webhook doesn't exist.
    async fn write_as(
        &self,
        org: &OrgId,
        by: &Subject,
        write: TransactWriteItem,
    ) -> Result<(), WebhookFailure> {
        let check = is_member(&self.0, org, by, Some(Permission::ManageWebhooks));
        match transact_as(&self.0, Some(check), vec![write]).await? {
            Outcome::Done => Ok(()),
            Outcome::Forbidden => Err(WebhookFailure::Forbidden),
            Outcome::Stale => Err(WebhookFailure::NotFound),
        }
    }
}

fn item_key(org: &OrgId, id: &WebhookId) -> Item {
    key(keys::organization(org), keys::webhook_in_list(id))
}
