//! Sign-ups: organizations that people make for themselves, once for each person and each e-mail address.
//!
//! One transaction over both tables makes all of it: the account with its first grant, its owner, and what
//! keeps the same person or address from a second one, which stays when they leave.

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

/// The sign-ups of people.
#[derive(Clone, Debug)]
pub struct SignUps(Dynamo);

/// An organization that a person is about to make for themselves.
#[derive(Clone, Debug)]
pub struct SignUp {
    pub org: OrgId,
    pub name: OrgName,
    /// The account that it opens with.
    pub account: Account,
    /// Its owner.
    pub subject: Subject,
    /// The owner's verified address.
    pub email: Email,
    pub at: Timestamp,
}

/// What is kept of earlier sign-ups of a person and of their address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastSignUps {
    /// The organization that the person made, whether or not they have left it since.
    pub org: Option<OrgId>,
    /// Whether somebody has signed up with the address.
    pub is_email_used: bool,
}

/// Why a sign-up did not happen.
#[derive(Debug, Error)]
pub enum SignUpFailure {
    /// The person belongs to an organization, or they or their address have signed up before.
    #[error("the person or their address signed up before, or the person belongs to an organization")]
    Taken,
    /// As many have signed up on this day as may.
    #[error("today's sign-up limit has been reached")]
    Exhausted,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SignUps {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Makes an organization with its first grant and its owner, unless `per_day` people have signed up on
    /// the day already.
    ///
    /// # Errors
    ///
    /// When there may be none, and when the database does not answer: it may have been made then.
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

    /// Reads what is kept of earlier sign-ups of a person, and of their address where they have one.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn past(&self, subject: &Subject, email: Option<&Email>) -> Result<PastSignUps, StoreError> {
        let of_person = key(keys::sign_up_of_person(subject), keys::SIGN_UP);
        let of_email = email.map(|email| key(keys::sign_up_of_email(email), keys::SIGN_UP));
        let wanted = [of_person].into_iter().chain(of_email).collect();
        let mut past = PastSignUps::default();
        for item in batch_get(&self.0, &self.0.credentials, wanted).await? {
            // Nothing but the person's own says which organization it was.
            match attribute(&item, "org")? {
                Some(org) => past.org = Some(org),
                None => past.is_email_used = true,
            }
        }
        Ok(past)
    }

    /// Counts the people who have signed up on a day.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn of_day(&self, day: Day) -> Result<u32, StoreError> {
        let item = get(&self.0.client, &self.0.accounts, count_key(day)).await?;
        item.as_ref().map_or(Ok(0), |item| attribute(item, "taken"))
    }

    /// Makes the writes of which each person and each address has one set: they fail where it is there.
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

/// Says why a sign-up failed whose write `count` counts it: those before are the person's.
fn reason(failed: &[FailedCondition], count: usize) -> SignUpFailure {
    match failed.iter().map(|failed| failed.index).min() {
        Some(first) if first < count => SignUpFailure::Taken,
        Some(first) if first == count => SignUpFailure::Exhausted,
        // Eight random bytes met an organization that there is: signing up again gives another.
        _ => StoreError::Contended("the organization's id is taken; try again").into(),
    }
}
