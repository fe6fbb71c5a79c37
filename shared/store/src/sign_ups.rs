//! Sign-ups. People sign up by creating an organization, at most one per person and one per mailbox.
//!
//! One transaction across two tables creates the account with its first grant, the owner, and the records
//! that prevent a second sign-up by the same person or mailbox. These records are kept after the owner
//! leaves.

use accounting::{Account, Day, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;
use thiserror::Error;

use super::accounts::Accounts;
use super::batch::batch_get;
use super::client::Dynamo;
use super::credentials::Credentials;
use super::error::StoreError;
use super::item::{Item, NewItem, attribute, key};
use super::keys;
use super::members::Member;
use super::org_profile::new_profile;
use super::sign_up_limits::SignUpLimit;
use super::transaction::{FailedCondition, TransactionFailure, put_new, transact};
use crate::{Email, OrgName, PersonName, Role, Subject};

/// All sign-up records.
#[derive(Clone, Debug)]
pub struct SignUps(Dynamo);

/// A request to create an organization for a person.
#[derive(Clone, Debug)]
pub struct SignUp {
    pub org: OrgId,
    pub name: OrgName,
    /// The initial account.
    pub account: Account,
    /// The owner of the organization.
    pub subject: Subject,
    /// The owner's name, if known.
    pub person_name: Option<PersonName>,
    /// The owner's verified address.
    pub email: Email,
    pub at: Timestamp,
}

/// Earlier sign-ups by a person or with the person's mailbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastSignUps {
    /// The organization that the person created, even if the person has left it.
    pub org: Option<OrgId>,
    /// Whether anyone has signed up with an address that belongs to the same mailbox.
    pub is_email_used: bool,
}

/// Why a sign-up failed.
#[derive(Debug, Error)]
pub enum SignUpFailure {
    /// The person belongs to an organization, or the person or mailbox has signed up before.
    #[error(
        "the person belongs to an organization, or the person or someone with the same mailbox has signed up before"
    )]
    Taken,
    /// One of the day's sign-up limits has been reached.
    #[error("today's sign-up limit has been reached")]
    Exhausted(SignUpLimit),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SignUps {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Creates an organization with its first grant and its owner, unless one of the day's limits has been
    /// reached.
    ///
    /// After [`StoreError::Unavailable`], the organization may have been created.
    pub async fn create(&self, sign_up: &SignUp, limits: &[SignUpLimit]) -> Result<(), SignUpFailure> {
        let SignUp { org, account, at, .. } = sign_up;
        let mut writes = self.writes_of_person(sign_up);
        let first_count = writes.len();
        writes.extend(limits.iter().map(|limit| limit.count(&self.0.accounts, at.day())));
        writes.extend(Accounts(self.0.clone()).creation(org, account, *at));
        match transact(&self.0, writes).await {
            Ok(()) => Ok(()),
            Err(TransactionFailure::Conditions(failed)) => Err(reason(&failed, first_count, limits)),
            Err(TransactionFailure::Call(error)) => Err(error.into()),
        }
    }

    /// Reads earlier sign-ups by a person and, if `email` is set, with the address's mailbox.
    pub async fn past(&self, subject: &Subject, email: Option<&Email>) -> Result<PastSignUps, StoreError> {
        let of_person = key(keys::sign_up_of_person(subject), keys::SIGN_UP);
        let of_email = email.map(|email| key(keys::sign_up_of_email(email), keys::SIGN_UP));
        let wanted = [of_person].into_iter().chain(of_email).collect();
        let mut past = PastSignUps::default();
        for item in batch_get(&self.0, &self.0.credentials, wanted).await? {
            // Only the person's record contains the organization.
            match attribute(&item, "org")? {
                Some(org) => past.org = Some(org),
                None => past.is_email_used = true,
            }
        }
        Ok(past)
    }

    /// Returns the first limit that has been reached on a day, if any.
    pub async fn exhausted<'a>(
        &self,
        limits: &'a [SignUpLimit],
        day: Day,
    ) -> Result<Option<&'a SignUpLimit>, StoreError> {
        let counts = limits.iter().map(|limit| limit.count_key(day)).collect();
        let counts = batch_get(&self.0, &self.0.accounts, counts).await?;
        for limit in limits {
            let own_key = limit.count_key(day);
            let is_own = |item: &&Item| own_key.iter().all(|(name, value)| item.get(name) == Some(value));
            let taken = counts.iter().find(is_own).map_or(Ok(0), |item| attribute::<u32>(item, "taken"))?;
            if taken >= limit.per_day {
                return Ok(Some(limit));
            }
        }
        Ok(None)
    }

    /// Returns the writes for the owner, the sign-up records, and the profile. These writes fail if the
    /// person belongs to an organization or a record already exists.
    fn writes_of_person(&self, sign_up: &SignUp) -> Vec<TransactWriteItem> {
        let SignUp { org, name, account: _, subject, person_name, email, at } = sign_up;
        let owner = Member {
            subject: subject.clone(),
            role: Role::Owner,
            name: person_name.clone(),
            email: Some(email.clone()),
            joined_at: *at,
        };
        let of_person = NewItem::of_key(keys::sign_up_of_person(subject), keys::SIGN_UP).with("org", org);
        let of_email = NewItem::of_key(keys::sign_up_of_email(email), keys::SIGN_UP);
        let mut writes = Credentials(self.0.clone()).joining(org, &owner, None).to_vec();
        let marks = [of_person, of_email].map(|mark| mark.with("at", at).build());
        writes.extend(marks.map(|mark| put_new(&self.0.credentials, mark)));
        writes.push(put_new(&self.0.credentials, new_profile(org, name, *at)));
        writes
    }
}

/// Returns why a sign-up failed. `first_count` is the index of the write that counts toward the first limit.
/// The writes before it concern the person.
fn reason(failed: &[FailedCondition], first_count: usize, limits: &[SignUpLimit]) -> SignUpFailure {
    let first = failed.iter().map(|failed| failed.index).min().unwrap_or(usize::MAX);
    match first.checked_sub(first_count).map(|limit| limits.get(limit)) {
        None => SignUpFailure::Taken,
        Some(Some(limit)) => SignUpFailure::Exhausted(limit.clone()),
        // The random ID belongs to an existing organization. Another attempt uses a different ID.
        Some(None) => StoreError::Contended("the organization's id is taken; try again").into(),
    }
}
