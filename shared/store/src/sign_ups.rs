//! Sign-ups: people create organizations, at most one per person and one per email address.
//!
//! One transaction over two tables creates the account with its first grant, the owner, and the records that
//! prevent a second sign-up by the same person or address. These records remain after the owner leaves.

use accounting::{Account, Day, OrgId, Timestamp};
use aws_sdk_dynamodb::types::TransactWriteItem;
use thiserror::Error;

use super::accounts::Accounts;
use super::batch::batch_get;
use super::client::Dynamo;
use super::credentials::Credentials;
use super::error::StoreError;
use super::expression::Expression;
use super::item::{Item, NewItem, attribute, key};
use super::keys;
use super::members::Member;
use super::org_profile::new_profile;
use super::query::get;
use super::transaction::{FailedCondition, TransactionFailure, put_new, transact};
use crate::{Email, OrgName, Role, Subject};

/// How long the count of a day's sign-ups is kept, in days.
const COUNT_KEPT_DAYS: i64 = 31;

/// The records of sign-ups.
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
    /// The owner's verified address.
    pub email: Email,
    pub at: Timestamp,
}

/// The earlier sign-ups by a person or with the person's email address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastSignUps {
    /// The organization that the person created, even if the person has left it.
    pub org: Option<OrgId>,
    /// Whether someone has signed up with the address.
    pub is_email_used: bool,
}

/// Why a sign-up failed.
#[derive(Debug, Error)]
pub enum SignUpFailure {
    /// The person belongs to an organization, or the person or address has signed up before.
    #[error("the person or their address signed up before, or the person belongs to an organization")]
    Taken,
    /// The day's limit of sign-ups is reached.
    #[error("today's sign-up limit has been reached")]
    Exhausted,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SignUps {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Creates an organization with its first grant and its owner, unless `per_day` people have already
    /// signed up on that day.
    ///
    /// After [`StoreError::Unavailable`], the organization may have been created.
    pub async fn create(&self, sign_up: &SignUp, per_day: u32) -> Result<(), SignUpFailure> {
        let SignUp { org, account, at, .. } = sign_up;
        let mut writes = self.writes_of_person(sign_up);
        let count = writes.len();
        writes.push(self.count_write(at.day(), per_day));
        writes.extend(Accounts(self.0.clone()).creation(org, account, *at));
        match transact(&self.0, writes).await {
            Ok(()) => Ok(()),
            Err(TransactionFailure::Conditions(failed)) => Err(reason(&failed, count)),
            Err(TransactionFailure::Call(error)) => Err(error.into()),
        }
    }

    /// Reads the earlier sign-ups of a person and, if given, of their address.
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

    /// Returns the number of people who have signed up on a day.
    pub async fn of_day(&self, day: Day) -> Result<u32, StoreError> {
        let item = get(&self.0.client, &self.0.accounts, count_key(day)).await?;
        item.as_ref().map_or(Ok(0), |item| attribute(item, "taken"))
    }

    /// Returns the writes for the owner, the sign-up records, and the profile. These writes fail if the
    /// person belongs to an organization or a record already exists.
    fn writes_of_person(&self, sign_up: &SignUp) -> Vec<TransactWriteItem> {
        let SignUp { org, name, account: _, subject, email, at } = sign_up;
        let owner = Member {
            subject: subject.clone(),
            role: Role::Owner,
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

    fn count_write(&self, day: Day, per_day: u32) -> TransactWriteItem {
        let mut expression = Expression::default();
        let taken = expression.name("taken");
        expression.count_below(taken, per_day);
        expression.set_time_to_live(day.start().plus_days(COUNT_KEPT_DAYS));
        expression.into_write(&self.0.accounts, count_key(day))
    }
}

fn count_key(day: Day) -> Item {
    key(keys::sign_ups_of_day(day), keys::SIGN_UPS)
}

/// Returns why a sign-up failed. `count` is the index of the write that counts the sign-up. The earlier
/// writes are for the person.
fn reason(failed: &[FailedCondition], count: usize) -> SignUpFailure {
    match failed.iter().map(|failed| failed.index).min() {
        Some(first) if first < count => SignUpFailure::Taken,
        Some(first) if first == count => SignUpFailure::Exhausted,
        // The random ID belongs to an existing organization. Another attempt uses a different ID.
        _ => StoreError::Contended("the organization's id is taken; try again").into(),
    }
}
